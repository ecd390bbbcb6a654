/** The sandbox's reviewer: rejects a document whose display name requests it. */
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import type { FirmParts } from '../firm-rules/context.ts'
import { decideOnDocument } from './decide-document.ts'

export interface ReviewPayload {
  readonly firmId: string
  readonly accountNumber: string
  readonly documentId: string
  readonly rejectionCode: string
  readonly traceId: string
}

export async function reviewDocument(payload: ReviewPayload, app: Pool, parts: FirmParts): Promise<void> {
  const { firmId, accountNumber, documentId, rejectionCode, traceId } = payload
  await inTransaction(app, { firm: firmId, repeatable: true }, async (tx) => {
    await decideOnDocument(
      tx,
      { accountNumber, documentId, approved: false, rejectionCode, reason: '', signedOn: null },
      { clock: parts.clock, now: parts.clock.now(), actor: 'sandbox-reviewer', traceId },
    )
  })
}
