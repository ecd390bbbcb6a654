/**
 * Inserts the persons of a household where an application names them: owners and parties with all fields, beneficiaries
 * with the fields that they have.
 */
import { fullName } from '@clearing/domain'
import {
  type householdAccountRequest,
  type Rejection,
  type Request,
  reject,
  type Static,
} from '@clearing/protocol'

export type HouseholdAccount = Static<typeof householdAccountRequest>
export type HouseholdPerson = Request<'new-account'>['primaryOwner']

type Named = { readonly person?: string }
type Json = Record<string, unknown>

/**
 * The application with every person inserted. A reference to an unknown person is refused at its field. A person with
 * several roles in the account keeps the customer id in the first one, because the ids of an account are unique.
 */
export function namePersons(
  account: Partial<HouseholdAccount>,
  persons: ReadonlyMap<string, HouseholdPerson>,
): { application: Partial<Request<'new-account'>>; rejections: Rejection[] } {
  const rejections: Rejection[] = []
  const placed = new Set<HouseholdPerson>()
  const placeOnce = (person: HouseholdPerson): HouseholdPerson => {
    const { customerId: _, ...others } = person
    if (placed.has(person)) return others
    placed.add(person)
    return person
  }
  const put = (item: unknown, path: string, whole: (person: HouseholdPerson) => object): unknown => {
    if (typeof item !== 'object' || item === null) return item
    const { person: name, ...own } = item as Named & Json
    if (!name) return own
    const person = persons.get(name.toLowerCase())
    if (person) return { ...whole(placeOnce(person)), ...own }
    rejections.push(reject('ERR.1015', `${path}.person`, 'The request has no person of this name.'))
    return own
  }
  const putAll = (
    items: readonly unknown[] | undefined,
    path: string,
    whole: (person: HouseholdPerson) => object,
  ) => items?.map((item, position) => put(item, `${path}[${position}]`, whole))
  const asParty = (person: HouseholdPerson) => person
  const application: Json = { ...account }
  for (const [name, whole] of [
    ['primaryOwner', asParty],
    ['associatedParties', asParty],
    ['beneficiaries', asBeneficiary],
    ['transferOfDeathBeneficiaries', asBeneficiary2],
    ['retirementBenes', asBeneficiary2],
  ] as const) {
    const given = application[name]
    if (given === undefined || given === null) continue
    application[name] = Array.isArray(given) ? putAll(given, name, whole) : put(given, name, whole)
  }
  return { application: application as Partial<Request<'new-account'>>, rejections }
}

function present(members: Json): Json {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

/** Shape 1: the name in one field. */
function asBeneficiary(person: HouseholdPerson): Json {
  return present({
    name: fullName(person),
    address: person.legalAddress,
    birthDate: person.birthDate,
    taxIdType: person.taxIdType,
    taxIdNumber: person.taxIdNumber,
  })
}

/** Shape 2: the name in parts. */
function asBeneficiary2(person: HouseholdPerson): Json {
  return present({
    customerId: person.customerId,
    nameType: person.nameType,
    name1: person.firstName,
    name2: person.middleName,
    name3: person.lastName,
    name4: person.suffix,
    address: person.legalAddress,
    birthDate: person.birthDate,
    taxIdType: person.taxIdType,
    taxId: person.taxIdNumber,
    citizenshipCountry: person.citizenshipCountry,
  })
}
