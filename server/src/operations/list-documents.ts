/** list-documents: documents of all firms that wait for a review, or that were reviewed. */
import { limits } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { renderDocumentDetail } from '../documents/render-document.ts'
import { readFirmFilter } from '../identity/firm-request.ts'
import { cursorOf } from '../paging/cursor.ts'
import { time, uuid } from '../paging/cursor-fields.ts'
import { pageOfRows, readPosition } from '../paging/page.ts'
import { findReviewedDocuments } from '../store/document-review.ts'
import type { Handler } from './context.ts'

const places = cursorOf('list-documents', [time, uuid])

export const listDocuments: Handler<'list-documents'> = async (request, { tx }) => {
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const firmId = readFirmFilter(request.firmId)
  if (firmId instanceof Rejected) return firmId
  const { status = 'PendingApproval', size = limits.pageSizeDefault } = request
  const found = await findReviewedDocuments(tx, { status, firmId }, after, size + 1)
  const { rows, next } = pageOfRows(found, size, places, (row) => [row.created_at, row.document_id])
  return {
    documents: rows.map((row) => ({
      ...renderDocumentDetail(row),
      firmId: row.firm_id,
      firmName: row.firm_name,
      accountName: row.account_name,
      followUpId: row.follow_up_id ?? '',
      reason: row.reason ?? '',
      decidedBy: row.decided_by ?? '',
    })),
    next,
  }
}
