/**
 * Finds out whether production or a sandbox has used a database, and renders the statements that disable what a sandbox
 * has added.
 */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

export interface UseOfDatabase {
  /** The first start of a sandbox makes the row of its clock, before all other rows. */
  readonly hasClock: boolean
  /** The first start in each mode makes the clearing firm. */
  readonly hasFirmsOrStaff: boolean
}

const selectUse = statement<UseOfDatabase>(
  'select-use-of-database',
  `select exists (select from clearing.sandbox_clock) as "hasClock",
     exists (select from clearing.firm) or exists (select from clearing.staff) as "hasFirmsOrStaff"`,
)
const selectHasStore = statement<{ hasStore: boolean }>(
  'select-has-document-store',
  'select exists (select from clearing.document_store) as "hasStore"',
)

/**
 * True if production has used the database, or if a command has prepared it for production. Only production notes its
 * document store, and releases before migration 321 noted none. In an operations transaction.
 */
export async function isUsedByProduction(tx: Tx, notesStores = true): Promise<boolean> {
  if (notesStores && (await tx.row(selectHasStore))?.hasStore === true) return true
  const use = await tx.row(selectUse)
  return use?.hasFirmsOrStaff === true && !use.hasClock
}

/** Statements for a person to run as the owner of the database. */
export function renderDisabling({
  secretIds,
  emails,
}: {
  readonly secretIds: readonly string[]
  readonly emails: readonly string[]
}): string {
  const disablings: [values: readonly string[], statement: string][] = [
    [secretIds, 'update clearing.credential_secret set revoked_at = now() where secret_id in'],
    [emails, 'update clearing.staff set disabled_at = now() where email in'],
  ]
  const statements = disablings.flatMap(([values, statement]) =>
    values.length === 0 ? [] : [`${statement} (${values.map(quoteLiteral).join(', ')});`],
  )
  return ['set role clearing_operations;', ...statements].join(' ')
}

function quoteLiteral(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}
