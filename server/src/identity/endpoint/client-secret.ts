/**
 * The secrets of credentials: 256 random bits, stored as a salted SHA-256. A slow hash protects guessable secrets;
 * these cannot be guessed, and a fast hash lets the token endpoint refuse thousands of wrong secrets a second.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { limits } from '@clearing/protocol'
import type { StoredSecret } from '../../store/credentials.ts'

const secretBytes = 32

/** A new secret, 43 characters of base64url. */
export function makeClientSecret(): string {
  return randomBytes(secretBytes).toString('base64url')
}

/** The stored form of a secret. The id is the salt, so that one secret stored twice is not recognizable. */
export function hashClientSecret(secretId: string, secret: string): Buffer {
  return hash('sha256', `${secretId} ${secret}`, 'buffer')
}

/** Compared with when a client has fewer secrets or does not exist. */
const decoy: StoredSecret = {
  secretId: '00000000-0000-4000-8000-000000000000',
  hash: randomBytes(32),
  createdAt: new Date(0),
  expiresAt: null,
}

/**
 * Returns true when `secret` is one of the live secrets. The number of hashes and comparisons does not depend on the
 * stored secrets or on the match, so that the time reveals nothing.
 */
export function matchesClientSecret(
  secret: string,
  kept: readonly StoredSecret[] | undefined,
  now: Date,
): boolean {
  let matched = false
  for (let at = 0; at < limits.liveSecretsMax; at++) {
    const candidate = kept?.[at] ?? decoy
    const same = timingSafeEqual(hashClientSecret(candidate.secretId, secret), candidate.hash)
    const live = candidate.expiresAt === null || candidate.expiresAt > now
    matched = (same && live && candidate !== decoy) || matched
  }
  return matched
}
