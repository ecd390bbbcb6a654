/** Cash of an account, and the lines that have not settled. */

import type { AcctType } from '@clearing/domain/books'
import type { Decimal } from '@clearing/domain/decimal'
import { renderDecimal } from '@clearing/domain/decimal'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { decimalOfColumn, type GatheredRows, insertRows } from './bulk.ts'

export interface CashChange {
  readonly accountNumber: string
  readonly firmId: string
  readonly acctType: AcctType
  readonly currency: string
  readonly amount: Decimal
}

const addToCash = insertRows(
  'add-to-cash-balances',
  'cash_balance',
  'on conflict (account_number, acct_type, currency) do update set amount = cash_balance.amount + excluded.amount',
)

/** Adds to the trade-date cash; at most one change for each account, account type and currency. */
export function addCash(to: GatheredRows, changes: readonly CashChange[]): void {
  for (const { accountNumber, acctType, currency, firmId, amount } of changes) {
    to.of(addToCash).add(accountNumber, acctType, currency, firmId, renderDecimal(amount))
  }
}

export interface KeptCash {
  readonly acctType: AcctType
  readonly currency: string
  readonly amount: Decimal
}

const selectCash = statement<{ acct_type: AcctType; currency: string; amount: string }>(
  'select-cash-of-account',
  'select acct_type, currency, amount from clearing.cash_balance where account_number = $1',
)

/** Trade-date cash of an account, including balances of zero. */
export async function readCash(tx: Tx, accountNumber: string): Promise<KeptCash[]> {
  return (await tx.rows(selectCash, [accountNumber])).map((row) => ({
    acctType: row.acct_type,
    currency: row.currency,
    amount: decimalOfColumn(row.amount),
  }))
}

const selectOwnCash = statement<{ acct_type: AcctType; currency: string; amount: string }>(
  'select-own-cash-of-account',
  `select acct_type, currency, amount from clearing.cash_balance where account_number = $1
   union all
   select acct_type, currency, quantity from clearing.position join clearing.security using (sec_no)
   where account_number = $1 and money_market`,
)

/** Trade-date cash of an account, and its money-market funds. */
export async function readOwnCash(tx: Tx, accountNumber: string): Promise<KeptCash[]> {
  return (await tx.rows(selectOwnCash, [accountNumber])).map((row) => ({
    acctType: row.acct_type,
    currency: row.currency,
    amount: decimalOfColumn(row.amount),
  }))
}

/** Cash balances of an account, by `nameOfCash`. */
export type CashOfAccount = ReadonlyMap<string, Decimal>

export function nameOfCash(acctType: AcctType, currency: string): string {
  return `${acctType} ${currency}`
}

const selectCashOfAccounts = statement<{
  account_number: string
  acct_type: AcctType
  currency: string
  amount: string
}>(
  'select-cash-of-accounts',
  'select account_number, acct_type, currency, amount from clearing.cash_balance where account_number = any ($1)',
)

/** Trade-date cash of accounts, by account. Accounts that never had cash are absent. */
export async function readCashOfAccounts(
  tx: Tx,
  accountNumbers: readonly string[],
): Promise<Map<string, CashOfAccount>> {
  const accounts = new Map<string, Map<string, Decimal>>()
  for (const row of await tx.rows(selectCashOfAccounts, [accountNumbers])) {
    const cash = accounts.get(row.account_number) ?? new Map<string, Decimal>()
    accounts.set(
      row.account_number,
      cash.set(nameOfCash(row.acct_type, row.currency), decimalOfColumn(row.amount)),
    )
  }
  return accounts
}

/** An unsettled line with the cash that its settlement will move; undefined when it no longer settles. */
export interface Unsettled {
  readonly accountNumber: string
  readonly firmId: string
  readonly sequence: number
  readonly processDate: string
  readonly settleDate: string
  readonly acctType: AcctType
  readonly currency: string
  readonly amount: Decimal | undefined
}

const putRows = insertRows(
  'put-unsettled',
  'unsettled',
  'on conflict (account_number, sequence) do update set amount = excluded.amount',
)
const removeRows = statement(
  'remove-unsettled',
  `delete from clearing.unsettled using unnest($1::text[], $2::bigint[]) as given (account_number, sequence)
   where unsettled.account_number = given.account_number and unsettled.sequence = given.sequence`,
)

export function putUnsettled(to: GatheredRows, lines: readonly Unsettled[]): void {
  for (const line of lines) {
    const { accountNumber, sequence, firmId, processDate, settleDate, acctType, currency, amount } = line
    if (amount === undefined) continue
    to.of(putRows).add(
      accountNumber,
      sequence,
      firmId,
      processDate,
      settleDate,
      acctType,
      currency,
      renderDecimal(amount),
    )
  }
}

/** Removes lines that no longer settle. */
export function removeUnsettled(tx: Tx, gone: readonly Unsettled[]): void {
  if (gone.length === 0) return
  tx.later(removeRows, [gone.map(({ accountNumber }) => accountNumber), gone.map(({ sequence }) => sequence)])
}
