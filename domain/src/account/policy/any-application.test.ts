// Any right application of any registration type passes every rule, and any one defect is found by its rule and by no other.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AccountRule, accountRules, codeLists, operations, readRequest } from '@clearing/protocol'
import fc from 'fast-check'
import { checkApplication, parseApplication } from '../application.ts'
import { type AnyApplication, anyApplication } from '../testing/any-application.ts'
import { judgeAccount } from './judge-account.ts'
import { type Registration, registrationRuleOf } from './registration-roles.ts'

const today = '2026-11-20'
const none: ReadonlySet<string> = new Set()
let customer = 0
function nextCustomerId() {
  return String(++customer).padStart(18, '1')
}

/** As the service reads it, with what reading refused. */
function readOf(application: AnyApplication) {
  const reading = readRequest(operations['new-account'].request, JSON.parse(JSON.stringify(application)))
  return { reading, parsed: parseApplication(reading.value as never, nextCustomerId) }
}
function findingsOf(application: AnyApplication) {
  return judgeAccount(readOf(application).parsed.record, {
    moment: 'opening',
    today,
    sandbox: false,
    magicTaxIds: none,
    wasRefused: () => false,
  })
}
function rejectionsOf(application: AnyApplication) {
  const { reading, parsed } = readOf(application)
  const settings = { today, magicTaxIds: none, refusedPaths: reading.refusedPaths }
  return [...reading.rejections, ...checkApplication(parsed, settings)]
}

type Given = Record<string, unknown>
/** What is broken of an application, or undefined where it cannot be. */
type Break = (
  application: Given & { primaryOwner: Given; associatedParties: Given[]; main: Given },
) => Given | undefined

function owner(changes: Given, isIt: (owner: Given) => boolean = () => true): Break {
  return (given) =>
    isIt(given.primaryOwner) ? { primaryOwner: { ...given.primaryOwner, ...changes } } : undefined
}
function isPerson({ nameType }: Given) {
  return nameType !== 'Entity'
}
function hasNumber(party: Given) {
  return isPerson(party) && party.taxIdNumber !== undefined
}
function ruleOf(given: Given) {
  return registrationRuleOf(given.registrationType as Registration)
}
function neededOf(given: Given) {
  return ruleOf(given).needs.flatMap(({ anyOf }) => anyOf)
}
function withParty(role: string, changes: Given = {}): Break {
  return (given) => {
    const party = {
      firstName: 'Daniel',
      lastName: 'Okafor',
      birthDate: '1971-10-30',
      citizenshipCountry: 'US',
      legalAddress: {},
      taxIdType: 'SSN',
      taxIdNumber: '229451234',
      phoneNumberCell: '2015550144',
      ...(role === '' ? {} : { role }),
      ...changes,
    }
    return { associatedParties: [...given.associatedParties, party] }
  }
}
function where(isIt: (given: Given) => boolean, broken: Break): Break {
  return (given) => (isIt(given) ? broken(given) : undefined)
}
function ofType(...types: string[]) {
  return (given: Given) => types.some((type) => String(given.registrationType).startsWith(type))
}
function main(changes: Given): Break {
  return (given) => ({ main: { ...given.main, ...changes } })
}
function all(...breaks: Break[]): Break {
  return (given) => {
    let broken: Given = {}
    for (const one of breaks) {
      const made = one({ ...given, ...broken } as never)
      if (made === undefined) return undefined
      broken = { ...broken, ...made }
    }
    return broken
  }
}
/** The first party with one of the roles that the registration needs. */
function needed(changes: Given): Break {
  return (given) => {
    const at = given.associatedParties.findIndex(({ role }) => neededOf(given).includes(role as never))
    if (at < 0) return undefined
    return {
      associatedParties: given.associatedParties.map((party, place) =>
        place === at ? { ...party, ...changes } : party,
      ),
    }
  }
}
const entityType = ofType('Corporation', 'Llc', 'Partnership')
function spouses(given: Given) {
  return ruleOf(given).spousesOnly
}
function cannotBorrow(given: Given) {
  return !ruleOf(given).mayBorrow
}

