/** The id of the document store of this database. */
import type { Pool } from '../database/pool.ts'
import { statement } from '../database/statement.ts'
import { inTransaction, readInFirm } from '../database/transaction.ts'

const selectStore = statement<{ id: string }>(
  'select-document-store',
  'select store_id as id from clearing.document_store',
)
const insertStore = statement(
  'insert-document-store',
  'insert into clearing.document_store (store_id) values ($1) on conflict do nothing',
)

/** Undefined before the first start with a document store. */
export async function readStoreId(operations: Pool): Promise<string | undefined> {
  return (await readInFirm(operations, null, selectStore))[0]?.id
}

/** Notes the id, unless another process has noted one before. */
export function noteStoreId(operations: Pool, id: string): Promise<number> {
  return inTransaction(operations, { firm: null }, (tx) => tx.run(insertStore, [id]))
}
