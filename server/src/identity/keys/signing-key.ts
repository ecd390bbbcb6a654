/**
 * The life of a key that signs access tokens, as rules over times. A key is published before its use. It
 * signs until its successor does, and verifies until the last token that it signed has expired.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import { limits } from '@clearing/protocol'
import type { MasterKeys } from '../../encryption/master-key.ts'
import type { PublicJwk, StoredSigningKey } from '../../store/signing-keys.ts'

export const signingKeyTimes = {
  /** The time for which a key signs. */
  signsMs: 30 * 86_400_000,
  /**
   * The time between the publication of a successor and its first signature, in which caches of the key set pick it up.
   */
  publishedAheadMs: 15 * 60_000,
  /** How long a cache may keep the key set, which is well below the time above. */
  cachedSeconds: 300,
  /** How long instances may still sign with the old key, until they know the new one. */
  handOverMs: 60_000,
  /** The time after the hand-over: the life of the last token, and the clock skew. */
  verifiesMs: (limits.tokenLifetimeSeconds + limits.clockSkewSecondsMax) * 1000,
} as const

/** A key in the form that an instance uses. */
export interface SigningKey {
  readonly kid: string
  readonly publicJwk: PublicJwk
  readonly publicKey: KeyObject
  /** Absent when the key no longer signs, or when its master key is not held here. */
  readonly privateKey: KeyObject | undefined
  readonly activeFrom: Date
  readonly retiredAt: Date | null
}

/** No key can sign here: there is none, or no private half opens under the master keys. */
export class NoSigningKey extends Error {
  override readonly name = 'NoSigningKey'
  constructor() {
    super('there is no key to sign tokens with')
  }
}

/**
 * Chooses the signing key from the keys whose private half this instance has: the newest that is active and
 * not retired. If there is none, this machine's clock is behind the clock of the keys, and the newest key
 * without a successor signs.
 */
export function chooseSigningKey(keys: Iterable<SigningKey>, now: Date): SigningKey | undefined {
  const held = [...keys].filter(({ privateKey }) => privateKey !== undefined)
  const active = held.filter(
    ({ activeFrom, retiredAt }) => activeFrom <= now && (retiredAt === null || retiredAt > now),
  )
  return youngest(active) ?? youngest(held.filter(({ retiredAt }) => retiredAt === null))
}

function youngest(keys: readonly SigningKey[]): SigningKey | undefined {
  return keys.reduce<SigningKey | undefined>(
    (chosen, key) => (chosen === undefined || key.activeFrom >= chosen.activeFrom ? key : chosen),
    undefined,
  )
}

/** Returns the time at which the last token of this key has expired; undefined while the key may sign. */
export function lastTokenDead(key: { readonly retiredAt: Date | null }): Date | undefined {
  return key.retiredAt === null
    ? undefined
    : new Date(key.retiredAt.getTime() + signingKeyTimes.handOverMs + signingKeyTimes.verifiesMs)
}

export type KeyStep =
  | { readonly kind: 'make'; readonly activeFrom: Date }
  | { readonly kind: 'retire'; readonly kid: string; readonly at: Date }
  | { readonly kind: 'forget private half'; readonly kid: string }
  | { readonly kind: 'remove'; readonly kid: string }

/**
 * Plans the steps for the keys at `now`. `atOnce` replaces the signing key without waiting for its age. A second run
 * plans no step, except with `atOnce`.
 */
