/** Stored texts: a short text is stored as it is, a longer one is compressed, and each is read back unchanged. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compress, readText } from './compressed.ts'

test('a short text is stored as it is, and a longer one in fewer bytes', () => {
  const reading = JSON.stringify(['{"accountNumber":"R5A000001"}', null])
  assert.deepEqual(compress(reading), Buffer.from(reading))
  const long = JSON.stringify(['{"accountNumber":"R5A000001"}'.repeat(10), null])
  assert.ok(compress(long).length < long.length / 2)
})

test('a text of any length is read back as it was stored', () => {
  for (const length of [0, 1, 254, 255, 256, 257, 70_000]) {
    const text = 'é€"'.repeat(length).slice(0, length)
    assert.equal(readText(compress(text)), text, `${length} characters`)
  }
})
