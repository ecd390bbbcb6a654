/** The days and the recorded steps of temporary holds: restrictions ProtectedAdult. */
import { type HoldGround, type HoldStep, remindOn, temporaryHoldCode } from '@clearing/domain'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { startOfEasternDay } from './books/calendar.ts'
import { ofNoMovingFirm } from './moved-firms.ts'

export interface RecordedStep {
  readonly step: HoldStep
  /** The last day of the hold after the step. */
  readonly expiresOn: string
  readonly reason: string
  readonly by: string
  readonly at: string
}

export interface TemporaryHold {
  readonly account_number: string
  readonly restriction_id: string
  readonly firm_id: string
  /** Empty for a restriction that was placed before holds were stored. */
  readonly ground: HoldGround | ''
  readonly placed_on: string
  readonly expires_on: string
  readonly notify_by: string
  readonly notified_at: string | null
  readonly steps: readonly RecordedStep[]
  readonly ended_at: string | null
}

/** A hold at its placement. */
export function newHold(
  {
    account_number,
    restriction_id,
    firm_id,
  }: Pick<TemporaryHold, 'account_number' | 'restriction_id' | 'firm_id'>,
  days: {
    readonly ground: HoldGround | ''
    readonly placedOn: string
    readonly expiresOn: string
    readonly notifyBy: string
  },
): TemporaryHold {
  return {
    account_number,
    restriction_id,
    firm_id,
    ground: days.ground,
    placed_on: days.placedOn,
    expires_on: days.expiresOn,
    notify_by: days.notifyBy,
    notified_at: null,
    steps: [],
    ended_at: null,
  }
}

const columns =
  'account_number, restriction_id, firm_id, ground, placed_on, expires_on, notify_by, notified_at, steps, ended_at'

const insertHold = statement(
  'insert-temporary-hold',
  `insert into clearing.temporary_hold (${columns}, waits_from, due_on)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
)
const updateHold = statement(
  'update-temporary-hold',
  `update clearing.temporary_hold set expires_on = $3, notified_at = $4, steps = $5, waits_from = $6, due_on = $7
   where account_number = $1 and restriction_id = $2`,
)
const endHold = statement(
  'end-temporary-hold',
  `update clearing.temporary_hold set ended_at = $3
   where account_number = $1 and restriction_id = $2 and ended_at is null`,
)
const selectHolds = statement<TemporaryHold>(
  'select-temporary-holds',
  `select ${columns} from clearing.temporary_hold where account_number = any ($1) and restriction_id = any ($2)`,
)
const selectExpired = statement<TemporaryHold>(
  'select-expired-holds',
  `select ${columns} from clearing.temporary_hold where ended_at is null and expires_on < $1 and ${ofNoMovingFirm}
   order by expires_on, account_number, restriction_id`,
)

/** Since when and until when the inbox shows the hold. */
function shownFor({ notified_at, notify_by, expires_on }: TemporaryHold, placedAt: string): [Date, string] {
  return notified_at === null
    ? [new Date(placedAt), notify_by]
    : [startOfEasternDay(remindOn(expires_on)), expires_on]
}

export function writeHold(tx: Tx, hold: TemporaryHold, placedAt: string): void {
  tx.later(insertHold, [
    hold.account_number,
    hold.restriction_id,
    hold.firm_id,
    hold.ground,
    hold.placed_on,
    hold.expires_on,
    hold.notify_by,
    hold.notified_at,
    JSON.stringify(hold.steps),
    hold.ended_at,
    ...shownFor(hold, placedAt),
  ])
}

/** Stores the days and the steps of a hold after a further step. */
export function writeHoldStep(tx: Tx, hold: TemporaryHold, placedAt: string): void {
  tx.later(updateHold, [
    hold.account_number,
    hold.restriction_id,
    hold.expires_on,
    hold.notified_at,
    JSON.stringify(hold.steps),
    ...shownFor(hold, placedAt),
  ])
}

export function writeHoldEnd(tx: Tx, accountNumber: string, restrictionId: string, at: Date): void {
  tx.later(endHold, [accountNumber, restrictionId, at])
}

/** The holds among the restrictions. */
export function readHolds(
  tx: Tx,
  restrictions: readonly { readonly account_number: string; readonly restriction_id: string }[],
): Promise<TemporaryHold[]> {
  if (restrictions.length === 0) return Promise.resolve([])
  const accounts = restrictions.map((one) => one.account_number)
  return tx.rows(selectHolds, [accounts, restrictions.map((one) => one.restriction_id)])
}

/** Holds in force whose last day is before a day. */
export function readHoldsBefore(tx: Tx, day: string): Promise<TemporaryHold[]> {
  return tx.rows(selectExpired, [day])
}

const endEndedElsewhere = statement(
  'end-holds-of-ended-restrictions',
  `update clearing.temporary_hold as hold set ended_at = restriction.ended_at
   from clearing.restriction
   where hold.${ofNoMovingFirm} and hold.ended_at is null and restriction.account_number = hold.account_number
     and restriction.restriction_id = hold.restriction_id and restriction.ended_at is not null`,
)
const selectWithoutHold = statement<{
  account_number: string
  restriction_id: string
  firm_id: string
  placed_at: string
}>(
  'select-restrictions-without-hold',
  `select account_number, restriction_id, firm_id, placed_at from clearing.restriction
   where ${ofNoMovingFirm} and ended_at is null and code = '${temporaryHoldCode}' and not exists (
     select from clearing.temporary_hold as hold
     where hold.account_number = restriction.account_number and hold.restriction_id = restriction.restriction_id)`,
)

/** A process of the previous release ends restrictions without their holds. */
export function endHoldsOfEndedRestrictions(tx: Tx): void {
  tx.later(endEndedElsewhere, [])
}

/** Restrictions in force that a process of the previous release placed. */
export function readRestrictionsWithoutHold(tx: Tx) {
  return tx.rows(selectWithoutHold, [])
}
