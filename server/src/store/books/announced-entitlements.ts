/** What the holders of a security are entitled to by an announcement, their elections, and their lines. */
import type { AcctType, AnnouncedLine, Election } from '@clearing/domain/books'
import { type Decimal, decimal, renderDecimal } from '@clearing/domain/decimal'
import { json, statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { decimalOfColumn } from './bulk.ts'

export type EntitlementState = 'Expected' | 'Booked' | 'Nothing' | 'ByFeed' | 'Refused' | 'Reversed'

/** A booked line, as it was made. */
export interface LineOfHolder {
  readonly externalId: string
  readonly line: AnnouncedLine
}

export interface StoredEntitlement {
  readonly accountNumber: string
  readonly acctType: AcctType
  readonly firmId: string
  readonly quantity: Decimal
  readonly elections: readonly Election[]
  readonly electedBy: string
  readonly electedAt: string | undefined
  readonly state: EntitlementState
  readonly reason: string
  readonly lines: readonly LineOfHolder[]
  readonly version: number
}

interface StoredElection {
  readonly option: string
  readonly quantity?: string
  readonly void?: string
}

interface EntitlementRow {
  readonly external_id: string
  readonly account_number: string
  readonly acct_type: AcctType
  readonly firm_id: string
  readonly quantity: string
  readonly elections: readonly StoredElection[]
  readonly elected_by: string | null
  readonly elected_at: string | null
  readonly state: EntitlementState
  readonly reason: string
  readonly lines: readonly LineOfHolder[]
  readonly version: number
}

const columns =
  'external_id, account_number, acct_type, firm_id, quantity, elections, elected_by, elected_at, state, reason, lines, version'

function parseRow(row: EntitlementRow): StoredEntitlement {
  return {
    accountNumber: row.account_number,
    acctType: row.acct_type,
    firmId: row.firm_id,
    quantity: decimalOfColumn(row.quantity),
    elections: row.elections.map(({ quantity, ...election }) => ({
      ...election,
      ...(quantity !== undefined && { quantity: decimal(quantity) }),
    })),
    electedBy: row.elected_by ?? '',
    electedAt: row.elected_at ?? undefined,
    state: row.state,
    reason: row.reason,
    lines: row.lines,
    version: row.version,
  }
}

const selectOfAccounts = statement<EntitlementRow>(
  'select-entitlements-of-accounts',
  `select ${columns} from clearing.announced_entitlement where external_id = $1 and account_number = any ($2)`,
)
const holdOfAccounts = statement<EntitlementRow>(
  'hold-entitlements-of-accounts',
  `select ${columns} from clearing.announced_entitlement where external_id = $1 and account_number = any ($2)
   order by account_number, acct_type for share`,
)
/** `holds`: waits for elections that are being made, and lets no further one begin until the transaction ends. */
export async function readEntitlements(
  tx: Tx,
  externalId: string,
  accountNumbers: readonly string[],
  holds: boolean,
): Promise<StoredEntitlement[]> {
  return (await tx.rows(holds ? holdOfAccounts : selectOfAccounts, [externalId, accountNumbers])).map(
    parseRow,
  )
}

/** The position, its state and its lines after an examination. */
export interface ExaminedEntitlement {
  readonly externalId: string
  readonly accountNumber: string
  readonly acctType: AcctType
  readonly firmId: string
  readonly quantity: Decimal
  readonly state: EntitlementState
  readonly reason: string
  readonly lines: readonly LineOfHolder[]
  readonly version: number
  /** Lines that should be reversed, and whose reversal the books refused. */
  readonly unreversed?: {
    readonly lines: readonly string[]
    /** The cash of the lines that should replace them. */
    readonly due: string | undefined
  }
}

// A row with a later version was examined by another process meanwhile, and stays.
const upsert = statement(
  'put-entitlements',
  `insert into clearing.announced_entitlement as kept
     (external_id, account_number, acct_type, firm_id, quantity, state, reason, lines, version)
   select external_id, account_number, acct_type, firm_id, quantity, state, reason, lines, version
   from jsonb_to_recordset($1::jsonb) as given (external_id text, account_number text, acct_type smallint, firm_id uuid,
     quantity numeric, state text, reason text, lines jsonb, version integer)
   order by external_id, account_number, acct_type
   on conflict (external_id, account_number, acct_type) do update
   set quantity = excluded.quantity, state = excluded.state, reason = excluded.reason, lines = excluded.lines,
     version = excluded.version
   where kept.version <= excluded.version and (kept.quantity, kept.state, kept.reason, kept.lines, kept.version)
     is distinct from (excluded.quantity, excluded.state, excluded.reason, excluded.lines, excluded.version)`,
)

export function putEntitlements(tx: Tx, examined: readonly ExaminedEntitlement[]): void {
  if (examined.length === 0) return
  const rows = examined.map((one) => ({
    external_id: one.externalId,
    account_number: one.accountNumber,
    acct_type: one.acctType,
    firm_id: one.firmId,
    quantity: renderDecimal(one.quantity),
    state: one.state,
    reason: one.reason,
    lines: one.lines,
    version: one.version,
  }))
  tx.later(upsert, [json(rows)])
}

const lockOne = statement<EntitlementRow>(
  'lock-entitlement',
  `select ${columns} from clearing.announced_entitlement
   where external_id = $1 and account_number = $2 and acct_type = $3 for update`,
)
export async function lockEntitlement(
  tx: Tx,
  externalId: string,
  accountNumber: string,
  acctType: AcctType,
): Promise<StoredEntitlement | undefined> {
  const row = await tx.row(lockOne, [externalId, accountNumber, acctType])
  return row && parseRow(row)
}

const updateElections = statement(
  'put-elections',
  `update clearing.announced_entitlement set elections = $4, elected_by = $5, elected_at = $6
   where external_id = $1 and account_number = $2 and acct_type = $3`,
)
export function putElections(
  tx: Tx,
  of: { readonly externalId: string; readonly accountNumber: string; readonly acctType: AcctType },
  elections: readonly Election[],
  { by, at }: { readonly by: string; readonly at: Date },
): void {
  tx.later(updateElections, [
    of.externalId,
    of.accountNumber,
    of.acctType,
    storedElections(elections),
    by,
    at,
  ])
}

function storedElections(elections: readonly Election[]) {
  return json(
    elections.map(({ quantity, ...election }) => ({
      ...election,
      ...(quantity !== undefined && { quantity: renderDecimal(quantity) }),
    })),
  )
}

/** The advisory lock of the rows that an announcement does not have yet. */
const newRowsLock = 7_015
const awaitNewRows = statement(
  'await-elections',
  'select pg_catalog.pg_advisory_xact_lock_shared($1::integer, pg_catalog.hashtext($2))',
)
const holdNewRows = statement(
  'hold-elections',
  'select pg_catalog.pg_advisory_xact_lock($1::integer, pg_catalog.hashtext($2))',
)
/** For an election that makes the row of its position: waits for an amendment that reads the elections. */
export function awaitElections(tx: Tx, externalId: string): void {
  tx.later(awaitNewRows, [newRowsLock, externalId])
}

const lockElected = statement<EntitlementRow>(
  'lock-entitlements-of-announcement',
  `with locked as materialized (
     select ${columns} from clearing.announced_entitlement where external_id = $1 order by account_number, acct_type for update
   )
   select ${columns} from locked where elections <> '[]'`,
)
/** The positions with elections. Waits for elections that are being made, and lets no further one begin. */
export async function lockElections(tx: Tx, externalId: string): Promise<StoredEntitlement[]> {
  tx.later(holdNewRows, [newRowsLock, externalId])
  return (await tx.rows(lockElected, [externalId])).map(parseRow)
}

const updateVoid = statement(
  'void-elections',
  `update clearing.announced_entitlement set elections = $4
   where external_id = $1 and account_number = $2 and acct_type = $3`,
)
/** Notes which elections are void. Who elected, and when, stays. */
export function putVoidElections(
  tx: Tx,
  externalId: string,
  { accountNumber, acctType }: Pick<StoredEntitlement, 'accountNumber' | 'acctType'>,
  elections: readonly Election[],
): void {
  tx.later(updateVoid, [externalId, accountNumber, acctType, storedElections(elections)])
}

const selectExpected = statement<{ external_id: string; book_on: string }>(
  'select-expected-entitlement',
  `select external_id, book_on from clearing.announced_entitlement as one join clearing.announcement using (external_id)
   where account_number = $1 and quantity <> 0 and one.state in ('Expected', 'Refused') and ex_date <= $2
     and announcement.state not in ('Cancelling', 'Cancelled')
   order by book_on, external_id limit 1`,
)
/** The next corporate action that owes lines to the account, which are not booked; undefined if there is none. */
export async function readExpected(
  tx: Tx,
  accountNumber: string,
  businessDate: string,
): Promise<{ readonly externalId: string; readonly bookOn: string } | undefined> {
  const row = await tx.row(selectExpected, [accountNumber, businessDate])
  return row && { externalId: row.external_id, bookOn: row.book_on }
}

export type EntitlementPlace = readonly [externalId: string, accountNumber: string, acctType: number]

const selectPage = statement<EntitlementRow & { readonly account_name: string }>(
  'select-page-of-entitlements',
  `select ${columns}, (select account_name from clearing.account where account.account_number = entitlement.account_number)
   from clearing.announced_entitlement entitlement
   where ($1::text is null or external_id = $1) and ($2::text is null or account_number = $2)
     and ($3::text is null or (external_id, account_number, acct_type) > ($3, $4, $5))
   order by external_id, account_number, acct_type limit $6`,
)
/** Of one announcement, of one account, or both. */
export async function findEntitlements(
  tx: Tx,
  filter: { readonly externalId: string | undefined; readonly accountNumber: string | undefined },
  after: EntitlementPlace | undefined,
  most: number,
): Promise<(StoredEntitlement & { readonly externalId: string; readonly accountName: string })[]> {
  const [externalId, accountNumber, acctType] = after ?? [null, null, null]
  const values = [
    filter.externalId ?? null,
    filter.accountNumber ?? null,
    externalId,
    accountNumber,
    acctType,
    most,
  ]
  return (await tx.rows(selectPage, values)).map((row) => ({
    ...parseRow(row),
    externalId: row.external_id,
    accountName: row.account_name,
  }))
}
