/**
 * Account numbers that a firm names and cannot have. Every refusal is recorded in the firm's audit trail and counted by hour; after
 * the limit, numbers that the firm did not reserve are refused unseen, so that asking cannot show which numbers others have.
 */
import { limits, type OperationName, type Rejection, reject } from '@clearing/protocol'
import { inTransaction } from '../database/transaction.ts'
import { writeAuditRow } from '../store/audit.ts'
import { countOnce, readGuesses } from '../store/sign-in.ts'
import type { FirmContext } from './context.ts'

export interface RefusedNumber {
  readonly rejections: readonly Rejection[]
  readonly retryAfterSeconds?: number
}

/** The response is the same for every account that has the number, in whatever state and of whichever firm. */
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

/** Asked before it is looked up whether a number is free; undefined below the limit. */
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

/** In a transaction of its own, because that of the request is rolled back. */
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

function keyOf({ firm }: FirmContext, began: Date): string {
  return `refused numbers ${firm.firmId} ${began.toISOString()}`
}
