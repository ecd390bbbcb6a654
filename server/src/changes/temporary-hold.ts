/**
 * The placement of a temporary hold under FINRA Rule 2165, the restriction ProtectedAdult: its ground, its first period
 * and the holds that the account had before (decision 226).
 */
import { firstPeriodOf, groundOfHold, type HoldGround, temporaryHoldCode } from '@clearing/domain'
import { type Rejection, reject } from '@clearing/protocol'
import type { Tx } from '../database/transaction.ts'
import type { FirmContext } from '../firm-rules/context.ts'
import type { Restricted } from '../firm-rules/restriction.ts'
import { readAccount } from '../store/accounts.ts'
import { easternDay } from '../store/books/calendar.ts'
import { readRestrictionsOf } from '../store/restrictions.ts'
import { newHold, writeHold } from '../store/temporary-holds.ts'
import { notFound, type PlaceRequest, placeNow } from './restrict.ts'

/** Why the account has no ground for the hold that the request places; undefined for another restriction. */
export async function checkGround(
  { tx, keys, now }: FirmContext,
  { accountNumber, restrictionCode, holdGround }: PlaceRequest,
): Promise<Rejection | { readonly ground: HoldGround } | undefined> {
  if (restrictionCode !== temporaryHoldCode) {
    return holdGround === undefined
      ? undefined
      : reject('ERR.1015', 'holdGround', `Only the restriction ${temporaryHoldCode} has a ground.`)
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
  if (restrictionCode !== temporaryHoldCode) return []
  const held = await readRestrictionsOf(tx, [accountNumber], temporaryHoldCode)
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
  const { restriction } = placed
  writeHold(
    context.tx,
    newHold(restriction, { ground, placedOn, expiresOn, notifyBy }),
    restriction.placed_at,
  )
  return placed
}
