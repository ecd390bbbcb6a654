/** Holdings that an account's agreements must allow: negative cash, written options with their cover, and margin. */
import type { AcctType, CashHeld, PositionHeld } from '@clearing/domain/books'
import { type Decimal, multiplyDivide, ONE } from '@clearing/domain/decimal'
import { isBroadIndex, isCashEquivalent, isEuropeanIndex, lineValue } from '@clearing/domain/market'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { accountsWithRecords, recordOfAccount } from '../accounts.ts'
import { groupByAccount } from '../group-by-account.ts'
import type { GoneBreak, OpenBreak } from './breaks.ts'
import { decimalOfColumn } from './bulk.ts'
import type { EntitledRow } from './entitled.ts'
import { findKnownSecurities } from './known-securities.ts'
import { withUnderlyings } from './prices/changed-underlyings.ts'
import { readNamedPrices } from './prices/priced-securities.ts'
import {
  conversionOf,
  kindOfSecurity,
  type SecurityRow,
  type UnderlyingOfRow,
  valuedSecurity,
} from './securities.ts'

const ratioPlaces = 10
const moneyPlaces = 2

export interface AskedAccount extends EntitledRow {
  readonly firm_id: string
}

/** These breaks belong to a holding and name no line. */
const openOfHeld = `open.kind = 'NotEntitled' and open.external_id = '' and open.resolved_at is null`

// A look-up for each short position: as a join, the securities would be read once for each account.
const selectAsked = statement<AskedAccount>(
  'select-accounts-to-look-at-for-entitlement',
  `select account_number, firm_id, registration_type, ${recordOfAccount} -> 'main' as main from ${accountsWithRecords}
   where account_number = any ($1) and (
     registration_type = any ($2)
     or exists (select from clearing.holding where holding.account_number = account.account_number
       and least(quantity_cash, quantity_margin, quantity_short) < 0
       and (select put_call from clearing.security where security.sec_no = holding.sec_no) is not null)
     or exists (select from clearing.books_break as open where open.account_number = account.account_number and ${openOfHeld})
     or exists (select from clearing.settled_break where settled_break.account_number = account.account_number)
     or account_number = any ($3) and ${recordOfAccount} -> 'main' ->> 'marginIndicator' is distinct from 'true'
   ) order by account_number`,
)
const selectCash = statement<{
  account_number: string
  acct_type: AcctType
  currency: string
  amount: string
}>(
  'select-cash-of-entitlement',
  `select account_number, acct_type, currency, amount from clearing.cash_balance where account_number = any ($1)`,
)
const selectPositions = statement<{
  account_number: string
  sec_no: bigint
  acct_type: AcctType
  quantity: string
}>(
  'select-positions-of-entitlement',
  'select account_number, sec_no, acct_type, quantity from clearing.position where account_number = any ($1)',
)
export interface HeldBreak
  extends Pick<OpenBreak, 'break_id' | 'account_number' | 'sec_no' | 'acct_type' | 'quantity' | 'reason'> {
  /**
   * A break that a person settled. It is not open, and is not raised again while the account has the same
   * holding.
   */
  readonly settled: boolean
}
const heldColumns = 'break_id, account_number, sec_no, acct_type, quantity, reason'
const selectHeld = statement<HeldBreak>(
  'select-breaks-of-entitlement',
  `select ${heldColumns}, false as settled from clearing.books_break as open
   where account_number = any ($1) and ${openOfHeld}
   union all
   select ${heldColumns}, true as settled from clearing.settled_break join clearing.books_break using (account_number, break_id)
   where account_number = any ($1)`,
)
const selectOfLines = statement<Pick<OpenBreak, 'break_id' | 'account_number' | 'reason'>>(
  'select-breaks-of-lines-of-entitlement',
  `select break_id, account_number, reason from clearing.books_break
   where account_number = any ($1) and kind = 'NotEntitled' and external_id <> '' and acct_type in (2, 3) and resolved_at is null`,
)
const insertSettled = statement(
  'insert-settled-break',
  `insert into clearing.settled_break (account_number, break_id, firm_id, settled_by, settled_at)
   select account_number, break_id, firm_id, $3, $4 from clearing.books_break as open
   where account_number = $1 and break_id = $2 and ${openOfHeld} on conflict do nothing`,
)
const deleteSettled = statement(
  'delete-settled-breaks',
  `delete from clearing.settled_break using unnest($1::text[], $2::uuid[]) as gone (account_number, break_id)
   where settled_break.account_number = gone.account_number and settled_break.break_id = gone.break_id`,
)

/**
 * Selects accounts: those with one of the given registrations, which never borrow; those with a written
 * option; those with such a break, open or settled; and those of `onMargin` without margin.
 */
export function readAsked(
  tx: Tx,
  accountNumbers: readonly string[],
  registrations: readonly string[],
  onMargin: readonly string[],
): Promise<AskedAccount[]> {
  return tx.rows(selectAsked, [accountNumbers, registrations, onMargin])
}

