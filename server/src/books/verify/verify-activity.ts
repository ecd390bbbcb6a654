/**
 * Verifies that the activity of an account sums to its cash: for every currency, the netAmounts of all lines, including
 * other kinds than trades and cancels, add up to the balance.
 */
import { type Decimal, renderDecimal, ZERO } from '@clearing/domain/decimal'
import type { Tx } from '../../database/transaction.ts'
import { pageAmounts } from '../../store/books/amounts.ts'
import type { KeptCash } from '../../store/books/balances.ts'
import { decimalOfColumn } from '../../store/books/bulk.ts'
import { readAmounts } from '../positions/moved-amounts.ts'

const pageRowsMax = 1_000

/** The differences, as sentences. */
export async function verifyActivity(
  tx: Tx,
  accountNumber: string,
  cash: readonly KeptCash[],
): Promise<string[]> {
  const sums = new Map<string, Decimal>()
  for await (const rows of pageAmounts(tx, accountNumber, pageRowsMax)) {
    for (const { row, amounts } of await readAmounts(tx, rows, { accountNumber, lines: null })) {
      const moved = decimalOfColumn(amounts.netAmount)
      sums.set(row.currency, (sums.get(row.currency) ?? ZERO) + moved)
    }
  }
  const held = new Map<string, Decimal>()
  for (const { currency, amount } of cash) held.set(currency, (held.get(currency) ?? ZERO) + amount)
  return [...new Set([...sums.keys(), ...held.keys()])]
    .map((currency) => [currency, sums.get(currency) ?? ZERO, held.get(currency) ?? ZERO] as const)
    .filter(([, sum, is]) => sum !== is)
    .map(
      ([currency, sum, is]) =>
        `The netAmounts of its activity sum to ${renderDecimal(sum)} ${currency}, its cash is ${renderDecimal(is)}.`,
    )
}
