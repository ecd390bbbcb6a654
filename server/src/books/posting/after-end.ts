/**
 * Trades in a security that has ended: a bond after its maturity, an option after its expiration. They are booked as
 * facts, with a break.
 */
import type { Break } from '@clearing/domain/books'
import type { KnownSecurity } from '../directory.ts'
import type { BookedLine } from './booked-line.ts'

export function breaksAfterEnd(lines: readonly BookedLine[]): Break[] {
  const late = lines.filter(isAfterEnd)
  if (late.length === 0) return []
  const cancelled = new Set(lines.filter(({ line }) => line.cancels).map(({ line }) => line.tagNo))
  return late.flatMap(({ line, security }) => {
    const { tradeDate, externalId, acctType, quantity } = line
    if (security === undefined || cancelled.has(externalId)) return []
    const { expiration } = security.row
    const end = endOf(security)
    const ended = expiration === null ? `The bond matured on ${end}` : `The option expired on ${end}`
    const reason = `${ended} and was traded on ${tradeDate}. Cancel the line, or correct the date of the security or of the trade.`
    return [
      {
        kind: 'TradedAfterEnd',
        lineId: externalId,
        securityKey: security.booked.key,
        acctType,
        quantity,
        reason,
      },
    ]
  })
}

function isAfterEnd({ line, security }: BookedLine): boolean {
  if (security === undefined || line.cancels) return false
  if (line.transType !== 'Trade' && line.transType !== 'Reinvest') return false
  const end = endOf(security)
  return end !== null && line.tradeDate > end
}

function endOf({ row }: KnownSecurity): string | null {
  return row.expiration ?? row.maturity_date
}
