/** The account's composed title, and the persons whom it names (Reading 3.8). */
import { fullName } from './name.ts'
import { ownersIn, roleOf } from './policy/parties.ts'
import type { AccountRecord, Party } from './record.ts'
import type { RegistrationType } from './registration.ts'

/** The first letter of a name with its marks. A letter beyond U+FFFF is two code units, which a title must not part. */
function initial(name: string): string {
  return /\p{L}\p{M}*/u.exec(name)?.[0] ?? name.slice(0, 1)
}

function shortName(party: Party): string {
  return party.nameType === 'Entity' || !party.lastName
    ? fullName(party)
    : `${initial(party.firstName ?? '')} ${party.lastName}`.trim()
}

/**
 * The account's title: a sole owner in full, several as `F LAST & F LAST`, followed by the registration's suffix
 * (`JTWROS`, `IRA`…) unless the name says it already; a custodial account names the custodian for the minor. Reading
 * 3.8.
 */
export function composeAccountName(record: AccountRecord, type: RegistrationType): string {
  const { primaryOwner, associatedParties } = record
  const custodian =
    associatedParties.find((party) => roleOf(party, record) === 'Custodian') ?? associatedParties[0]
  const owners = ownersOf(record, type)
  const title =
    type.group === 'custodial' && custodian
      ? `${fullName(custodian)} CUST FOR ${fullName(primaryOwner)}`
      : owners.length === 1
        ? fullName(primaryOwner)
        : owners.map(shortName).join(' & ')
  return [title, saysAlready(title, type) ? '' : type.accountNameSuffix].filter(Boolean).join(' ')
}

/** Names of trusts and estates usually contain the word already: `THE MORENO FAMILY TRUST`, `ESTATE OF ADA MORENO`. */
function saysAlready(title: string, { value, accountNameSuffix }: RegistrationType): boolean {
  return (
    (value === 'Trust' || value === 'Estate') &&
    title
      .toUpperCase()
      .split(/[^\p{L}\p{M}]/u)
      .includes(accountNameSuffix)
  )
}

/** The owners of the account: the primary owner and, in joint registrations, the parties that also own it. */
export function ownersOf(record: AccountRecord, _type: RegistrationType): Party[] {
  return ownersIn(record).map(({ party }) => party)
}
