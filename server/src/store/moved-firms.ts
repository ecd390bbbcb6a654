/**
 * Moves of firms between cells, the keys with which other cells sealed the firms' days, and the signed heads
 * of the other cells.
 */
import type { SignedHead } from '@clearing/protocol/audit'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { type HeadRow, headColumns, parseHead } from './audit-heads.ts'

export interface FirmMove {
  readonly firm_id: string
  readonly moved_at: string
  readonly from_cell: string
  readonly to_cell: string
  /** The last day that was sealed before the move; null if there was none. */
  readonly close_date: string | null
  readonly seals_digest: Buffer
  readonly key_id: string
  readonly signature: Buffer
}

/** A condition on rows that the service may write for all firms at once: a frozen firm may not be written. */
export const ofNoMovingFirm = 'firm_id not in (select firm_id from clearing.moving_firm)'

const moveColumns =
  'firm_id, moved_at, from_cell, to_cell, close_date, seals_digest, key_id, signature' as const
const selectMoves = statement<FirmMove>(
  'select-firm-moves',
  `select ${moveColumns} from clearing.firm_move order by moved_at`,
)
const insertMove = statement(
  'insert-firm-move',
  `insert into clearing.firm_move (${moveColumns}) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)
const digestSeals = statement<{ close_date: string | null; seals_digest: Buffer }>(
  'digest-seals-of-firm',
  `select max(close_date) as close_date, sha256(convert_to(coalesce(string_agg(
     to_char(close_date, 'YYYY-MM-DD') || ' ' || encode(digest, 'hex') || E'\\n', '' order by close_date), ''), 'UTF8')) as seals_digest
   from clearing.firm_seal where firm_id = $1 and close_date <= coalesce($2::date, 'infinity')`,
)

const selectArriving = statement<{ firm_id: string }>(
  'select-arriving-firms',
  `select firm_id from clearing.moving_firm as moving where state = 'Arriving'
     and not exists (select from clearing.audit_signed_head as head where head.firm_id = moving.firm_id)`,
)
/** Firms that are marked as arriving and whose heads this cell has not signed yet. */
export async function readArrivingFirms(tx: Tx): Promise<string[]> {
  return (await tx.rows(selectArriving)).map(({ firm_id }) => firm_id)
}

const selectMarked = statement(
  'select-mark-of-absent-firm',
  "select from clearing.moving_firm where firm_id = $1 and state <> 'Frozen'",
)
/** Whether the firm is marked as arriving or as moved to another cell. */
export async function isMarkedAbsent(tx: Tx, firmId: string): Promise<boolean> {
  return (await tx.row(selectMarked, [firmId])) !== undefined
}

/** All moves that this cell knows, in the order of their times. */
export function readFirmMoves(tx: Tx): Promise<FirmMove[]> {
  return tx.rows(selectMoves)
}
export function insertFirmMove(tx: Tx, move: FirmMove): void {
  const { firm_id, moved_at, from_cell, to_cell, close_date, seals_digest, key_id, signature } = move
  tx.later(insertMove, [firm_id, moved_at, from_cell, to_cell, close_date, seals_digest, key_id, signature])
}
/** The digest of all seals of a firm up to a day; with null, of all its seals. */
export async function digestSealsOf(
  tx: Tx,
  firmId: string,
  upTo: string | null,
): Promise<Pick<FirmMove, 'close_date' | 'seals_digest'>> {
  const row = await tx.row(digestSeals, [firmId, upTo])
  if (row === undefined) throw new Error('the digest has no row')
  return row
}

/** A public key of another cell. */
export interface OtherSealKey {
  readonly keyId: string
  readonly cell: string
  readonly publicKey: Buffer
  /** The key of this cell that admitted it; `signature` is made with that key. */
  readonly admittedBy: string
  readonly signature: Buffer
}

const selectKeys = statement<OtherSealKey>(
  'select-other-seal-keys',
  `select key_id as "keyId", cell, public_key as "publicKey", admitted_by as "admittedBy", signature
   from clearing.other_seal_key order by cell, key_id`,
)
const insertKey = statement(
  'insert-other-seal-key',
  `insert into clearing.other_seal_key (key_id, cell, public_key, admitted_by, signature, admitted_at)
   values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
)

export function readOtherSealKeys(tx: Tx): Promise<OtherSealKey[]> {
  return tx.rows(selectKeys)
}
export function insertOtherSealKey(tx: Tx, key: OtherSealKey, at: Date): void {
  tx.later(insertKey, [key.keyId, key.cell, key.publicKey, key.admittedBy, key.signature, at])
}

/** A head of a firm that a cell signed before the firm left it. */
export interface MovedHead {
  readonly cell: string
  readonly head: SignedHead
}

const selectHeads = statement<HeadRow & { cell: string }>(
  'select-moved-signed-heads',
  `select cell, ${headColumns} from clearing.moved_signed_head where firm_id = $1 order by sequence, number`,
)
const selectNewestHeads = statement<HeadRow>(
  'select-newest-moved-heads',
  `select distinct on (firm_id) ${headColumns} from clearing.moved_signed_head
   where key_id <> all ($1) order by firm_id, sequence desc, number desc`,
)
const insertHead = statement(
  'insert-moved-signed-head',
  `insert into clearing.moved_signed_head (cell, ${headColumns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
   on conflict do nothing`,
)

/** The heads with which a firm came, the first first. A firm that returned also brought heads of this cell. */
export async function readMovedHeads(tx: Tx, firmId: string): Promise<MovedHead[]> {
  return (await tx.rows(selectHeads, [firmId])).map((row) => ({ cell: row.cell, head: parseHead(row) }))
}
/** The last head of each firm from another cell: `own` are the ids of the keys of this cell. */
export async function readNewestMovedHeads(tx: Tx, own: readonly string[]): Promise<SignedHead[]> {
  return (await tx.rows(selectNewestHeads, [own])).map(parseHead)
}
export function insertMovedHead(tx: Tx, { cell, head }: MovedHead): void {
  const { firmId, number, sequence, hash, at, previous, keeps, keyId, signature } = head
  tx.later(insertHead, [cell, firmId, number, sequence, hash, at, previous, keeps, keyId, signature])
}
