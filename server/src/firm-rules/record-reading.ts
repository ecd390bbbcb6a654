/** Records that a caller is about to read the personal numbers of an account in full (Reading 2.4). */
import type { OperationName } from '@clearing/protocol'
import type { FirmContext } from './context.ts'

/** Resolves when the record is committed, at once for a caller who gets them masked. */
export async function recordReading(
  context: FirmContext,
  account: { readonly firmId: string; readonly accountNumber: string },
  operation: OperationName,
): Promise<void> {
  if (!context.caller.scopes.has('pii:read')) return
  await context.parts.accessRecords.add({
    firmId: account.firmId,
    accountNumber: account.accountNumber,
    at: context.now,
    clientId: context.caller.clientId,
    operation,
    traceId: context.traceId,
    reason: context.caller.readingReason ?? '',
  })
}
