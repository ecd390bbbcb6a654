// The rules on the day on which an application that has waited would open.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Registration } from '../account/policy/registration-roles.ts'
import type { AccountRecord, Party } from '../account/record.ts'
import { rightAccount } from '../account/testing/right-accounts.ts'
import { judgeOpening } from './rules-at-opening.ts'
import { ended, later, play, screened, type Then } from './testing/play-events.ts'

const idField = 'primaryOwner.governmentIdentification.governmentId1.idExpiration'

function owned(registration: Registration, owner: Partial<Party>): AccountRecord {
  const record = rightAccount(registration)
  return { ...record, primaryOwner: { ...record.primaryOwner, ...owner } }
}
function askedOn(record: AccountRecord, today: string) {
  const outcome = judgeOpening(record, { submittedOn: '2027-02-20', today, magicTaxIds: new Set() })
  return outcome?.kind === 'asked' ? outcome.requests : []
}
const shown = owned('Individual', {
  governmentIdentification: {
    governmentId1: { idType: 'Passport', idNumber: 'X1', idLocation: 'US', idExpiration: '2027-03-01' },
  },
})
const minor = owned('CustodialUtma', { birthDate: '2006-03-02' })

describe('an application that waited', () => {
  for (const [what, record, fields] of [
    ['past the last day of an identification', shown, [[], [], [idField]]],
    [
      'past the day on which the minor came of age',
      minor,
      [[], ['primaryOwner.birthDate'], ['primaryOwner.birthDate']],
    ],
  ] as const) {
    test(`${what} asks for a correction`, () => {
      const days = ['2027-03-01', '2027-03-02', '2027-03-03']
      const from = record === shown ? ['2027-02-28', ...days] : days
      assert.deepEqual(
        from.slice(0, 3).map((day) => askedOn(record, day).map(({ field }) => field)),
        fields,
      )
    })
  }
  test('names the rule of account policy, and says what to do', () => {
    const [asked] = askedOn(minor, '2027-03-02')
    assert.deepEqual([asked?.code, asked?.rule], ['FieldCorrection', 'CustodialMinor'])
    assert.match(
      asked?.reason ?? '',
      /must be under 21\. This became so while the application waited: correct the field, or send another application\.$/,
    )
    assert.equal('rule' in (askedOn(shown, '2027-03-02')[0] ?? {}), false)
  })
})

test('a rule that was broken when the application was sent asks nothing', () => {
  const days = { submittedOn: '2027-03-02', magicTaxIds: new Set<string>() }
  for (const today of ['2027-03-02', '2027-03-03'])
    assert.equal(judgeOpening(minor, { ...days, today }), null)
})

describe('the last stage of an application whose rules hold no more', () => {
  const days = { submittedOn: '2027-02-20', today: '2027-03-02' }
  const outcome = judgeOpening(shown, { ...days, magicTaxIds: new Set() })
  assert.ok(outcome)
  const last = ended('ElectronicDelivery', outcome)
  const stages = ['AccountCreation', 'MailingAddress', 'TrustedContact'] as const
  const asked = [...screened, ...stages.map((stage) => ended(stage)), last]
  const approved: Then = { kind: 'approved', reason: 'The passport was seen.' }

  test('waits for the firm, and is judged again after a correction', () => {
    const { state } = play(asked)
    assert.deepEqual([state.currentState, state.followUps[0]?.field], ['ActionRequired', idField])
    const accepted: Then = { kind: 'follow-up-accepted', followUpId: 'FU-1' }
    assert.equal(play([accepted, last], state).state.currentState, 'ActionRequired')
    const opened = play([accepted, ended('ElectronicDelivery')], state).state
    assert.equal(opened.currentState, 'CreationComplete')
  })
  test('opens if operations approve instead of a late answer, and does not ask again', () => {
    const expired = play([...asked, { kind: 'follow-ups-expired', at: later(30) }]).state
    assert.equal(expired.currentState, 'ManualReview')
    const { state } = play([approved, last], expired)
    assert.deepEqual([state.currentState, state.followUps[0]?.status], ['CreationComplete', 'Waived'])
  })
})
