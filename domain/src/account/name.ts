/** Names of persons and entities, and the account's composed title (Reading 3.8). */

import type { AccountRecord, Beneficiary, Party } from './record.ts'
import type { RegistrationType } from './registration.ts'

type Named = Pick<Party, 'firstName' | 'middleName' | 'lastName' | 'suffix'>

/** Splits a name written in one field into parts: the first word, the last, and what is between (Reading 1.11). */
export const splitName = (name: string): Named => {
  const words = name.split(' ').filter(Boolean)
  const [first, ...rest] = words
  const last = rest.pop()
  return {
    ...(first ? { firstName: first } : {}),
    ...(rest.length > 0 ? { middleName: rest.join(' ') } : {}),
    ...(last ? { lastName: last } : {}),
  }
}

/** The name's parts in order, joined by spaces. */
export const fullName = (named: Named): string =>
  [named.firstName, named.middleName, named.lastName, named.suffix].filter(Boolean).join(' ')

/** The same with the last name first, as it is looked for in a list. */
export const lastNameFirst = (named: Named): string =>
  [named.lastName, named.firstName, named.middleName, named.suffix].filter(Boolean).join(' ')

const shortName = (party: Party): string =>
  party.nameType === 'Entity' || !party.lastName
    ? fullName(party)
    : `${(party.firstName ?? '').slice(0, 1)} ${party.lastName}`.trim()

/**
 * The account's title: a sole owner in full, several as `F LAST & F LAST`, followed by the registration's suffix
 * (`JTWROS`, `IRA`…); a custodial account names the custodian for the minor. Reading 3.8.
 */
export const composeAccountName = (record: AccountRecord, type: RegistrationType): string => {
  const { primaryOwner, associatedParties } = record
  const custodian = associatedParties[0]
  const title =
    type.group === 'custodial' && custodian
      ? `${fullName(custodian)} CUST FOR ${fullName(primaryOwner)}`
      : ownersOf(record, type).length === 1
        ? fullName(primaryOwner)
        : ownersOf(record, type).map(shortName).join(' & ')
  return [title, type.accountNameSuffix].filter(Boolean).join(' ')
}

/** The persons the account belongs to: the primary owner, and in joint registrations every associated party. */
export const ownersOf = (record: AccountRecord, type: RegistrationType): Party[] =>
  type.group === 'joint' || type.value === 'IndividualJointForeign'
    ? [record.primaryOwner, ...record.associatedParties]
    : [record.primaryOwner]

/** The name of a beneficiary in one field, as shape 1 answers it. */
export const beneficiaryName = (beneficiary: Beneficiary): string => fullName(beneficiary)
