/** The prices of the last trades of an account in positions of account types 2 and 3 that have no price. */
import type { Decimal } from '@clearing/domain/decimal'
import { hasExpired } from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import { nameOfHolding, readLastTrades } from '../../store/books/prices/last-trades.ts'
import type { AccountMarket } from './market-of-account.ts'
import type { HeldLot } from './open-rates.ts'

/** By secNo. Most accounts have prices of all that they hold, and nothing is read. */
export async function readLastTradesOf(
  tx: Tx,
  accountNumber: string,
  {
    held,
    market,
    today,
    upTo,
  }: {
    readonly held: readonly HeldLot[]
    readonly market: AccountMarket
    readonly today: string
    /** The last line that counts. Undefined: all lines. */
    readonly upTo: number | undefined
  },
): Promise<ReadonlyMap<string, Decimal>> {
  const inMargin = new Set(held.filter(({ lot }) => lot.acctType !== 1).map(({ secNo }) => secNo))
  const unpriced = [...inMargin].filter((secNo) => !isPriced(secNo, market, today))
  const wanted = unpriced.map((secNo) => ({ accountNumber, secNo, upTo }))
  const trades = await readLastTrades(tx, wanted, today)
  return new Map(
    unpriced.flatMap((secNo) => {
      const price = trades.get(nameOfHolding(accountNumber, secNo))
      return price === undefined ? [] : [[secNo, price] as const]
    }),
  )
}

function isPriced(
  secNo: string,
  { securities, prices, atExpiration }: AccountMarket,
  today: string,
): boolean {
  const security = securities.get(secNo)
  return (security && hasExpired(security, today) ? atExpiration : prices).has(secNo)
}
