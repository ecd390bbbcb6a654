/** A column of amounts in US dollars, aligned right and sorted by value. */
import { Money } from './money.tsx'
import type { Column } from './table.tsx'

export function moneyColumn<Row>(
  key: string,
  header: string,
  amountOf: (row: Row) => string | number,
): Column<Row> {
  return {
    key,
    header: `${header}, USD`,
    right: true,
    by: (row) => Number(amountOf(row)),
    cell: (row) => <Money amount={amountOf(row)} />,
  }
}
