/** The holders of a security over all firms, now or at the close of a day. */
import { type Statement, statement, unprepared } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { asKnownOn, findPastSymbols } from './books/security-versions.ts'
import { Conditions } from './conditions.ts'

export interface HeldSecurity {
  readonly sec_no: bigint
  readonly symbol: string | null
  readonly cusip: string | null
  readonly description: string
  readonly long_quantity: string
  readonly short_quantity: string
}

// Holdings of accounts that once held the security remain as rows; their seals have the quantities at a
// close.
function sealedOn(secNo: string, day: string): string {
  return `(
  select holding.account_number, holding.firm_id, holding.sec_no, types.acct_type, sealed.quantity
  from clearing.holding cross join (values (1::smallint), (2::smallint), (3::smallint)) as types (acct_type)
  cross join lateral (
    select quantity from clearing.sealed_balance as balance
    where balance.account_number = holding.account_number and balance.asset = holding.sec_no::text
      and balance.acct_type = types.acct_type and balance.close_date <= ${day}::date
    order by close_date desc limit 1
  ) as sealed
  where holding.sec_no = ${secNo} and sealed.quantity <> 0
)`
}

function selectSecurity(name: string, positions: string, named: string): Statement<HeldSecurity> {
  return statement(
    name,
    `select sec_no, symbol, cusip, description, coalesce(held.long, 0) as long_quantity, coalesce(held.short, 0) as short_quantity
     from clearing.security left join lateral (
       select sum(quantity) filter (where quantity > 0) as long, sum(quantity) filter (where quantity < 0) as short
       from ${positions} as position where position.sec_no = security.sec_no
     ) as held on true
     where ${named} limit 1`,
  )
}
const selectHeld = selectSecurity(
  'select-held-security',
  'clearing.position',
  'upper($1) in (symbol, cusip, isin, sedol, sec_no::text) order by (symbol = upper($1)) desc nulls last',
)
const selectSealed = selectSecurity(
  'select-sealed-security',
  sealedOn('security.sec_no', '$2'),
  'sec_no = $1::bigint',
)

interface NamedSecurity extends Pick<HeldSecurity, 'sec_no' | 'symbol' | 'cusip' | 'description'> {
  readonly isin: string | null
  readonly sedol: string | null
}

// The oldest first: a security that was loaded after the day has its first symbol in the view of the day too.
const selectNamed = statement<NamedSecurity>(
  'select-securities-of-stock-record',
  `select sec_no, symbol, cusip, isin, sedol, description from clearing.security
   where upper($1) in (symbol, cusip, isin, sedol, sec_no::text) or sec_no = any ($2)
   order by sec_no`,
)

/**
 * The security and its total holdings, now or at the close of a day. With a day, the security that had the identifier
 * then, under the name that it had then.
 */
export async function findHeldSecurity(
  tx: Tx,
  named: string,
  sealed: string | undefined,
): Promise<HeldSecurity | undefined> {
  if (sealed === undefined) return tx.row(selectHeld, [named])
  const asked = named.toUpperCase()
  const rows = await tx.rows(selectNamed, [named, await findPastSymbols(tx, [asked])])
  const known = await asKnownOn(tx, rows, sealed)
  const security =
    known.find(({ symbol }) => symbol === asked) ??
    known.find(({ cusip, isin, sedol, sec_no }) => [cusip, isin, sedol, String(sec_no)].includes(asked)) ??
    known[0]
  if (security === undefined) return undefined
  const held = await tx.row(selectSealed, [String(security.sec_no), sealed])
  const { symbol, cusip, description } = security
  return held && { ...held, symbol, cusip, description }
}

const selectCloseOf = statement<{ close_date: string | null }>(
  'select-close-of-day',
  'select max(close_date) as close_date from clearing.business_day_close where close_date <= $1 and closed_at is not null',
)

/** The close to which a day belongs; undefined for a day before the first close. */
export async function readCloseOf(tx: Tx, day: string): Promise<string | undefined> {
  return (await tx.row(selectCloseOf, [day]))?.close_date ?? undefined
}

export interface Holder {
  readonly account_number: string
  readonly firm_id: string
  readonly firm_name: string
  readonly account_name: string
  readonly acct_type: number
  readonly quantity: string
}

/** Holders after a position, ordered by account number; now, or as sealed on a day. */
export function findHolders(
  tx: Tx,
  { secNo, sealed }: { readonly secNo: bigint; readonly sealed: string | undefined },
  after: readonly [accountNumber: string, acctType: number] | undefined,
  most: number,
): Promise<Holder[]> {
  const c = new Conditions()
  const number = `${c.bind(secNo)}::bigint`
  const positions = sealed === undefined ? 'clearing.position' : sealedOn(number, c.bind(sealed))
  c.and(`sec_no = ${number}`)
  if (after !== undefined)
    c.and(`(account_number, acct_type) > (${c.bind(after[0])}, ${c.bind(after[1])}::smallint)`)
  return tx.rows(
    unprepared<Holder>(
      `select account_number, position.firm_id, firm.name as firm_name, account_name, acct_type, quantity
       from ${positions} as position join clearing.account using (account_number) join clearing.firm on firm.firm_id = position.firm_id
       ${c.where()} order by account_number, acct_type limit ${most}`,
    ),
    c.values,
  )
}
