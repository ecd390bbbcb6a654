/**
 * The security that an option or a convertible names as its underlying (decision 293), by its symbol, CUSIP, ISIN or
 * SEDOL. When one of these passes to another security, the options keep the security that they named.
 */
import { statement } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'

/** SQL for the number of the security that `name` means for the security `secNo`. Null if none is known. */
export function namedSecurity(secNo: string, name: string): string {
  const having = (identifier: string) =>
    `(select bearer.sec_no from clearing.security as bearer where bearer.${identifier} = ${name})`
  return `coalesce(
     (select underlying_no from clearing.named_underlying as kept where kept.sec_no = ${secNo} and kept.name = ${name}),
     ${['symbol', 'cusip', 'isin', 'sedol'].map(having).join(', ')})`
}

/**
 * SQL for the securities, as `(sec_no)`, that name the security `stock` as their underlying, without those that convert
 * into it.
 */
export function optionsNaming(stock: string): string {
  return `(select named.sec_no from clearing.security as named
     where named.put_call is not null and named.underlying in (${stock}.symbol, ${stock}.cusip, ${stock}.isin, ${stock}.sedol)
       and ${namedSecurity('named.sec_no', 'named.underlying')} = ${stock}.sec_no
     union
     select kept.sec_no from clearing.named_underlying as kept join clearing.security as named using (sec_no)
     where kept.underlying_no = ${stock}.sec_no and kept.name = named.underlying and named.put_call is not null)`
}

// The names that an update of the securities takes away from them, before the update.
const keepNames = statement(
  'keep-named-underlyings',
  `with named as (
     select option.sec_no, option.underlying as name, stock.sec_no as underlying_no from clearing.security as stock
     join clearing.security as option on option.underlying in (stock.symbol, stock.cusip, stock.isin, stock.sedol)
     where stock.sec_no = any ($1::bigint[]) and option.put_call is not null
     union
     select terms.sec_no, converts_to, stock.sec_no from clearing.security as stock
     join clearing.conversion_terms as terms on terms.converts_to in (stock.symbol, stock.cusip, stock.isin, stock.sedol)
     where stock.sec_no = any ($1::bigint[])
   )
   insert into clearing.named_underlying (sec_no, name, underlying_no)
   select sec_no, name, underlying_no from named where ${namedSecurity('named.sec_no', 'named.name')} = underlying_no
   on conflict (sec_no) do update set name = excluded.name, underlying_no = excluded.underlying_no
     where named_underlying.name <> excluded.name`,
)

/** Keeps what options and convertibles name by identifiers that the securities are about to lose. */
export function keepNamedUnderlyings(tx: Tx, secNos: readonly bigint[]): void {
  if (secNos.length > 0) tx.later(keepNames, [secNos])
}
