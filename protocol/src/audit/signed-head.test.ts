import assert from 'node:assert/strict'
import { test } from 'node:test'
import Value from 'typebox/value'
import { type Checkpoint, checkpointShape, type SignedHead, signedHeadShape } from '../shapes/signed-head.ts'
import { isCheckpoint, isSignedHead } from './signed-head.ts'

const head: SignedHead = {
  firmId: '0192f0c1-2b3c-7d4e-8f50-617283940a1b',
  number: 3,
  sequence: 12,
  hash: 'a'.repeat(64),
  at: '2026-11-24T09:30:00.000Z',
  previous: '',
  keeps: null,
  keyId: 'key',
  signature: 'signature',
}
const checkpoint: Checkpoint = {
  checkpoint: 3,
  at: head.at,
  previous: 'b'.repeat(64),
  keeps: 2,
  filesFrom: 1,
  heads: [head],
  keyId: 'key',
  signature: 'signature',
}

const others: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  7,
  -1,
  1.5,
  '',
  'text',
  'A'.repeat(64),
  'a'.repeat(63),
  'a'.repeat(64),
  head.firmId,
  `{${head.firmId}}`,
  head.at,
  '2026-11-24',
  '2026-13-24T09:30:00Z',
  '2026-11-24T09:30:00',
  [],
  [head],
  [head, head],
  [head, null],
  [{ ...head, keeps: 1.5 }],
  {},
  head,
  checkpoint,
]

/** The value, and the value with each member replaced, removed, and with one more. */
function variantsOf(value: object): unknown[] {
  const variants: unknown[] = [value, { ...value, other: 1 }]
  for (const name of Object.keys(value)) {
    const { [name]: _, ...without } = value as Record<string, unknown>
    variants.push(without, { ...without, other: 1 })
    for (const member of others) variants.push({ ...value, [name]: member })
  }
  return variants
}

test('a signed head and a checkpoint are recognized exactly as their shapes say', () => {
  let accepted = 0
  for (const value of [...others, ...variantsOf(head), ...variantsOf(checkpoint)].filter(isOfJson)) {
    assert.equal(isSignedHead(value), Value.Check(signedHeadShape, value), JSON.stringify(value))
    assert.equal(isCheckpoint(value), Value.Check(checkpointShape, value), JSON.stringify(value))
    if (isSignedHead(value) || isCheckpoint(value)) accepted += 1
  }
  assert.ok(accepted > 40, `${accepted} were accepted`)
})

/** A member with the value undefined is none in JSON. */
function isOfJson(value: unknown): boolean {
  return !(typeof value === 'object' && value !== null && Object.values(value).includes(undefined))
}
