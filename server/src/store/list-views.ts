/** Saved views of lists. */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

export interface ListView {
  readonly viewId: string
  readonly screen: string
  readonly name: string
  readonly shared: boolean
  readonly search: string
  readonly ownedBy: string
  readonly savedOn: string
}

const view = 'view_id as "viewId", screen, name, shared, search, owner as "ownedBy", saved_at as "savedOn"'

const selectViews = statement<ListView>(
  'select-list-views',
  `select ${view} from clearing.list_view
   where (owner = $1 or shared) and ($2::text is null or screen = $2) order by name, owner limit 1000`,
)
const upsertView = statement<ListView>(
  'upsert-list-view',
  `insert into clearing.list_view (view_id, owner, screen, name, shared, search, saved_at) values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (owner, screen, name) do update set shared = excluded.shared, search = excluded.search, saved_at = excluded.saved_at
   returning ${view}`,
)
const countViews = statement<{ count: number }>(
  'count-list-views',
  'select count(*)::int as count from clearing.list_view where owner = $1 and (screen, name) <> ($2, $3)',
)
const deleteView = statement<ListView>(
  'delete-list-view',
  `delete from clearing.list_view where view_id = $1 and owner = $2 returning ${view}`,
)

/** The advisory lock of the views that a person adds. */
const additionsLock = 7_018
const lockAdditions = statement(
  'hold-additions-of-views',
  'select pg_catalog.pg_advisory_xact_lock($1::integer, pg_catalog.hashtext($2))',
)

/** Saves one view of a person at a time, so that concurrent calls cannot exceed the limit. */
export function holdNewViews(tx: Tx, owner: string): void {
  tx.later(lockAdditions, [additionsLock, owner])
}

/** The owner's views and the shared ones, of one screen or of all. */
export function readViews(tx: Tx, owner: string, screen: string | undefined): Promise<ListView[]> {
  return tx.rows(selectViews, [owner, screen ?? null])
}

/** Replaces the owner's view of the same screen and name. */
export async function writeView(
  tx: Tx,
  { viewId, ownedBy, screen, name, shared, search, savedOn }: ListView,
): Promise<ListView> {
  const written = await tx.row(upsertView, [viewId, ownedBy, screen, name, shared, search, savedOn])
  if (written === undefined) throw new Error('the saved view has no row')
  return written
}

/** The number of the owner's other views. */
export async function countOtherViews(
  tx: Tx,
  { ownedBy, screen, name }: Pick<ListView, 'ownedBy' | 'screen' | 'name'>,
): Promise<number> {
  return (await tx.row(countViews, [ownedBy, screen, name]))?.count ?? 0
}

/** Undefined if the owner has no such view. */
export function removeView(tx: Tx, viewId: string, owner: string): Promise<ListView | undefined> {
  return tx.row(deleteView, [viewId, owner])
}
