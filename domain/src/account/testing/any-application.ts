/**
 * Random valid applications of every registration type: owners and parties, numbers, states, ages and entitlements
 * that the type allows, with and without optional blocks. For property tests of the rules and of the opening through
 * the service.
 */
import type { Request } from '@clearing/protocol'
import fc from 'fast-check'
import { custodialAgeOf } from '../policy/custodial-ages.ts'
import { type Registration, registrationRuleOf } from '../policy/registration-roles.ts'
import { registrationOf } from '../registration.ts'

export type AnyApplication = Request<'new-account'>
type Given = Record<string, unknown>

/** State, city and postal code that agree. */
const towns = [
  ['NJ', 'JERSEY CITY', '07302'],
  ['TX', 'AUSTIN', '78701'],
  ['NY', 'ALBANY', '12207'],
  ['FL', 'TAMPA', '33602'],
  ['CA', 'OAKLAND', '94607'],
  ['PA', 'ERIE', '16501'],
  ['MD', 'BALTIMORE', '21201'],
  ['WA', 'SPOKANE', '99201'],
  ['NV', 'RENO', '89501'],
  ['HI', 'HILO', '96720'],
] as const

const firstNames = fc.constantFrom(
  'Noor',
  'Sami',
  'Ruth',
  'Helena',
  'Marcus',
  'Ines',
  'Tomas',
  'Grace',
  'Walter',
)
const lastNames = fc.constantFrom(
  'Haddad',
  'Lindqvist',
  'Verplanck',
  'Calloway',
  'Okafor',
  'Bellweather',
  'O’Keefe',
)

function two(number: number) {
  return String(number).padStart(2, '0')
}
const ssn = fc
  .tuple(
    fc.integer({ min: 230, max: 665 }),
    fc.integer({ min: 10, max: 99 }),
    fc.integer({ min: 1000, max: 9998 }),
  )
  .map((parts) => parts.join(''))
const ein = fc
  .tuple(fc.constantFrom('20', '35', '47', '81', '84'), fc.integer({ min: 1_000_001, max: 9_999_998 }))
  .map((parts) => parts.join(''))
function dayOf(yearMin: number, yearMax: number) {
  return fc
    .tuple(
      fc.integer({ min: yearMin, max: yearMax }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 28 }),
    )
    .map(([year, month, day]) => `${year}-${two(month)}-${two(day)}`)
}

const work = fc.constantFrom<Given>(
  {},
  { occupation: 'Retired' },
  { occupation: 'AccountingOrAuditing', employerName: 'Harbor Audit' },
)
function maybe(block: Given): fc.Arbitrary<Given> {
  return fc.constantFrom({}, block)
}

function person(year: number, more: Given = {}): fc.Arbitrary<Given> {
  return fc
    .record({
      firstName: firstNames,
      lastName: lastNames,
      birthDate: dayOf(year - 90, year - 20),
      taxIdNumber: ssn,
      work,
      trusted: maybe({ trustedContact: { name: 'Sana Haddad', relationship: 'Sibling' } }),
      foreign: fc.boolean(),
    })
    .map(({ work: works, trusted, foreign, ...own }) => ({
      citizenshipCountry: foreign ? 'DE' : 'US',
      ...(foreign ? { governmentIdentification: passport('DE', year, `P${own.taxIdNumber}`) } : {}),
      legalAddress: {},
      taxIdType: 'SSN',
      phoneRegionCell: '1',
      phoneNumberCell: '2015550123',
      ...own,
      ...works,
      ...trusted,
      ...more,
    }))
}

function passport(idLocation: string, year: number, idNumber = 'P8812345') {
  return {
    governmentId1: {
      idType: 'Passport',
      idNumber,
      idLocation,
      idExpiration: `${year + 5}-03-01`,
    },
  }
}

function entity(more: Given = {}): fc.Arbitrary<Given> {
  return fc
    .record({ taxIdNumber: ein, name1: fc.constantFrom('Harbor Audit', 'Tidewater 2019') })
    .map((own) => ({
      nameType: 'Entity',
      citizenshipCountry: 'US',
      legalAddress: {},
      taxIdType: 'TaxId',
      phoneRegionBusiness: '1',
      phoneNumberBusiness: '2015550177',
      ...own,
      ...more,
    }))
}

type Parties = { readonly primaryOwner: Given; readonly associatedParties: readonly Given[] }

function withParties(
  owner: fc.Arbitrary<Given>,
  ...others: readonly fc.Arbitrary<readonly Given[]>[]
): fc.Arbitrary<Parties> {
  return fc
    .tuple(owner, ...others)
    .map(([primaryOwner, ...lists]) => ({ primaryOwner, associatedParties: lists.flat() as Given[] }))
}
function one(party: fc.Arbitrary<Given>) {
  return party.map((given) => [given])
}
function perhaps(party: fc.Arbitrary<Given>) {
  return fc.oneof(fc.constant([]), one(party))
}

