/**
 * The realized gains of a statement. A sale can be booked or cancelled, and its cost can change, after the statement of
 * its period. Therefore a statement has the gains of its own period and what became known, since the last close before
 * it, of earlier gains. Over consecutive statements, both together are all gains that are known.
 */
import { ZERO } from '@clearing/domain/decimal'
import { GainTotals, type TermTotals } from '@clearing/domain/tax'
import { type KnownGain, readGains } from '../books/gains/read-gains.ts'
import type { View } from '../books/positions/view.ts'
import type { Tx } from '../database/transaction.ts'

export interface StatedGains {
  /** Closed in the period. */
  readonly period: TermTotals
  /** Closed before the period: those known at its end less those known at the last close before it. */
  readonly change: TermTotals
  /** The year of the end, and each earlier year whose gains are not those of the last close. The earliest first. */
  readonly years: readonly (TermTotals & { readonly year: number })[]
}

/** `before` is the view at the last close before the period; undefined if no day was closed. */
export async function readStatedGains(
  tx: Tx,
  { accountNumber, from, to }: { readonly accountNumber: string; readonly from: string; readonly to: string },
  end: View,
  before: View | undefined,
): Promise<StatedGains> {
  const known = new GainTotals()
  const moved = new GainTotals()
  const period = new GainTotals()
  const change = new GainTotals()
  for await (const { gain, security } of gainsUntil(tx, accountNumber, end, to)) {
    known.add(gain, security)
    moved.add(gain, security)
    const own = gain.closing.closeDate >= from ? period : change
    own.add(gain, security)
  }
  if (before !== undefined)
    for await (const { gain, security } of gainsUntil(tx, accountNumber, before, before.day)) {
      moved.subtract(gain, security)
      change.subtract(gain, security)
    }
  const lastYear = Number(to.slice(0, 4))
  const movedYears = moved.totals().years.filter((one) => one.year !== lastYear && hasGains(one))
  const { years } = known.totals()
  const none = new GainTotals().totals()
  return {
    period: period.totals(),
    change: change.totals(),
    // Of a year whose only sale was cancelled, nothing is known any more.
    years: [...movedYears.map(({ year }) => year), lastYear].map(
      (year) => years.find((one) => one.year === year) ?? { ...none, year },
    ),
  }
}

function hasGains({ shortTerm, longTerm }: TermTotals): boolean {
  return hasAmount(shortTerm) || hasAmount(longTerm)
}

export function hasAmount(sums: TermTotals['shortTerm']): boolean {
  return Object.values(sums).some((amount) => amount !== ZERO)
}

async function* gainsUntil(
  tx: Tx,
  accountNumber: string,
  view: View,
  dateTo: string,
): AsyncGenerator<KnownGain> {
  for await (const gains of readGains(tx, accountNumber, view, { dateFrom: '0001-01-01', dateTo }))
    yield* gains
}
