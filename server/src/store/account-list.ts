/**
 * Accounts found by filter, read in pages in the order of an index. A page begins after the last account of the
 * previous page, so the cost of a page does not depend on its position.
 */
import type { AccountStatus } from '@clearing/domain'
import { unprepared, type Value } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { endOfDay, startOfDay } from './conditions.ts'
import { namesBegin } from './name-beginnings.ts'

export interface AccountItem {
  readonly account_number: string
  readonly entity_number: string
  readonly rep_code: string
  readonly registration_type: string
  readonly status: AccountStatus
  readonly account_name: string
  readonly version: number
  /** ISO 8601 UTC, microseconds. */
  readonly created_at: string
  readonly updated_at: string
  readonly opened_at: string | null
}

const columns =
  'account_number, entity_number, rep_code, registration_type, status, account_name, version, created_at, updated_at, opened_at'

/** Each order has an index that begins with the firm and ends with the account number. */
const orders = {
  createdDate: { column: 'created_at', type: 'timestamptz', of: (item: AccountItem) => item.created_at },
  updatedDate: { column: 'updated_at', type: 'timestamptz', of: (item: AccountItem) => item.updated_at },
  openedDate: { column: 'opened_at', type: 'timestamptz', of: (item: AccountItem) => item.opened_at ?? '' },
  accountName: {
    column: 'account_name collate "C"',
    type: 'text',
    of: (item: AccountItem) => item.account_name,
  },
  accountNumber: { column: 'account_number', type: 'text', of: (item: AccountItem) => item.account_number },
} as const

export type AccountOrder = keyof typeof orders

/** Days are calendar days in US Eastern time, both ends included. An absent or empty member does not filter. */
export interface AccountFilter {
  readonly statuses: readonly string[]
  readonly registrationTypes: readonly string[]
  readonly entityNumber: string
  readonly repCode: string
  /** The beginning of a person's name, in upper case. */
  readonly name: string
  readonly created: DayRange
  readonly opened: DayRange
  readonly updated: DayRange
}

export interface DayRange {
  readonly from: string
  readonly to: string
}

/** The start of a page: the account before it, by its value in the order and its number. */
export interface AccountListPosition {
  readonly value: string
  readonly accountNumber: string
}

export function placeOf(item: AccountItem, sortBy: AccountOrder): AccountListPosition {
  return {
    value: orders[sortBy].of(item),
    accountNumber: item.account_number,
  }
}

/** All conditions except the name. */
function conditionsOf(firmId: string, filter: AccountFilter, sortBy: AccountOrder) {
  const values: Value[] = [firmId]
  const bind = (value: Value): string => `$${values.push(value)}`
  const conditions = ['firm_id = $1', "status <> 'Reserved'"]
  if (filter.statuses.length > 0) conditions.push(`status = any (${bind(filter.statuses)})`)
  if (filter.registrationTypes.length > 0) {
    conditions.push(`registration_type = any (${bind(filter.registrationTypes)})`)
  }
  if (filter.entityNumber !== '') conditions.push(`entity_number = ${bind(filter.entityNumber)}`)
  if (filter.repCode !== '') conditions.push(`rep_code = ${bind(filter.repCode)}`)
  for (const [column, { from, to }] of [
    ['created_at', filter.created],
    ['opened_at', filter.opened],
    ['updated_at', filter.updated],
  ] as const) {
    if (from !== '') conditions.push(`${column} >= ${startOfDay(bind(from))}`)
    if (to !== '') conditions.push(`${column} < ${endOfDay(bind(to))}`)
  }
  if (sortBy === 'openedDate') conditions.push('opened_at is not null')
  return { conditions, values, bind }
}

/** At most `most` accounts after a position, or before it when reading backwards, in the requested order. */
export async function findAccounts(
  tx: Tx,
  firmId: string,
  filter: AccountFilter,
  page: {
    readonly sortBy: AccountOrder
    readonly descending: boolean
    readonly backwards: boolean
    readonly from: AccountListPosition | undefined
    readonly most: number
  },
): Promise<AccountItem[]> {
  const { conditions, values, bind } = conditionsOf(firmId, filter, page.sortBy)
  const begins = filter.name === '' ? [] : namesBegin(filter.name, bind)
  const others = `select ${columns} from clearing.account where ${conditions.join(' and ')}`
  const matching =
    begins.length === 0
      ? others
      : `${others} and exists (
          select from clearing.party
          where party.firm_id = $1 and party.account_number = account.account_number and (${begins.join(' or ')}))`
  const { column, type } = orders[page.sortBy]
  const falling = page.descending !== page.backwards
  const sign = falling ? '<' : '>'
  const direction = falling ? 'desc' : 'asc'
  const after =
    page.from === undefined
      ? 'true'
      : `(${column}, account_number) ${sign} (${bind(page.from.value)}::${type}, ${bind(page.from.accountNumber)}::text)`
  const ordered = `order by ${column} ${direction}, account_number ${direction} limit ${page.most}`
  const most = mostGathered(filter, page.sortBy)
  const list = { after, ordered, size: page.most }
  const items =
    (begins.length > 0
      ? await findNamed(tx, { ...list, others, begins, sortBy: page.sortBy, direction }, values, most)
      : undefined) ??
    (isNarrowed(filter) ? await gather(tx, { ...list, matching }, values, most) : undefined) ??
    (await tx.rows(unprepared<AccountItem>(`${matching} and ${after} ${ordered}`), values))
  return page.backwards ? items.reverse() : items
}

