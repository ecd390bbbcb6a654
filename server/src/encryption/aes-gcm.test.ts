import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { startDecryption, startEncryption, takeNonce } from './aes-gcm.ts'

type Vector = {
  name: string
  key: string
  nonce: string
  aad: string
  plain: string
  sealed: string
  tag: string
}

// The valid rows are test cases 13, 14 and 16 of McGrew and Viega, "The Galois/Counter Mode of Operation (GCM)".
const zero = '00'.repeat(32)
const feff = 'feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308'
const valid: Vector[] = [
  {
    name: 'no plain text',
    key: zero,
    nonce: '00'.repeat(12),
    aad: '',
    plain: '',
    sealed: '',
    tag: '530f8afbc74536b9a963b4f1c4cb738b',
  },
  {
    name: 'one block',
    key: zero,
    nonce: '00'.repeat(12),
    aad: '',
    plain: '00'.repeat(16),
    sealed: 'cea7403d4d606b6e074ec5d3baf39d18',
    tag: 'd0d1c8a799996bf0265b98b5d48ab919',
  },
  {
    name: 'aad and a short last block',
    key: feff,
    nonce: 'cafebabefacedbaddecaf888',
    aad: 'feedfacedeadbeeffeedfacedeadbeefabaddad2',
    plain:
      'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39',
    sealed:
      '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662',
    tag: '76fc6ece0f4e1768cddf8853bb2d551b',
  },
]

function bytes(hex: string) {
  return Buffer.from(hex, 'hex')
}
function flip(hex: string, bit: number) {
  const changed = bytes(hex)
  changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return changed.toString('hex')
}

function decrypt(vector: Vector): string {
  const decipher = startDecryption(
    createSecretKey(bytes(vector.key)),
    bytes(vector.nonce),
    bytes(vector.aad),
    bytes(vector.tag),
  )
  return Buffer.concat([decipher.update(bytes(vector.sealed)), decipher.final()]).toString('hex')
}

test('published AES-256-GCM vectors are encrypted and decrypted correctly', () => {
  for (const vector of valid) {
    const cipher = startEncryption(createSecretKey(bytes(vector.key)), bytes(vector.nonce), bytes(vector.aad))
    const sealed = Buffer.concat([cipher.update(bytes(vector.plain)), cipher.final()])
    assert.equal(sealed.toString('hex'), vector.sealed, vector.name)
    assert.equal(cipher.getAuthTag().toString('hex'), vector.tag, vector.name)
    assert.equal(decrypt(vector), vector.plain, vector.name)
  }
})

test('a vector does not decrypt if any single bit of its tag, nonce, aad, ciphertext or key is changed', () => {
  for (const vector of valid) {
    for (const member of ['tag', 'nonce', 'aad', 'sealed', 'key'] as const) {
      for (let bit = 0; bit < vector[member].length * 4; bit++) {
        const changed = { ...vector, [member]: flip(vector[member], bit) }
        assert.throws(() => decrypt(changed), `${vector.name}: ${member}, bit ${bit}`)
      }
    }
  }
})

test('tags that are not 16 bytes are refused, even if they are a prefix of the correct tag', () => {
  for (const vector of valid) {
    for (const length of [0, 1, 4, 8, 12, 13, 14, 15]) {
      assert.throws(() => decrypt({ ...vector, tag: vector.tag.slice(0, length * 2) }), `${length} bytes`)
    }
    assert.throws(() => decrypt({ ...vector, tag: `${vector.tag}00` }))
  }
})

test('wrong tags and wrong lengths of ciphertext, aad, nonce and key are refused', () => {
  for (const vector of valid) {
    for (const tag of [
      '00'.repeat(16),
      'ff'.repeat(16),
      vector.tag.toUpperCase().split('').reverse().join(''),
    ]) {
      assert.throws(() => decrypt({ ...vector, tag }))
    }
    assert.throws(() => decrypt({ ...vector, sealed: `${vector.sealed}00` }), 'longer ciphertext')
    if (vector.sealed) assert.throws(() => decrypt({ ...vector, sealed: vector.sealed.slice(2) }))
    assert.throws(() => decrypt({ ...vector, aad: `${vector.aad}00` }), 'longer aad')
    for (const nonce of ['', '00', '00'.repeat(8), '00'.repeat(16)])
      assert.throws(() => decrypt({ ...vector, nonce }))
    assert.throws(() => decrypt({ ...vector, key: vector.key.slice(0, 32) }), 'a 128-bit key')
  }
})

test('ten thousand nonces are all different', () => {
  const seen = new Set<string>()
  for (let count = 0; count < 10_000; count++) seen.add(takeNonce().toString('hex'))
  assert.equal(seen.size, 10_000)
})
