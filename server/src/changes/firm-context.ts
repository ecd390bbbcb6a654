/**
 * Turns the context of an operations request, or of a job for all firms, into that of the firm that owns the account:
 * the firm's settings and keys.
 */
import { serviceActor } from '../actor.ts'
import type { Tx } from '../database/transaction.ts'
import type { FirmContext, FirmParts } from '../firm-rules/context.ts'
import { firmOf, readFirm } from '../store/firms.ts'

export async function asFirm(
  context: Omit<FirmContext, 'firm' | 'keys'>,
  firmId: string,
): Promise<FirmContext> {
  const row = await readFirm(context.tx, firmId)
  if (row === undefined) throw new Error(`there is no firm ${firmId}`)
  return { ...context, firm: firmOf(row), keys: await context.parts.keyring.load(firmId) }
}

/** The context of a job, before its firm is known. */
export function asService({
  tx,
  parts,
  traceId,
}: {
  readonly tx: Tx
  readonly parts: FirmParts
  readonly traceId: string
}): Omit<FirmContext, 'firm' | 'keys'> {
  return {
    tx,
    caller: { clientId: serviceActor, scopes: new Set() },
    now: parts.clock.now(),
    traceId,
    idempotencyKey: undefined,
    parts,
    refused: { rejections: [], paths: new Set() },
  }
}
