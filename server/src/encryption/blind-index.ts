// Finds rows by a sealed number: HMAC-SHA-256 of its digits under the firm's index key. Equal numbers of one firm and
// kind have equal indexes; numbers of different firms or kinds have different ones. An owner of the index key can try
// all 10^9 tax ids in half an hour, so the key is protected like a data key.
import { createHmac } from 'node:crypto'
import { currentIndexKey, type FirmKeys } from './keyring.ts'

const SEPARATORS = /[\s.\-–—]/gu
const DIGITS = /^[0-9]{1,64}$/

/**
 * Returns the index to store with the sealed number. `kind` separates columns ('tax-id'). Spaces, dots and
 * dashes in `number` are ignored. Throws when any other character remains, so the caller must validate first.
 */
export function blindIndex(keys: FirmKeys, kind: string, number: string): Buffer {
  return indexOf(keys, kind, keepDigits(number))
}

/** The same of a text in its one form. `kind` differs from those of numbers. */
export function blindIndexOfText(keys: FirmKeys, kind: string, text: string): Buffer {
  return indexOf(keys, kind, text)
}

function indexOf(keys: FirmKeys, kind: string, text: string): Buffer {
  return createHmac('sha256', currentIndexKey(keys))
    .update(JSON.stringify(['blind index', kind, text]))
    .digest()
}

function keepDigits(number: string): string {
  const digits = number.replace(SEPARATORS, '')
  if (!DIGITS.test(digits)) throw new Error('A blind index is made of digits only.')
  return digits
}
