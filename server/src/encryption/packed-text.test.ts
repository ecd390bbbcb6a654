import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '@clearing/protocol'
import { pack, unpack } from './packed-text.ts'

test('a packed text unpacks to the same text, and an application needs a third of its bytes', () => {
  for (const { request } of operations['new-account'].examples) {
    const text = JSON.stringify(request, null, 1)
    assert.equal(unpack(pack(text)), text)
    assert.ok(pack(text).length * 3 < text.length)
  }
  for (const text of ['', 'é—😀', '\n{"a":1}']) assert.equal(unpack(pack(text)), text)
})

test('a text that an earlier release packed can be read, because the dictionary has not changed', () => {
  const packed = Buffer.from('AcOamFGiCz1akaPPMSVRqbYWAA==', 'base64')
  assert.equal(unpack(packed), '{"registrationType":"Individual","primaryOwner":{"firstName":"Ada"}}')
})

test('a text with an unknown dictionary is a fault', () => {
  assert.throws(() => unpack(Buffer.of(9, 0)), /unknown dictionary 9/)
})
