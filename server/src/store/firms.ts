/** Stored client firms: their entity numbers, rep codes, settings and wrapped keys. */
import { limits } from '@clearing/protocol/values'
import type { Pool } from '../database/pool.ts'
import { statement } from '../database/statement.ts'
import { readInFirm, type Tx } from '../database/transaction.ts'
import type { FirmKey, KeyPurpose } from '../encryption/firm-key.ts'
import type { Firm, FirmSettings } from './firm.ts'

/** The clearing firm. It owns the credentials of operations and has its own audit chain. */
export const clearingFirmId = '00000000-0000-4000-8000-000000000001'

/** The row of a firm with its numbers and codes. */
export interface StoredFirm {
  readonly firmId: string
  readonly name: string
  readonly entityNumbers: readonly string[]
  readonly repCodes: readonly string[]
  /** Only the settings that differ from the defaults. */
  readonly settings: Partial<FirmSettings>
  readonly disabledAt: string | null
  readonly createdAt: string
  /** The number of times that the firm came from another cell. */
  readonly moves: number
  /** True while the firm arrives from another cell, or after it began to leave this one. */
  readonly moving: boolean
}

/** The settings of a firm without settings of its own. */
export const defaultSettings: FirmSettings = {
  duplicateApplications: 'Flag',
  documentCatalogueClosed: false,
  requestsPerSecond: limits.rateRequestsPerSecond,
  keysOnly: false,
  changesNeedingApproval: [],
}

/** The firm of a row, with the defaults of the settings that it leaves out. */
export function firmOf({ firmId, name, entityNumbers, repCodes, settings, moves, moving }: StoredFirm): Firm {
  return {
    firmId,
    name,
    entityNumbers: new Set(entityNumbers),
    repCodes: new Set(repCodes),
    settings: { ...defaultSettings, ...settings },
    moves,
    moving,
  }
}

const firmColumns = `firm_id as "firmId", name, settings, disabled_at as "disabledAt", created_at as "createdAt",
  array(select entity_number from clearing.entity e where e.firm_id = firm.firm_id order by 1) as "entityNumbers",
  array(select rep_code from clearing.rep_code r where r.firm_id = firm.firm_id order by 1) as "repCodes",
  (select count(*)::integer from clearing.event_log_before b where b.firm_id = firm.firm_id) as moves,
  exists (select from clearing.moving_firm m where m.firm_id = firm.firm_id) as moving`

