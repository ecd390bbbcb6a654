/** Names of persons and entities, in parts and whole (Reading 1.11). */

import type { Beneficiary, Party } from './record.ts'

type Named = Pick<Party, 'firstName' | 'middleName' | 'lastName' | 'suffix'>

/** Splits a name written in one field into parts: the first word, the last, and what is between (Reading 1.11). */
export function splitName(name: string): Named {
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
export function fullName(named: Named): string {
  return [named.firstName, named.middleName, named.lastName, named.suffix].filter(Boolean).join(' ')
}

/** The same with the last name first, for the search in lists. */
export function lastNameFirst(named: Named): string {
  return [named.lastName, named.firstName, named.middleName, named.suffix].filter(Boolean).join(' ')
}

/** The name of a beneficiary in one field, as shape 1 returns it. */
export function beneficiaryName(beneficiary: Beneficiary): string {
  return fullName(beneficiary)
}
