/** The long-lived parts of a running service that handlers and jobs use; made once in `service.ts` and passed down. */
import type { AccessRecords } from './access-records.ts'
import type { AuditHeads } from './audit/audit-heads.ts'
import type { BusinessDay } from './business-day/close-day.ts'
import type { Clock } from './clock.ts'
import type { Pool } from './database/pool.ts'
import type { BlobStore } from './documents/blob-store.ts'
import type { FormPrinter } from './documents/forms/form-printer.ts'
import type { Inspector } from './documents/inspect/inspector.ts'
import type { VirusScanner } from './documents/virus-scanner.ts'
import type { Keyring } from './encryption/keyring.ts'
import type { WebhookSender } from './events/webhooks/webhook-sender.ts'
import type { Identity } from './identity/identity.ts'
import type { SandboxControls } from './sandbox/controls.ts'
import type { WatchLists } from './screening/watch-lists.ts'

export interface Parts {
  /** Whether this is the sandbox: magic values, controls and the demonstration data exist only there. */
  readonly sandbox: boolean
  /** Whether accounts can be changed in business hours only (Reading 10). */
  readonly updateHours: boolean
  readonly clock: Clock
  readonly identity: Identity
  readonly keyring: Keyring
  /** For loads: each batch is a transaction of its own, and may take longer than a request's statement. */
  readonly loads: Pool
  readonly accessRecords: AccessRecords
  readonly auditHeads: AuditHeads
  readonly blobs: BlobStore
  readonly inspector: Inspector
  readonly formPrinter: FormPrinter
  /** Undefined when none is configured. */
  readonly virusScanner: VirusScanner | undefined
  readonly watchLists: WatchLists
  readonly webhooks: WebhookSender
  readonly businessDay: BusinessDay
  /** In the sandbox alone. */
  readonly controls: SandboxControls | undefined
}
