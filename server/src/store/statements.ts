/** Statements and confirmations: versions of sealed content. No version is changed. */
import { createHash } from 'node:crypto'
import type { CodeOf } from '@clearing/protocol/values'
import { statement, unprepared } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { FirmKeys } from '../encryption/keyring.ts'
import { open, seal } from '../encryption/seal.ts'
import { isConfirmed } from './books/activity.ts'
import { compress, readText } from './compressed.ts'
import { queue } from './jobs.ts'

export type StatementKind = CodeOf<'statementKind'>
export type Delivery = CodeOf<'statementDelivery'>

/** What one document is about: an account and the close that ends its period. */
export interface StatementName {
  readonly accountNumber: string
  readonly kind: StatementKind
  readonly periodTo: string
}

export interface StatementRow {
  readonly account_number: string
  readonly kind: StatementKind
  readonly period_to: string
  readonly version: number
  readonly firm_id: string
  readonly period_from: string
  readonly delivery: Delivery
  readonly made_by: string
  readonly made_at: string
  readonly digest: Buffer
}

export interface NewStatement extends StatementName {
  readonly firmId: string
  readonly version: number
  readonly periodFrom: string
  readonly delivery: Delivery
  readonly by: string
  readonly at: Date
  /** JSON text. */
  readonly content: string
}

const columns =
  'account_number, kind, period_to, version, firm_id, period_from, delivery, made_by, made_at, digest'

function sealedColumnOf(firmId: string, { accountNumber, kind, periodTo }: StatementName, version: number) {
  const row = [accountNumber, kind, periodTo, version].join(' ')
  return { firm: firmId, table: 'statement', column: 'content', row }
}

export function digestOf(content: string): Buffer {
  return createHash('sha256').update(content).digest()
}

