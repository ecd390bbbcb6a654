/**
 * CUSIP numbers: nine characters of the United States and Canada, the last a check digit by the "modulus 10 double add
 * double" of ANSI X9.6. A number that begins with a letter is a CINS, of an issuer elsewhere.
 */

import { characterValue, type IdentifierCheck, invalid, VALID } from './check.ts'

const LENGTH = 9
const SPECIAL_VALUES: Readonly<Record<string, number>> = { '*': 36, '@': 37, '#': 38 }

/** Checks length, characters and check digit. Capital letters only: fold the case before. */
export function checkCusip(cusip: string): IdentifierCheck {
  if (cusip.length !== LENGTH) return invalid(`A CUSIP has 9 characters; got ${cusip.length}.`)
  const expected = cusipCheckDigit(cusip.slice(0, LENGTH - 1))
  if (expected === null) return invalid('A CUSIP has digits, capital letters and * @ # only.')
  const last = cusip.slice(LENGTH - 1)
  if (last < '0' || last > '9')
    return invalid(`The last character of a CUSIP is its check digit; got ${last}.`)
  return last === String(expected)
    ? VALID
    : invalid(`The check digit of this CUSIP should be ${expected}; got ${last}.`)
}

/** The check digit of the first eight characters; null when one of them cannot stand in a CUSIP. */
export function cusipCheckDigit(first8: string): number | null {
  let sum = 0
  for (let index = 0; index < first8.length; index += 1) {
    let value = characterValue(first8, index)
    if (value < 0) value = SPECIAL_VALUES[first8.charAt(index)] ?? -1
    if (value < 0) return null
    if (index % 2 === 1) value *= 2
    sum += Math.floor(value / 10) + (value % 10)
  }
  return (10 - (sum % 10)) % 10
}

/** True for a CINS: a CUSIP that begins with a letter, whose ISIN is not made from it. */
export function isCins(cusip: string): boolean {
  return /^[A-Z]/.test(cusip)
}
