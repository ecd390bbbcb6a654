/** get-document-details: the documents of an account, filtered, sorted and paged (Reading 5.5). */
import { limits, reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { renderDocumentDetail } from '../documents/render-document.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { checkDayRanges } from '../paging/check-day-ranges.ts'
import { cursorOf } from '../paging/cursor.ts'
import { whole } from '../paging/cursor-fields.ts'
import { readPosition } from '../paging/page.ts'
import { readAccountHead } from '../store/accounts.ts'
import { type DocumentSort, findDocuments } from '../store/documents.ts'
import type { Handler } from './context.ts'

/**
 * A page is found by the number of rows to skip: an account has few documents, and their pages have numbers.
 */
const places = cursorOf('get-document-details', [whole(limits.documentsPerAccountMax)])

export const getDocumentDetails: Handler<'get-document-details'> = async (request, { firm, tx }) => {
  const { accountNumber, dateFrom, dateTo } = request
  const wrong = checkDayRanges(request, [['dateFrom', 'dateTo']])
  if (wrong.length > 0) return new Rejected(wrong)
  if (!(await readAccountHead(tx, accountNumber))) return accountNotFound(firm)
  const after = readPosition(places, request)
  if (after instanceof Rejected) return after
  const size = request.size ?? limits.pageSizeDefault
  const { page } = request
  const skipped = after?.[0] ?? ((page ?? 1) - 1) * size
  if (page !== undefined && skipped !== (page - 1) * size) {
    const reason = 'page and after are different positions: send only one of them.'
    return new Rejected([reject('ERR.1014', 'after', reason)])
  }
  const found = await findDocuments(
    tx,
    {
      accountNumber,
      documentId: request.documentId,
      typeName: request.documentTypeName,
      reference: request.reference,
      status: request.status,
      dateFrom,
      dateTo,
    },
    {
      sortBy: (request.sortBy as DocumentSort | undefined) ?? 'createdDate',
      descending: (request.sortMode ?? 'descend') === 'descend',
      size,
      skipped,
    },
  )
  const read = skipped + found.documents.length
  return {
    documents: found.documents.map(renderDocumentDetail),
    page: Math.floor(skipped / size) + 1,
    size,
    total: found.total,
    next: found.documents.length > 0 && read < found.total ? places.write([read]) : '',
  }
}