const breaks: Partial<Record<AccountRule, Break>> = {
  RoleRequired: where(
    ({ registrationType }) => registrationType === 'Individual' || registrationType === 'Trust',
    withParty(''),
  ),
  RoleAllowed: where((given) => !ofType('Trust')(given), withParty('Grantor')),
  RoleMissing: where(
    (given) => neededOf(given).length > 0,
    (given) => ({
      associatedParties: given.associatedParties.filter(
        ({ role }) => !neededOf(given).includes(role as never),
      ),
    }),
  ),
  RoleRepeated: where(ofType('Custodial'), withParty('Custodian')),
  JointOwnerNamed: where(ofType('JointWROS', 'JointTIC'), needed({ role: 'Associate' })),
  SecondaryNotOwner: where(
    ({ registrationType }) => registrationType === 'Individual',
    withParty('Secondary'),
  ),
  RoleKind: where(entityType, (given) =>
    needed({
      nameType: 'Entity',
      name1: 'Harbor Trust',
      firstName: undefined,
      lastName: undefined,
      birthDate: undefined,
      citizenshipCountry: 'US',
      occupation: undefined,
      trustedContact: undefined,
      governmentIdentification: undefined,
      taxIdType: 'TaxId',
      taxIdNumber: '471203346',
    })(given),
  ),
  ActingAdult: needed({ birthDate: '2012-05-06' }),
  CustodialMinor: where(ofType('Custodial'), owner({ birthDate: '1996-05-06' })),
  OwnersMarried: where(
    spouses,
    all(owner({ maritalStatus: 'Divorced' }), needed({ maritalStatus: 'Married' })),
  ),
  OwnersResidence: where(ofType('JointCP', 'JointTBE'), (given) => ({
    mailingAddress: {
      ...(given.mailingAddress as Given),
      city: 'CHICAGO',
      stateProvince: 'MN',
      postalCode: '55401',
    },
  })),
  OwnershipTotal: where(
    entityType,
    all(
      withParty('BeneficialOwner', { ownershipPercent: '75.01' }),
      withParty('BeneficialOwner', { ownershipPercent: '25', firstName: 'Grace', taxIdNumber: '229451235' }),
    ),
  ),
  BeneficialOwnerNamed: where(entityType, (given) =>
    given.associatedParties.length === 1
      ? withParty('Officer', { ownershipPercent: '25' })(given)
      : undefined,
  ),
  OwnershipKnown: where(entityType, withParty('BeneficialOwner')),
  PersonRepeated: where(
    (given) => given.registrationType === 'Individual',
    all(withParty('InterestedParty'), withParty('InterestedParty')),
  ),
  BeneficiariesAllowed: where(
    (given) => !ruleOf(given).beneficiaries,
    () => ({
      beneficiaries: [{ name: 'Leila Haddad', primaryContingent: 'Primary', percentageAllocation: '100' }],
    }),
  ),
  EntityNumber: owner({ taxIdType: 'SSN', taxIdNumber: '229451239' }, (one) => !isPerson(one)),
  PublishedNumber: owner({ taxIdType: 'SSN', taxIdNumber: '078051120' }, hasNumber),
  PersonNumber: owner({ taxIdType: 'TaxId', taxIdNumber: '470123456' }, hasNumber),
  EinPrefix: owner({ taxIdNumber: '070123456' }, (one) => !isPerson(one)),
  ForeignWithSsn: owner({ caisInformation: { customerType: ['Foreign'] } }, hasNumber),
  NoBorrowing: where(cannotBorrow, main({ marginIndicator: 'true' })),
  OptionLevelBorrows: where(
    cannotBorrow,
    all(main({ optionTradingIndicator: 'true', optionTradingLevel: '3' }), () => ({
      financialProfile: { investmentProfile: 'Moderate', investmentExperience: { options: 'Limited' } },
    })),
  ),
  OptionContradiction: all(main({ optionTradingIndicator: 'false', optionTradingLevel: '1' }), () => ({
    financialProfile: { investmentProfile: 'Moderate', investmentExperience: { options: 'Limited' } },
  })),
  OptionLevelKnown: main({ optionTradingIndicator: 'true', optionTradingLevel: '' }),
  OptionLevelNeedsMargin: where(
    (given) => ruleOf(given).mayBorrow,
    all(main({ marginIndicator: 'false', optionTradingIndicator: 'true', optionTradingLevel: '3' }), () => ({
      financialProfile: { investmentProfile: 'Moderate', investmentExperience: { options: 'Limited' } },
    })),
  ),
  OptionSuitability: all(main({ optionTradingIndicator: 'true', optionTradingLevel: '1' }), () => ({
    financialProfile: {},
  })),
  PoliticalForeign: owner(
    {
      citizenshipCountry: 'DE',
      affiliation: { political: 'True', organization: 'Ministry', relationship: 'Parent', name: 'Luis' },
    },
    (one) => one.citizenshipCountry === 'DE',
  ),
  AddressIsPlace: (given) =>
    owner({ legalAddress: { ...(given.mailingAddress as Given), street: 'GENERAL DELIVERY' } })(given),
  NameIsName: where(
    (given) => !ofType('Joint')(given),
    owner({ firstName: 'John', lastName: 'Doe' }, isPerson),
  ),
  AffiliationNamed: owner({ affiliation: { publicCompany: 'True' } }),
  SourceOfFundsNamed: owner({ sourceOfFunds: ['Other'] }),
  PostalCodeOfState: (given) => ({
    mailingAddress: { ...(given.mailingAddress as Given), postalCode: '60601' },
  }),
  LiquidWithinNet: (given) => ({
    financialProfile: {
      ...(given.financialProfile as Given | undefined),
      netWorth: 'B',
      liquidNetWorth: 'C',
    },
  }),
}

