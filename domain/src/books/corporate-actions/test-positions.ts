/** Positions, and a short description of the result of a line, for the tests of corporate actions. */
import { renderDecimal } from '../../decimal.ts'
import type { ActivityLine, LotMethod } from '../activity.ts'
import { exampleFeed, exampleSecurity } from '../example-lines.ts'
import { foldAccount } from '../fold.ts'

export const old = exampleSecurity('OLD')
export const other = exampleSecurity('NEW')
export const date = '2024-06-03'

/** The remaining lots and the closings, one line each. */
export function booksOf(lines: readonly ActivityLine[], lotMethod: LotMethod = 'FIFO') {
  const fold = foldAccount(lines, { lotMethod })
  return {
    lots: [...fold.holdings.values()].flatMap((holding) =>
      holding.lots.flat().map((lot) => {
        const [quantity, cost] = [lot.quantity, lot.cost].map((amount) => renderDecimal(amount))
        return `${holding.security.key} ${lot.id}: ${quantity} for ${cost} since ${lot.holdingStart}`
      }),
    ),
    gains: fold.closings.map((closing) => {
      const [quantity, proceeds, cost] = [closing.quantity, closing.proceeds, closing.cost].map((amount) =>
        renderDecimal(amount),
      )
      return `${closing.kind} ${closing.lotId}: ${quantity} for ${proceeds}, cost ${cost}, ${closing.term}`
    }),
    moved: fold.movements.map(({ securityKey = '', quantity, cash }) =>
      `${securityKey} ${renderDecimal(quantity)} cash ${renderDecimal(cash)}`.trim(),
    ),
    breaks: fold.breaks.map((found) => `${found.kind} ${renderDecimal(found.quantity)}`),
  }
}

/** Two lots of OLD: 101 shares for 1,010 and 50 for 600. */
export function held() {
  const feed = exampleFeed(old)
  const lines = [
    feed.buy({ date: '2022-01-03', quantity: 101, netAmount: 1010 }),
    feed.buy({ date: '2024-01-03', quantity: 50, netAmount: 600 }),
  ]
  return { feed, lines }
}

/** A short position of 10 OLD, sold for 200. */
export function shorted() {
  const feed = exampleFeed(old)
  return { feed, lines: [feed.sellShort({ date: '2024-01-03', quantity: 10, netAmount: 200, acctType: 3 })] }
}