const selectFirms = statement<StoredFirm>(
  'select-firms',
  `select ${firmColumns} from clearing.firm order by created_at, firm_id`,
)
const selectFirm = statement<StoredFirm>(
  'select-firm',
  `select ${firmColumns} from clearing.firm where firm_id = $1`,
)
const lockFirmRow = statement<{ firmId: string }>(
  'lock-firm',
  'select firm_id as "firmId" from clearing.firm where firm_id = $1 for no key update',
)
const insertFirmRow = statement(
  'insert-firm',
  'insert into clearing.firm (firm_id, name, settings, created_at) values ($1, $2, $3, $4) on conflict do nothing',
)
const updateFirmRow = statement(
  'update-firm',
  `update clearing.firm set name = coalesce($2, name), settings = settings || $3,
     disabled_at = case when $4::boolean then coalesce(disabled_at, $5) when not $4::boolean then null else disabled_at end
   where firm_id = $1`,
)
const insertEntities = insertCodes('insert-entities', 'entity', 'entity_number')
const insertRepCodes = insertCodes('insert-rep-codes', 'rep_code', 'rep_code')
const insertKey = statement(
  'insert-firm-key',
  `insert into clearing.firm_key (firm_id, purpose, key_id, wrapped, master_key_id, created_at)
   values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
)
const rewrapKey = statement(
  'rewrap-firm-key',
  `update clearing.firm_key set wrapped = $4, master_key_id = $5 where firm_id = $1 and purpose = $2 and key_id = $3`,
)

interface KeyRow {
  firm_id: string
  purpose: KeyPurpose
  key_id: bigint
  wrapped: Buffer
  master_key_id: string
  created_at: string
}
const selectKeys = statement<KeyRow>(
  'select-firm-keys',
  'select firm_id, purpose, key_id, wrapped, master_key_id, created_at from clearing.firm_key where firm_id = $1',
)
const selectKeysUnderOther = statement<KeyRow>(
  'select-firm-keys-under-other',
  'select firm_id, purpose, key_id, wrapped, master_key_id, created_at from clearing.firm_key where master_key_id <> $1',
)

/** Every firm, including the clearing firm. */
export function readFirms(tx: Tx): Promise<StoredFirm[]> {
  return tx.rows(selectFirms)
}

export function readFirm(tx: Tx, firmId: string): Promise<StoredFirm | undefined> {
  return tx.row(selectFirm, [firmId])
}

/** Locks the firm's row until the transaction ends. False if there is no such firm. */
export async function lockFirm(tx: Tx, firmId: string): Promise<boolean> {
  return (await tx.row(lockFirmRow, [firmId])) !== undefined
}

/** False if a firm with this id exists. */
export async function insertFirm(
  tx: Tx,
  firm: { firmId: string; name: string; settings: Partial<FirmSettings>; at: Date },
): Promise<boolean> {
  return (await tx.run(insertFirmRow, [firm.firmId, firm.name, { ...firm.settings }, firm.at])) === 1
}

/** Changes the given members. Disabling ends the tokens of the firm's credentials for good (trigger end_tokens). */
export function updateFirm(
  tx: Tx,
  firmId: string,
  change: {
    name: string | undefined
    settings: Partial<FirmSettings>
    disabled: boolean | undefined
    at: Date
  },
): Promise<number> {
  return tx.run(updateFirmRow, [
    firmId,
    change.name ?? null,
    { ...change.settings },
    change.disabled ?? null,
    change.at,
  ])
}

/** Adds codes to a firm and returns those that another firm has. */
function insertCodes(name: string, table: string, column: string) {
  return statement<{ taken: string }>(
    name,
    `with wanted as (select unnest($2::text[]) as ${column}),
     added as (insert into clearing.${table} (${column}, firm_id, created_at)
       select ${column}, $1, $3 from wanted on conflict do nothing returning ${column})
   select ${column} as taken from wanted where ${column} not in (select ${column} from added)
     and ${column} not in (select ${column} from clearing.${table} where firm_id = $1)`,
  )
}

/**
 * Adds entity numbers to the firm. Returns the numbers that another firm has, in arbitrary order. Accepts
 * numbers that the firm has already.
 */
export async function addEntityNumbers(
  tx: Tx,
  firmId: string,
  numbers: readonly string[],
  at: Date,
): Promise<string[]> {
  return (await tx.rows(insertEntities, [firmId, numbers, at])).map(({ taken }) => taken)
}

/**
 * Adds rep codes to the firm. Returns the codes that another firm has, in arbitrary order. Accepts codes that
 * the firm has already.
 */
export async function addRepCodes(
  tx: Tx,
  firmId: string,
  codes: readonly string[],
  at: Date,
): Promise<string[]> {
  return (await tx.rows(insertRepCodes, [firmId, codes, at])).map(({ taken }) => taken)
}

/** False if the firm has a key with this purpose and number. */
export async function insertFirmKey(tx: Tx, key: FirmKey): Promise<boolean> {
  return (
    (await tx.run(insertKey, [
      key.firmId,
      key.purpose,
      key.keyId,
      key.wrapped,
      key.masterKeyId,
      key.createdAt,
    ])) === 1
  )
}

/** Replaces the wrapping of a key. */
export function replaceWrapping(tx: Tx, key: FirmKey): Promise<number> {
  return tx.run(rewrapKey, [key.firmId, key.purpose, key.keyId, key.wrapped, key.masterKeyId])
}

function parseKey(row: KeyRow): FirmKey {
  return {
    firmId: row.firm_id,
    purpose: row.purpose,
    keyId: Number(row.key_id),
    wrapped: row.wrapped,
    masterKeyId: row.master_key_id,
    createdAt: new Date(row.created_at),
  }
}

/** All keys of one firm, read in a transaction of the firm, for a keyring. */
export async function loadFirmKeys(app: Pool, firmId: string): Promise<FirmKey[]> {
  return (await readInFirm(app, firmId, selectKeys, [firmId])).map(parseKey)
}

/** All keys of one firm, read in an operations transaction, for a rotation. */
export async function readFirmKeys(tx: Tx, firmId: string): Promise<FirmKey[]> {
  return (await tx.rows(selectKeys, [firmId])).map(parseKey)
}

/** The keys that another master key wraps. They must be rewrapped before that master key is removed. */
export async function readKeysUnderOtherMaster(tx: Tx, masterKeyId: string): Promise<FirmKey[]> {
  return (await tx.rows(selectKeysUnderOther, [masterKeyId])).map(parseKey)
}

const selectEntity = statement('entity-exists', 'select 1 from clearing.entity where entity_number = $1')
const selectRepCode = statement('rep-code-exists', 'select 1 from clearing.rep_code where rep_code = $1')

/** Whether any firm has this entity number. */
export async function entityExists(tx: Tx, entityNumber: string): Promise<boolean> {
  return (await tx.run(selectEntity, [entityNumber])) > 0
}

/** Whether any firm has this rep code. */
export async function repCodeExists(tx: Tx, repCode: string): Promise<boolean> {
  return (await tx.run(selectRepCode, [repCode])) > 0
}

const selectFirmOfAccount = statement<{ firm_id: string }>(
  'select-firm-of-account',
  'select firm_id from clearing.account where account_number = $1',
)

/** The firm of an account; undefined for an account that does not exist. */
export async function lookUpFirmOfAccount(
  operations: Pool,
  accountNumber: string,
): Promise<string | undefined> {
  return (await readInFirm(operations, null, selectFirmOfAccount, [accountNumber]))[0]?.firm_id
}
