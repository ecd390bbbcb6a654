/** get-document-details: the documents of an account, filtered, sorted and paged (Reading 5.5). */
import { limits, reject } from '@clearing/protocol'
import { type Handler, Rejected } from '../context.ts'
import { renderDocumentDetail } from '../documents/render-document.ts'
import { readAccountHead } from '../store/accounts.ts'
import { type DocumentSort, findDocuments } from '../store/documents.ts'
import { accountNotFound } from './account-not-found.ts'

export const getDocumentDetails: Handler<'get-document-details'> = async (request, { tx }) => {
  const { accountNumber, dateFrom, dateTo } = request
  if (dateFrom && dateTo && dateFrom > dateTo) {
    return new Rejected([reject('ERR.1025', 'dateFrom', 'dateFrom must not be after dateTo.')])
  }
  if (!(await readAccountHead(tx, accountNumber))) return accountNotFound()
  const page = request.page ?? 1
  const size = request.size ?? limits.pageSizeDefault
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
      page,
    },
  )
  return { documents: found.documents.map(renderDocumentDetail), page, size, total: found.total }
}
