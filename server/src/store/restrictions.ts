/** Restrictions of accounts, with the person and the time of each beginning and end. */
import { statement, unprepared } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { Conditions, endOfDay, startOfDay } from './conditions.ts'

export interface Restriction {
  readonly restriction_id: string
  readonly account_number: string
  readonly firm_id: string
  readonly code: string
  readonly reason: string
  readonly placed_by: string
  readonly placed_at: string
  readonly ended_by: string | null
  readonly ended_at: string | null
  /** Null while it is in force, and if it ended before the reason was stored. */
  readonly end_reason: string | null
}

const columns =
  'restriction_id, account_number, firm_id, code, reason, placed_by, placed_at, ended_by, ended_at, end_reason'

const insertRestriction = statement<Restriction>(
  'insert-restriction',
  `insert into clearing.restriction (restriction_id, account_number, firm_id, code, reason, placed_by, placed_at)
   values ($1, $2, $3, $4, $5, $6, $7) returning ${columns}`,
)
const endRow = statement<Restriction>(
  'end-restriction',
  `update clearing.restriction set ended_by = $3, ended_at = $4, end_reason = $5
   where account_number = $1 and restriction_id = $2 and ended_at is null returning ${columns}`,
)
const selectOne = statement<Restriction>(
  'select-restriction',
  `select ${columns} from clearing.restriction where account_number = $1 and restriction_id = $2`,
)
const selectInForce = statement<Restriction>(
  'select-restrictions-in-force',
  `select ${columns} from clearing.restriction where account_number = $1 and ended_at is null`,
)

const selectOfAccounts = statement<Restriction>(
  'select-restrictions-of-accounts',
  `select ${columns} from clearing.restriction where account_number = any ($1) and code = $2 order by placed_at, restriction_id`,
)

export async function writeRestriction(
  tx: Tx,
  placed: {
    restrictionId: string
    accountNumber: string
    firmId: string
    code: string
    reason: string
    by: string
    at: Date
  },
): Promise<Restriction> {
  const { restrictionId, accountNumber, firmId, code, reason, by, at } = placed
  const row = await tx.row(insertRestriction, [restrictionId, accountNumber, firmId, code, reason, by, at])
  if (row === undefined) throw new Error('the restriction was inserted but not found')
  return row
}

/** Undefined if the restriction had ended already. */
export function writeRestrictionEnd(
  tx: Tx,
  accountNumber: string,
  restrictionId: string,
  { by, at, reason }: { readonly by: string; readonly at: Date; readonly reason: string },
): Promise<Restriction | undefined> {
  return tx.row(endRow, [accountNumber, restrictionId, by, at, reason])
}

export function readRestriction(
  tx: Tx,
  accountNumber: string,
  restrictionId: string,
): Promise<Restriction | undefined> {
  return tx.row(selectOne, [accountNumber, restrictionId])
}

export function readRestrictionsInForce(tx: Tx, accountNumber: string): Promise<Restriction[]> {
  return tx.rows(selectInForce, [accountNumber])
}

/** All restrictions with a code that accounts have or had, in the order in which they were placed. */
export function readRestrictionsOf(
  tx: Tx,
  accountNumbers: readonly string[],
  code: string,
): Promise<Restriction[]> {
  return tx.rows(selectOfAccounts, [accountNumbers, code])
}

/** Days in US Eastern time, `yyyy-MM-dd`; both ends are included. */
export interface RestrictionFilter {
  readonly accountNumber: string | undefined
  readonly firmId: string | undefined
  readonly restrictionCode: string | undefined
  readonly inForce: boolean | undefined
  /** In force at the end of this day. */
  readonly inForceOn: string | undefined
  readonly placedFrom: string | undefined
  readonly placedTo: string | undefined
  readonly endedFrom: string | undefined
  readonly endedTo: string | undefined
}

/** Restrictions after a position, the newest first. */
export function findRestrictions(
  tx: Tx,
  filter: RestrictionFilter,
  after: readonly [placedAt: string, restrictionId: string] | undefined,
  most: number,
): Promise<Restriction[]> {
  const c = new Conditions()
    .when(filter.accountNumber, (at) => `account_number = ${at}`)
    .when(filter.firmId, (at) => `firm_id = ${at}::uuid`)
    .when(filter.restrictionCode, (at) => `code = ${at}`)
    .when(filter.inForceOn, (at) => `placed_at < ${endOfDay(at)}`)
    .when(filter.inForceOn, (at) => `(ended_at is null or ended_at >= ${endOfDay(at)})`)
    .when(filter.placedFrom, (at) => `placed_at >= ${startOfDay(at)}`)
    .when(filter.placedTo, (at) => `placed_at < ${endOfDay(at)}`)
    .when(filter.endedFrom, (at) => `ended_at >= ${startOfDay(at)}`)
    .when(filter.endedTo, (at) => `ended_at < ${endOfDay(at)}`)
  if (filter.inForce !== undefined) c.and(filter.inForce ? 'ended_at is null' : 'ended_at is not null')
  if (after !== undefined)
    c.and(`(placed_at, restriction_id) < (${c.bind(after[0])}::timestamptz, ${c.bind(after[1])}::uuid)`)
  return tx.rows(
    unprepared<Restriction>(
      `select ${columns} from clearing.restriction${c.where()} order by placed_at desc, restriction_id desc limit ${most}`,
    ),
    c.values,
  )
}

const holdsAnything = statement<{ holds: boolean }>(
  'account-holds-anything',
  `select exists (select from clearing.position where account_number = $1)
     or exists (select from clearing.cash_balance where account_number = $1 and amount <> 0)
     or exists (select from clearing.unsettled where account_number = $1) as holds`,
)
const lockStatus = statement<{ firm_id: string; status: string }>(
  'lock-account-status',
  "select firm_id, status from clearing.account where account_number = $1 and status <> 'Reserved' for no key update",
)

/** Whether the account has positions, cash or unsettled activity. */
export async function holdsSomething(tx: Tx, accountNumber: string): Promise<boolean> {
  return (await tx.row(holdsAnything, [accountNumber]))?.holds ?? false
}

/** The account's firm and status, locked until the transaction ends. */
export function lockAccountStatus(
  tx: Tx,
  accountNumber: string,
): Promise<{ firm_id: string; status: string } | undefined> {
  return tx.row(lockStatus, [accountNumber])
}
