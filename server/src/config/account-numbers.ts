/**
 * The account numbers that this cell assigns (the setting `ACCOUNT_NUMBERS`). Other cells assign different
 * ones.
 */

export interface AccountNumbers {
  /** The lowest and the highest first two digits of the account numbers. */
  readonly first: number
  readonly last: number
}

/** Reads `10-54`: numbers that begin with 10 to 54. Undefined for any other text. */
export function parseAccountNumbers(text: string): AccountNumbers | undefined {
  const [, first, last] = /^([1-9]\d)-([1-9]\d)$/.exec(text) ?? []
  if (first === undefined || last === undefined || first > last) return undefined
  return { first: Number(first), last: Number(last) }
}

/** Without a range, every number may be assigned. */
export function mayGive(numbers: AccountNumbers | undefined, accountNumber: string): boolean {
  if (numbers === undefined) return true
  const beginning = Number(accountNumber.slice(0, 2))
  return numbers.first <= beginning && beginning <= numbers.last
}
