/** Documents of all firms for reviewers: undecided ones oldest first, decided ones newest first. */
import { unprepared } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { Conditions } from './conditions.ts'
import type { Document } from './documents.ts'

export interface ReviewedDocument extends Document {
  readonly firm_name: string
  readonly account_name: string
  readonly reason: string | null
  readonly decided_by: string | null
}

const waiting = 'PendingApproval'

export function findReviewedDocuments(
  tx: Tx,
  filter: { status: string; firmId: string | undefined },
  after: readonly [createdAt: string, documentId: string] | undefined,
  most: number,
): Promise<ReviewedDocument[]> {
  // The condition is written out, so that the index of undecided documents is used.
  const c = new Conditions()
  if (filter.status === waiting) c.and(`document.status = '${waiting}'`)
  else c.when(filter.status, (at) => `document.status = ${at}`)
  c.when(filter.firmId, (at) => `document.firm_id = ${at}::uuid`)
  const [order, follows] = filter.status === waiting ? ['asc', '>'] : ['desc', '<']
  if (after !== undefined)
    c.and(
      `(document.created_at, document_id) ${follows} (${c.bind(after[0])}::timestamptz, ${c.bind(after[1])}::uuid)`,
    )
  return tx.rows(
    unprepared<ReviewedDocument>(
      `select document.*, account.entity_number, account.rep_code, account.account_name, firm.name as firm_name
       from clearing.document join clearing.account using (account_number) join clearing.firm on firm.firm_id = document.firm_id
       ${c.where()} order by document.created_at ${order}, document_id ${order} limit ${most}`,
    ),
    c.values,
  )
}