export function planRotation(
  keys: readonly StoredSigningKey[],
  now: Date,
  settings: { atOnce?: boolean } = {},
): KeyStep[] {
  const steps: KeyStep[] = []
  const last = keys.find((key) => key.retiredAt === null)
  const usable = keys.some(
    (key) => key.wrapped !== null && key.activeFrom <= now && (key.retiredAt === null || key.retiredAt > now),
  )
  const dueAt = last && last.activeFrom.getTime() + signingKeyTimes.signsMs - signingKeyTimes.publishedAheadMs
  let activeFrom: Date | undefined
  if (!usable || settings.atOnce) activeFrom = now
  else if (dueAt === undefined || dueAt <= now.getTime())
    activeFrom = new Date(now.getTime() + signingKeyTimes.publishedAheadMs)
  if (activeFrom !== undefined) {
    if (last !== undefined) steps.push({ kind: 'retire', kid: last.kid, at: activeFrom })
    steps.push({ kind: 'make', activeFrom })
  }
  for (const key of keys) {
    const dead = lastTokenDead(key)
    if (dead === undefined) continue
    if (dead <= now) steps.push({ kind: 'remove', kid: key.kid })
    else if (key.wrapped !== null && key.retiredAt !== null) {
      const handedOver = key.retiredAt.getTime() + signingKeyTimes.handOverMs
      if (handedOver <= now.getTime()) steps.push({ kind: 'forget private half', kid: key.kid })
    }
  }
  return steps
}

/** Makes a new key, its private half wrapped under the current master key. */
export async function makeSigningKey(
  masterKeys: MasterKeys,
  times: { now: Date; activeFrom: Date },
): Promise<StoredSigningKey & { wrapped: Buffer; masterKeyId: string }> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  if (x === undefined || y === undefined) throw new Error('a P-256 public key has two coordinates')
  const kid = thumbprint(x, y)
  const bytes = privateKey.export({ format: 'der', type: 'pkcs8' })
  try {
    return {
      kid,
      publicJwk: { kty: 'EC', crv: 'P-256', x, y, kid, alg: 'ES256', use: 'sig' },
      wrapped: await masterKeys.current.wrap(bytes, bindSigningKey(kid)),
      masterKeyId: masterKeys.current.keyId,
      createdAt: times.now,
      activeFrom: times.activeFrom,
      retiredAt: null,
    }
  } finally {
    bytes.fill(0)
  }
}

/** Opens a key for use. Throws when its private half does not open, or belongs to another key. */
export async function openSigningKey(masterKeys: MasterKeys, stored: StoredSigningKey): Promise<SigningKey> {
  const { kid, publicJwk, activeFrom, retiredAt, wrapped, masterKeyId } = stored
  const publicKey = createPublicKey({ key: { ...publicJwk }, format: 'jwk' })
  if (kid !== thumbprint(publicJwk.x, publicJwk.y))
    throw new Error('a signing key does not have the id of its key')
  let privateKey: KeyObject | undefined
  if (wrapped !== null && masterKeyId !== null) {
    const bytes = await masterKeys.withId(masterKeyId).unwrap(wrapped, bindSigningKey(kid))
    try {
      privateKey = createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' })
    } finally {
      bytes.fill(0)
    }
    if (!createPublicKey(privateKey).equals(publicKey))
      throw new Error(`the two halves of signing key ${kid} differ`)
  }
  return { kid, publicJwk, publicKey, privateKey, activeFrom, retiredAt }
}

/**
 * Wraps the private half under the current master key. Undefined when it is already wrapped under it, or was
 * removed.
 */
export async function rewrapSigningKey(
  masterKeys: MasterKeys,
  stored: StoredSigningKey,
): Promise<Buffer | undefined> {
  const { kid, wrapped, masterKeyId } = stored
  if (wrapped === null || masterKeyId === null || masterKeyId === masterKeys.current.keyId) return undefined
  const bytes = await masterKeys.withId(masterKeyId).unwrap(wrapped, bindSigningKey(kid))
  try {
    return await masterKeys.current.wrap(bytes, bindSigningKey(kid))
  } finally {
    bytes.fill(0)
  }
}

/** RFC 7638: the id is derived from the key, so two keys cannot have the same id. */
function thumbprint(x: string, y: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url')
}

/** Binds a private half to its row. It cannot be opened in the row of another key. */
function bindSigningKey(kid: string): string {
  return JSON.stringify(['signing key', kid])
}
