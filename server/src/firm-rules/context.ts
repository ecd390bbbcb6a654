/**
 * The context of a rule or a step of a firm's work: the transaction with the firm set for row-level security,
 * the actor, and the time. Time and identity are passed and never read from the environment.
 */
import type { Rejection } from '@clearing/protocol'
import type { LoadThread } from '../books/loads/load-thread.ts'
import type { KnownMarkets } from '../books/positions/known-market.ts'
import type { Summaries } from '../books/positions/summary-now.ts'
import type { Clock } from '../clock.ts'
import type { AccountNumbers } from '../config/account-numbers.ts'
import type { Pool } from '../database/pool.ts'
import type { Tx } from '../database/transaction.ts'
import type { BlobStore } from '../documents/blob-store.ts'
import type { FormPrinter } from '../documents/forms/form-printer.ts'
import type { Inspector } from '../documents/inspect/inspector.ts'
import type { VirusScanner } from '../documents/virus-scanner.ts'
import type { FirmKeys, Keyring } from '../encryption/keyring.ts'
import type { Caller } from '../identity/caller.ts'
import type { Cells } from '../identity/cells/open-cells.ts'
import type { Identity } from '../identity/identity.ts'
import type { WatchLists } from '../screening/watch-lists.ts'
import type { AccessRecords } from '../store/access-records.ts'
import type { Firm } from '../store/firm.ts'
import type { HeldJobs } from '../store/held-jobs.ts'
import type { Turns } from '../turns.ts'
import type { RenderedAccounts } from './rendered-accounts.ts'
import type { TimeInState } from './time-in-state.ts'

export interface FirmContext {
  readonly tx: Tx
  readonly firm: Firm
  /** The firm's keys, in memory. */
  readonly keys: FirmKeys
  readonly caller: Caller
  /** The service's time: the wall clock, or the sandbox's. */
  readonly now: Date
  readonly traceId: string
  /** The idempotency key that the caller gave for an operation that writes. */
  readonly idempotencyKey: string | undefined
  readonly parts: FirmParts
  /**
   * The rejections found when the request was read. Empty, except for `operationsWithFurtherRules`. Handlers
   * of those operations are called with the readable members, so that the rejections of their own rules are
   * in the same response (Reading 1.9). They return `Rejected` whenever `rejections` is not empty.
   */
  readonly refused: Refused
}

export interface Refused {
  readonly rejections: readonly Rejection[]
  /** Canonical paths of values that were refused and are absent from the request. */
  readonly paths: ReadonlySet<string>
  /**
   * Refused values that are in the request, with the words for which they are refused: an update may send them back if
   * the record has them.
   */
  readonly unlessStored?: ReadonlyMap<string, readonly string[]>
}

/** The long-lived parts of the running service that the work of a firm uses. */
export interface FirmParts {
  /** True in the sandbox: only there exist magic values, controls and the demonstration data. */
  readonly sandbox: boolean
  /** The account numbers that this cell assigns; undefined means all. */
  readonly accountNumbers: AccountNumbers | undefined
  /** The directory of cells; undefined for a cell without others. */
  readonly cells: Cells | undefined
  /** True if accounts can be changed in business hours only (Reading 10). */
  readonly updateHours: boolean
  readonly clock: Clock
  readonly identity: Identity
  readonly keyring: Keyring
  /**
   * A pool for loads. Each batch is a transaction of its own, and may take longer than a statement of a
   * request.
   */
  readonly loads: Pool
  /** Runs large loads. */
  readonly loadThread: LoadThread
  /** The turns of large loads. */
  readonly loadTurns: Turns
  /** The turns of responses that hold a connection while their client reads them. */
  readonly activityTurns: Turns
  /** The turns of `verify-books` and `verify-audit`. */
  readonly verifyTurns: Turns
  readonly accessRecords: AccessRecords
  readonly heldJobs: HeldJobs
  readonly renderedAccounts: RenderedAccounts
  readonly markets: KnownMarkets
  readonly summaries: Summaries
  readonly timeInState: TimeInState
  readonly blobs: BlobStore
  readonly inspector: Inspector
  readonly formPrinter: FormPrinter
  /** The virus scanner; undefined when none is configured. */
  readonly virusScanner: VirusScanner | undefined
  readonly watchLists: WatchLists
}