function partiesFor(type: Registration, state: string, year: number): fc.Arbitrary<Parties> {
  const agent = perhaps(person(year, { role: 'PowerOfAttorney', tradingAuthority: 'Limited' }))
  const rule = registrationRuleOf(type)
  if (type.startsWith('Custodial')) {
    const { age } = custodialAgeOf(type === 'CustodialUgma' ? 'UGMA' : 'UTMA', state)
    const minor = dayOf(year - age + 1, year - 1).chain((birthDate) =>
      person(year, { birthDate, occupation: '' }),
    )
    return withParties(
      minor,
      one(person(year, { role: 'Custodian' })),
      perhaps(person(year, { role: 'SuccessorCustodian' })),
    )
  }
  if (type === 'Trust') {
    const child = dayOf(year - 15, year - 1).chain((birthDate) =>
      person(year, { birthDate, role: 'Beneficiary' }),
    )
    return withParties(
      entity(),
      one(person(year, { role: 'Trustee' })),
      perhaps(person(year, { role: 'Grantor' })),
      perhaps(child),
    )
  }
  if (type === 'Estate') return withParties(entity(), one(person(year, { role: 'Executor' })))
  if (registrationOf(type)?.group === 'entity') {
    const shares = fc.constantFrom('25.00', '40', '60.50')
    const owner = shares.chain((ownershipPercent) =>
      person(year, { role: 'BeneficialOwner', ownershipPercent }),
    )
    return withParties(entity(), one(person(year, { role: 'ControlPerson' })), perhaps(owner))
  }
  if (rule.spousesOnly) {
    const spouse = fc.constantFrom<Given>({}, { maritalStatus: 'Married' })
    return spouse.chain((status) =>
      withParties(person(year, status), one(person(year, { ...status, role: 'Secondary' })), agent),
    )
  }
  if (registrationOf(type)?.group === 'joint') {
    return withParties(person(year), one(person(year, { role: 'Secondary' })), agent)
  }
  if (type !== 'IndividualJointForeign') return withParties(person(year), agent)
  const foreign = { citizenshipCountry: 'CA', governmentIdentification: passport('CA', year) }
  const unnumbered = { ...foreign, taxIdType: undefined, taxIdNumber: undefined }
  return fc.constantFrom<Given>(foreign, unnumbered).chain((own) => withParties(person(year, own), agent))
}

const experience = { investmentProfile: 'Moderate', investmentExperience: { options: 'Limited' } }
const plain = [{}, { optionTradingIndicator: 'true', optionTradingLevel: '2' }]
const borrowing = [{ marginIndicator: 'true' }, { marginIndicator: 'true', optionTradingLevel: '4' }]

/** A valid application of the type in a year. */
export function anyApplication(type: Registration, year: number): fc.Arbitrary<AnyApplication> {
  const states: readonly string[] = registrationOf(type)?.residentStates ?? []
  // The law of New York has the tenancy by the entirety for land, which is noted.
  const places = towns.filter(([state]) => states.length === 0 || (states.includes(state) && state !== 'NY'))
  const rule = registrationRuleOf(type)
  const mains = rule.mayBorrow ? [...plain, ...borrowing] : plain
  return fc
    .record({
      place: fc.constantFrom(...places),
      main: fc.constantFrom<Given>(...mains),
      named: fc.boolean(),
    })
    .chain(({ place, main, named }) =>
      partiesFor(type, place[0], year)
        .filter(({ primaryOwner, associatedParties }) => areDifferent([primaryOwner, ...associatedParties]))
        .map((parties) => {
          const [stateProvince, city, postalCode] = place
          const beneficiary = {
            name: 'Leila Haddad',
            primaryContingent: 'Primary',
            percentageAllocation: '100',
          }
          const isIra = registrationOf(type)?.group === 'ira'
          return {
            registrationType: type,
            entityNumber: '301',
            main: { repCode: 'JC01', ...main },
            mailingAddress: { street: '12 Harbor Street', city, stateProvince, country: 'US', postalCode },
            electronicDelivery: { statements: 'false' },
            ...(main.optionTradingLevel ? { financialProfile: experience } : {}),
            ...(isIra || (named && rule.beneficiaries) ? { beneficiaries: [beneficiary] } : {}),
            ...parties,
          } as unknown as AnyApplication
        }),
    )
}

function areDifferent(parties: readonly Given[]): boolean {
  const numbers = parties.flatMap(({ taxIdNumber }) => taxIdNumber ?? [])
  return new Set(numbers).size === numbers.length
}
