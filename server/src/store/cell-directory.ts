/**
 * The directory of cells: a small database of its own that all cells share. It holds the cells with their
 * account numbers, the names that only one cell may have, and the public keys that sign tokens. No call of a
 * firm waits for the directory.
 */
import type { AccountNumbers } from '../config/account-numbers.ts'
import type { Pool } from '../database/pool.ts'
import { statement } from '../database/statement.ts'
import { inTransaction, readInFirm, type Tx } from '../database/transaction.ts'
import type { PublicJwk } from './signing-keys.ts'

/** The statements can be repeated, so that each cell can update the directory at its start. */
const schema = `
  select pg_advisory_xact_lock(20261123);
  create schema if not exists directory;
  create table if not exists directory.cell (
    name text primary key check (name ~ '^[a-z][a-z0-9-]{0,19}$'),
    first_number integer not null,
    last_number integer not null,
    constraint ranges_do_not_meet exclude using gist (int4range(first_number, last_number, '[]') with &&)
  );
  create table if not exists directory.claim (
    kind text not null,
    name text not null,
    cell text not null,
    primary key (kind, name)
  );
  create table if not exists directory.signing_key (
    kid text primary key,
    cell text not null references directory.cell,
    public_jwk jsonb not null,
    active_from timestamptz not null,
    retired_at timestamptz
  );
  create table if not exists directory.move (
    firm_id uuid primary key,
    from_cell text not null,
    to_cell text not null,
    state text not null,
    changed_at timestamptz not null default clock_timestamp()
  );
  create table if not exists directory.moved_account (
    account_number text primary key,
    firm_id uuid not null,
    cell text not null
  );`

/** The exclusion constraint on the ranges of account numbers. */
export const rangesDoNotMeet = 'ranges_do_not_meet'

/** The owner of client ids of the clearing firm, which may exist in every cell. No cell has this name. */
export const everyCell = '*'

/** A name that is unique over all cells. Client ids are compared with their case. */
export interface Claim {
  readonly kind: 'firm' | 'entityNumber' | 'repCode' | 'clientId'
  readonly name: string
}

export interface ClaimOfCell extends Claim {
  readonly cell: string
}

export interface Cell {
  readonly name: string
  readonly accountNumbers: AccountNumbers
}

/** A public key of another cell. */
export interface KeyOfCell {
  readonly kid: string
  readonly cell: string
  readonly publicJwk: PublicJwk
  readonly activeFrom: string
  readonly retiredAt: string | null
}

const putCellRow = statement(
  'put-cell',
  `insert into directory.cell (name, first_number, last_number) values ($1, $2, $3)
   on conflict (name) do update set first_number = excluded.first_number, last_number = excluded.last_number`,
)
const selectCells = statement<{ name: string; first: number; last: number }>(
  'select-cells',
  'select name, first_number as first, last_number as last from directory.cell order by first_number',
)
const selectTable = statement<{ exists: boolean }>(
  'select-cell-table',
  "select to_regclass('directory.cell') is not null as exists",
)
const insertClaims = statement(
  'insert-claims',
  `insert into directory.claim (kind, name, cell)
   select kind, name, $3 from unnest($1::text[], $2::text[]) as wanted (kind, name) order by kind, name on conflict do nothing`,
)
const selectClaims = statement<ClaimOfCell>(
  'select-claims',
  `select kind, claim.name, cell from directory.claim join unnest($1::text[], $2::text[]) as wanted (kind, name) using (kind, name)
   where cell <> $3 order by kind, name`,
)
const deleteKeys = statement(
  'delete-keys-of-cell',
  'delete from directory.signing_key where cell = $1 and kid <> all ($2::text[])',
)
const putKey = statement(
  'put-key-of-cell',
  `insert into directory.signing_key (kid, cell, public_jwk, active_from, retired_at) values ($1, $2, $3, $4, $5)
   on conflict (kid) do update set retired_at = excluded.retired_at
   where signing_key.cell = excluded.cell and signing_key.retired_at is distinct from excluded.retired_at`,
)
const selectKeys = statement<KeyOfCell>(
  'select-keys-of-others',
  `select kid, cell, public_jwk as "publicJwk", active_from as "activeFrom", retired_at as "retiredAt"
   from directory.signing_key where cell <> $1`,
)

