/**
 * What account policy does with a change of an open account, a row for each rule: refused by update-account and answer-follow-up
 * alike, with nothing changed, or made and noted.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type AccountRule, accountRules } from '@clearing/protocol'
import { applicationFor, newTaxId, type RegistrationType } from './applications.ts'
import { openAndFollow, refusalOf, until } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

function person(changes: object = {}) {
  return {
    firstName: 'Daniel',
    lastName: 'Okafor',
    birthDate: '1971-10-30',
    citizenshipCountry: 'US',
    legalAddress: {},
    taxIdType: 'SSN',
    taxIdNumber: newTaxId(),
    phoneNumberCell: '2015550144',
    ...changes,
  }
}
function entity(changes: object = {}) {
  return {
    nameType: 'Entity',
    name1: 'Harbor Trust',
    citizenshipCountry: 'US',
    legalAddress: {},
    taxIdType: 'TaxId',
    taxIdNumber: '471203346',
    phoneNumberBusiness: '2015550177',
    ...changes,
  }
}
function adds(...associatedParties: object[]) {
  return { associatedParties }
}
const sameNumber = newTaxId()
function moves(stateProvince: string, city: string, postalCode: string) {
  return { mailingAddress: { street: '7 Mesa Road', city, stateProvince, country: 'US', postalCode } }
}
/** Nineteen years old. */
const young = { birthDate: `${new Date().getUTCFullYear() - 20}-12-31` }

type Row = readonly [rule: AccountRule, what: string, registration: RegistrationType, change: object]

const refused: readonly Row[] = [
  ['RoleRequired', 'a party without a role', 'Individual', adds(person())],
  ['RoleAllowed', 'a trustee of a person', 'Individual', adds(person({ role: 'Trustee' }))],
  ['RoleRepeated', 'a third spouse', 'JointTBE', adds(person({ role: 'Secondary' }))],
  ['RoleKind', 'a control person that is an entity', 'Corporation', adds(entity({ role: 'ControlPerson' }))],
  [
    'ActingAdult',
    'an attorney born in 2015',
    'Individual',
    adds(person({ role: 'PowerOfAttorney', birthDate: '2015-02-03' })),
  ],
  ['CustodialMinor', 'a move to Kentucky at 19', 'CustodialUtma', moves('KY', 'Louisville', '40202')],
  ['OwnersMarried', 'a divorce', 'JointTBE', { primaryOwner: { maritalStatus: 'Divorced' } }],
  ['OwnersResidence', 'a move to Texas', 'JointTBE', moves('TX', 'Austin', '78701')],
  [
    'OwnershipTotal',
    'owners of 100.01 percent',
    'Llc',
    adds(
      person({ role: 'BeneficialOwner', ownershipPercent: '75.01' }),
      person({ role: 'BeneficialOwner', ownershipPercent: '25' }),
    ),
  ],
  [
    'BeneficialOwnerNamed',
    'an officer who owns 25 percent',
    'Llc',
    adds(person({ role: 'Officer', ownershipPercent: '25' })),
  ],
  [
    'PersonRepeated',
    'one person twice',
    'Individual',
    adds(
      person({ role: 'InterestedParty', taxIdNumber: sameNumber }),
      person({ role: 'InterestedParty', taxIdNumber: sameNumber }),
    ),
  ],
  [
    'BeneficiariesAllowed',
    'beneficiaries of a trust',
    'Trust',
    { beneficiaries: [{ name: 'Leila Haddad', primaryContingent: 'Primary', percentageAllocation: '100' }] },
  ],
  [
    'EntityNumber',
    'a partner that is an entity with an SSN',
    'Partnership',
    adds(entity({ role: 'Partner', taxIdType: 'SSN', taxIdNumber: newTaxId() })),
  ],
]

/** No change can break these: parties are not removed, and margin and options are fixed attributes (ERR.1021). */
const cannotChange: readonly AccountRule[] = [
  'RoleMissing',
  'PersonNamed',
  'NoBorrowing',
  'OptionLevelBorrows',
  'OptionContradiction',
]

