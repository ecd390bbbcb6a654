/**
 * Proves that what the activity of an account answers is its cash: of every currency the netAmounts of all lines, trades and
 * others, cancels too, add up to it.
 */
import { type Decimal, renderDecimal, ZERO } from '@clearing/domain/decimal'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import type { KeptCash } from '../../store/books/balances.ts'
import { decimalOfColumn } from '../../store/books/bulk.ts'
import { type AmountRow, amountColumns, movedColumn, readAmounts } from '../positions/moved-amounts.ts'

const selectAll = statement<AmountRow & { readonly currency: string }>(
  'select-amounts-of-account',
  `select ${amountColumns}, activity.currency, ${movedColumn('$2')} from clearing.activity where account_number = $1`,
)

const pageRowsMax = 1_000

/** What does not add up, as sentences. */
export async function verifyActivity(
  tx: Tx,
  accountNumber: string,
  cash: readonly KeptCash[],
): Promise<string[]> {
  const sums = new Map<string, Decimal>()
  for await (const rows of tx.pages(selectAll, [accountNumber, null], pageRowsMax)) {
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
        `The netAmounts of its activity come to ${renderDecimal(sum)} ${currency}, its cash is ${renderDecimal(is)}.`,
    )
}
