/**
 * The cash of an account over a period, in each currency, divided by what moved it. The last figure is the sum of the
 * others.
 */
import { type Decimal, sum, ZERO } from '@clearing/domain/decimal'
import type { ValuedAccount } from '../books/positions/account-positions.ts'
import type { BookedLine } from './read-booked.ts'

export const flows = [
  'Purchases and sales',
  'Deposits and withdrawals',
  'Income and interest',
  'Fees and taxes',
  'Other',
] as const
type Flow = (typeof flows)[number]

const flowOfType: Readonly<Record<string, Flow>> = {
  Trade: 'Purchases and sales',
  Reinvest: 'Purchases and sales',
  Exercise: 'Purchases and sales',
  Assignment: 'Purchases and sales',
  Deposit: 'Deposits and withdrawals',
  DepositReturn: 'Deposits and withdrawals',
  Withdrawal: 'Deposits and withdrawals',
  Journal: 'Deposits and withdrawals',
  TransferIn: 'Deposits and withdrawals',
  TransferOut: 'Deposits and withdrawals',
  Dividend: 'Income and interest',
  Interest: 'Income and interest',
  CapitalGain: 'Income and interest',
  Fee: 'Fees and taxes',
  FeeRefund: 'Fees and taxes',
  Tax: 'Fees and taxes',
  TaxRefund: 'Fees and taxes',
}

export interface CashFlow {
  readonly currency: string
  readonly opening: Decimal
  readonly moved: Readonly<Record<Flow, Decimal>>
  readonly closing: Decimal
}

export function cashFlows(
  before: ValuedAccount | null,
  lines: readonly BookedLine[],
  end: ValuedAccount,
): CashFlow[] {
  const currencies = new Set([
    ...(before?.held.cash ?? []).map(({ currency }) => currency),
    ...lines.filter(({ netAmount = ZERO }) => netAmount !== ZERO).map(({ currency }) => currency),
    ...end.held.cash.map(({ currency }) => currency),
  ])
  return [...currencies].sort().map((currency) => {
    const inCurrency = lines.filter((line) => line.currency === currency)
    const total = (flow: Flow) =>
      sum(inCurrency.filter((line) => flowOf(line) === flow).map(({ netAmount = ZERO }) => netAmount))
    return {
      currency,
      opening: cashIn(before, currency),
      moved: Object.fromEntries(flows.map((flow) => [flow, total(flow)])) as Record<Flow, Decimal>,
      closing: cashIn(end, currency),
    }
  })
}

function flowOf({ transType }: BookedLine): Flow {
  return flowOfType[transType] ?? 'Other'
}

function cashIn(valued: ValuedAccount | null, currency: string): Decimal {
  const rows = valued?.held.cash.filter((row) => row.currency === currency) ?? []
  return sum(rows.map(({ tradeDate }) => tradeDate))
}
