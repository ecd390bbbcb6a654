/**
 * The parts of a record that are screened: every name with the facts that identify the person, and every address.
 * Screening applies to applications, to changes before they take effect, and to all records when a watch list gains
 * entries (Reading 4.4).
 */
import type { AccountRecord, Address, Affiliation, Beneficiary, Party } from './record.ts'

/** A name in its parts, in any order. */
export interface ScreenedName {
  /** Path in the record, with list items by customer id: `associatedParties[100…].trustedContact`. */
  readonly field: string
  /**
   * Id of the person. For a name within a person's record, the id with the kind of the name: `100…:trusted-contact`.
   */
  readonly customerId: string
  readonly kind: 'person' | 'entity'
  readonly nameParts: readonly string[]
  /** `yyyy-MM-dd` */
  readonly birthDate?: string
  /** ISO 3166-1 alpha-2: citizenship and addresses. */
  readonly countries: readonly string[]
  readonly idNumbers: readonly { readonly number: string; readonly country?: string }[]
  /** US tax number of a party or beneficiary. */
  readonly taxIdNumber?: string
}

/** An address, or the country of a citizenship or of an identification, with its person. */
export interface ScreenedAddress {
  readonly field: string
  readonly customerId: string
  readonly address: Address
  /** Parts of the person's name. */
  readonly nameParts: readonly string[]
}

interface Placed<T> {
  readonly path: string
  readonly item: T
}

function partiesOf({ primaryOwner, associatedParties }: AccountRecord): Placed<Party>[] {
  return [
    { path: 'primaryOwner', item: primaryOwner },
    ...associatedParties.map((item) => ({ path: `associatedParties[${item.customerId ?? ''}]`, item })),
  ]
}

function beneficiariesOf({ beneficiaries }: AccountRecord): Placed<Beneficiary>[] {
  return beneficiaries.map((item) => ({ path: `beneficiaries[${item.customerId ?? ''}]`, item }))
}

/**
 * Every name of the account: owners, parties, beneficiaries, trusted contacts, employers, and the names in
 * affiliations.
 */
export function screenedNames(record: AccountRecord): ScreenedName[] {
  return [
    ...partiesOf(record).flatMap(({ path, item }) => [
      nameOf(
        path,
        item,
        [item.citizenshipCountry, item.legalAddress?.country, record.mailingAddress.country],
        [
          ...[
            item.governmentIdentification?.governmentId1,
            item.governmentIdentification?.governmentId2,
          ].flatMap((id) =>
            id?.idNumber
              ? [{ number: id.idNumber, ...(id.idLocation ? { country: id.idLocation } : {}) }]
              : [],
          ),
          ...(item.taxIdNumber ? [{ number: item.taxIdNumber, country: 'US' }] : []),
        ],
      ),
      ...trustedContactOf(path, item),
      ...employerOf(path, item),
      ...affiliatesOf(path, item),
    ]),
    ...beneficiariesOf(record).map(({ path, item }) =>
      nameOf(
        path,
        item,
        [item.address?.country, item.citizenshipCountry],
        item.taxIdNumber ? [{ number: item.taxIdNumber, country: 'US' }] : [],
      ),
    ),
  ]
}

/**
 * Every address of the account: mailing, legal, employer's, and those of contacts, affiliations and beneficiaries;
 * citizenships; and the countries that issued identifications.
 */
export function screenedAddresses(record: AccountRecord): ScreenedAddress[] {
  const { primaryOwner, mailingAddress } = record
  return [
    ...addressOf('mailingAddress', mailingAddress, primaryOwner),
    ...partiesOf(record).flatMap(({ path, item }) => [
      ...addressOf(`${path}.legalAddress`, item.legalAddress, item),
      ...addressOf(`${path}.employerAddress`, item.employerAddress, item),
      ...addressOf(`${path}.trustedContact.address`, item.trustedContact?.address, item),
      ...addressOf(`${path}.affiliation.address`, item.affiliation?.address, item),
      ...citizenshipOf(path, item),
      ...issuersOf(path, item),
    ]),
    ...beneficiariesOf(record).flatMap(({ path, item }) => [
      ...addressOf(`${path}.address`, item.address, item),
      ...citizenshipOf(path, item),
    ]),
  ]
}

/**
 * The names and addresses that a change adds to a record. A name counts as new if a known fact of the person differs;
 * an address counts by itself.
 */
export function changedParts(
  before: AccountRecord,
  after: AccountRecord,
): { readonly names: ScreenedName[]; readonly addresses: ScreenedAddress[] } {
  return {
    names: newOf(screenedNames(before), screenedNames(after), (name) => name),
    addresses: newOf(screenedAddresses(before), screenedAddresses(after), ({ address }) => address),
  }
}

function newOf<T extends { readonly field: string }>(
  before: readonly T[],
  after: readonly T[],
  says: (part: T) => unknown,
): T[] {
  const known = new Map(before.map((part) => [part.field, JSON.stringify(says(part))]))
  return after.filter((part) => known.get(part.field) !== JSON.stringify(says(part)))
}

