import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { blindIndex } from './blind-index.ts'
import { digestRequest, matchesDigest } from './digest.ts'
import { makeFirstFirmKeys } from './firm-key.ts'
import type { FirmKeys } from './keyring.ts'
import { createKeyring } from './keyring.ts'
import { gatherMasterKeys, masterKeyFromBytes } from './master-key.ts'
import { open, openText, SEAL_OVERHEAD_BYTES, SealBroken, seal } from './seal.ts'

const masterKeys = gatherMasterKeys(masterKeyFromBytes(randomBytes(32)))
const now = new Date(0)
let keysA: FirmKeys
let keysB: FirmKeys

before(async () => {
  const rowsA = await makeFirstFirmKeys(masterKeys, 'A', now)
  const rowsB = await makeFirstFirmKeys(masterKeys, 'B', now)
  const load = (rows: typeof rowsA) => createKeyring({ masterKeys, loadFirmKeys: async () => rows })
  keysA = await load(rowsA).load('A')
  keysB = await load(rowsB).load('B')
})

const place = { firm: 'A', table: 'party', column: 'tax_id', row: '7' }

test('every sealed value opens to the same bytes at the same place', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), fc.string({ unit: 'binary' }), (plain, row) => {
      const at = { ...place, row }
      const sealed = seal(keysA, Buffer.from(plain), at)
      assert.equal(sealed.length, plain.length + SEAL_OVERHEAD_BYTES)
      assert.deepEqual(open(keysA, sealed, at), Buffer.from(plain))
    }),
  )
})

test('two seals of one value differ, and neither contains the plain text', () => {
  const first = seal(keysA, '123456789', place)
  assert.notDeepEqual(first, seal(keysA, '123456789', place))
  assert.ok(!first.includes('123456789'))
})

test('a sealed value moved to another row, column, table or firm does not open', () => {
  const sealed = seal(keysA, 'secret', place)
  for (const moved of [{ row: '8' }, { column: 'email' }, { table: 'account' }]) {
    assert.throws(() => open(keysA, sealed, { ...place, ...moved }), SealBroken)
  }
  assert.throws(() => open(keysA, sealed, { ...place, firm: 'B' }), SealBroken)
  assert.throws(() => open(keysB, sealed, { ...place, firm: 'B' }), SealBroken)
})

test('places are different even if their joined names are equal', () => {
  const sealed = seal(keysA, 'x', { firm: 'A', table: 'ab', column: 'c', row: 'd"]' })
  assert.throws(() => open(keysA, sealed, { firm: 'A', table: 'a', column: 'bc', row: 'd"]' }), SealBroken)
})

test('two ciphertexts of one column do not open when they are swapped', () => {
  const one = seal(keysA, '111111111', { ...place, row: '1' })
  const two = seal(keysA, '222222222', { ...place, row: '2' })
  assert.throws(() => openText(keysA, two, { ...place, row: '1' }), SealBroken)
  assert.throws(() => openText(keysA, one, { ...place, row: '2' }), SealBroken)
})

test('a value with a changed, missing or added byte does not open, nor does one with a four-byte tag', () => {
  const sealed = seal(keysA, '123456789', place)
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    assert.throws(() => open(keysA, changed, place), `bit ${bit}`)
  }
  for (let length = 0; length < sealed.length; length++) {
    assert.throws(() => open(keysA, sealed.subarray(0, length), place), `${length} bytes`)
  }
  assert.throws(() => open(keysA, Buffer.concat([sealed, Buffer.alloc(1)]), place))
  assert.throws(() => open(keysA, sealed.subarray(0, sealed.length - 12), place), 'a tag of four bytes')
})

test('no fault of opening contains the value', () => {
  const sealed = seal(keysA, '123456789', place)
  const changed = Buffer.from(sealed)
  changed[20] = (changed[20] ?? 0) ^ 1
  assert.throws(
    () => open(keysA, changed, place),
    (fault: Error) => !/123456789/.test(`${fault.stack} ${String(fault.cause)}`),
  )
})

test('a blind index depends on digits, firm and kind, and not on separators', () => {
  const index = blindIndex(keysA, 'tax-id', '123-45-6789')
  assert.equal(index.length, 32)
  for (const same of ['123456789', ' 123 45 6789 ', '123.45.6789', '123–45–6789']) {
    assert.deepEqual(blindIndex(keysA, 'tax-id', same), index)
  }
  assert.notDeepEqual(blindIndex(keysB, 'tax-id', '123456789'), index)
  assert.notDeepEqual(blindIndex(keysA, 'phone', '123456789'), index)
  assert.notDeepEqual(blindIndex(keysA, 'tax-id', '0123456789'), index)
  for (const wrong of ['', '-', '12345678a', '１２３４５６７８９', '1'.repeat(65)]) {
    assert.throws(() => blindIndex(keysA, 'tax-id', wrong), /digits only/)
  }
})

test('a request digest depends on the firm, the kind and the boundaries between the parts', () => {
  const stored = digestRequest(keysA, 'idempotency', 'key', 'body')
  assert.ok(matchesDigest(keysA, stored, 'idempotency', 'key', Buffer.from('body')))
  assert.ok(!matchesDigest(keysA, stored, 'idempotency', 'keyb', 'ody'))
  assert.ok(!matchesDigest(keysA, stored, 'idempotency', 'keybody'))
  assert.ok(!matchesDigest(keysA, stored, 'replay', 'key', 'body'))
  assert.ok(!matchesDigest(keysB, stored, 'idempotency', 'key', 'body'))
  assert.ok(!matchesDigest(keysA, stored.subarray(0, 4), 'idempotency', 'key', 'body'))
})
