/**
 * Verifies the closed days of one account: folds its lines day by day as they were known at each close, and
 * compares positions and cash with the sealed ones.
 */
import { type HeldBalance, type LotMethod, RunningFold } from '@clearing/domain/books'
import { renderDecimal, ZERO } from '@clearing/domain/decimal'
import type { KnownLine } from '../../store/books/lines.ts'
import type { SealedBalance } from '../../store/seals.ts'

/** The data of the account to verify. */
export interface ClosedDays {
  readonly lotMethod: LotMethod
  readonly lines: readonly KnownLine[]
  /** Sealed days whose seals cover lines, in order. */
  readonly days: readonly string[]
  /** By day. */
  readonly sealed: readonly SealedBalance[]
}

export interface DayDifference {
  readonly day: string
  readonly asset: string
  readonly reason: string
}

/** The first day on which each balance differs from the sealed one. */
export function compareClosedDays({ lotMethod, lines, days, sealed }: ClosedDays): DayDifference[] {
  const fold = new RunningFold({ lotMethod })
  const kept = new Map<string, SealedBalance>()
  const found = new Map<string, DayDifference>()
  const byEntry = lines.toSorted((a, b) => a.line.sequence - b.line.sequence)
  let line = 0
  let row = 0
  for (const day of days) {
    const came = []
    for (; (byEntry[line]?.enteredOn ?? lastDay) <= day; line += 1)
      came.push((byEntry[line] as KnownLine).line)
    const changed = new Map<string, HeldBalance | undefined>()
    for (const balance of came.length === 0 ? [] : fold.add(came)) changed.set(nameOf(balance), balance)
    for (; (sealed[row]?.closeDate ?? lastDay) <= day; row += 1) {
      const balance = sealed[row] as SealedBalance
      kept.set(nameOf(balance), balance)
      changed.set(nameOf(balance), fold.balance(balance.acctType, balance.asset))
    }
    for (const [name, is] of changed) {
      const was = kept.get(name)
      const due = { quantity: was?.quantity ?? ZERO, cost: was?.cost ?? ZERO }
      if (found.has(name) || ((is?.quantity ?? ZERO) === due.quantity && (is?.cost ?? ZERO) === due.cost))
        continue
      const [acctType = '', asset = ''] = name.split(' ')
      const now = `${renderDecimal(is?.quantity ?? ZERO)} at a cost of ${renderDecimal(is?.cost ?? ZERO)}`
      const then = `${renderDecimal(due.quantity)} at ${renderDecimal(due.cost)}`
      const reason = `${day} read again has of ${asset} in account type ${acctType} ${now}, and was sealed with ${then}.`
      found.set(name, { day, asset, reason })
    }
  }
  return [...found.values()]
}

const lastDay = '9999-12-31'
function nameOf({ acctType, asset }: Pick<HeldBalance, 'acctType' | 'asset'>): string {
  return `${acctType} ${asset}`
}
