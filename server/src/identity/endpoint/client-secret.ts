/**
 * The secrets of credentials: 256 random bits, kept as a salted SHA-256. A slow hash would protect guessable secrets;
 * these cannot be guessed, and a fast one lets the token endpoint refuse thousands of wrong ones a second.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { limits } from '@clearing/protocol'
import type { StoredSecret } from '../../store/credentials.ts'

const secretBytes = 32

/** A new secret, 43 characters of base64url. */
export const makeClientSecret = (): string => randomBytes(secretBytes).toString('base64url')

/** What is kept of a secret. The id is the salt: one secret kept twice is not seen to be one. */
export const hashClientSecret = (secretId: string, secret: string): Buffer =>
  hash('sha256', `${secretId} ${secret}`, 'buffer')

/** Compared with where a client has fewer secrets, or does not exist. */
const decoy: StoredSecret = {
  secretId: '00000000-0000-4000-8000-000000000000',
  hash: randomBytes(32),
  createdAt: new Date(0),
  expiresAt: null,
}

/**
 * Whether `secret` is one of the live ones. Hashes and compares the same number of times whatever is there and
 * whichever matches, so that the time taken says nothing.
 */
export const matchesClientSecret = (
  secret: string,
  kept: readonly StoredSecret[] | undefined,
  now: Date,
): boolean => {
  let matched = false
  for (let at = 0; at < limits.liveSecretsMax; at++) {
    const candidate = kept?.[at] ?? decoy
    const same = timingSafeEqual(hashClientSecret(candidate.secretId, secret), candidate.hash)
    const live = candidate.expiresAt === null || candidate.expiresAt > now
    matched = (same && live && candidate !== decoy) || matched
  }
  return matched
}
