import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { hashClientSecret, makeClientSecret, matchesClientSecret } from './client-secret.ts'

const now = new Date('2026-06-15T12:00:00Z')
function keep(secret: string, expiresAt: Date | null = null) {
  const secretId = randomUUID()
  return { secretId, hash: hashClientSecret(secretId, secret), createdAt: now, expiresAt }
}

describe('a client secret', () => {
  it('has 256 random bits, in characters that need no encoding', () => {
    const made = Array.from({ length: 100 }, makeClientSecret)
    assert.equal(new Set(made).size, 100)
    for (const secret of made) assert.match(secret, /^[A-Za-z0-9_-]{43}$/)
  })

  it('matches itself as either of two secrets, and no other secret', () => {
    const [one, two] = [keep('one'), keep('two')]
    for (const kept of [[one, two], [two, one], [one]])
      assert.equal(matchesClientSecret('one', kept, now), true)
    assert.equal(matchesClientSecret('two', [one], now), false)
    assert.equal(matchesClientSecret('', [one], now), false)
    assert.equal(matchesClientSecret('one', [], now), false)
    assert.equal(matchesClientSecret('one', undefined, now), false)
  })

  it('is valid only during its lifetime and only as one of the two newest secrets', () => {
    assert.equal(matchesClientSecret('one', [keep('one', new Date(now.getTime() + 1))], now), true)
    assert.equal(matchesClientSecret('one', [keep('one', now)], now), false)
    assert.equal(matchesClientSecret('one', [keep('three'), keep('two'), keep('one')], now), false)
  })

  it('is stored with a salt, so equal secrets have different hashes', () => {
    assert.notDeepEqual(keep('one').hash, keep('one').hash)
  })
})
