import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { deflateSync, constants as zlib } from 'node:zlib'
import fc from 'fast-check'
import { measureZlib } from './deflated-size.ts'
import { measureLzw } from './lzw-size.ts'

test('the size of deflated data is counted exactly, for all data and compression levels', () => {
  const strategies = [zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE, zlib.Z_FIXED]
  const data = fc.oneof(
    fc.uint8Array({ maxLength: 5_000 }),
    fc.array(fc.constantFrom(65, 65, 65, 66), { maxLength: 5_000 }).map((codes) => Uint8Array.from(codes)),
    fc
      .tuple(fc.uint8Array({ minLength: 1, maxLength: 9 }), fc.nat(9_000))
      .map(([piece, times]) => Buffer.alloc(times, piece)),
  )
  fc.assert(
    fc.property(data, fc.nat(9), fc.constantFrom(...strategies), (content, level, strategy) => {
      assert.equal(measureZlib(deflateSync(content, { level, strategy })), content.length)
    }),
    { numRuns: 500 },
  )
  for (const size of [65_535, 65_536, 300_000]) {
    assert.equal(measureZlib(deflateSync(randomBytes(size), { level: 0 })), size)
    assert.equal(measureZlib(deflateSync(randomBytes(size))), size)
  }
})

test('counting stops soon after the limit, and stops at damaged data with the size up to the damage', () => {
  const bomb = deflateSync(Buffer.alloc(30_000_000))
  assert.equal(measureZlib(bomb), 30_000_000)
  const counted = measureZlib(bomb, 1_000)
  assert.ok(counted > 1_000 && counted < 2_000, `${counted}`)
  const cut = measureZlib(bomb.subarray(0, bomb.length / 2))
  assert.ok(cut > 10_000_000 && cut < 20_000_000, `${cut}`)
  assert.equal(measureZlib(Buffer.from([0x78, 0x9c, 0xff, 0xff])), 0)
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => measureZlib(bytes) >= 0))
})

/** The simplest writer of LZW: codes with the most significant bit first, and a clear code when the table is full. */
function writeLzw(content: Uint8Array, early: boolean): Uint8Array {
  const ahead = early ? 1 : 0
  let bits = ''
  let table = new Map<string, number>()
  let next = 258
  let width = 9
  const write = (code: number) => {
    bits += code.toString(2).padStart(width, '0')
  }
  write(256)
  let before = ''
  for (const byte of content) {
    const longer = before + String.fromCharCode(byte)
    if (longer.length === 1 || table.has(longer)) {
      before = longer
      continue
    }
    write(before.length === 1 ? before.charCodeAt(0) : (table.get(before) ?? 0))
    table.set(longer, next++)
    // The table of a reader is one entry behind the table of the writer.
    const known = next - 1 + ahead
    width = known >= 2048 ? 12 : known >= 1024 ? 11 : known >= 512 ? 10 : 9
    if (next === 4_094) {
      write(256)
      table = new Map()
      next = 258
      width = 9
    }
    before = String.fromCharCode(byte)
  }
  if (before) write(before.length === 1 ? before.charCodeAt(0) : (table.get(before) ?? 0))
  const known = next + ahead
  width = before === '' ? width : known >= 2048 ? 12 : known >= 1024 ? 11 : known >= 512 ? 10 : 9
  write(257)
  const bytes = bits.match(/.{1,8}/g) ?? []
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte.padEnd(8, '0'), 2))
}

test('the size of LZW data is counted exactly, with codes that grow early and late', () => {
  const contents = [
    Buffer.alloc(0),
    Buffer.from('a'),
    Buffer.from('-----A---B'),
    Buffer.alloc(100_000, 'ab'),
    randomBytes(20_000),
    randomBytes(20_000).map((byte) => byte & 3),
  ]
  for (const content of contents) {
    for (const early of [true, false]) {
      assert.equal(measureLzw(writeLzw(content, early), early), content.length, `${content.length} ${early}`)
    }
  }
  // The example of ISO 32000-1, 7.4.4.2.
  assert.equal(measureLzw(Buffer.from('800b6050220c0c8501', 'hex'), true), 10)
})