const insertStatement = statement(
  'insert-statement',
  `insert into clearing.statement (${columns}, content) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
)

export function writeStatement(tx: Tx, keys: FirmKeys, made: NewStatement): void {
  const { accountNumber, kind, periodTo, version, firmId, content } = made
  const sealed = seal(keys, compress(content), sealedColumnOf(firmId, made, version))
  tx.later(insertStatement, [
    accountNumber,
    kind,
    periodTo,
    version,
    firmId,
    made.periodFrom,
    made.delivery,
    made.by,
    made.at,
    digestOf(content),
    sealed,
  ])
}

const selectLatest = statement<StatementRow>(
  'select-latest-statement',
  `select ${columns} from clearing.statement where account_number = $1 and kind = $2 and period_to = $3
   order by version desc limit 1`,
)
export function readLatest(tx: Tx, name: StatementName): Promise<StatementRow | undefined> {
  return tx.row(selectLatest, [name.accountNumber, name.kind, name.periodTo])
}

const selectEnd = statement<{ period_to: string }>(
  'select-end-of-last-statement',
  `select period_to from clearing.statement
   where account_number = $1 and kind = 'Statement' and period_to < $2 order by period_to desc limit 1`,
)
/** The end of the account's last statement before a day. */
export async function readLastEnd(
  tx: Tx,
  accountNumber: string,
  before: string,
): Promise<string | undefined> {
  return (await tx.row(selectEnd, [accountNumber, before]))?.period_to
}

const selectCovering = statement<{ period_to: string }>(
  'select-statement-of-longer-period',
  `select period_to from clearing.statement
   where account_number = $1 and kind = 'Statement' and period_to > $2 and period_from <= $2 limit 1`,
)
/** Whether a later statement of the account includes this day. */
export async function isCovered(tx: Tx, accountNumber: string, day: string): Promise<boolean> {
  return (await tx.row(selectCovering, [accountNumber, day])) !== undefined
}

const selectContent = statement<StatementRow & { content: Buffer }>(
  'select-statement',
  `select ${columns}, content from clearing.statement
   where account_number = $1 and kind = $2 and period_to = $3 and ($4::int is null or version = $4)
   order by version desc limit 1`,
)
/** A version, or the last one. */
export async function readStatement(
  tx: Tx,
  keys: FirmKeys,
  name: StatementName,
  version: number | undefined,
): Promise<(StatementRow & { text: string }) | undefined> {
  const values = [name.accountNumber, name.kind, name.periodTo, version ?? null]
  const row = await tx.row(selectContent, values)
  if (row === undefined) return undefined
  const text = readText(open(keys, row.content, sealedColumnOf(row.firm_id, name, row.version)))
  return { ...row, text }
}

export type StatementPlace = readonly [periodTo: string, kind: StatementKind, version: number]

const selectOfAccount = statement<StatementRow>(
  'select-statements-of-account',
  `select ${columns} from clearing.statement
   where account_number = $1 and ($2::text is null or kind = $2) and period_to between coalesce($3, '-infinity'::date)
     and coalesce($4, 'infinity'::date)
     and ($5::date is null or (period_to, kind, version) < ($5, $6, $7))
   order by period_to desc, kind desc, version desc limit $8`,
)
/** The latest first. */
export function findStatements(
  tx: Tx,
  filter: {
    readonly accountNumber: string
    readonly kind: StatementKind | undefined
    readonly from: string | undefined
    readonly to: string | undefined
  },
  after: StatementPlace | undefined,
  size: number,
): Promise<StatementRow[]> {
  const { accountNumber, kind, from, to } = filter
  const [day, afterKind, version] = after ?? [null, null, null]
  return tx.rows(selectOfAccount, [
    accountNumber,
    kind ?? null,
    from ?? null,
    to ?? null,
    day,
    afterKind,
    version,
    size,
  ])
}

export interface DueAccount {
  readonly account_number: string
  readonly firm_id: string
  /** Lines to confirm were booked on the day. */
  readonly traded: boolean
  /** Lines were booked since the last statement, or since the quarter began. */
  readonly booked: boolean
  /** It had a position or a balance at the close. */
  readonly holds: boolean
}

// History from before the account was opened has its own process date, and is not confirmed.
const traded = `exists (select from clearing.activity where activity.account_number = one.account_number
  and entered_on = $3 and process_date >= $3 and ${isConfirmed}) as traded`
const selectTouched = statement<DueAccount>(
  'select-accounts-touched',
  `select one.account_number, books.firm_id, ${traded}, false as booked, false as holds
   from clearing.day_account as one join clearing.account_books as books using (account_number)
   where close_date = $3 and one.account_number > $1 order by one.account_number limit $2`,
)
// The job of a day may run when the next day has changed the positions.
function heldOn(day: string): string {
  return `exists (select from (
      select sec_no::text collate "C" as asset, acct_type from clearing.holding, (values (1::smallint), (2), (3)) as types (acct_type)
      where holding.account_number = one.account_number
      union all select currency collate "C", acct_type from clearing.cash_balance
      where cash_balance.account_number = one.account_number) as held
    cross join lateral (
      select quantity from clearing.sealed_balance as balance
      where balance.account_number = one.account_number and balance.asset = held.asset
        and balance.acct_type = held.acct_type and close_date <= ${day} order by close_date desc limit 1) as sealed
    where sealed.quantity <> 0)`
}
const selectEvery = statement<DueAccount>(
  'select-accounts-with-books',
  `select one.account_number, firm_id, ${traded},
     exists (select from unnest(array(select close_date from clearing.business_day_close
         where close_date > coalesce(last.period_to, $4::date - 1) and close_date <= $3)) as closed (day)
       join clearing.day_account on close_date = closed.day and day_account.account_number = one.account_number) as booked,
     ${heldOn('$3')} as holds
   from clearing.account_books as one left join lateral (
     select max(period_to) as period_to from clearing.statement
     where statement.account_number = one.account_number and kind = 'Statement' and period_to < $3) as last on true
   where one.account_number > $1 order by one.account_number limit $2`,
)

/** The next accounts that may need a document at the close of a day: at the end of a month every account with books. */
export function readPortion(
  tx: Tx,
  portion: {
    readonly after: string
    readonly size: number
    readonly day: string
    /** The first day of the quarter, if the day ends a month. */
    readonly quarterFrom: string | undefined
  },
): Promise<DueAccount[]> {
  const { after, size, day, quarterFrom } = portion
  return quarterFrom === undefined
    ? tx.rows(selectTouched, [after, size, day])
    : tx.rows(selectEvery, [after, size, day, quarterFrom])
}

const selectLastClosed = statement<{ close_date: string }>(
  'select-last-closed-day',
  `select close_date from clearing.business_day_close where close_date < $1 and step = 'Closed' order by close_date desc limit 1`,
)
/** The last business day that was closed before a day. */
export async function readLastClosed(tx: Tx, before: string): Promise<string | undefined> {
  return (await tx.row(selectLastClosed, [before]))?.close_date
}

const selectNextDay = statement<{ next_date: string }>(
  'select-day-after-closed-day',
  `select next_date from clearing.business_day_close where close_date = $1 and step = 'Closed'`,
)
/** The business day after a day that was closed here; undefined for any other day. */
export async function readNextDay(tx: Tx, day: string): Promise<string | undefined> {
  return (await tx.row(selectNextDay, [day]))?.next_date
}

export const statementsTask = 'make-statements'

export interface StatementsPayload {
  /** The closed business day. */
  readonly day: string
  /** The business day after it. */
  readonly nextDay: string
  /** Of the close. */
  readonly traceId: string
  /** The last account of the previous portion. */
  readonly after?: string
}

const selectUnmade = unprepared<{ day: string }>(
  `select distinct payload ->> 'day' as day from graphile_worker._private_jobs as job
     join graphile_worker._private_tasks as task on task.id = job.task_id
   where task.identifier = '${statementsTask}' and key is not null order by day`,
)
/** The closed days whose documents are not all made yet. For an owner's pool. */
export async function readUnmadeDays(tx: Tx): Promise<string[]> {
  return (await tx.rows(selectUnmade)).map(({ day }) => day)
}

/** Queues the statements and confirmations of a closed day: of all accounts, or of those after one. */
export function queueStatements(tx: Tx, payload: StatementsPayload): void {
  const key = [statementsTask, payload.day, payload.after ?? ''].join(':')
  queue(tx, { task: statementsTask, payload, key, due: null })
}
