/**
 * The signed heads of the audit chains, in one object of the service. It signs the heads at intervals,
 * verifies the trail against them, and remembers the newest checkpoint that this process has seen.
 */
import type { Checkpoint } from '@clearing/protocol/audit'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import type { BlobStore } from '../documents/blob-store.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import { hasUnsignedRestore, readAgeMs } from '../store/audit-heads.ts'
import { acknowledgeRestore } from './acknowledge-restore.ts'
import { digestOf, HeadFiles } from './head-files.ts'
import { keepHeads } from './make-checkpoint.ts'
import { readTrustedKeys, type TrustedKeys } from './other-keys.ts'
import { signHeads, takeKey } from './sign-heads.ts'
import { oneView, type Trail, type VerifiedTrail, verifyTrail } from './verify-trail.ts'

export interface AuditHeadsSettings {
  /** A pool that sees all firms, with time for long chains. */
  readonly pool: Pool
  readonly masterKeys: MasterKeys
  /** The store of the checkpoints. */
  readonly blobs: BlobStore
  readonly clock: Clock
  /** True in the sandbox. */
  readonly hasSnapshots?: boolean
  readonly log: Logger
  /**
   * Queues the verification of the records: when a chain is broken, so that operations get an alarm, and when a restore
   * is acknowledged, so that the alarm ends.
   */
  readonly queueProof: () => Promise<void>
}

/** The number of files that are read while a caller waits. The nightly verification reads all files. */
const filesAskedMax = 50
/** A part of the interval: processes whose timers differ still sign once in an interval. */
const ofInterval = 0.9
/** How long the keys are cached. They are public, and requests for them are answered from memory. */
const keysKeptMs = 60_000

export class AuditHeads {
  readonly #settings: AuditHeadsSettings
  readonly #trail: Trail
  #known: Checkpoint | undefined
  /** True while an alarm about the present breaks is raised. */
  #alarmed = false
  #signedAtMs: number | undefined
  #verified: boolean | undefined
  #keys: Promise<TrustedKeys> | undefined
  #keysReadMs = 0
  /** Signings run one after another. */
  #signing: Promise<unknown> = Promise.resolve()

  constructor(settings: AuditHeadsSettings) {
    const { pool, masterKeys, blobs } = settings
    this.#settings = settings
    this.#trail = { pool, masterKeys, files: new HeadFiles(blobs) }
  }

  /** The time at which the newest checkpoint that this process has seen was signed, in milliseconds since 1970. */
  get signedAtMs(): number | undefined {
    return this.#signedAtMs
  }

  /** The result of this process's last verification of the whole trail. */
  get verified(): boolean | undefined {
    return this.#verified
  }

  /** Creates the first key, so that it is published before it signs. */
  async prepare(): Promise<void> {
    await takeKey(this.#trail, new Date())
  }

  /**
   * Signs the heads of chains that have grown, unless any process did so within the last `pauseMs`. A failure is logged
   * and retried at the next interval.
   */
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

  /**
   * Acknowledges a restore in the caller's transaction. Returns undefined when there is nothing to
   * acknowledge.
   */
  async acknowledgeRestore(tx: Tx, filesLost: boolean): Promise<Checkpoint | undefined> {
    const signed = await this.#acknowledge(tx, filesLost)
    if (signed === undefined) return undefined
    keepHeads(tx, signed)
    const { queueProof, log } = this.#settings
    tx.onCommit(
      () => void queueProof().catch((fault) => log.error({ err: fault }, 'the proof was not queued')),
    )
    return signed
  }

  /**
   * Called after the sandbox restored a snapshot. The database keeps its saved state: the next signing adds copies and
   * events.
   */
  async afterSnapshot(): Promise<void> {
    this.#known = undefined
    await inTransaction(this.#settings.pool, { firm: null }, (tx) => this.#acknowledge(tx, false))
  }

  /**
   * A process that ends after it restored a snapshot, or a store that fails then, leaves the restore unacknowledged.
   */
  async #acknowledgeSnapshot(): Promise<void> {
    const { pool, hasSnapshots } = this.#settings
    if (hasSnapshots && (await inTransaction(pool, oneView, hasUnsignedRestore))) await this.afterSnapshot()
  }

  #acknowledge(tx: Tx, filesLost: boolean): Promise<Checkpoint | undefined> {
    return acknowledgeRestore(tx, this.#trail, { now: this.#settings.clock.now(), filesLost })
  }

  /** Returns the verifying keys, which are read again after a minute. */
  keys(): Promise<TrustedKeys> {
    const { pool, masterKeys } = this.#settings
    const now = performance.now()
    if (this.#keys !== undefined && now - this.#keysReadMs < keysKeptMs) return this.#keys
    const keys = inTransaction(pool, oneView, (tx) => readTrustedKeys(tx, masterKeys))
    this.#keys = keys
    this.#keysReadMs = now
    keys.catch(() => {
      this.#keys = undefined
    })
    return keys
  }

  /** Signs at intervals, except while `held` returns true. Returns a function that stops it. */
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
    const { pool, clock, log, queueProof } = this.#settings
    try {
      const ageMs = await inTransaction(pool, oneView, readAgeMs)
      // A process that has not signed yet reports the newest checkpoint, also if it cannot sign.
      if (ageMs !== undefined) this.#signedAtMs ??= Date.now() - ageMs
      if (ageMs !== undefined && ageMs >= 0 && ageMs < pauseMs) return
      await this.#acknowledgeSnapshot()
      const { signed, breaks } = await signHeads(this.#trail, clock.now())
      this.#remember(signed)
      // The first signing creates a key.
      this.#keys = undefined
      if (signed !== undefined) {
        const heads = signed.heads.map(({ firmId, sequence, hash }) => ({ firmId, sequence, hash }))
        log.info({ checkpoint: signed.checkpoint, digest: digestOf(signed), heads }, 'audit heads signed')
      }
      if (breaks.length > 0) {
        log.error({ breaks }, 'audit chains that do not hold were not signed')
        if (!this.#alarmed) await queueProof()
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
