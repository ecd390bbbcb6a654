/**
 * The persons and entities of an account with their paths in the record, and the identification of one person in
 * several roles.
 */
import { isBlank } from '../blank.ts'
import { fullName } from '../name.ts'
import type { AccountRecord, Address, Party } from '../record.ts'
import type { Registration } from './registration-roles.ts'
import { registrationRuleOf } from './registration-roles.ts'

export interface PlacedParty {
  readonly party: Party
  /** `primaryOwner` or `associatedParties[0]`. */
  readonly path: string
}

/** The associated parties with their paths. */
export function associatedOf({ associatedParties }: AccountRecord): PlacedParty[] {
  return associatedParties.map((party, index) => ({ party, path: `associatedParties[${index}]` }))
}

/** The primary owner, then the associated parties. */
export function partiesOf(record: AccountRecord): PlacedParty[] {
  return [{ party: record.primaryOwner, path: 'primaryOwner' }, ...associatedOf(record)]
}

/** The role of a party. An absent role has the default of the registration. */
export function roleOf(
  party: Party,
  record: Pick<AccountRecord, 'registrationType' | 'associatedParties'>,
): string | undefined {
  if (party.role) return party.role
  const { absentRole } = registrationRuleOf(record.registrationType as Registration)
  // If a custodial account has several parties, only their roles say which of them is the custodian.
  return absentRole === 'Custodian' && record.associatedParties.length > 1 ? undefined : absentRole
}

/** The roles of parties that neither own nor control an account, and act for it only with an authority to trade. */
export const excusedRoles: readonly string[] = ['Beneficiary', 'InterestedParty']

/**
 * Whether the party has one of the roles and no authority to trade. It is no customer, whose identity the account's
 * opening would wait for (31 CFR 1023.100(d)).
 */
export function standsBy(party: Party, record: AccountRecord, roles: readonly string[]): boolean {
  const { tradingAuthority = 'None' } = party
  return roles.includes(roleOf(party, record) ?? '') && tradingAuthority === 'None'
}

/** The owners of the account. */
export function ownersIn(record: AccountRecord): PlacedParty[] {
  const { secondaryOwns } = registrationRuleOf(record.registrationType as Registration)
  return partiesOf(record).filter(
    ({ party, path }) => path === 'primaryOwner' || (secondaryOwns && roleOf(party, record) === 'Secondary'),
  )
}

/** What identifies a person or an entity. A beneficiary has it too. */
export type Identified = Pick<
  Party,
  'taxIdNumber' | 'birthDate' | 'firstName' | 'middleName' | 'lastName' | 'suffix'
>

/** Whether two are the same: by the tax id, or by name and birth date if one of the two has no tax id. */
export function isSamePerson(one: Identified, other: Identified): boolean {
  if (one.taxIdNumber && other.taxIdNumber) return one.taxIdNumber === other.taxIdNumber
  return one.birthDate === other.birthDate && fullName(one) === fullName(other)
}

/**
 * Whether two parties of an account are one person or one entity. A number with two birth dates is of two persons, of
 * whom one has it by mistake.
 */
export function isSameParty(one: Party, other: Party): boolean {
  if (one === other) return true
  const isOtherBirth = one.birthDate && other.birthDate && one.birthDate !== other.birthDate
  return isPerson(one) === isPerson(other) && !isOtherBirth && isSamePerson(one, other)
}

/** The roles of the person or entity in the account, in their order. */
export function rolesIn(record: AccountRecord, party: Party): PlacedParty[] {
  return partiesOf(record).filter((one) => isSameParty(one.party, party))
}

export function isPerson(party: Party): boolean {
  return party.nameType !== 'Entity'
}

/** The legal address of a party; an empty one means the mailing address (Reading 3.4). */
export function residenceOf(party: Party, record: AccountRecord): Address {
  return party.legalAddress && !isBlank(party.legalAddress) ? party.legalAddress : record.mailingAddress
}
