/**
 * The signed heads of the audit chains as one part of the service: signs them now and then, verifies the trail against them, and
 * remembers what this process has seen.
 */
import type { Checkpoint } from '@clearing/protocol/audit'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import type { BlobStore } from '../documents/blob-store.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import { readAgeMs } from '../store/audit-heads.ts'
import { acknowledgeRestore } from './acknowledge-restore.ts'
import { digestOf, HeadFiles } from './head-files.ts'
import { keepHeads } from './make-checkpoint.ts'
import { type OwnKeys, readOwnKeys } from './own-keys.ts'
import { signHeads, takeKey } from './sign-heads.ts'
import { oneView, type Trail, type VerifiedTrail, verifyTrail } from './verify-trail.ts'

export interface AuditHeadsSettings {
  /** Sees all firms, with time for long chains. */
  readonly pool: Pool
  readonly masterKeys: MasterKeys
  /** Where the checkpoints lie. */
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly log: Logger
  /** Called when a chain does not hold, so that somebody is told. */
  readonly onBreaks: () => Promise<void>
}

/** Files read when a caller waits; the nightly proof reads every one. */
const filesAskedMax = 50
/** Processes whose timers do not go alike sign once in an interval all the same. */
const ofInterval = 0.9
/** Anybody may ask for the keys. */
const keysKeptMs = 60_000

export class AuditHeads {
  readonly #settings: AuditHeadsSettings
  readonly #trail: Trail
  #known: Checkpoint | undefined
  /** Whether somebody was told of what does not hold now. */
  #alarmed = false
  #signedAtMs: number | undefined
  #verified: boolean | undefined
  #keys: Promise<OwnKeys> | undefined
  #keysReadMs = 0
  /** One after the other. */
  #signing: Promise<unknown> = Promise.resolve()

  constructor(settings: AuditHeadsSettings) {
    const { pool, masterKeys, blobs } = settings
    this.#settings = settings
    this.#trail = { pool, masterKeys, files: new HeadFiles(blobs) }
  }

  /** When the newest checkpoint that this process has seen was signed, in milliseconds since 1970. */
  get signedAtMs(): number | undefined {
    return this.#signedAtMs
  }

  /** Whether the trail held when this process last verified all of it. */
  get verified(): boolean | undefined {
    return this.#verified
  }

  /** Makes the first key, so that it is published before it signs. */
  async prepare(): Promise<void> {
    await takeKey(this.#trail, new Date())
  }

  /** Signs the heads of chains that have grown, unless somebody did in the last `pauseMs`. What fails is logged and tried again at the next time. */
  sign(pauseMs = 0): Promise<void> {
    const signing = this.#signing.then(() => this.#sign(pauseMs))
    this.#signing = signing
    return signing
  }

  /** `whole` reads every file of the document store. */
  async verify(firmId: string | null, whole = false): Promise<VerifiedTrail> {
    const filesMax = whole ? Number.POSITIVE_INFINITY : filesAskedMax
    const verified = await verifyTrail(this.#trail, { firmId, filesMax, known: this.#known })
    this.#remember(verified.newest)
    if (firmId === null) this.#verified = verified.verified
    return verified
  }

  /** In the caller's transaction; undefined when there is nothing to acknowledge. */
  async acknowledgeRestore(tx: Tx, filesLost: boolean): Promise<Checkpoint | undefined> {
    const signed = await this.#acknowledge(tx, filesLost)
    if (signed !== undefined) keepHeads(tx, signed)
    return signed
  }

  /** The sandbox has put back a snapshot. The database stays as it was saved: copies and events come with the next signing. */
  async afterSnapshot(): Promise<void> {
    this.#known = undefined
    await inTransaction(this.#settings.pool, { firm: null }, (tx) => this.#acknowledge(tx, false))
  }

  #acknowledge(tx: Tx, filesLost: boolean): Promise<Checkpoint | undefined> {
    return acknowledgeRestore(tx, this.#trail, { now: this.#settings.clock.now(), filesLost })
  }

  /** The keys that verify, read anew after a minute. */
  keys(): Promise<OwnKeys> {
    const { pool, masterKeys } = this.#settings
    const now = performance.now()
    if (this.#keys !== undefined && now - this.#keysReadMs < keysKeptMs) return this.#keys
    const keys = inTransaction(pool, oneView, (tx) => readOwnKeys(tx, masterKeys))
    this.#keys = keys
    this.#keysReadMs = now
    keys.catch(() => {
      this.#keys = undefined
    })
    return keys
  }

  /** Signs every so often, but not while it is `held`; answers how to stop. */
  start(everyMs: number, held: () => boolean): () => Promise<void> {
    const timer = setInterval(() => {
      if (!held()) void this.sign(everyMs * ofInterval)
    }, everyMs)
    timer.unref()
    return async () => {
      clearInterval(timer)
      await this.#signing
    }
  }

  async #sign(pauseMs: number): Promise<void> {
    const { pool, clock, log, onBreaks } = this.#settings
    try {
      const ageMs = pauseMs === 0 ? undefined : await inTransaction(pool, oneView, readAgeMs)
      if (ageMs !== undefined && ageMs < pauseMs) return
      const { signed, breaks } = await signHeads(this.#trail, clock.now())
      this.#remember(signed)
      // The first signing makes a key.
      this.#keys = undefined
      if (signed !== undefined) {
        const heads = signed.heads.map(({ firmId, sequence, hash }) => ({ firmId, sequence, hash }))
        log.info({ checkpoint: signed.checkpoint, digest: digestOf(signed), heads }, 'audit heads signed')
      }
      if (breaks.length > 0) {
        log.error({ breaks }, 'audit chains that do not hold were not signed')
        if (!this.#alarmed) await onBreaks()
      }
      this.#alarmed = breaks.length > 0
    } catch (fault) {
      log.error({ err: fault }, 'audit heads were not signed')
    }
  }

  #remember(checkpoint: Checkpoint | undefined): void {
    if (checkpoint !== undefined && checkpoint.checkpoint > (this.#known?.checkpoint ?? 0)) {
      this.#known = checkpoint
      this.#signedAtMs = Date.parse(checkpoint.at)
    }
  }
}
