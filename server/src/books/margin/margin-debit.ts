/**
 * The settled debit of margin accounts: what a customer owes on lines that have settled. Securities sold short count at
 * the market, because their proceeds secure the loan of the securities and do not reduce what is owed.
 */
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import { isBorrowed } from '@clearing/domain/market'
import { type HeldPosition, readTradedOf, type UnsettledLine } from '../../store/day-accounts.ts'
import type { PortionWork } from '../portion-work.ts'
import type { MarketFacts } from './market-facts.ts'
import type { HeldAtClose } from './portion.ts'

export type FactsOfDebit = Pick<MarketFacts, 'security' | 'valueOf' | 'inUsd'>
type Amount = { readonly currency: string; readonly amount: Decimal }

/** What is owed in US dollars; negative for a credit. `positions` are settled. */
export function debitOf(
  cash: readonly Amount[],
  positions: readonly HeldPosition[],
  facts: FactsOfDebit,
): Decimal {
  const byCurrency = new Map<string, Decimal>()
  for (const { currency, amount } of cash)
    byCurrency.set(currency, (byCurrency.get(currency) ?? ZERO) + amount)
  let debit = ZERO
  for (const [currency, amount] of byCurrency) debit -= facts.inUsd(amount, currency)
  for (const { secNo, quantity } of positions) {
    if (isBorrowed({ quantity, kind: facts.security(secNo).kind })) debit -= facts.valueOf(secNo, quantity)
  }
  return debit
}

/** The settled debit of each account at the close of its portion. `unsettled`: the table, read before the accounts. */
export async function readDebits(
  { tx, facts }: Pick<PortionWork, 'tx' | 'facts'>,
  margin: readonly HeldAtClose[],
  unsettled: ReadonlyMap<string, readonly UnsettledLine[]>,
): Promise<Map<string, Decimal>> {
  const pendingOf = (held: HeldAtClose) => held.unsettled ?? unsettled.get(held.account.accountNumber) ?? []
  // Without a short position, and without an unsettled purchase that may have covered one, no security is borrowed.
  const short = margin.filter(
    (held) => held.positions.some(isNegative) || pendingOf(held).some(({ amount }) => amount < ZERO),
  )
  const lines = short.flatMap((held) =>
    pendingOf(held).map((line) => ({ ...line, accountNumber: held.account.accountNumber })),
  )
  const traded = await readTradedOf(tx, lines)
  const settled = new Map(
    short.map(({ account: { accountNumber }, positions }) => [
      accountNumber,
      settledQuantities(positions, traded.get(accountNumber) ?? []),
    ]),
  )
  await facts.learn(
    tx,
    [...settled.values()].flat().map(({ secNo }) => secNo),
  )
  return new Map(
    margin.map((held) => {
      const { accountNumber } = held.account
      const pending = pendingOf(held).map(({ currency, amount }) => ({ currency, amount: -amount }))
      const cash = [...held.cash, ...pending]
      return [accountNumber, debitOf(cash, settled.get(accountNumber) ?? [], facts)]
    }),
  )
}

function isNegative({ quantity }: { readonly quantity: Decimal }): boolean {
  return quantity < ZERO
}

/**
 * Positions less what unsettled trades bought and sold. A position that is not short and was not traded is left out.
 */
function settledQuantities(
  positions: readonly HeldPosition[],
  traded: readonly HeldPosition[],
): readonly HeldPosition[] {
  const nameOf = ({ secNo, acctType }: HeldPosition) => `${acctType} ${secNo}`
  const settled = new Map(positions.filter(isNegative).map((position) => [nameOf(position), position]))
  for (const trade of traded) {
    const held = positions.find((position) => nameOf(position) === nameOf(trade))
    settled.set(nameOf(trade), { ...trade, quantity: (held?.quantity ?? ZERO) - trade.quantity })
  }
  return [...settled.values()]
}
