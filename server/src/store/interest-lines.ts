/** What Interest lines took of the accrued interest of margin accounts. */
import { type Decimal, renderDecimal } from '@clearing/domain/decimal'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { decimalOfColumn, insertRows, Rows } from './books/bulk.ts'

export interface TakenInterest {
  readonly accountNumber: string
  readonly externalId: string
  readonly firmId: string
  /** US dollars; positive for a charge, negative for a payment of a refund. */
  readonly taken: Decimal
}

const insertTaken = insertRows('insert-interest-lines', 'interest_line', 'on conflict do nothing')
const selectTaken = statement<{ account_number: string; external_id: string; taken: string }>(
  'select-interest-lines',
  `select account_number, external_id, taken from unnest($1::text[], $2::text[]) as named (account_number, external_id)
   join clearing.interest_line using (account_number, external_id)`,
)

export function insertTakenInterest(tx: Tx, all: readonly TakenInterest[], closeDate: string): void {
  if (all.length === 0) return
  const rows = new Rows()
  for (const { accountNumber, externalId, firmId, taken } of all)
    rows.add(accountNumber, externalId, firmId, closeDate, renderDecimal(taken))
  tx.later(insertTaken, [rows.bytes()])
}

/** What lines took, by `nameOfTaken`. Lines that no close of this release has counted are absent. */
export async function readTaken(
  tx: Tx,
  named: readonly { readonly accountNumber: string; readonly externalId: string }[],
): Promise<Map<string, Decimal>> {
  if (named.length === 0) return new Map()
  const rows = await tx.rows(selectTaken, [
    named.map(({ accountNumber }) => accountNumber),
    named.map(({ externalId }) => externalId),
  ])
  return new Map(
    rows.map((row) => [nameOfTaken(row.account_number, row.external_id), decimalOfColumn(row.taken)]),
  )
}

export function nameOfTaken(accountNumber: string, externalId: string): string {
  return `${accountNumber} ${externalId}`
}
