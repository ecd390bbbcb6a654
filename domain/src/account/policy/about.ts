/**
 * What a finding is about, beside its field. A decision or a document settles the finding for this value alone: another
 * placeholder, birth date, office or address that is no place is a new finding.
 */
import type { AccountRule } from '@clearing/protocol'
import { fullName } from '../name.ts'
import type { AccountRecord } from '../record.ts'
import type { Finding } from './finding.ts'
import { type PlacedParty, partiesOf, residenceOf } from './parties.ts'

type About = (placed: PlacedParty, record: AccountRecord) => string

const abouts: Partial<Record<AccountRule, About>> = {
  AgePlausible: birthDateOf,
  BirthDateOfMinor: birthDateOf,
  NameIsName: ({ party }) => fullName(party),
  CustodianTrustCompany: ({ party }) => fullName(party),
  AddressIsPlace: placeOf,
  AddressNotBox: placeOf,
  PoliticalForeign: officeOf,
  ForeignPersonIdentified: (placed) => `${fullName(placed.party)}, ${birthDateOf(placed)}`,
}

function birthDateOf({ party }: PlacedParty): string {
  return party.birthDate ?? ''
}

/** The office is in its own block, or beside the indicator. */
function officeOf({ party: { affiliation = {} } }: PlacedParty): string {
  const office: object = typeof affiliation.political === 'object' ? affiliation.political : affiliation
  const given = new Map<string, unknown>(Object.entries(office))
  return JSON.stringify(membersOfOffice.map((name) => given.get(name) ?? ''))
}

const membersOfOffice = ['name', 'firstName', 'lastName', 'organization', 'relationship']

function placeOf({ party }: PlacedParty, record: AccountRecord): string {
  const { street = '', city = '' } = residenceOf(party, record)
  return `${street}, ${city}`
}

/** Empty if the rule and the field say it all. It may contain personal data. */
export function aboutOf({ rule, field }: Pick<Finding, 'rule' | 'field'>, record: AccountRecord): string {
  const placed = partiesOf(record).find(({ path }) => field === path || field.startsWith(`${path}.`))
  if (rule === 'PlaceNotSanctioned')
    return JSON.stringify(
      placed !== undefined && field === `${placed.path}.legalAddress`
        ? residenceOf(placed.party, record)
        : valueAt(record, field),
    )
  if (rule === 'IdNumberIsNumber') return String(valueAt(record, field))
  return (placed && abouts[rule]?.(placed, record)) ?? ''
}

function valueAt(record: AccountRecord, field: string): unknown {
  let value: unknown = record
  for (const name of field.split(/[.[\]]+/)) value = (value as Record<string, unknown> | undefined)?.[name]
  return value ?? ''
}
