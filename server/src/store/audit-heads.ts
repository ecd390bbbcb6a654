/**
 * Signed heads of the audit chains, of which the database has copies, and the results of the nightly
 * verifications.
 */
import type { SignedHead } from '@clearing/protocol/audit'
import { statement, unprepared } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { Conditions } from './conditions.ts'

export interface HeadRow {
  readonly firm_id: string
  readonly number: bigint
  readonly sequence: bigint
  readonly hash: string
  readonly at: string
  readonly previous: string
  readonly keeps: bigint | null
  readonly key_id: string
  readonly signature: string
}

export function parseHead(row: HeadRow): SignedHead {
  return {
    firmId: row.firm_id,
    number: Number(row.number),
    sequence: Number(row.sequence),
    hash: row.hash,
    at: row.at,
    previous: row.previous,
    keeps: row.keeps === null ? null : Number(row.keeps),
    keyId: row.key_id,
    signature: row.signature,
  }
}

export const headColumns = 'firm_id, number, sequence, hash, at, previous, keeps, key_id, signature'

// Visits each firm by the index, so that the number of heads per firm does not matter.
const selectNewest = statement<HeadRow>(
  'select-newest-signed-heads',
  `with recursive signed as (
     (select firm_id as firm from clearing.audit_signed_head order by firm_id limit 1)
     union all
     select (select firm_id from clearing.audit_signed_head where firm_id > firm order by firm_id limit 1)
     from signed where firm is not null
   )
   select ${headColumns} from signed cross join lateral (
     select * from clearing.audit_signed_head where firm_id = firm order by number desc limit 1) as newest`,
)
const selectOfFirm = statement<HeadRow>(
  'select-signed-heads-of-firm',
  `select ${headColumns} from clearing.audit_signed_head where firm_id = $1 order by number`,
)
const selectOfCheckpoint = statement<{ firm_id: string; sequence: bigint }>(
  'select-signed-heads-of-checkpoint',
  'select firm_id, sequence from clearing.audit_signed_head where number = $1 order by firm_id',
)
const selectNewestNumber = statement<{ number: bigint }>(
  'select-newest-checkpoint',
  'select coalesce(max(number), 0) as number from clearing.audit_signed_head',
)
const selectAge = statement<{ seconds: number }>(
  'select-age-of-newest-checkpoint',
  `select extract(epoch from clock_timestamp() - copied_at)::float8 as seconds from clearing.audit_signed_head
   order by number desc limit 1`,
)
const insertHeads = statement(
  'insert-signed-heads',
  `insert into clearing.audit_signed_head (${headColumns})
   select * from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[], $9::text[])`,
)
const selectUnsignedRestore = statement<{ found: boolean }>(
  'select-unsigned-restore-of-snapshot',
  `select exists (
     select from clearing.audit a where action in ('restore-snapshot', 'reset') and sequence > coalesce(
       (select max(sequence) from clearing.audit_signed_head h where h.firm_id = a.firm_id), 0)) as found`,
)
/** An arbitrary number that no other advisory lock has. */
const lockSigning = statement('lock-signing-of-heads', 'select pg_advisory_xact_lock(95, 1)')

/** The newest head of each firm that has heads. */
export async function readNewestHeads(tx: Tx): Promise<SignedHead[]> {
  return (await tx.rows(selectNewest)).map(parseHead)
}

/** All heads of a firm in the order of their numbers. */
export async function readHeadsOfFirm(tx: Tx, firmId: string): Promise<SignedHead[]> {
  return (await tx.rows(selectOfFirm, [firmId])).map(parseHead)
}

/** The firms that have a head with this number, and the position of that head. */
export async function readFirmsOfCheckpoint(
  tx: Tx,
  number: number,
): Promise<{ firmId: string; sequence: number }[]> {
  return (await tx.rows(selectOfCheckpoint, [number])).map(({ firm_id, sequence }) => ({
    firmId: firm_id,
    sequence: Number(sequence),
  }))
}

/** The number of the newest checkpoint with copies here, or 0 without any. */
export async function readNewestNumber(tx: Tx): Promise<number> {
  return Number((await tx.row(selectNewestNumber))?.number ?? 0)
}

/** The time since the newest checkpoint was copied; undefined when there is none. */
export async function readAgeMs(tx: Tx): Promise<number | undefined> {
  const found = await tx.row(selectAge)
  return found && found.seconds * 1_000
}

/** True if a snapshot of the sandbox was restored after the newest head of its firm was copied. */
export async function hasUnsignedRestore(tx: Tx): Promise<boolean> {
  return (await tx.row(selectUnsignedRestore))?.found === true
}

/** Prevents other processes from signing heads until the transaction ends. */
export async function lockSigningOfHeads(tx: Tx): Promise<void> {
  await tx.run(lockSigning)
}

export function insertSignedHeads(tx: Tx, heads: readonly SignedHead[]): void {
  tx.later(insertHeads, [
    heads.map(({ firmId }) => firmId),
    heads.map(({ number }) => number),
    heads.map(({ sequence }) => sequence),
    heads.map(({ hash }) => hash),
    heads.map(({ at }) => at),
    heads.map(({ previous }) => previous),
    heads.map(({ keeps }) => keeps),
    heads.map(({ keyId }) => keyId),
    heads.map(({ signature }) => signature),
  ])
}

/** A page of heads, the newest first. */
export async function findHeads(
  tx: Tx,
  firmId: string | undefined,
  after: readonly [number: number, firmId: string] | undefined,
  most: number,
): Promise<SignedHead[]> {
  const c = new Conditions().when(firmId, (at) => `firm_id = ${at}::uuid`)
  if (after !== undefined) {
    const [number, firm] = [c.bind(after[0]), c.bind(after[1])]
    c.and(`(number, firm_id) < (${number}::bigint, ${firm}::uuid)`)
  }
  const found = unprepared<HeadRow>(
    `select ${headColumns} from clearing.audit_signed_head${c.where()} order by number desc, firm_id desc limit ${most}`,
  )
  return (await tx.rows(found, c.values)).map(parseHead)
}

export interface AuditProof {
  readonly at: string
  readonly verified: boolean
  readonly firms: number
  readonly rows: bigint
  readonly reason: string
}

const insertProof = statement(
  'insert-audit-proof',
  'insert into clearing.audit_proof (at, verified, firms, rows, reason) values ($1, $2, $3, $4, $5)',
)
const selectProof = statement<AuditProof>(
  'select-last-audit-proof',
  'select at, verified, firms, rows, reason from clearing.audit_proof order by proof_id desc limit 1',
)

export function insertAuditProof(
  tx: Tx,
  at: Date,
  proof: {
    readonly verified: boolean
    readonly firms: number
    readonly rows: number
    readonly reason: string
  },
): void {
  tx.later(insertProof, [at, proof.verified, proof.firms, proof.rows, proof.reason])
}

/** The result of the last verification. */
export function readLastProof(tx: Tx): Promise<AuditProof | undefined> {
  return tx.row(selectProof)
}