export function readBreaksOfHeld(tx: Tx, accountNumbers: readonly string[]): Promise<HeldBreak[]> {
  return tx.rows(selectHeld, [accountNumbers])
}

/** The open breaks of lines of account types 2 and 3. */
export async function readBreaksOfMarginLines(
  tx: Tx,
  accountNumbers: readonly string[],
): Promise<Map<string, (GoneBreak & { readonly reason: string })[]>> {
  return groupByAccount(await tx.rows(selectOfLines, [accountNumbers]), (row) => ({
    accountNumber: row.account_number,
    breakId: row.break_id,
    reason: row.reason,
  }))
}

/** Stores that a person settled an open break without a line. Must be called before the break is resolved. */
export function keepSettled(tx: Tx, { accountNumber, breakId }: GoneBreak, by: string, at: Date): void {
  tx.later(insertSettled, [accountNumber, breakId, by, at])
}

/** Removes settlements of holdings that ended. If the holding returns, it is a new break. */
export function forgetSettled(tx: Tx, gone: readonly GoneBreak[]): void {
  if (gone.length === 0) return
  tx.later(deleteSettled, [
    gone.map(({ accountNumber }) => accountNumber),
    gone.map(({ breakId }) => breakId),
  ])
}

export async function readCashHeld(
  tx: Tx,
  accountNumbers: readonly string[],
): Promise<Map<string, CashHeld[]>> {
  const rows = await tx.rows(selectCash, [accountNumbers])
  return groupByAccount(rows, ({ acct_type, currency, amount }) => ({
    acctType: acct_type,
    currency,
    amount: decimalOfColumn(amount),
  }))
}

/** Prices of cash equivalents are those of `at`, and are read for accounts with written options. */
export async function readPositionsHeld(
  tx: Tx,
  accountNumbers: readonly string[],
  at: Date,
): Promise<Map<string, PositionHeld[]>> {
  const rows = await tx.rows(selectPositions, [accountNumbers])
  const secNo = [...new Set(rows.map(({ sec_no }) => String(sec_no)))]
  const named = await findKnownSecurities(tx, { secNo, symbol: [] }, undefined)
  const securities = new Map(
    (await withUnderlyings(tx, named, { day: null, knownOn: null })).map((row) => [row.sec_no, row]),
  )
  const prices = await readEquivalentPrices(tx, [...securities.values()], at)
  return groupByAccount(rows, ({ sec_no, acct_type, quantity: text }) => {
    const row = securities.get(sec_no)
    if (row === undefined) throw new Error(`security ${sec_no} is gone`)
    const quantity = decimalOfColumn(text)
    const price = prices.get(sec_no)
    return {
      ...{ acctType: acct_type, quantity, ...securityHeld(row) },
      cashEquivalent:
        price === undefined ? undefined : lineValue(quantity, price, valuedSecurity(row), moneyPlaces),
    }
  })
}

async function readEquivalentPrices(
  tx: Tx,
  rows: readonly SecurityRow[],
  at: Date,
): Promise<Map<bigint, Decimal>> {
  const equivalents = rows.filter((row) => isCashEquivalent(kindOfSecurity(row)))
  if (equivalents.length === 0 || !rows.some(({ put_call }) => put_call !== null)) return new Map()
  const secNos = equivalents.map(({ sec_no }) => sec_no)
  const prices = await readNamedPrices(tx, secNos, { at, day: null, knownOn: null })
  return new Map(
    prices.flatMap(({ sec_no, price }) => (price === null ? [] : [[sec_no, decimalOfColumn(price)]])),
  )
}

/** A contract that is not adjusted to a split covers, and is covered by, the units after it (decision 257). */
function securityHeld(row: SecurityRow & UnderlyingOfRow): Omit<PositionHeld, 'acctType' | 'quantity'> {
  const { put_call: putCall, strike, underlying, underlying_no: known } = row
  const { received = ONE, held = ONE } = (putCall && row.strike_units) || {}
  return {
    securityKey: String(row.sec_no),
    symbol: row.symbol ?? '',
    currency: row.currency,
    multiplier: multiplyDivide(decimalOfColumn(row.multiplier), received, held, ratioPlaces),
    moneyMarket: row.money_market,
    converts: convertsHeld(row),
    option:
      putCall === null || strike === null
        ? undefined
        : {
            putCall,
            strike: multiplyDivide(decimalOfColumn(strike), held, received, ratioPlaces),
            expiration: row.expiration ?? '',
            underlying: underlying ?? '',
            underlyingKey: known ?? `named ${underlying}`,
            broadIndex: isBroadIndex(underlying ?? ''),
            europeanIndex: isEuropeanIndex(underlying ?? ''),
          },
  }
}

function convertsHeld(row: SecurityRow & UnderlyingOfRow): PositionHeld['converts'] {
  const converts = conversionOf(row, kindOfSecurity(row))
  if (converts === undefined || !row.underlying_no) return undefined
  const ratio = multiplyDivide(converts.ratio, ONE, decimalOfColumn(row.price_divisor), ratioPlaces)
  return { securityKey: row.underlying_no, ratio }
}
