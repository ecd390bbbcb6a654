/** move-prices: gives securities a new current price by changing the last price by a percentage. */
import { reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { inTransaction } from '../database/transaction.ts'
import { writeAudit } from '../store/audit.ts'
import { movePrices as moveStoredPrices } from '../store/market-moves.ts'
import type { Handler } from './context.ts'

const shownMax = 100

export const movePrices: Handler<'move-prices'> = async ({ percent, symbols }, context) => {
  const { parts, now } = context
  const wanted = symbols && [...new Set(symbols)]
  const moved = await inTransaction(parts.loads, { firm: null }, async (tx) => {
    const prices = await moveStoredPrices(tx, now, String(percent), wanted ?? null)
    const found = new Set(prices.map(({ symbol }) => symbol))
    const missing = wanted?.filter((symbol) => !found.has(symbol)) ?? []
    const isClosed = prices.some(({ written }) => !written)
    if (missing.length > 0 || isClosed) tx.abandon()
    return { prices, missing, isClosed }
  })
  if (moved.missing.length > 0) {
    const reason = `No security with a price has the symbol ${moved.missing.join(', ')}.`
    return new Rejected([reject('ERR.1015', 'symbols', reason)])
  }
  if (moved.isClosed) {
    const reason =
      'Prices at the current time of the clock belong to a closed business day or were corrected; advance the clock first.'
    return new Rejected([reject('ERR.1015', 'percent', reason)])
  }
  const { prices } = moved
  writeAudit(context, {
    action: 'move-prices',
    changes: { percent, symbols: wanted ?? 'all', count: prices.length },
  })
  return {
    pricedOn: now.toISOString(),
    count: prices.length,
    prices: prices.slice(0, shownMax).map(({ symbol, before, after }) => ({ symbol, before, after })),
  }
}
