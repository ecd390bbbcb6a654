/**
 * The long-lived parts of a running service that handlers use. `make-parts.ts` creates them once and passes them down.
 */

import type { AuditHeads } from '../audit/audit-heads.ts'
import type { BusinessDay } from '../business-day/close-day.ts'
import type { WebhookSender } from '../events/webhooks/webhook-sender.ts'
import type { FirmParts } from '../firm-rules/context.ts'
import type { SandboxControls } from '../sandbox/controls.ts'
import type { IsolatedSandboxes } from '../sandbox/isolated/isolated-sandboxes.ts'

export interface Parts extends FirmParts {
  readonly auditHeads: AuditHeads
  readonly webhooks: WebhookSender
  readonly businessDay: BusinessDay
  /** Only in the sandbox. */
  readonly controls: SandboxControls | undefined
  /** Only in the sandbox; an isolated sandbox has no sandboxes of its own. */
  readonly sandboxes: IsolatedSandboxes | undefined
}
