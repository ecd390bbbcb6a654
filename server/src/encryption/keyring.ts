// Caches the unwrapped keys of firms, with limits on number and age. A request calls `cached` (synchronous,
// the usual path) and otherwise `load`. The rows come from the caller's store.
import type { KeyObject } from 'node:crypto'
import { createSecretKey } from 'node:crypto'
import type { FirmKey, KeyPurpose } from './firm-key.ts'
import { unwrapFirmKey } from './firm-key.ts'
import type { MasterKeys } from './master-key.ts'

/** One firm's keys, ready for `seal`, `open`, `blindIndex` and `digestRequest`. */
export type FirmKeys = {
  readonly firmId: string
  readonly data: VersionedKeys
  readonly index: VersionedKeys
}

export type VersionedKeys = {
  readonly currentId: number
  readonly byId: ReadonlyMap<number, KeyObject>
}

/** The key of blind indexes and digests. Throws an error for a firm without one. */
export function currentIndexKey({ firmId, index }: Pick<FirmKeys, 'firmId' | 'index'>): KeyObject {
  const key = index.byId.get(index.currentId)
  if (key === undefined) throw new Error(`Firm ${firmId} has no current index key.`)
  return key
}

export type KeyringSettings = {
  masterKeys: MasterKeys
  /** Returns all rows of one firm, of both purposes; empty when the firm does not exist. */
  loadFirmKeys: (firmId: string) => Promise<readonly FirmKey[]>
  firmsMax?: number
  /** New writes use a key of another instance after this time at the latest. */
  ageMsMax?: number
  /** A monotonic clock. */
  clockMs?: () => number
}

export type Keyring = {
  /** Returns the firm's keys when they are cached and fresh. */
  cached(firmId: string): FirmKeys | undefined
  /** Returns the firm's keys, and reads and unwraps them when needed. Throws for a firm without keys. */
  load(firmId: string): Promise<FirmKeys>
  /**
   * Runs `act`. If `act` finds a value under a new key that these keys do not include, of any firm, reads that firm's
   * keys again and runs `act` once more.
   */
  using<T>(firmId: string, act: (keys: FirmKeys) => T | Promise<T>): Promise<T>
  /** Called after a replacement in this process: the next use reads the rows again. */
  forget(firmId: string): void
}

const KEYRING_FIRMS_MAX = 2_000
const KEYRING_AGE_MS_MAX = 60_000

/** Thrown by `open` for a data key that the given keys do not include. */
export class KeyNotHeld extends Error {
  readonly firmId: string

  constructor(firmId: string, keyId: number) {
    super(`Data key ${keyId} of firm ${firmId} is not held.`)
    this.firmId = firmId
  }
}

export function createKeyring(settings: KeyringSettings): Keyring {
  const firmsMax = settings.firmsMax ?? KEYRING_FIRMS_MAX
  const ageMsMax = settings.ageMsMax ?? KEYRING_AGE_MS_MAX
  const clockMs = settings.clockMs ?? (() => performance.now())
  // The map keeps the order of the last load, so the first entry is dropped first.
  const held = new Map<string, { keys: FirmKeys; loadedMs: number }>()
  const loading = new Map<string, Promise<FirmKeys>>()

  function cached(firmId: string): FirmKeys | undefined {
    const entry = held.get(firmId)
    return entry && clockMs() - entry.loadedMs < ageMsMax ? entry.keys : undefined
  }

  function load(firmId: string): Promise<FirmKeys> {
    const keys = cached(firmId)
    if (keys) return Promise.resolve(keys)
    const already = loading.get(firmId)
    if (already) return already
    const startedMs = clockMs()
    const promise = unwrapAll(settings, firmId).then(
      (keys) => {
        // When the keys were forgotten during the read, these rows may be older than the rotation.
        if (loading.get(firmId) === promise) {
          loading.delete(firmId)
          held.delete(firmId)
          held.set(firmId, { keys, loadedMs: startedMs })
          const oldest = held.keys().next().value
          if (held.size > firmsMax && oldest !== undefined) held.delete(oldest)
        }
        return keys
      },
      (error) => {
        if (loading.get(firmId) === promise) loading.delete(firmId)
        throw error
      },
    )
    loading.set(firmId, promise)
    return promise
  }

  function forget(firmId: string): void {
    held.delete(firmId)
    loading.delete(firmId)
  }

  return {
    cached,
    load,
    forget,
    async using<T>(firmId: string, act: (keys: FirmKeys) => T | Promise<T>): Promise<T> {
      try {
        return await act(cached(firmId) ?? (await load(firmId)))
      } catch (error) {
        if (!(error instanceof KeyNotHeld)) throw error
        // A call of the clearing firm also opens values of client firms.
        forget(error.firmId)
        return await act(await load(firmId))
      }
    },
  }
}

async function unwrapAll(settings: KeyringSettings, firmId: string): Promise<FirmKeys> {
  const rows = await settings.loadFirmKeys(firmId)
  return {
    firmId,
    data: await unwrapPurpose(settings.masterKeys, firmId, rows, 'data'),
    index: await unwrapPurpose(settings.masterKeys, firmId, rows, 'index'),
  }
}

async function unwrapPurpose(
  masterKeys: MasterKeys,
  firmId: string,
  rows: readonly FirmKey[],
  purpose: KeyPurpose,
): Promise<VersionedKeys> {
  const byId = new Map<number, KeyObject>()
  let currentId = 0
  for (const row of rows) {
    if (row.purpose !== purpose) continue
    if (row.firmId !== firmId)
      throw new Error(`Asked for the keys of firm ${firmId}, got those of ${row.firmId}.`)
    const bytes = await unwrapFirmKey(masterKeys, row)
    byId.set(row.keyId, createSecretKey(bytes))
    bytes.fill(0)
    currentId = Math.max(currentId, row.keyId)
  }
  if (currentId === 0) throw new Error(`Firm ${firmId} has no ${purpose} key.`)
  return { currentId, byId }
}
