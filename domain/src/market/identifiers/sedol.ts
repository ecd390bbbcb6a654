/**
 * SEDOL numbers of the London Stock Exchange: six characters and a check digit. Vowels never occur; a number that
 * begins with a digit is of the older kind and has digits only.
 */

import { characterValue, type IdentifierCheck, invalid, VALID } from './check.ts'

const LENGTH = 7
const WEIGHTS = [1, 3, 1, 7, 3, 9]

/** Checks length, characters and check digit. Capital letters only: fold the case before. */
export function checkSedol(sedol: string): IdentifierCheck {
  if (sedol.length !== LENGTH) return invalid(`A SEDOL has 7 characters; got ${sedol.length}.`)
  if (/[^0-9B-DF-HJ-NP-TV-Z]/.test(sedol) || !/[0-9]$/.test(sedol)) {
    return invalid('A SEDOL has digits and capital consonants only, and ends with a digit.')
  }
  if (/^[0-9]/.test(sedol) && /[A-Z]/.test(sedol)) {
    return invalid('A SEDOL that begins with a digit has digits only.')
  }
  const expected = sedolCheckDigit(sedol)
  const last = sedol.slice(LENGTH - 1)
  return last === String(expected)
    ? VALID
    : invalid(`The check digit of this SEDOL should be ${expected}; got ${last}.`)
}

/** The check digit of the first six characters. */
export function sedolCheckDigit(sedol: string): number {
  let sum = 0
  for (const [index, weight] of WEIGHTS.entries()) sum += characterValue(sedol, index) * weight
  return (10 - (sum % 10)) % 10
}
