/**
 * Temporary holds under FINRA Rule 2165: the placement with its ground, the recorded steps, and the end at the close of
 * the last day (decision 226).
 */
import { firstPeriodOf, groundOfHold, type HoldGround, type HoldStep, stepOfHold } from '@clearing/domain'
import { addMarketDays } from '@clearing/domain/market'
import { type Rejection, reject } from '@clearing/protocol'
import { countOf } from '@clearing/protocol/values'
import type { Logger } from 'pino'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import type { FirmContext, FirmParts } from '../firm-rules/context.ts'
import { type Restricted, writeRestrictionEvent } from '../firm-rules/restriction.ts'
import { readAccount } from '../store/accounts.ts'
import { writeAudit } from '../store/audit.ts'
import { easternDay } from '../store/books/calendar.ts'
import { queue } from '../store/jobs.ts'
import { lockAccountStatus, readRestriction, readRestrictionsOf } from '../store/restrictions.ts'
import {
  endHoldsOfEndedRestrictions,
  readHolds,
  readHoldsBefore,
  readRestrictionsWithoutHold,
  type TemporaryHold,
  writeHold,
  writeHoldStep,
} from '../store/temporary-holds.ts'
import { serviceActor } from './firm-context.ts'
import { checkEnding, endNow, notFound, type PlaceRequest, placeNow } from './restrict.ts'

const holdCode = 'ProtectedAdult'

/** Why the account has no ground for the hold that the request places; undefined for another restriction. */
export async function checkGround(
  { tx, keys, now }: FirmContext,
  { accountNumber, restrictionCode, holdGround }: PlaceRequest,
): Promise<Rejection | { readonly ground: HoldGround } | undefined> {
  if (restrictionCode !== holdCode) {
    return holdGround === undefined
      ? undefined
      : reject('ERR.1015', 'holdGround', `Only the restriction ${holdCode} has a ground.`)
  }
  const account = await readAccount(tx, accountNumber, keys)
  if (account === undefined) return notFound
  const found = groundOfHold(account.record, holdGround, easternDay(now))
  return 'refused' in found
    ? reject('ERR.2051', holdGround === undefined ? 'restrictionCode' : 'holdGround', found.refused)
    : found
}

/**
 * The holds that the account had before, as `from to until`. FINRA Rule 2165(b)(2) counts from the day on which a hold
 * was first placed, so the persons who place another one for the same matter must know them.
 */
export async function readEarlierHolds(
  tx: Tx,
  { accountNumber, restrictionCode }: PlaceRequest,
): Promise<string[]> {
  if (restrictionCode !== holdCode) return []
  const held = await readRestrictionsOf(tx, [accountNumber], holdCode)
  return held.flatMap(({ placed_at, ended_at }) =>
    ended_at === null ? [] : [`${easternDay(new Date(placed_at))} to ${easternDay(new Date(ended_at))}`],
  )
}

/** Places a restriction that a person or a credential requested. */
export async function placeRequested(
  request: PlaceRequest,
  context: FirmContext,
): Promise<Restricted | Rejection> {
  const found = await checkGround(context, request)
  if (found === undefined) return placeNow(request, context)
  if ('code' in found) return found
  const placedOn = easternDay(context.now)
  const { expiresOn, notifyBy } = firstPeriodOf(placedOn)
  const { ground } = found
  const placed = await placeNow(request, context, { ground, expiresOn })
  if (!('restriction' in placed) || placed.restriction === null) return placed
  const { account_number, restriction_id, firm_id, placed_at } = placed.restriction
  const hold: TemporaryHold = {
    account_number,
    restriction_id,
    firm_id,
    ground,
    placed_on: placedOn,
    expires_on: expiresOn,
    notify_by: notifyBy,
    notified_at: null,
    steps: [],
    ended_at: null,
  }
  writeHold(context.tx, hold, placed_at)
  return placed
}

export interface StepRequest {
  readonly accountNumber: string
  readonly restrictionId: string
  readonly step: HoldStep
  readonly until?: string
  readonly reason: string
}

interface Step {
  readonly hold: TemporaryHold
  readonly accountStatus: string
  readonly expiresOn: string
}

/** Locks the account. The check also precedes a request for approval. */
export async function checkStep(
  context: Pick<FirmContext, 'tx' | 'now'>,
  { accountNumber, restrictionId, step, until }: StepRequest,
): Promise<Rejection | Step> {
  if (step !== 'Ordered' && until !== undefined)
    return reject('ERR.1015', 'until', 'Only the step Ordered sets a day.')
  if (step === 'Ordered' && until === undefined)
    return reject('ERR.1000', 'until', 'The step Ordered needs the last day of the hold.')
  const account = await lockAccountStatus(context.tx, accountNumber)
  if (account === undefined) return notFound
  const [hold] = await readHolds(context.tx, [
    { account_number: accountNumber, restriction_id: restrictionId },
  ])
  if (hold === undefined)
    return reject('ERR.2013', 'restrictionId', 'The account has no temporary hold with this id.')
  const restriction = await readRestriction(context.tx, accountNumber, restrictionId)
  const found = stepOfHold(
    {
      placedOn: hold.placed_on,
      expiresOn: hold.expires_on,
      steps: hold.steps.map((recorded) => recorded.step),
      inForce: restriction?.ended_at === null,
    },
    step,
    { today: easternDay(context.now), until },
  )
  if ('refused' in found) return reject('ERR.2010', 'step', found.refused)
  return { hold, accountStatus: account.status, expiresOn: found.expiresOn }
}

export async function recordStep(
  request: StepRequest,
  context: FirmContext,
): Promise<Rejection | Restricted> {
  const checked = await checkStep(context, request)
  if ('code' in checked) return checked
  const { tx, now, caller } = context
  const { hold, accountStatus, expiresOn } = checked
  const { accountNumber, restrictionId, step, reason } = request
  const restriction = await readRestriction(tx, accountNumber, restrictionId)
  if (restriction === undefined) throw new Error(`the restriction of the hold ${restrictionId} is gone`)
  const recorded = { step, expiresOn, reason, by: caller.clientId, at: now.toISOString() }
  const after: TemporaryHold = {
    ...hold,
    expires_on: expiresOn,
    notified_at: hold.notified_at ?? (step === 'Notified' ? recorded.at : null),
    steps: [...hold.steps, recorded],
  }
  writeHoldStep(tx, after, restriction.placed_at)
  if (step !== 'Notified') writeRestrictionEvent(context, restriction, { accountStatus, expiresOn })
  const changes = { step, expiresOn, reason }
  writeAudit(context, { action: 'record-hold-step', accountNumber, target: restrictionId, changes })
  return { accountStatus, restriction }
}

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
  for (const { placed_at, ...restriction } of await readRestrictionsWithoutHold(tx)) {
    const placedOn = easternDay(new Date(placed_at))
    const { expiresOn, notifyBy } = firstPeriodOf(placedOn)
    const hold: TemporaryHold = {
      ...restriction,
      ground: '',
      placed_on: placedOn,
      expires_on: expiresOn > day ? expiresOn : firstPeriodOf(day).notifyBy,
      notify_by: notifyBy,
      notified_at: null,
      steps: [],
      ended_at: null,
    }
    writeHold(tx, hold, placed_at)
  }
}
