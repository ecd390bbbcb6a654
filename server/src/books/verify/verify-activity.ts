/**
 * Verifies that the activity of an account sums to its cash and its positions: the netAmounts and the securities moved
 * of all lines, including other kinds than trades and cancels, add up to the balances.
 */
import type { AcctType } from '@clearing/domain/books'
import { type Decimal, renderDecimal, ZERO } from '@clearing/domain/decimal'
import type { Tx } from '../../database/transaction.ts'
import { pageAmounts } from '../../store/books/amounts.ts'
import type { KeptCash } from '../../store/books/balances.ts'
import { decimalOfColumn } from '../../store/books/bulk.ts'
import { readAmounts } from '../positions/moved-amounts.ts'

interface Balances {
  readonly cash: readonly KeptCash[]
  readonly positions: readonly {
    readonly secNo: string
    readonly acctType: AcctType
    readonly quantity: Decimal
  }[]
}

const pageRowsMax = 1_000

/** The differences, as sentences. */
export async function verifyActivity(
  tx: Tx,
  accountNumber: string,
  { cash, positions }: Balances,
): Promise<string[]> {
  const sums = new Map<string, Decimal>()
  const units = new Map<string, Decimal>()
  for await (const rows of pageAmounts(tx, accountNumber, pageRowsMax)) {
    for (const { row, amounts, moved: securities } of await readAmounts(tx, rows, {
      accountNumber,
      lines: null,
    })) {
      const moved = decimalOfColumn(amounts.netAmount)
      sums.set(row.currency, (sums.get(row.currency) ?? ZERO) + moved)
      for (const { secNo, quantity } of securities) {
        const name = nameOfPosition(secNo, row.acct_type)
        units.set(name, (units.get(name) ?? ZERO) + decimalOfColumn(quantity))
      }
    }
  }
  const held = new Map<string, Decimal>()
  for (const { currency, amount } of cash) held.set(currency, (held.get(currency) ?? ZERO) + amount)
  const quantities = new Map(
    positions.map(({ secNo, acctType, quantity }) => [nameOfPosition(secNo, acctType), quantity]),
  )
  return [
    ...differences(sums, held).map(
      ([currency, sum, is]) =>
        `The netAmounts of its activity sum to ${renderDecimal(sum)} ${currency}, its cash is ${renderDecimal(is)}.`,
    ),
    ...differences(units, quantities).map(
      ([name, sum, is]) =>
        `Its activity moved ${renderDecimal(sum)} of security ${name}, its position is ${renderDecimal(is)}.`,
    ),
  ]
}

function nameOfPosition(secNo: string, acctType: number): string {
  return `${secNo} in account type ${acctType}`
}

function differences(
  sums: ReadonlyMap<string, Decimal>,
  held: ReadonlyMap<string, Decimal>,
): (readonly [name: string, sum: Decimal, is: Decimal])[] {
  return [...new Set([...sums.keys(), ...held.keys()])]
    .map((name) => [name, sums.get(name) ?? ZERO, held.get(name) ?? ZERO] as const)
    .filter(([, sum, is]) => sum !== is)
}