type Named = Pick<Party, 'firstName' | 'middleName' | 'lastName' | 'suffix'>
type Known = Named & Pick<Party, 'customerId' | 'nameType' | 'birthDate' | 'taxIdNumber'>

function partsOf({ firstName, middleName, lastName, suffix }: Named): string[] {
  return [firstName, middleName, lastName, suffix].filter(
    (part) => part !== undefined && part !== '',
  ) as string[]
}

function nameOf(
  field: string,
  named: Known,
  countries: readonly (string | undefined)[],
  idNumbers: ScreenedName['idNumbers'],
): ScreenedName {
  return {
    field,
    customerId: named.customerId ?? '',
    kind: named.nameType === 'Entity' ? 'entity' : 'person',
    nameParts: partsOf(named),
    ...(named.birthDate ? { birthDate: named.birthDate } : {}),
    countries: [
      ...new Set(countries.filter((country) => country !== undefined && country !== '')),
    ] as string[],
    idNumbers,
    ...(named.taxIdNumber ? { taxIdNumber: named.taxIdNumber } : {}),
  }
}

function trustedContactOf(path: string, { customerId, trustedContact }: Party): ScreenedName[] {
  return trustedContact?.name
    ? [
        {
          field: `${path}.trustedContact`,
          customerId: `${customerId ?? ''}:trusted-contact`,
          kind: 'person',
          nameParts: [trustedContact.name],
          countries: trustedContact.address?.country ? [trustedContact.address.country] : [],
          idNumbers: [],
        },
      ]
    : []
}

/** An employer may be a firm or a person, so its name is compared as an entity, which matches either. */
function employerOf(path: string, { customerId, employerName, employerAddress }: Party): ScreenedName[] {
  return employerName
    ? [
        {
          field: `${path}.employerName`,
          customerId: `${customerId ?? ''}:employer`,
          kind: 'entity',
          nameParts: [employerName],
          countries: employerAddress?.country ? [employerAddress.country] : [],
          idNumbers: [],
        },
      ]
    : []
}

/**
 * The names in affiliations. A name in one field may be that of a person or a firm, so it is compared as an entity,
 * which matches either.
 */
function affiliatesOf(path: string, { customerId, affiliation }: Party): ScreenedName[] {
  if (affiliation === undefined) return []
  const found = (member: string, nameParts: (string | undefined)[], kind: ScreenedName['kind']) => {
    const parts = nameParts.filter((part) => part !== undefined && part !== '') as string[]
    if (parts.length === 0) return []
    const field = `${path}.affiliation.${member}`
    const whose = `${customerId ?? ''}:affiliation.${member}`
    return [{ field, customerId: whose, kind, nameParts: parts, countries: [], idNumbers: [] }]
  }
  const block = (member: keyof Affiliation): { [name: string]: string | undefined } => {
    const value = affiliation[member]
    return typeof value === 'object' ? (value as { [name: string]: string | undefined }) : {}
  }
  const political = block('political')
  return [
    ...found('name', [affiliation.name], 'entity'),
    ...found('organization', [affiliation.organization], 'entity'),
    ...found('publicCompany.name', [block('publicCompany').name], 'entity'),
    ...found('industry.companyName', [block('industry').companyName], 'entity'),
    ...found('political.name', [political.name], 'entity'),
    ...found('political', [political.firstName, political.lastName], 'person'),
    ...found('political.organization', [political.organization], 'entity'),
    ...found('service.name', [block('service').name], 'entity'),
    ...found('service.affiliatedEntity', [block('service').affiliatedEntity], 'entity'),
  ]
}

function addressOf(field: string, address: Address | undefined, whose: Known): ScreenedAddress[] {
  return address !== undefined && Object.values(address).some(Boolean)
    ? [{ field, customerId: whose.customerId ?? '', address, nameParts: partsOf(whose) }]
    : []
}

function citizenshipOf(path: string, whose: Known & { citizenshipCountry?: string }): ScreenedAddress[] {
  return addressOf(`${path}.citizenshipCountry`, { country: whose.citizenshipCountry ?? '' }, whose)
}

/** Kinds of identification that only the government of a country issues: the place of a driver's license is a state. */
const ofCountries: ReadonlySet<string | undefined> = new Set([
  'Passport',
  'NationalId',
  'CompanyRegistration',
])

function issuersOf(path: string, party: Party): ScreenedAddress[] {
  const { governmentIdentification: ids } = party
  return (['governmentId1', 'governmentId2'] as const).flatMap((member) => {
    const id = ids?.[member]
    if (!ofCountries.has(id?.idType)) return []
    const field = `${path}.governmentIdentification.${member}.idLocation`
    return addressOf(field, { country: id?.idLocation ?? '' }, party)
  })
}
