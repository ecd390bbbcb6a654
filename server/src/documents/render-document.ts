/** Renders a document row as a response (Specification, Document record; Reading 5). */
import type { Data } from '@clearing/protocol'
import type { Document } from '../store/documents.ts'

const eastern = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** `MM/DD/YYYY HH:mm:ss` in US Eastern time (Reading 5.4). */
function easternTime(at: Date): string {
  return eastern.format(at).replace(',', '')
}

export function renderDocument(document: Document): Data<'add-document'> {
  return {
    documentId: document.document_id,
    subNumber: document.entity_number,
    repCode: document.rep_code,
    accountNumber: document.account_number,
    displayName: document.display_name,
    createdDate: easternTime(new Date(document.created_at)),
    updatedDate: document.updated_at === null ? '' : easternTime(new Date(document.updated_at)),
    status: document.status,
    catalogued: document.catalogued,
    followUpId: document.follow_up_id ?? '',
  }
}

export function renderDocumentDetail(document: Document): Data<'get-document-details'>['documents'][number] {
  return {
    ...renderDocument(document),
    documentTypeName: document.type_name,
    reference: document.reference,
    comments: document.comments,
    fileName: document.file_name,
    mediaType: document.media_type,
    sizeBytes: Number(document.size_bytes),
    sha256: document.sha256.toString('hex'),
    rejectionCode: document.rejection_code ?? '',
    signedOn: document.signed_on ?? '',
  }
}
