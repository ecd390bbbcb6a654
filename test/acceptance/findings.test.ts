/**
 * Random applications with one defect for each rule of account policy. validate-account returns the result of
 * new-account and open-accounts without storing anything, and every response names the rule.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { accountRules, codeLists } from '@clearing/protocol'
import fc from 'fast-check'
import { type AnyApplication, anyApplication } from '../../domain/src/account/testing/any-application.ts'
import { type Break, defectByRule } from '../../domain/src/account/testing/any-defect.ts'
import { address, applicationOf } from './applications.ts'
import { follow, open, openAndFollow, refusalOf, until } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
const year = new Date().getUTCFullYear()
const applicationsMax = 40

/** A random application with the defect. */
function defective(broken: Break): AnyApplication {
  for (const { value } of codeLists.registrationType) {
    for (const application of fc.sample(anyApplication(value, year), { numRuns: applicationsMax, seed })) {
      const changes = broken(application as never)
      if (changes !== undefined) return { ...application, ...changes } as AnyApplication
    }
  }
  throw new Error('no application can have the defect')
}

/** Before the opening, only questions that block it are asked. */
const askedLater = new Set<string>(
  accountRules
    .filter(({ effects, holdsUp }) => effects.opening === 'ask' && !holdsUp)
    .map(({ value }) => value),
)

interface Finding {
  readonly rule: string
  readonly effect: string
  readonly field: string
  readonly reason: string
  readonly source: string
}
function shown(findings: readonly Finding[]): string[] {
  return findings
    .map(({ rule, effect, field, reason, source }) => [effect, rule, field, reason, source].join(' | '))
    .sort()
}

describe(`every operation finds the defect, by its rule (seed ${seed})`, () => {
  for (const [rule, broken] of Object.entries(defectByRule) as [string, Break][]) {
    const row = accountRules.find(({ value }) => value === rule)
    test(`${rule}: ${row?.label}`, async () => {
      const application = defective(broken)
      if (row?.effects.opening === 'refuse') {
        const refused = (await refusalOf(service.alpha.validateAccount(application))).rejections
        assert.ok(
          refused.some((one) => one.rule === rule && one.code === row.code),
          JSON.stringify(refused),
        )
        assert.deepEqual((await refusalOf(service.alpha.newAccount(application))).rejections, refused)
        const { data } = await service.alpha.openAccounts({ accounts: [application] } as never)
        assert.deepEqual(data.results[0]?.errors, refused)
        return
      }
      const { data: foreseen } = await service.alpha.validateAccount(application)
      assert.ok(
        foreseen.findings.some((one) => one.rule === rule && one.source === row?.source),
        JSON.stringify(foreseen.findings),
      )
      const { accountNumber } = await open(service.alpha, application)
      const result = await follow(service.alpha, accountNumber)
      assert.equal(result.currentState, foreseen.currentState)
      const opened = result.currentState === 'CreationComplete'
      assert.deepEqual(
        shown(result.findings),
        shown(foreseen.findings.filter((one) => opened || !askedLater.has(one.rule))),
      )
      const ids = new Set(result.followUps.map(({ id }) => id))
      for (const { effect, followUpId } of result.findings)
        assert.equal(ids.has(followUpId), effect !== 'note', `${effect} ${followUpId}`)
    })
  }
})

test('a possible duplicate is noted by its rule, before and after the submission', async () => {
  const person = { taxIdNumber: '411334455', birthDate: '1979-08-01' }
  await openAndFollow(service.alpha, applicationOf(person))
  const again = applicationOf({ ...person, jobTitle: 'Pilot' })
  const rules = (findings: readonly Finding[]) => findings.map(({ effect, rule }) => `${effect} ${rule}`)
  const { data: foreseen } = await service.alpha.validateAccount(again)
  assert.ok(rules(foreseen.findings).includes('note PossibleDuplicate'))
  const { accountNumber } = await open(service.alpha, again)
  const { findings } = await follow(service.alpha, accountNumber)
  assert.ok(rules(findings).includes('note PossibleDuplicate'))
})

test('all findings on an application are returned at once, at the fields as the caller spells them', async () => {
  const wrong = {
    ...applicationOf({ legalAddress: { street: '', city: 'X' } }),
    ASSOCIATEDPARTY: [{ role: 'trustee', firstname: 'Tim', lastName: 'Young', nametype: 'Entity' }],
    main: { repCode: 'JC01', OptionTradingIndicator: 'FALSE', optionTradingLevel: '2' },
  }
  const refused = (await refusalOf(service.alpha.newAccount(wrong as never))).rejections
  const found = refused.map(({ code, field, rule = '' }) => `${code} ${field} ${rule}`.trim())
  for (const expected of [
    'ERR.1015 associatedParties[0].role RoleAllowed',
    'ERR.1015 main.optionTradingIndicator OptionContradiction',
    'ERR.1000 associatedParties[0].taxIdNumber',
  ])
    assert.ok(found.includes(expected), `${expected} in ${JSON.stringify(found, null, 1)}`)
  assert.deepEqual((await refusalOf(service.alpha.validateAccount(wrong as never))).rejections, refused)
  for (const { reason } of refused) assert.match(reason, /\.$/)
})

test('a change that makes an open account unusual is noted or reviewed; a change that breaks a rule names the rule', async () => {
  const accountNumber = await openAndFollow(service.alpha, applicationOf({}))
  const { data: before } = await service.alpha.onboardingResult({ accountNumber })
  assert.deepEqual(
    before.findings.filter(({ effect }) => effect === 'note'),
    [],
  )
  await service.alpha.updateAccount({
    accountNumber,
    primaryOwner: {
      legalAddress: { ...address, street: 'PO Box 12' },
      affiliation: { industry: 'true' },
      sourceOfFunds: ['Other'],
    },
  } as never)
  const after = await until(
    async () => (await service.alpha.onboardingResult({ accountNumber })).data,
    ({ findings }) => findings.some(({ effect }) => effect === 'note'),
  )
  assert.deepEqual(
    after.findings.filter(({ effect }) => effect === 'note').map(({ rule, field }) => `${rule} ${field}`),
    [
      'AddressNotBox primaryOwner.legalAddress',
      'AffiliationNamed primaryOwner.affiliation.organization',
      'SourceOfFundsNamed primaryOwner.otherSourceOfFund',
    ],
  )
  const caisInformation = { customerType: ['Foreign'] }
  const { message } = await service.alpha.updateAccount({ accountNumber, primaryOwner: { caisInformation } })
  assert.match(message, /awaits a review by operations\. The party is reported as a foreign person/)
  const { rejections } = await refusalOf(
    service.alpha.updateAccount({
      accountNumber,
      associatedParties: [{ ...applicationOf({}).primaryOwner, role: 'Trustee' }],
    } as never),
  )
  assert.deepEqual(
    rejections.map(({ code, field, rule }) => [code, field, rule]),
    [['ERR.1015', 'associatedParties[0].role', 'RoleAllowed']],
  )
})
