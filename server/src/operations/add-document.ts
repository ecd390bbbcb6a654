/**
 * add-document: checks a request with an inspected file, then inserts the row of its stored content. The document may
 * answer a follow-up.
 */
import { parseDocumentVerdict } from '@clearing/domain'
import { codeRow, limits, type Rejection, type Request, reject, successMessage } from '@clearing/protocol'
import { Answered, FileAccepted, Rejected } from '../answers.ts'
import type { StoredUpload } from '../documents/content.ts'
import { cleanDisplayName } from '../documents/file-name.ts'
import { renderDocument } from '../documents/render-document.ts'
import { accountNotFound } from '../firm-rules/account-not-found.ts'
import { answerDocumentFollowUp } from '../onboarding/document-follow-ups.ts'
import { reviewDueBy } from '../onboarding/expected-by.ts'
import { readAccountHead } from '../store/accounts.ts'
import { writeAudit } from '../store/audit.ts'
import { holdAdditions, measureAccountDocuments, readDocument, writeDocument } from '../store/documents.ts'
import { writeEvent } from '../store/events.ts'
import { queue } from '../store/jobs.ts'
import type { Context, Handler, ReceivedFile } from './context.ts'

export const addDocument: Handler<'add-document'> = async (request, context) => {
  if (context.body.kind !== 'file') throw new Error('add-document was called without a file')
  const { file, judgement, stored } = context.body
  const account = await readAccountHead(context.tx, request.accountNumber)
  if (!account) return accountNotFound(context.firm)
  const row = codeRow('documentReference', request.reference)
  const rejections = [
    ...checkCatalogue(request, context, row),
    ...(await checkQuota(context, request.accountNumber, file)),
    ...(await judgement),
  ]
  if (rejections.length > 0) return new Rejected(rejections)
  return stored === undefined ? new FileAccepted() : keepDocument(request, context, file, stored, row)
}

/** The row of the catalogue: a reference is in one row only, whatever the type of the request (Reading 5.1). */
type CatalogueRow = ReturnType<typeof codeRow<'documentReference'>>

/** A firm whose catalogue is closed also wants each document under the type of its row. */
function checkCatalogue(
  { documentTypeName }: Request<'add-document'>,
  { firm }: Context,
  row: CatalogueRow,
): Rejection[] {
  const known = codeRow('documentTypeName', documentTypeName)
  if (!firm.settings.documentCatalogueClosed || (row && row.documentTypeName === known?.value)) return []
  const field = known ? 'reference' : 'documentTypeName'
  const hint = row ? ` ${row.value} is of the type ${row.documentTypeName}.` : ''
  return [
    reject('ERR.1015', field, `Type and reference are not in the catalogue (get-document-types).${hint}`),
  ]
}

async function checkQuota({ tx }: Context, accountNumber: string, file: ReceivedFile): Promise<Rejection[]> {
  const { documents, bytes } = await measureAccountDocuments(tx, accountNumber)
  if (documents >= limits.documentsPerAccountMax) {
    return [reject('ERR.1022', 'file', `The account has ${documents} documents, which is the limit.`)]
  }
  if (bytes + file.upload.bytes > limits.documentsPerAccountSizeBytesMax) {
    return [
      reject('ERR.1022', 'file', 'The documents of the account would exceed the limit of their total size.'),
    ]
  }
  return []
}

async function keepDocument(
  request: Request<'add-document'>,
  context: Context,
  file: ReceivedFile,
  { documentId, sha256, bytes }: StoredUpload,
  row: CatalogueRow,
) {
  const { tx, firm, now, traceId, parts } = context
  const { accountNumber } = request
  holdAdditions(tx, accountNumber)
  // Other documents may have been added meanwhile. Housekeeping removes the content of a rejected one.
  const beyond = await checkQuota(context, accountNumber, file)
  if (beyond.length > 0) return new Rejected(beyond)
  const reference = row?.value ?? request.reference
  const followUpId = row ? await answerDocumentFollowUp(context, accountNumber, reference, documentId) : null
  const fileName = cleanDisplayName(file.fileName, limits.fileNameLengthMax)
  writeDocument(tx, {
    accountNumber,
    documentId,
    firmId: firm.firmId,
    typeName: codeRow('documentTypeName', request.documentTypeName)?.value ?? request.documentTypeName,
    reference,
    catalogued: row !== undefined,
    displayName: request.displayName || fileName,
    comments: request.comments ?? '',
    fileName,
    mediaType: mediaTypeOf(fileName),
    sizeBytes: bytes,
    sha256,
    followUpId,
    at: now,
  })
  const content = {
    documentId,
    documentTypeName: request.documentTypeName,
    reference,
    followUpId: followUpId ?? '',
  }
  writeEvent(tx, {
    firmId: firm.firmId,
    accountNumber,
    type: 'document.received',
    at: now,
    traceId,
    content: { ...content, expectedBy: reviewDueBy(now).toISOString() },
  })
  writeAudit(context, {
    action: 'add-document',
    accountNumber,
    target: documentId,
    changes: { ...content, sizeBytes: bytes, sha256: sha256.toString('hex') },
  })
  const verdict = parseDocumentVerdict(request.displayName ?? '', parts.sandbox)
  if (verdict) {
    const payload = { firmId: firm.firmId, accountNumber, documentId, ...verdict, traceId }
    queue(tx, { task: 'review-document', payload, key: `review:${documentId}`, due: null })
  }
  const document = await readDocument(tx, accountNumber, documentId)
  if (!document) throw new Error('the document was inserted but not found')
  return row ? renderDocument(document) : new Answered(renderDocument(document), { message: notCatalogued })
}

const notCatalogued = `${successMessage} The reference is not in the catalogue (get-document-types): the document answers no follow-up.`

/** The inspection found that name and content agree, so the extension gives the type. */
function mediaTypeOf(fileName: string): string {
  return (
    codeRow('documentFileExtension', fileName.slice(fileName.lastIndexOf('.')))?.mediaType ??
    'application/octet-stream'
  )
}
