/**
 * Stored accounts: the record in clear text, except for personal numbers, which are sealed under the firm's
 * key.
 */
import {
  type AccountRecord,
  type AccountStatus,
  type RecordSecrets,
  withoutSecrets,
  withSecrets,
} from '@clearing/domain'
import { json, lookUp, statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import type { FirmKeys } from '../encryption/keyring.ts'
import { openText, seal } from '../encryption/seal.ts'
import { type ChangeMade, writeAccountChange } from './account-changes.ts'
import { writeParties } from './parties.ts'
import { type SentApplication, sealSent } from './sent-applications.ts'

export interface Account {
  readonly accountNumber: string
  readonly firmId: string
  readonly entityNumber: string
  readonly repCode: string
  readonly status: AccountStatus
  readonly accountName: string
  readonly version: number
  readonly record: AccountRecord
  readonly createdAt: string
}

/** Identifies the contents of an account's row. It stays equal until the row is written. */
export type RowState = string

export interface AccountInState extends Account {
  readonly state: RowState
}

interface AccountRow {
  account_number: string
  firm_id: string
  entity_number: string
  rep_code: string
  status: AccountStatus
  account_name: string
  version: number
  record: AccountRecord
  sealed: Buffer
  created_at: string
}

/**
 * Accounts with their records. The first record is in the row of its version until the account is amended
 * (decision 123). An amended record is in the row of the account: a statement that waited for that row does not
 * see rows of versions that were inserted meanwhile.
 */
export const accountsWithRecords = `clearing.account left join lateral (
  select record as record_apart, sealed as sealed_apart from clearing.account_version as apart
  where apart.account_number = account.account_number and apart.version = case when account.record is null then account.version end
) as apart on true`
export const recordOfAccount = 'coalesce(record, record_apart)'

const columns = `account_number, firm_id, entity_number, rep_code, status, account_name, version, ${recordOfAccount} as record,
  coalesce(sealed, sealed_apart) as sealed, created_at`

type RowInState = AccountRow & { readonly state: RowState }

/**
 * The transaction that wrote the row, and the version. The version is needed because a restored server may
 * use transaction numbers again.
 */
const rowState = `account.xmin::text || '/' || account.version`

const selectAccount = lookUp<RowInState>(
  'select-account',
  `select ${columns}, ${rowState} as state from ${accountsWithRecords} where account_number = $1 and status <> 'Reserved'`,
)
const lockAccount = statement<AccountRow>(
  'lock-account',
  `select ${columns} from ${accountsWithRecords} where account_number = $1 and status <> 'Reserved' for no key update of account`,
)

/** The seal is bound to the version too, so that an older sealed value cannot replace it unnoticed. */
function place(firm: string, accountNumber: string, version: number) {
  return {
    firm,
    table: 'account',
    column: 'sealed',
    row: `${accountNumber}/${version}`,
  }
}

function openAccount(row: AccountRow, keys: FirmKeys): Account {
  const secrets: RecordSecrets = JSON.parse(
    openText(keys, row.sealed, place(row.firm_id, row.account_number, row.version)),
  )
  return {
    accountNumber: row.account_number,
    firmId: row.firm_id,
    entityNumber: row.entity_number,
    repCode: row.rep_code,
    status: row.status,
    accountName: row.account_name,
    version: row.version,
    record: withSecrets(row.record, secrets),
    createdAt: row.created_at,
  }
}

/** The account; undefined when the firm has no account with this number. */
export async function readAccount(
  tx: Tx,
  accountNumber: string,
  keys: FirmKeys,
): Promise<AccountInState | undefined> {
  const row = await tx.row(selectAccount, [accountNumber])
  return row && { ...openAccount(row, keys), state: row.state }
}

/** The same, with the row locked until the transaction ends. ARCHITECTURE.md has the order of locks. */
export async function lockAccountRow(
  tx: Tx,
  accountNumber: string,
  keys: FirmKeys,
): Promise<Account | undefined> {
  const row = await tx.row(lockAccount, [accountNumber])
  return row && openAccount(row, keys)
}

/**
 * For each number, in the given order: the state of the row, or null if the firm has no account with this
 * number. For the operations pool.
 */
export const selectRowStates = statement<{ state: RowState | null }>(
  'select-account-row-states',
  `select (select ${rowState} from clearing.account
     where account.account_number = asked.account_number and account.firm_id = asked.firm_id and status <> 'Reserved') as state
   from unnest($1::uuid[], $2::text[]) with ordinality as asked (firm_id, account_number, place) order by place`,
)

const selectOpen = statement<AccountRow>(
  'select-open-accounts',
  `select ${columns} from ${accountsWithRecords}
   where account_number > $1 and status in ('Open', 'Restricted') order by account_number limit $2`,
)

/** An account as it is stored; `open` decrypts it with the keys of its firm. */
export interface SealedAccount {
  readonly accountNumber: string
  readonly firmId: string
  open(keys: FirmKeys): Account
}

/** Open and restricted accounts after a number, in their order. */
export async function readOpenAccounts(tx: Tx, after: string, most: number): Promise<SealedAccount[]> {
  return (await tx.rows(selectOpen, [after, most])).map((row) => ({
    accountNumber: row.account_number,
    firmId: row.firm_id,
    open: (keys) => openAccount(row, keys),
  }))
}

const selectVersions = statement<AccountRow>(
  'select-account-versions',
  `select account.account_number, account.firm_id, entity_number, account.rep_code, version.status, version.account_name,
     version.version, version.record, version.sealed, account.created_at
   from clearing.account_version as version join clearing.account using (account_number)
   where account_number = $1 and version.version between $2 and $3 and version.version <> account.version
   union all
   select ${columns} from ${accountsWithRecords} where account_number = $1 and version between $2 and $3`,
)

/** The account's record in each version of a range, by version. */
export async function readVersions(
  tx: Tx,
  accountNumber: string,
  first: number,
  last: number,
  keys: FirmKeys,
): Promise<Map<number, Account>> {
  const rows = await tx.rows(selectVersions, [accountNumber, first, last])
  return new Map(rows.map((row) => [row.version, openAccount(row, keys)]))
}

export interface AccountHead {
  firm_id: string
  account_name: string
  entity_number: string
  rep_code: string
  status: AccountStatus
}

const selectHead = lookUp<AccountHead>(
  'select-account-head',
  `select firm_id, account_name, entity_number, rep_code, status from clearing.account where account_number = $1 and status <> 'Reserved'`,
)

/** The account's firm, names and status; the record stays sealed. */
export function readAccountHead(tx: Tx, accountNumber: string): Promise<AccountHead | undefined> {
  return tx.row(selectHead, [accountNumber])
}

export interface NewAccount {
  readonly accountNumber: string
  readonly firmId: string
  readonly accountName: string
  readonly record: AccountRecord
  readonly at: Date
  readonly by: ChangeMade
  readonly sent: SentApplication
}

/** The firm that has a number, whatever the status; for the operations pool. */
export const selectNumberHolder = statement<{ firm_id: string; status: AccountStatus }>(
  'select-account-number-holder',
  'select firm_id, status from clearing.account where account_number = $1',
)

/**
 * A statement that writes the row of a new account, and then that of its first version with the record `$1` and the
 * sealed numbers `$2`.
 */
function withFirstVersion(written: string): string {
  return `with written as (${written} returning account_number, firm_id, version, status, account_name, updated_at)
   insert into clearing.account_version
     (account_number, firm_id, version, status, account_name, record, sealed, valid_from, valid_to)
   select account_number, firm_id, version, status, account_name, $1::jsonb, $2::bytea, updated_at, 'infinity' from written`
}

const insertAccount = statement(
  'insert-account',
  withFirstVersion(`insert into clearing.account
     (account_number, firm_id, entity_number, rep_code, registration_type, status, account_name, event_sequence, created_at, updated_at)
   values ($3, $4, $5, $6, $7, 'Pending', $8, 1, $9, $9)
   on conflict (account_number) do nothing`),
)
const fillReserved = statement(
  'fill-reserved-account',
  withFirstVersion(`update clearing.account set
     entity_number = $5, rep_code = $6, registration_type = $7, status = 'Pending', account_name = $8, created_at = $9, updated_at = $9
   where account_number = $3 and firm_id = $4 and status = 'Reserved'`),
)
const insertReserved = statement(
  'insert-reserved-account',
  `insert into clearing.account
     (account_number, firm_id, entity_number, rep_code, registration_type, status, event_sequence, created_at, updated_at)
   values ($1, $2, $3, $4, $5, 'Reserved', 1, $6, $6)
   on conflict (account_number) do nothing`,
)

function valuesOf(account: NewAccount, keys: FirmKeys) {
  const { open, secrets } = withoutSecrets(account.record)
  return [
    json(open),
    seal(keys, JSON.stringify(secrets), place(account.firmId, account.accountNumber, 1)),
    account.accountNumber,
    account.firmId,
    account.record.entityNumber,
    account.record.main.repCode ?? '',
    account.record.registrationType,
    account.accountName,
    account.at,
  ]
}

function writeContents(tx: Tx, { accountNumber, record, at, by, sent }: NewAccount, keys: FirmKeys): void {
  writeParties(tx, accountNumber, record, keys)
  writeAccountChange(tx, accountNumber, at, by, sealSent(keys, accountNumber, sent))
}

/** Inserts a Pending account; false when its number is taken. */
export async function insertPendingAccount(tx: Tx, account: NewAccount, keys: FirmKeys): Promise<boolean> {
  if ((await tx.run(insertAccount, valuesOf(account, keys))) === 0) return false
  writeContents(tx, account, keys)
  return true
}

/** Makes a number that the same firm reserved a Pending account; false when there is no such reservation. */
export async function fillReservedAccount(tx: Tx, account: NewAccount, keys: FirmKeys): Promise<boolean> {
  if ((await tx.run(fillReserved, valuesOf(account, keys))) === 0) return false
  writeContents(tx, account, keys)
  return true
}

/** Reserves a number; false when it is taken. */
export async function insertReservedAccount(
  tx: Tx,
  reserved: {
    accountNumber: string
    firmId: string
    entityNumber: string
    repCode: string
    registrationType: string
    at: Date
  },
): Promise<boolean> {
  return (
    (await tx.run(insertReserved, [
      reserved.accountNumber,
      reserved.firmId,
      reserved.entityNumber,
      reserved.repCode,
      reserved.registrationType,
      reserved.at,
    ])) > 0
  )
}

const keepVersion = statement(
  'keep-account-version',
  `insert into clearing.account_version
     (account_number, firm_id, version, status, account_name, record, sealed, valid_from, valid_to, superseded_on)
   select account_number, firm_id, version, status, account_name, ${recordOfAccount}, coalesce(sealed, sealed_apart), updated_at, $2,
     (select business_date from clearing.business_day)
   from ${accountsWithRecords} where account_number = $1
   on conflict (account_number, version) do update set
     status = excluded.status, valid_from = excluded.valid_from, valid_to = excluded.valid_to, superseded_on = excluded.superseded_on`,
)
const updateRecord = statement(
  'update-account-record',
  `update clearing.account set
     rep_code = $2, account_name = $3, record = $4, sealed = $5, version = version + 1, updated_at = $6
   where account_number = $1`,
)

/** Replaces the record of a locked account and stores the version that it replaces. */
export function amendAccountRecord(
  tx: Tx,
  account: Account,
  amended: { record: AccountRecord; accountName: string; at: Date; by: ChangeMade },
  keys: FirmKeys,
): void {
  const { open, secrets } = withoutSecrets(amended.record)
  const sealed = seal(
    keys,
    JSON.stringify(secrets),
    place(account.firmId, account.accountNumber, account.version + 1),
  )
  tx.later(keepVersion, [account.accountNumber, amended.at])
  tx.later(updateRecord, [
    account.accountNumber,
    amended.record.main.repCode ?? '',
    amended.accountName,
    json(open),
    sealed,
    amended.at,
  ])
  writeParties(tx, account.accountNumber, amended.record, keys)
  writeAccountChange(tx, account.accountNumber, amended.at, amended.by)
}

const updateStatus = statement(
  'update-account-status',
  `update clearing.account set
     status = $2, updated_at = $3,
     opened_at = case when $2 = 'Open' then coalesce(opened_at, $3) else opened_at end,
     event_sequence = event_sequence + $5, event_order = greatest(event_order, pg_current_xact_id())
   where account_number = $1 and status = $4`,
)

export interface StatusMove {
  readonly from: AccountStatus
  readonly to: AccountStatus
  /** The number of events of the account that the caller writes in this transaction. */
  readonly events?: number
}

/** Moves an account from a status to another. Returns false when its status is a third one. */
export async function moveAccountStatus(
  tx: Tx,
  accountNumber: string,
  { from, to, events = 0 }: StatusMove,
  at: Date,
  by: ChangeMade,
): Promise<boolean> {
  if ((await tx.run(updateStatus, [accountNumber, to, at, from, events])) === 0) return false
  writeAccountChange(tx, accountNumber, at, by)
  return true
}

/**
 * The same for an account that is certain to have the status, without a round trip of its own: an account is Pending as
 * long as the transaction locks its application.
 */
export function writeStatusMove(
  tx: Tx,
  accountNumber: string,
  { from, to, events = 0 }: StatusMove,
  at: Date,
  by: ChangeMade,
): void {
  tx.later(updateStatus, [accountNumber, to, at, from, events])
  writeAccountChange(tx, accountNumber, at, by)
}
