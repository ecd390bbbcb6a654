/** Accounts of all firms found by what is known of them, in the order of an index. */
import type { CodeOf } from '@clearing/protocol'
import { unprepared } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { Conditions, endOfDay, startOfDay } from './conditions.ts'
import { countRows } from './count-rows.ts'
import { type OrderColumns, type OrderedPage, orderPage } from './ordered-page.ts'

export interface FoundAccount {
  readonly account_number: string
  readonly firm_id: string
  readonly firm_name: string
  readonly entity_number: string
  readonly rep_code: string
  readonly registration_type: string
  readonly status: string
  readonly account_name: string
  readonly created_at: string
  readonly updated_at: string
}

export interface AccountSearch {
  /** How an account number or a name begins; in upper case. */
  readonly text: string | undefined
  /** Keyed index of a tax id, by firm: each firm has a key of its own. */
  readonly taxIds: readonly { readonly firmId: string; readonly index: Buffer }[] | undefined
  readonly firmId: string | undefined
  readonly entityNumber: string | undefined
  readonly repCode: string | undefined
  readonly status: string | undefined
  readonly registrationType: string | undefined
  readonly createdFrom: string | undefined
  readonly createdTo: string | undefined
}

/** Sorts after every name that begins with the same letters. */
const afterAllLetters = '\u{10ffff}'

export type FoundAccountOrder = CodeOf<'foundAccountSort'>

const orders: Readonly<Record<FoundAccountOrder, OrderColumns>> = {
  createdDate: [
    ['account.created_at', 'timestamptz'],
    ['account_number', 'text'],
  ],
  accountNumber: [['account_number', 'text']],
}

/** The conditions of a search. */
function conditionsOf(search: AccountSearch): Conditions {
  const c = new Conditions()
    .and("account.status <> 'Reserved'")
    .when(search.firmId, (at) => `account.firm_id = ${at}::uuid`)
    .when(search.entityNumber, (at) => `entity_number = ${at}`)
    .when(search.repCode, (at) => `rep_code = ${at}`)
    .when(search.status, (at) => `account.status = ${at}`)
    .when(search.registrationType, (at) => `registration_type = ${at}`)
    .when(search.createdFrom, (at) => `account.created_at >= ${startOfDay(at)}`)
    .when(search.createdTo, (at) => `account.created_at < ${endOfDay(at)}`)
  if (search.text !== undefined && search.text !== '') {
    const [from, to] = [c.bind(search.text), c.bind(search.text + afterAllLetters)]
    // By firm, since the indexes of names begin with it.
    const begins = (column: string) => `
      select account_number from clearing.party where firm_id = any (array(select firm_id from clearing.firm))
        and ${column} collate "C" >= ${from} and ${column} collate "C" < ${to}`
    // Every account number has eight digits or letters, so those that begin alike lie between these two.
    const numbered = /^[A-Z0-9]{1,8}$/.test(search.text)
      ? ` union all select account_number from clearing.account
          where account_number between rpad(${from}, 8, '0') and rpad(${from}, 8, 'Z')`
      : ''
    c.and(`account_number in (${begins('name')} union all ${begins('last_first')}${numbered})`)
  }
  if (search.taxIds !== undefined) {
    const firms = c.bind(search.taxIds.map(({ firmId }) => firmId))
    const indexes = c.bind(search.taxIds.map(({ index }) => index))
    c.and(`account_number in (
      select account_number from clearing.party
      join unnest(${firms}::uuid[], ${indexes}::bytea[]) as wanted (firm, tax_id) on firm_id = firm and tax_id_index = tax_id)`)
  }
  return c
}

/** How many accounts are found, counted as far as a list is. */
export function countAllAccounts(tx: Tx, search: AccountSearch): Promise<number> {
  return countRows(tx, 'clearing.account', conditionsOf(search))
}

/** The accounts of a page. */
export function searchAllAccounts(
  tx: Tx,
  search: AccountSearch,
  page: OrderedPage<FoundAccountOrder>,
): Promise<FoundAccount[]> {
  const c = conditionsOf(search)
  const ordered = orderPage(c, orders[page.sortBy], page)
  return tx.rows(
    unprepared<FoundAccount>(
      `select account_number, account.firm_id, firm.name as firm_name, entity_number, rep_code, registration_type,
         account.status, account_name, account.created_at, account.updated_at
       from clearing.account join clearing.firm using (firm_id)${c.where()}${ordered}`,
    ),
    c.values,
  )
}
