/** get-document: the content of a document as an attachment. Its hash is verified before the last bytes are sent. */
import { reject } from '@clearing/protocol'
import { FileAnswer, Rejected } from '../answers.ts'
import { readContent } from '../documents/content.ts'
import { nameDownload } from '../documents/file-name.ts'
import { kindOfExtension } from '../documents/inspect/file-kind.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { parseUuid } from '../ids.ts'
import { readAccountHead } from '../store/accounts.ts'
import { readDocument } from '../store/documents.ts'
import type { Handler } from './context.ts'

export const getDocument: Handler<'get-document'> = async (request, context) => {
  const { accountNumber } = request
  const documentId = parseUuid(request.documentId)
  const { tx, parts } = context
  if (!(await readAccountHead(tx, accountNumber))) return accountNotFound(context.firm)
  const document = documentId === undefined ? undefined : await readDocument(tx, accountNumber, documentId)
  if (documentId === undefined || document === undefined) {
    return new Rejected([reject('ERR.2013', 'documentId', 'The account has no document with this id.')])
  }
  await parts.accessRecords.add({
    firmId: document.firm_id,
    accountNumber,
    at: context.now,
    clientId: context.caller.clientId,
    operation: 'get-document',
    traceId: context.traceId,
    reason: context.caller.readingReason ?? '',
  })
  const bytes = Number(document.size_bytes)
  const place = { firm: document.firm_id, documentId }
  const content = await readContent(parts.blobs, parts.keyring, place, { bytes, sha256: document.sha256 })
  const kind = kindOfExtension(document.file_name.slice(document.file_name.lastIndexOf('.') + 1)) ?? 'pdf'
  return new FileAnswer(nameDownload(document.display_name, kind), document.media_type, bytes, content)
}
