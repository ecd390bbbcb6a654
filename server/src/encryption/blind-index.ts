// Finds rows by a sealed number: HMAC-SHA-256 of its digits under the firm's index key. Equal numbers of one firm and
// kind have equal indexes; numbers of different firms or kinds have different ones. An owner of the index key can try
// all 10^9 tax ids in half an hour, so the key is protected like a data key.
import type { KeyObject } from 'node:crypto'
import { createHmac } from 'node:crypto'
import type { FirmKeys } from './keyring.ts'

const SEPARATORS = /[\s.\-–—]/gu
const DIGITS = /^[0-9]{1,64}$/

/**
 * Returns the index to store with the sealed number. `kind` separates columns ('tax-id'). Spaces, dots and
 * dashes in `number` are ignored. Throws when any other character remains, so the caller must validate first.
 */
export function blindIndex(keys: FirmKeys, kind: string, number: string): Buffer {
  const key = keys.index.byId.get(keys.index.currentId)
  if (!key) throw new Error(`Firm ${keys.firmId} has no current index key.`)
  return indexUnder(key, kind, keepDigits(number))
}

function keepDigits(number: string): string {
  const digits = number.replace(SEPARATORS, '')
  if (!DIGITS.test(digits)) throw new Error('A blind index is made of digits only.')
  return digits
}

function indexUnder(key: KeyObject, kind: string, digits: string): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify(['blind index', kind, digits]))
    .digest()
}
