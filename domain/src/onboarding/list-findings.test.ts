// The findings of onboarding-result and validate-account: each rule that requested, referred, restricted or noted,
// and its source.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accountRuleOf, type Finding, findingOf } from '../account/policy/finding.ts'
import { findOnApplication, judgeIdentity } from './identity-checks.ts'
import { listFindings } from './list-findings.ts'
import type { OnboardingState } from './onboarding-state.ts'
import { begin, ended, play, screened } from './testing/play-events.ts'

const opening = { moment: 'opening', sandbox: false } as const
function find(...given: [rule: Finding['rule'], field: string][]): Finding[] {
  return given.flatMap(([rule, field]) => findingOf(rule, field, `${rule}.`, opening) ?? [])
}
function outcomeOf(policy: Finding[]) {
  const duplicates = { possibleDuplicates: 0, duplicatePolicy: 'Flag' } as const
  return judgeIdentity(findOnApplication({ policy, ...duplicates }))
}
function shown({ followUps }: OnboardingState, current: Finding[] = []) {
  return listFindings(followUps, current, []).map(
    ({ rule, effect, field, followUpId }) => `${effect} ${rule} ${field} ${followUpId}`,
  )
}

describe('a finding', () => {
  test('that requests something names its follow-up, and two requests for one field have one follow-up', () => {
    const policy = find(['AffiliationNamed', 'a'], ['SourceOfFundsNamed', 'a'], ['AgePlausible', 'b'])
    const { state } = play([begin, ended('IdentityCheck', outcomeOf(policy))])
    assert.deepEqual(shown(state), [
      'ask AffiliationNamed a FU-1',
      'ask SourceOfFundsNamed a FU-1',
      'ask AgePlausible b FU-2',
    ])
  })

  test('that operations decide on names the review, with every rule that caused it', () => {
    const policy = find(['NameIsName', 'primaryOwner'], ['AddressIsPlace', 'primaryOwner.legalAddress'])
    const { state } = play([begin, ended('IdentityCheck', outcomeOf(policy))])
    assert.deepEqual(shown(state), [
      'review NameIsName primaryOwner FU-1',
      'review AddressIsPlace primaryOwner.legalAddress FU-1',
    ])
  })

  test('that is requested after the opening names its follow-up from the opening on', () => {
    const outcome = outcomeOf(find(['UsOwnerCertified', 'primaryOwner']))
    const opened = [
      begin,
      ended('IdentityCheck', outcome),
      ...screened.slice(2),
      ...(['AccountCreation', 'MailingAddress', 'TrustedContact', 'ElectronicDelivery'] as const).map(
        (stage) => ended(stage),
      ),
    ]
    assert.deepEqual(shown(play(opened.slice(0, 3)).state), [])
    const { state } = play(opened)
    assert.deepEqual(shown(state), ['ask UsOwnerCertified primaryOwner FU-1'])
    const late = play([{ kind: 'renewal-expired', followUpId: 'FU-1' }], state)
    assert.deepEqual(shown(late.state), ['restrict UsOwnerCertified primaryOwner FU-1'])
    const found = [{ rule: 'OwnersResidence', field: 'primaryOwner', reason: 'Moved.' } as const]
    const followUps = late.state.followUps.map((one) => ({ ...one, found }))
    assert.deepEqual(shown({ ...late.state, followUps }), ['ask OwnersResidence primaryOwner FU-1'])
  })

  test('that is noted reflects the current record, unless it has a follow-up', () => {
    const policy = find(
      ['NameIsName', 'primaryOwner'],
      ['LiquidWithinNet', 'financialProfile.liquidNetWorth'],
    )
    const { state } = play([begin, ended('IdentityCheck', outcomeOf(policy))])
    const noted = policy.map((finding): Finding => ({ ...finding, effect: 'note' }))
    const [unasked = assert.fail()] = find(['UsOwnerCertified', 'primaryOwner'])
    assert.equal(unasked.effect, 'ask')
    assert.deepEqual(shown(state, [...noted, unasked]), [
      'review NameIsName primaryOwner FU-1',
      'note LiquidWithinNet financialProfile.liquidNetWorth ',
    ])
  })

  test('that led to a follow-up is marked when the record has it no more, or about another value only', () => {
    const [old = assert.fail()] = find(['AgePlausible', 'b'])
    const policy = [{ ...old, about: '1910' }, ...find(['BirthDateOfMinor', 'b'])]
    const { state } = play([begin, ended('IdentityCheck', judgeIdentity(policy))])
    const marks = (...present: { rule: Finding['rule']; field: string; about?: string }[]) =>
      listFindings(state.followUps, [], present).map((one) => `${one.rule} ${one.ended}`)
    assert.deepEqual(marks({ rule: 'AgePlausible', field: 'b', about: '1910' }), ['AgePlausible false'])
    // A release before the values were stored.
    assert.deepEqual(marks({ rule: 'AgePlausible', field: 'b' }), ['AgePlausible false'])
    assert.deepEqual(marks({ rule: 'AgePlausible', field: 'b', about: '1911' }), ['AgePlausible true'])
    assert.deepEqual(marks({ rule: 'AgePlausible', field: 'c', about: '1910' }), ['AgePlausible true'])
    assert.deepEqual(marks(), ['AgePlausible true'])
    const noted = find(['LiquidWithinNet', 'x']).map((one): Finding => ({ ...one, effect: 'note' }))
    assert.equal(listFindings([], noted, [])[0]?.ended, false)
  })

  test('of a rule that only the day or a change decides is not marked', () => {
    const rules = ['BirthDateOfMinor', 'IdentityRecorded'] as const
    const found = rules.map((rule) => ({ rule, field: 'b', reason: `${rule}.` }))
    const { state } = play([
      begin,
      ended('IdentityCheck', { kind: 'referred', code: 'IdentityReview', reason: 'Look.', found }),
    ])
    assert.deepEqual(
      listFindings(state.followUps, [], []).map((one) => `${one.rule} ${one.ended}`),
      ['BirthDateOfMinor false', 'IdentityRecorded false'],
    )
  })

  test('contains the source of its rule', () => {
    const policy = find(['AgePlausible', 'b'])
    const { state } = play([begin, ended('IdentityCheck', outcomeOf(policy))])
    assert.equal(listFindings(state.followUps, [], [])[0]?.source, accountRuleOf('AgePlausible').source)
  })
})