export async function prepareDirectory(directory: Pool): Promise<void> {
  const client = await directory.acquire()
  try {
    // The statements travel in one message, so they are one transaction.
    await client.query(schema)
    client.release()
  } catch (fault) {
    client.release(true)
    throw fault
  }
}

/** Enters a cell, or changes its range. Fails on `rangesDoNotMeet`. */
export function putCell(tx: Tx, { name, accountNumbers }: Cell): Promise<number> {
  return tx.run(putCellRow, [name, accountNumbers.first, accountNumbers.last])
}

/** The cells in the order of their account numbers. */
export async function readCells(directory: Pool): Promise<Cell[]> {
  const rows = await inTransaction(directory, { firm: null, readOnly: true }, (tx) => tx.rows(selectCells))
  return rows.map(({ name, first, last }) => ({ name, accountNumbers: { first, last } }))
}

/** Like `readCells`; none if no cell has entered the directory yet. */
export async function readCellsIfAny(directory: Pool): Promise<Cell[]> {
  const [found] = await readInFirm(directory, null, selectTable)
  return found?.exists ? readCells(directory) : []
}

/** Gives the cell the free names, and returns the names that another cell has. */
export async function claimNames(tx: Tx, cell: string, claims: readonly Claim[]): Promise<ClaimOfCell[]> {
  const [kinds, names] = columnsOf(claims)
  await tx.run(insertClaims, [kinds, names, cell])
  // A separate statement, so that it sees the rows that another cell committed while the insertion waited.
  return tx.rows(selectClaims, [kinds, names, cell])
}

/** The names that a cell other than `cell` has. */
export function findClaims(directory: Pool, claims: readonly Claim[], cell: string): Promise<ClaimOfCell[]> {
  return inTransaction(directory, { firm: null, readOnly: true }, (tx) =>
    tx.rows(selectClaims, [...columnsOf(claims), cell]),
  )
}

function columnsOf(claims: readonly Claim[]): [kinds: string[], names: string[]] {
  const folded = claims.map(({ kind, name }) => (kind === 'clientId' ? name.toLowerCase() : name))
  return [claims.map(({ kind }) => kind), folded]
}

/** Replaces the cell's keys in the directory and returns the keys of the other cells. */
export async function exchangeKeys(
  directory: Pool,
  cell: string,
  own: readonly Omit<KeyOfCell, 'cell'>[],
): Promise<KeyOfCell[]> {
  return inTransaction(directory, { firm: null }, async (tx) => {
    await tx.run(deleteKeys, [cell, own.map(({ kid }) => kid)])
    for (const { kid, publicJwk, activeFrom, retiredAt } of own)
      await tx.run(putKey, [kid, cell, { ...publicJwk }, activeFrom, retiredAt])
    return tx.rows(selectKeys, [cell])
  })
}

const selectClientCells = statement<{ clientId: string; cell: string }>(
  'select-client-cells',
  `select 'client-' || first_number || '-' as "clientId", name as cell from directory.cell
   union all
   select claim.name, claim.cell from directory.claim where kind = 'clientId' and cell <> '${everyCell}' and not exists (
     select from directory.cell
     where cell.name = claim.cell and starts_with(claim.name, 'client-' || first_number || '-'))
   order by 1`,
)

/**
 * The cell of each client id, for the router: the prefix of the ids that a cell creates, and each id without
 * such a prefix.
 */
export function readClientCells(directory: Pool): Promise<{ clientId: string; cell: string }[]> {
  return readInFirm(directory, null, selectClientCells)
}
