/** The restriction NinetyDayCash: how the books place and lift it, and how people change it. */
import type { CashHistory, CashViolation, Freeze } from '@clearing/domain/market'
import { serviceActor } from '../actor.ts'
import type { CashAccount } from '../books/cash/read-payments.ts'
import type { PortionWork } from '../books/portion-work.ts'
import { lift, putInForce } from '../firm-rules/restriction.ts'
import { easternDay } from '../store/books/calendar.ts'
import {
  lockAccountStatus,
  type Restriction,
  readRestriction,
  readRestrictionsInForce,
} from '../store/restrictions.ts'

const code = 'NinetyDayCash'

/**
 * The decisions of people. A restriction that they place withdraws the privilege of delaying payment. Ending a
 * restriction that the books placed restores it: a waiver (12 CFR 220.8(d)(1)(iii)).
 */
export function decisionsOf(restrictions: readonly Restriction[]): CashHistory['decided'] {
  const days = restrictions.map((one) => ({
    own: one.placed_by === serviceActor,
    waived: one.ended_by !== null && one.ended_by !== serviceActor,
    placedOn: easternDay(new Date(one.placed_at)),
    endedOn: one.ended_at === null ? null : easternDay(new Date(one.ended_at)),
  }))
  return (day) => {
    const others = days.filter(({ own }) => !own)
    if (others.some(({ placedOn, endedOn }) => placedOn < day && (endedOn === null || endedOn > day)))
      return true
    const last = days.filter(({ own, placedOn }) => own && placedOn < day).at(-1)
    return last?.waived && last.endedOn !== null && last.endedOn <= day ? false : undefined
  }
}

/**
 * Places or lifts the restriction that the freeze requires, and returns the restriction of the books that belongs to
 * it.
 */
export async function restrictCashAccount(
  { tx, close, now, traceId }: PortionWork,
  { account, before }: CashAccount,
  violations: readonly CashViolation[],
  freeze: Freeze | undefined,
): Promise<string | null> {
  const { accountNumber, firmId } = account
  const context = { tx, now, firm: { firmId }, caller: { clientId: serviceActor }, traceId }
  const restrictionId = before?.restrictionId ?? null
  if (freeze === undefined) {
    if (restrictionId !== null) {
      const reason = whyEnded(before, violations, close.nextDate)
      await lift(context, { accountNumber, restrictionId, reason })
    }
    return null
  }
  const isNew = (before?.frozenFrom ?? '') < freeze.from
  if (!isNew) return restrictionId
  const status = (await lockAccountStatus(tx, accountNumber))?.status
  if (status !== 'Open' && status !== 'Restricted') return null
  const own = restrictionId === null ? undefined : await readRestriction(tx, accountNumber, restrictionId)
  if (own?.ended_at === null) return restrictionId
  const inForce = await readRestrictionsInForce(tx, accountNumber)
  if (inForce.some((one) => one.code === code)) return null
  const placed = await putInForce(context, { accountNumber, code, reason: whyPlaced(freeze, violations) })
  return placed.restriction.restriction_id
}

function whyPlaced({ from, until, cause }: Freeze, violations: readonly CashViolation[]): string {
  const of = violations.find(({ soldOn }) => soldOn === from)
  const what = `Purchase ${of?.purchaseId} of ${of?.purchasedOn} was sold on ${from} before it was paid`
  const why = cause === 'FreeRiding' ? '12 CFR 220.8(c)' : 'the third good-faith violation in twelve months'
  return `${what} (${why}). Settled cash only until ${until}.`
}

function whyEnded(
  before: CashAccount['before'],
  violations: readonly CashViolation[],
  nextDate: string,
): string {
  if ((before?.frozenUntil ?? '') < nextDate) return `The 90 days ended on ${before?.frozenUntil}.`
  const paid = violations.find(({ soldOn, paidOn }) => soldOn === before?.frozenFrom && paidOn !== null)
  return paid === undefined
    ? 'The lines that caused it were cancelled.'
    : `Purchase ${paid.purchaseId} was paid in full on ${paid.paidOn}, within its period.`
}
