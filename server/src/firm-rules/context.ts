/**
 * What a rule or a step of a firm's work is given: the transaction with the firm set for row-level security, who acts, and when.
 * Time and identity are passed, never asked for.
 */
import type { Rejection } from '@clearing/protocol'
import type { LoadThread } from '../books/loads/load-thread.ts'
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
import type { RenderedAccounts } from './rendered-accounts.ts'

export interface FirmContext {
  readonly tx: Tx
  readonly firm: Firm
  /** The firm's keys, in memory. */
  readonly keys: FirmKeys
  readonly caller: Caller
  /** The service's time: the wall clock, or the sandbox's. */
  readonly now: Date
  readonly traceId: string
  /** As the caller gave it, of an operation that writes. */
  readonly idempotencyKey: string | undefined
  readonly parts: FirmParts
  /**
   * What reading the request already refused. Empty, except for `operationsWithFurtherRules`: their handlers are
   * called with what could be read, so that their own rules' rejections are answered together with these (Reading
   * 1.9); they answer `Rejected` whenever `rejections` is not empty.
   */
  readonly refused: Refused
}

export interface Refused {
  readonly rejections: readonly Rejection[]
  /** Canonical paths of values that were refused and are absent from the request. */
  readonly paths: ReadonlySet<string>
}

/** The long-lived parts of the running service that the work of a firm uses. */
export interface FirmParts {
  /** Whether this is the sandbox: magic values, controls and the demonstration data exist only there. */
  readonly sandbox: boolean
  /** The account numbers that this cell gives; undefined: all. */
  readonly accountNumbers: AccountNumbers | undefined
  /** The directory of cells; undefined without others. */
  readonly cells: Cells | undefined
  /** Whether accounts can be changed in business hours only (Reading 10). */
  readonly updateHours: boolean
  readonly clock: Clock
  readonly identity: Identity
  readonly keyring: Keyring
  /** For loads: each batch is a transaction of its own, and may take longer than a request's statement. */
  readonly loads: Pool
  /** Runs large loads. */
  readonly loadThread: LoadThread
  readonly accessRecords: AccessRecords
  readonly renderedAccounts: RenderedAccounts
  readonly blobs: BlobStore
  readonly inspector: Inspector
  readonly formPrinter: FormPrinter
  /** Undefined when none is configured. */
  readonly virusScanner: VirusScanner | undefined
  readonly watchLists: WatchLists
}