/** What a right application may be asked once it is open. */
const openedFirst: readonly AccountRule[] = accountRules
  .filter(({ effects, holdsUp }) => effects.opening === 'ask' && !holdsUp)
  .map(({ value }) => value)

function rulesOf(application: AnyApplication): AccountRule[] {
  return [
    ...new Set(
      findingsOf(application)
        .map(({ rule }) => rule)
        .filter((rule) => !openedFirst.includes(rule)),
    ),
  ]
}

describe('any right application of', () => {
  for (const { value } of codeLists.registrationType) {
    test(`${value} passes every rule, and nothing holds it up`, () => {
      fc.assert(
        fc.property(anyApplication(value, 2026), (application) => {
          assert.deepEqual(rejectionsOf(application), [])
          assert.deepEqual(rulesOf(application), [])
        }),
        { numRuns: 60 },
      )
    })
  }
})

describe('any right application with one defect is found by', () => {
  for (const [rule, broken] of Object.entries(breaks) as [AccountRule, Break][]) {
    test(`${rule} and by no other rule`, () => {
      let shown = 0
      for (const { value } of codeLists.registrationType) {
        fc.assert(
          fc.property(anyApplication(value, 2026), (application) => {
            const changes = broken(application as never)
            if (changes === undefined) return
            shown += 1
            const defective = { ...application, ...changes } as AnyApplication
            const expected: AccountRule[] = openedFirst.includes(rule) ? [] : [rule]
            assert.deepEqual(rulesOf(defective), expected)
            if (expected.length === 0) assert.ok(findingsOf(defective).some((found) => found.rule === rule))
          }),
          { numRuns: 15 },
        )
      }
      assert.ok(shown > 0, 'some application has the defect')
    })
  }
})

test('every rule of an opening has a defect, but for those that ask what a right application may leave out', () => {
  const asked = new Set<AccountRule>([...openedFirst, 'CustodialAgeChosen'])
  const missing = accountRules
    .filter(({ value, effects }) => effects.opening !== undefined && !asked.has(value) && !(value in breaks))
    .map(({ value }) => value)
  assert.deepEqual(missing, [])
})
