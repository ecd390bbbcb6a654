/**
 * Account numbers that a firm requests and cannot have. Every refusal is recorded in the firm's audit trail
 * and counted by hour. After the limit, numbers that the firm did not reserve are refused without a look-up,
 * so that requests cannot reveal the numbers of other firms.
 */
import { limits, type OperationName, type Rejection, reject } from '@clearing/protocol'
import { inTransaction } from '../database/transaction.ts'
import { writeAuditRow } from '../store/audit.ts'
import { type CounterKey, countOnce, readGuesses } from '../store/counted-guesses.ts'
import type { FirmContext } from './context.ts'

export interface RefusedNumber {
  readonly rejections: readonly Rejection[]
  readonly retryAfterSeconds?: number
}

/** The response does not depend on the state or the firm of the account that has the number. */
const numberTaken = reject(
  'ERR.1014',
  'accountNumber',
  'This account number cannot be used. Reserve one with account-number, or leave it to the service.',
)
const tooMany = reject(
  'ERR.2007',
  'accountNumber',
  `Account numbers of your firm were refused ${limits.refusedNumbersPerHourMax} times in this hour. Reserve one with account-number, or leave it to the service.`,
)
const hourMs = 3_600_000

/** Checks the limit before the number is looked up. Undefined below the limit. */
export async function checkRefusedNumbers(context: FirmContext): Promise<RefusedNumber | undefined> {
  const { parts, now } = context
  const began = hourOf(now)
  const guesses = await inTransaction(parts.loads, { firm: null }, (tx) =>
    readGuesses(tx, keyOf(context, began), began),
  )
  if (guesses.failures < limits.refusedNumbersPerHourMax) return undefined
  const retryAfterSeconds = Math.ceil((began.getTime() + hourMs - now.getTime()) / 1_000)
  return { rejections: [tooMany], retryAfterSeconds }
}

/** Records the refusal in a transaction of its own, because the transaction of the request is rolled back. */
export async function refuseNumber(
  context: FirmContext,
  operation: OperationName,
  accountNumber: string,
): Promise<RefusedNumber> {
  const { parts, firm, caller, now, traceId } = context
  await inTransaction(parts.loads, { firm: null }, async (tx) => {
    await countOnce(tx, keyOf(context, hourOf(now)), now)
    writeAuditRow(tx, {
      firmId: firm.firmId,
      at: now,
      actor: caller.clientId,
      action: 'account-number-refused',
      target: accountNumber,
      traceId,
      detail: { operation },
    })
  })
  return { rejections: [numberTaken] }
}

function hourOf(now: Date): Date {
  return new Date(Math.floor(now.getTime() / hourMs) * hourMs)
}

function keyOf({ firm }: FirmContext, began: Date): CounterKey {
  return ['Refused number', firm.firmId, began.toISOString()]
}
