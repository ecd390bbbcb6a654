/** The securities of an account whose lines depend on each other. */
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { type GatheredRows, insertRows } from './bulk.ts'

const selectLinks = statement<{ sec_no: bigint; other_sec_no: bigint }>(
  'select-security-links',
  'select sec_no, other_sec_no from clearing.security_link where account_number = $1',
)
const insertLinks = insertRows('insert-security-links', 'security_link', 'on conflict do nothing')

/** '0' means lines without a security. */
export async function readLinks(tx: Tx, accountNumber: string): Promise<[string, string][]> {
  return (await tx.rows(selectLinks, [accountNumber])).map((row) => [
    String(row.sec_no),
    String(row.other_sec_no),
  ])
}

export interface NewLink {
  readonly accountNumber: string
  readonly firmId: string
  readonly secNo: string
  readonly other: string
}

export function appendLinks(to: GatheredRows, links: readonly NewLink[]): void {
  for (const { accountNumber, secNo, other, firmId } of links) {
    to.of(insertLinks).add(accountNumber, secNo, other, firmId)
  }
}