/** Whether other conditions than a name narrow the search. */
function isNarrowed({ name, created, opened, updated, ...others }: AccountFilter): boolean {
  return (
    Object.values(others).some((value) => value.length > 0) ||
    [created, opened, updated].some(({ from, to }) => from !== '' || to !== '')
  )
}

/**
 * At most this many matches are gathered and sorted. A prefix of a name in the order of titles may have more, because
 * its matches are adjacent there.
 */
function mostGathered(filter: AccountFilter, sortBy: AccountOrder): number {
  return filter.name !== '' && sortBy === 'accountName' ? 100_000 : 10_000
}

interface Listed {
  readonly after: string
  readonly ordered: string
}

interface Named extends Listed {
  /** Accounts by all conditions but that of the name. */
  readonly others: string
  /** Conditions of names, any of which makes a match. */
  readonly begins: readonly string[]
  readonly sortBy: AccountOrder
  readonly direction: 'asc' | 'desc'
  readonly size: number
}

/**
 * Gathers few matches and sorts them. For many matches, walking the index of the order fills the page sooner.
 * With few matches, or matches at the far end of the order, that walk would pass every account of the firm.
 * Returns undefined for more than `most` matches.
 */
async function gather(
  tx: Tx,
  { matching, ...list }: Listed & { readonly matching: string },
  values: readonly Value[],
  most: number,
): Promise<AccountItem[] | undefined> {
  const rows = await readGathered(
    tx,
    `with matches as materialized (${matching} limit ${most + 1}),
       counted as (select count(*) > ${most} as too_many from matches)`,
    pageOfMatches(list),
    values,
  )
  return rows[0]?.too_many ? undefined : present(rows)
}

/** Orders by columns that the indexes of names include. */
const ordersBesideNames: readonly AccountOrder[] = ['accountName', 'createdDate', 'accountNumber']

/**
 * The same for a name. It reads the matches from the indexes of names alone. These include the values of most orders,
 * and then only the accounts of the page are read. In other orders the accounts of all matches are read, by one scan
 * for all numbers. Returns undefined for more than `most` persons.
 */
async function findNamed(
  tx: Tx,
  list: Named,
  values: readonly Value[],
  most: number,
): Promise<AccountItem[] | undefined> {
  const persons = list.begins.map(
    (begin) => `(select account_number, account_name, account_created_at as created_at
      from clearing.party where firm_id = $1 and ${begin} limit ${most + 1})`,
  )
  const gathered = `with person as materialized (select * from (${persons.join(' union all ')}) as person limit ${most + 1}),
    counted as materialized (
      select count(*) > ${most} as too_many, coalesce(bool_or(account_name is null), false) as unfilled from person)`
  if (ordersBesideNames.includes(list.sortBy)) {
    const rows = await readGathered(tx, gathered, pageOfPersons(list), values)
    if (rows[0]?.too_many) return undefined
    if (!rows[0]?.unfilled) return present(rows)
  }
  const all = await readGathered(
    tx,
    `${gathered}, matches as materialized (${list.others} and not (select too_many from counted)
       and account_number = any (array(select account_number from person)))`,
    pageOfMatches(list),
    values,
  )
  return all[0]?.too_many ? undefined : present(all)
}

function pageOfMatches({ after, ordered }: Listed): string {
  return `select too_many, page.* from counted
    left join lateral (select * from matches where not too_many and ${after} ${ordered}) as page on true`
}

/** Reads one account after the other, in the order of the page, until it is full. */
function pageOfPersons({ others, after, sortBy, direction, size }: Named): string {
  const { column } = orders[sortBy]
  const order = (of: string) => `order by ${of}place ${direction}, ${of}account_number ${direction}`
  return `select too_many, unfilled, page.* from counted left join lateral (
      select account.* from (
        select distinct ${column} as place, account_number from person where not too_many and not unfilled and ${after}
        ${order('')}
      ) as found cross join lateral (${others} and account_number = found.account_number offset 0) as account
      ${order('found.')} limit ${size}
    ) as page on true`
}

interface Gathered extends AccountItem {
  readonly too_many: boolean
  readonly unfilled?: boolean
}

function readGathered(tx: Tx, gathered: string, page: string, values: readonly Value[]): Promise<Gathered[]> {
  return tx.rows(unprepared<Gathered>(`${gathered} ${page}`), values)
}

/** Without a match the only row has counts alone. */
function present(rows: readonly Gathered[]): AccountItem[] {
  return rows.filter(({ account_number }) => account_number !== null)
}
