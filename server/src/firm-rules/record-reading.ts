/** Records that a caller is about to read the personal numbers of an account in full (Reading 2.4). */
import type { OperationName } from '@clearing/protocol'
import { type AccessRecord, writeAccessRecord } from '../store/access-records.ts'
import type { RowState } from '../store/accounts.ts'
import type { FirmContext } from './context.ts'

/** Resolves when the record is committed. Resolves at once for a caller who gets masked numbers. */
export async function recordReading(
  context: FirmContext,
  account: { readonly firmId: string; readonly accountNumber: string },
  operation: OperationName,
): Promise<void> {
  if (readsPersonalNumbers(context))
    await context.parts.accessRecords.add(recordOf(context, account, operation))
}

/**
 * Records the reading in the transaction of a write. A write must not wait for `recordReading`: it holds its locks
 * while the record waits for a connection, and the callers that hold the connections can wait for these locks.
 */
export function recordReadingOfWrite(
  context: FirmContext,
  account: { readonly firmId: string; readonly accountNumber: string },
  operation: OperationName,
): void {
  if (readsPersonalNumbers(context)) writeAccessRecord(context.tx, recordOf(context, account, operation))
}

/**
 * For a caller who reads personal numbers. Resolves when the record is committed, to the state of the
 * account's row in the same transaction. Resolves to null when the firm has no such account.
 */
export function recordReadingOfState(
  context: FirmContext,
  accountNumber: string,
  operation: OperationName,
): Promise<RowState | null> {
  const account = { firmId: context.firm.firmId, accountNumber }
  return context.parts.accessRecords.addAndAskState(recordOf(context, account, operation))
}

export function readsPersonalNumbers({ caller }: FirmContext): boolean {
  return caller.scopes.has('pii:read')
}

function recordOf(
  context: FirmContext,
  { firmId, accountNumber }: { readonly firmId: string; readonly accountNumber: string },
  operation: OperationName,
): AccessRecord {
  return {
    firmId,
    accountNumber,
    at: context.now,
    clientId: context.caller.clientId,
    operation,
    traceId: context.traceId,
    reason: context.caller.readingReason ?? '',
  }
}