const noted: readonly Row[] = [
  ['SecondaryNotOwner', 'a secondary party', 'Individual', adds(person({ role: 'Secondary' }))],
  ['CustodialAgeChosen', 'a move to California at 19', 'CustodialUtma', moves('CA', 'Oakland', '94607')],
  [
    'PublishedNumber',
    'a party with a number of an advertisement',
    'Individual',
    adds(person({ role: 'Associate', taxIdNumber: '078051120' })),
  ],
  [
    'PersonNumber',
    'a party with a number that is no ITIN',
    'Individual',
    adds(person({ role: 'Associate', taxIdType: 'TaxId', taxIdNumber: '470123456' })),
  ],
  [
    'EinPrefix',
    'an entity with an EIN of a prefix never assigned',
    'Individual',
    adds(entity({ role: 'Associate', taxIdNumber: '070123456' })),
  ],
  [
    'ForeignWithSsn',
    'a foreign customer with an SSN',
    'Individual',
    { primaryOwner: { caisInformation: { customerType: ['Foreign'] } } },
  ],
  ['PostalCodeOfState', 'a postal code of New York', 'Trust', moves('NJ', 'Newark', '10001')],
  [
    'LiquidWithinNet',
    'liquid above net worth',
    'Individual',
    { financialProfile: { netWorth: 'B', liquidNetWorth: 'C' } },
  ],
]

const opened = new Map<RegistrationType, Promise<string>>()
function accountOf(registration: RegistrationType): Promise<string> {
  const known = opened.get(registration)
  if (known !== undefined) return known
  const application = applicationFor(registration)
  const owner = registration === 'CustodialUtma' ? { ...application.primaryOwner, ...young } : {}
  const number = openAndFollow(service.alpha, {
    ...application,
    primaryOwner: { ...application.primaryOwner, ...owner },
  } as never)
  opened.set(registration, number)
  return number
}

describe('a change is refused by its rule', () => {
  for (const [rule, what, registration, change] of refused) {
    const label = accountRules.find(({ value }) => value === rule)?.label
    test(`${rule} (${label}), of ${registration}: ${what}`, async () => {
      const accountNumber = await accountOf(registration)
      const before = (await service.alpha.getAccount({ accountNumber })).data
      const refusal = await refusalOf(service.alpha.updateAccount({ accountNumber, ...change } as never))
      assert.deepEqual([...new Set(refusal.rejections.map((one) => one.rule))], [rule])
      const { data } = await service.alpha.onboardingResult({ accountNumber })
      const followUp = data.followUps.find(({ kind, status }) => kind === 'Field' && status === 'Open')
      if (followUp !== undefined) {
        const answer = { accountNumber, followUpId: followUp.id, changes: change }
        const { rejections } = await refusalOf(service.alpha.answerFollowUp(answer as never))
        assert.deepEqual(
          rejections.map((one) => `${one.rule} ${one.field}`),
          refusal.rejections.map((one) => `${one.rule} changes.${one.field}`),
        )
      }
      assert.deepEqual((await service.alpha.getAccount({ accountNumber })).data, before)
    })
  }
})

describe('a change is made and noted by its rule', () => {
  for (const [rule, what, registration, change] of noted) {
    const label = accountRules.find(({ value }) => value === rule)?.label
    test(`${rule} (${label}), of ${registration}: ${what}`, async () => {
      const accountNumber = await accountOf(registration)
      await service.alpha.updateAccount({ accountNumber, ...change } as never)
      await until(
        async () => (await service.alpha.onboardingResult({ accountNumber })).data.findings,
        (findings) => findings.some((one) => one.rule === rule && one.effect === 'note'),
      )
    })
  }
})

test('every rule that refuses a change is in the table, or no change can break it', () => {
  const shown = new Set<AccountRule>([...refused.map(([rule]) => rule), ...cannotChange])
  assert.deepEqual(
    accountRules
      .filter(({ value, effects }) => effects.change === 'refuse' && !shown.has(value))
      .map(({ value }) => value),
    [],
  )
})
