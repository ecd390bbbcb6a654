/**
 * Ends temporary holds at the close of their last day, without a person (decision 226). Also gives days to holds that a
 * process of the previous release placed.
 */
import { firstPeriodOf, type HoldStep } from '@clearing/domain'
import { addMarketDays } from '@clearing/domain/market'
import { countOf } from '@clearing/protocol/values'
import type { Logger } from 'pino'
import { serviceActor } from '../actor.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import type { FirmParts } from '../firm-rules/context.ts'
import { easternDay } from '../store/books/calendar.ts'
import { queue } from '../store/jobs.ts'
import {
  endHoldsOfEndedRestrictions,
  newHold,
  readHolds,
  readHoldsBefore,
  readRestrictionsWithoutHold,
  type TemporaryHold,
  writeHold,
} from '../store/temporary-holds.ts'
import { checkEnding, endNow } from './restrict.ts'

export const holdsTask = 'end-temporary-holds'

export interface HoldsPayload {
  readonly day: string
}

/** Queues the work of the close of a business day. */
export function queueHolds(tx: Tx, day: string): void {
  queue(tx, { task: holdsTask, payload: { day }, key: `${holdsTask}:${day}`, due: null })
}

/**
 * Ends the holds whose last day is before the business day after `day`, each in a transaction of its own: an order can
 * name a day without a market, which no close follows. A second run ends nothing again.
 */
export async function endExpiredHolds(
  { day }: HoldsPayload,
  pool: Pool,
  { clock }: FirmParts,
  log: Logger,
): Promise<void> {
  const expired = await inTransaction(pool, { firm: null, repeatable: true }, async (tx) => {
    endHoldsOfEndedRestrictions(tx)
    await storeMissingHolds(tx, day)
    return readHoldsBefore(tx, addMarketDays(day, 1))
  })
  let failed = 0
  for (const hold of expired) {
    try {
      await inTransaction(pool, { firm: null, repeatable: true }, (tx) => endHold(tx, hold, day, clock.now()))
    } catch (fault) {
      failed += 1
      const { account_number: accountNumber } = hold
      log.error({ err: fault, accountNumber }, 'an expired hold could not be ended')
    }
  }
  if (failed > 0) throw new Error(`${countOf(failed, 'expired hold')} could not be ended`)
}

async function endHold(tx: Tx, hold: TemporaryHold, day: string, now: Date): Promise<void> {
  const { account_number: accountNumber, restriction_id: restrictionId, firm_id: firmId } = hold
  const request = { accountNumber, restrictionId, reason: whyExpired(hold, day) }
  const context = { tx, now, firm: { firmId }, caller: { clientId: serviceActor }, traceId: '' }
  // The account is locked before the hold is read again: it may have been extended or ended meanwhile.
  const found = await checkEnding(context, request)
  const [still] = await readHolds(tx, [hold])
  if (!('restriction_id' in found) || still === undefined || still.expires_on >= addMarketDays(day, 1)) return
  await endNow({ ...request, reason: whyExpired(still, day) }, context)
}

function whyExpired({ expires_on: expiresOn, steps }: TemporaryHold, day: string): string {
  const last = steps.findLast(({ step }) => step !== 'Notified')
  const rule =
    last === undefined
      ? 'FINRA Rule 2165(b)(2), not extended'
      : { Extended: 'FINRA Rule 2165(b)(3)', Reported: 'FINRA Rule 2165(b)(4)', Ordered: 'by order' }[
          last.step as Exclude<HoldStep, 'Notified'>
        ]
  return expiresOn > day
    ? `The temporary hold ended with ${day}, the last business day until ${expiresOn} (${rule}).`
    : `The temporary hold expired at the end of ${expiresOn} (${rule}).`
}

/**
 * A process of the previous release places holds without their days. A hold whose first period is over by then ends
 * two business days later, so that the inbox shows it before.
 */
async function storeMissingHolds(tx: Tx, day: string): Promise<void> {
  for (const restriction of await readRestrictionsWithoutHold(tx)) {
    const placedOn = easternDay(new Date(restriction.placed_at))
    const period = firstPeriodOf(placedOn)
    const expiresOn = period.expiresOn > day ? period.expiresOn : firstPeriodOf(day).notifyBy
    const { notifyBy } = period
    writeHold(tx, newHold(restriction, { ground: '', placedOn, expiresOn, notifyBy }), restriction.placed_at)
  }
}
