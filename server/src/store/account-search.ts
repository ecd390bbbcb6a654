/** Searches the accounts of all firms by number, name and tax id, in the order of an index. */
import { type CodeOf, limits } from '@clearing/protocol'
import { unprepared } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { Conditions, endOfDay, startOfDay } from './conditions.ts'
import { countRows } from './count-rows.ts'
import { afterAllLetters, namesBegin } from './name-beginnings.ts'
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
  /** The beginning of an account number or a name, in upper case. */
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
  if (search.taxIds !== undefined) {
    const firms = c.bind(search.taxIds.map(({ firmId }) => firmId))
    const indexes = c.bind(search.taxIds.map(({ index }) => index))
    c.and(`account_number in (
      select account_number from clearing.party
      join unnest(${firms}::uuid[], ${indexes}::bytea[]) as wanted (firm, tax_id) on firm_id = firm and tax_id_index = tax_id)`)
  }
  return c
}

const columns =
  'account_number, firm_id, entity_number, rep_code, registration_type, status, account_name, created_at, updated_at'

/**
 * The limit for gathering. A text that matches more index entries is found by walking the order of the page
 * instead.
 */
const gatheredMax = limits.countedMax
/**
 * A count reads at most this many entries, because several persons of one account may match, each in up to five forms.
 */
const countedEntriesMax = 8 * limits.countedMax

/**
 * Account numbers that may match the text, read from the indexes of names and numbers alone: at most `most`, with
 * repetitions.
 */
function gather(c: Conditions, { text = '', firmId }: AccountSearch, most: number): string {
  // By firm, since the indexes of names begin with it.
  const firms =
    firmId === undefined ? 'array(select firm_id from clearing.firm)' : `array[${c.bind(firmId)}::uuid]`
  const entries = namesBegin(text, (value) => c.bind(value)).map(
    (begins) => `clearing.party where firm_id = any (${firms}) and ${begins}`,
  )
  const numbers = numbersThatBegin(text, c)
  if (numbers !== undefined) entries.push(`clearing.account where ${numbers}`)
  const titles = titlesThatBegin(text, c)
  if (titles !== undefined) entries.push(`clearing.account where firm_id = any (${firms}) and ${titles}`)
  const bounded = entries.map((from) => `(select account_number from ${from} limit ${most})`)
  return `select account_number from (${bounded.join(' union all ')}) as entry limit ${most}`
}

/** Every account number has eight digits or letters, so the numbers with a common beginning form a range. */
function numbersThatBegin(text: string, c: Conditions): string | undefined {
  if (!/^[A-Z0-9]{1,8}$/.test(text)) return undefined
  const at = c.bind(text)
  return `account.account_number between rpad(${at}, 8, '0') and rpad(${at}, 8, 'Z')`
}

/**
 * A title as the console shows it, of several owners or with its kind: `C VOSS & D VOSS JTWROS`. One word begins a name
 * or a number.
 */
function titlesThatBegin(text: string, c: Conditions): string | undefined {
  if (!text.includes(' ')) return undefined
  const [from, to] = [c.bind(text), c.bind(text + afterAllLetters)]
  return `account.account_name collate "C" >= ${from} and account.account_name collate "C" < ${to}`
}

/** A condition that is evaluated for one account at a time. */
function matchesEach(c: Conditions, text: string): string {
  // `offset 0` keeps the planner from reading the names of all accounts first.
  const named = `exists (select from clearing.party where party.account_number = account.account_number
    and (${namesBegin(text, (value) => c.bind(value)).join(' or ')}) offset 0)`
  const others = [numbersThatBegin(text, c), titlesThatBegin(text, c)].filter((one) => one !== undefined)
  return `(${[...others.map((one) => `(${one})`), named].join(' or ')})`
}

/** Adds the condition of the text, and returns whether it matches few accounts, which are then gathered and sorted. */
async function findText(tx: Tx, search: AccountSearch, c: Conditions): Promise<boolean> {
  const { text = '' } = search
  if (text === '') return false
  const counting = new Conditions()
  const entries = gather(counting, search, gatheredMax + 1)
  const few = (await countRows(tx, `(${entries}) as entry`, counting)) <= gatheredMax
  c.and(few ? `account_number = any (array(${gather(c, search, gatheredMax)}))` : matchesEach(c, text))
  return few
}

/** The number of accounts found, up to the limit of counts. */
export async function countAllAccounts(tx: Tx, search: AccountSearch): Promise<number> {
  const { text = '', ...others } = search
  const c = conditionsOf(search)
  const few = await findText(tx, search, c)
  if (few || text === '' || Object.values(others).some((value) => value !== undefined))
    return countRows(tx, 'clearing.account', c)
  const counting = new Conditions()
  const entries = gather(counting, search, countedEntriesMax)
  return countRows(tx, `(select distinct account_number from (${entries}) as entry) as found`, counting)
}

/** The accounts of a page. */
export async function searchAllAccounts(
  tx: Tx,
  search: AccountSearch,
  page: OrderedPage<FoundAccountOrder>,
): Promise<FoundAccount[]> {
  const c = conditionsOf(search)
  const few = await findText(tx, search, c)
  const ordered = orderPage(c, orders[page.sortBy], page)
  // Without the CTE, the planner may walk the order of the page although there are few matches.
  const found = few ? `with found as materialized (select ${columns} from clearing.account${c.where()}) ` : ''
  return tx.rows(
    unprepared<FoundAccount>(
      `${found}select ${columns}, (select name from clearing.firm where firm.firm_id = account.firm_id) as firm_name
       from ${few ? 'found as account' : `clearing.account${c.where()}`}${ordered}`,
    ),
    c.values,
  )
}
