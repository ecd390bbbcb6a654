/**
 * Trades in a security that has ended: a bond after its maturity, an option after its expiration. They are booked as
 * facts, with a break.
 */
import type { Break } from '@clearing/domain/books'
import type { BookedLine } from './booked-line.ts'

export function breaksAfterEnd(lines: readonly BookedLine[]): Break[] {
  const cancelled = new Set(lines.filter(({ line }) => line.cancels).map(({ line }) => line.tagNo))
  return lines.flatMap(({ line, security }) => {
    const { transType, tradeDate, externalId, acctType, quantity } = line
    if (security === undefined || line.cancels || cancelled.has(externalId)) return []
    if (transType !== 'Trade' && transType !== 'Reinvest') return []
    const { expiration, maturity_date: maturity } = security.row
    const end = expiration ?? maturity
    if (end === null || tradeDate <= end) return []
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
