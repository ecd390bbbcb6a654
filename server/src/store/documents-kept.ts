/** Documents that the database names, for a comparison with the stored contents. */
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

const selectNamed = statement<{ document_id: string }>(
  'select-named-documents',
  `select document_id from clearing.document where document_id = any ($1::uuid[])
   union select document_id from clearing.snapshot_document where document_id = any ($1::uuid[])`,
)
const selectSizes = statement<{ document_id: string; size_bytes: bigint }>(
  'select-swept-documents',
  `select document_id, size_bytes from clearing.document
   where $1::uuid is null or document_id > $1 order by document_id limit $2`,
)

/** The ids of documents and snapshots. */
export async function readNamedDocuments(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await tx.rows(selectNamed, [ids])).map((row) => row.document_id))
}

/** The next documents after `afterId`, by id. */
export function listDocumentSizes(tx: Tx, afterId: string | undefined, limit: number) {
  return tx.rows(selectSizes, [afterId ?? null, limit])
}
