/** Who holds a security, over all firms. */
import { statement, unprepared } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { Conditions } from './conditions.ts'

export interface HeldSecurity {
  readonly sec_no: bigint
  readonly symbol: string | null
  readonly cusip: string | null
  readonly description: string
  readonly long_quantity: string
  readonly short_quantity: string
}

const selectSecurity = statement<HeldSecurity>(
  'select-held-security',
  `select sec_no, symbol, cusip, description, coalesce(held.long, 0) as long_quantity, coalesce(held.short, 0) as short_quantity
   from clearing.security left join lateral (
     select sum(quantity) filter (where quantity > 0) as long, sum(quantity) filter (where quantity < 0) as short
     from clearing.position where position.sec_no = security.sec_no
   ) as held on true
   where upper($1) in (symbol, cusip, isin, sedol, sec_no::text)
   order by (symbol = upper($1)) desc nulls last limit 1`,
)
export const findHeldSecurity = (tx: Tx, named: string): Promise<HeldSecurity | undefined> =>
  tx.row(selectSecurity, [named])

export interface Holder {
  readonly account_number: string
  readonly firm_id: string
  readonly firm_name: string
  readonly account_name: string
  readonly acct_type: number
  readonly quantity: string
}

/** By account number, after a place. */
export const findHolders = (
  tx: Tx,
  secNo: bigint,
  after: readonly [accountNumber: string, acctType: string] | undefined,
  most: number,
): Promise<Holder[]> => {
  const c = new Conditions()
  c.and(`sec_no = ${c.bind(secNo)}::bigint`)
  if (after !== undefined)
    c.and(`(account_number, acct_type) > (${c.bind(after[0])}, ${c.bind(after[1])}::smallint)`)
  return tx.rows(
    unprepared<Holder>(
      `select account_number, position.firm_id, firm.name as firm_name, account_name, acct_type, quantity
       from clearing.position join clearing.account using (account_number) join clearing.firm on firm.firm_id = position.firm_id
       ${c.where()} order by account_number, acct_type limit ${most}`,
    ),
    c.values,
  )
}
