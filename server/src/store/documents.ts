/** Rows of documents. Their contents are in the blob store under the document's id. */
import { statement, unprepared, type Value } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { dayOf } from './conditions.ts'

export interface Document {
  readonly account_number: string
  readonly document_id: string
  readonly firm_id: string
  readonly entity_number: string
  readonly rep_code: string
  readonly type_name: string
  readonly reference: string
  readonly catalogued: boolean
  readonly display_name: string
  readonly comments: string
  readonly file_name: string
  readonly media_type: string
  readonly size_bytes: string
  readonly sha256: Buffer
  readonly status: 'PendingApproval' | 'Approved' | 'Rejected'
  readonly rejection_code: string | null
  readonly follow_up_id: string | null
  readonly decided_by: string | null
  /** Of a tax form, if the reviewer stated it. */
  readonly signed_on: string | null
  readonly created_at: string
  readonly updated_at: string | null
}

const columns = `document.account_number, document_id, document.firm_id, account.entity_number, account.rep_code, type_name, reference,
  catalogued, display_name, comments, file_name, media_type, size_bytes, sha256, document.status, rejection_code, follow_up_id,
  decided_by, signed_on, document.created_at, document.updated_at`
const joined = 'clearing.document join clearing.account using (account_number)'

const insertDocument = statement(
  'insert-document',
  `insert into clearing.document
     (account_number, document_id, firm_id, type_name, reference, catalogued, display_name, comments, file_name, media_type,
      size_bytes, sha256, status, follow_up_id, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'PendingApproval', $13, $14)`,
)

export interface NewDocument {
  readonly accountNumber: string
  readonly documentId: string
  readonly firmId: string
  readonly typeName: string
  readonly reference: string
  readonly catalogued: boolean
  readonly displayName: string
  readonly comments: string
  readonly fileName: string
  readonly mediaType: string
  readonly sizeBytes: number
  readonly sha256: Buffer
  readonly followUpId: string | null
  readonly at: Date
}

export function writeDocument(tx: Tx, document: NewDocument): void {
  tx.later(insertDocument, [
    document.accountNumber,
    document.documentId,
    document.firmId,
    document.typeName,
    document.reference,
    document.catalogued,
    document.displayName,
    document.comments,
    document.fileName,
    document.mediaType,
    document.sizeBytes,
    document.sha256,
    document.followUpId,
    document.at,
  ])
}

const selectDocument = statement<Document>(
  'select-document',
  `select ${columns} from ${joined} where document.account_number = $1 and document_id = $2`,
)
const lockDocument = statement<Document>(
  'lock-document',
  `select ${columns} from ${joined} where document.account_number = $1 and document_id = $2 for update of document`,
)

export function readDocument(
  tx: Tx,
  accountNumber: string,
  documentId: string,
): Promise<Document | undefined> {
  return tx.row(selectDocument, [accountNumber, documentId])
}

export function lockDocumentRow(
  tx: Tx,
  accountNumber: string,
  documentId: string,
): Promise<Document | undefined> {
  return tx.row(lockDocument, [accountNumber, documentId])
}

/** The advisory lock of the documents of an account. */
const additionsLock = 7_014
const lockAdditions = statement(
  'hold-additions-of-documents',
  'select pg_catalog.pg_advisory_xact_lock($1::integer, pg_catalog.hashtext($2))',
)

/**
 * Adds one document of an account at a time, so that concurrent additions cannot exceed its quota. Take this lock after
 * the content was stored, because storing may take long.
 */
export function holdAdditions(tx: Tx, accountNumber: string): void {
  tx.later(lockAdditions, [additionsLock, accountNumber])
}

const measureDocuments = statement<{ documents: string; bytes: string }>(
  'measure-documents',
  'select count(*) as documents, coalesce(sum(size_bytes), 0) as bytes from clearing.document where account_number = $1',
)

/** The number of an account's documents and their total size, for its quota. */
export async function measureAccountDocuments(
  tx: Tx,
  accountNumber: string,
): Promise<{ documents: number; bytes: number }> {
  const row = await tx.row(measureDocuments, [accountNumber])
  return { documents: Number(row?.documents ?? 0), bytes: Number(row?.bytes ?? 0) }
}

const updateDecision = statement(
  'update-document-decision',
  `update clearing.document set status = $3, rejection_code = $4, reason = $5, decided_by = $6, updated_at = $7, signed_on = $8
   where account_number = $1 and document_id = $2`,
)

export function writeDocumentDecision(
  tx: Tx,
  document: Document,
  decision: {
    status: 'Approved' | 'Rejected'
    rejectionCode: string | null
    reason: string
    signedOn: string | null
    by: string
    at: Date
  },
): void {
  tx.later(updateDecision, [
    document.account_number,
    document.document_id,
    decision.status,
    decision.rejectionCode,
    decision.reason,
    decision.by,
    decision.at,
    decision.signedOn,
  ])
}

const updateFollowUp = statement(
  'link-document',
  'update clearing.document set follow_up_id = $3 where account_number = $1 and document_id = $2',
)

/** Links the document to a follow-up. A decision on the document then settles the follow-up. */
export function linkDocument(
  tx: Tx,
  document: Pick<Document, 'account_number' | 'document_id'>,
  followUpId: string,
): void {
  tx.later(updateFollowUp, [document.account_number, document.document_id, followUpId])
}

const unlinked = "follow_up_id is null and catalogued and document.status in ('PendingApproval', 'Approved')"

const selectUnlinked = statement<{ document_id: string }>(
  'select-unlinked-document',
  `select document_id from clearing.document where account_number = $1 and ${unlinked} limit 1`,
)

/** Whether the account has a document that answers no follow-up yet. */
export async function hasUnlinkedDocument(tx: Tx, accountNumber: string): Promise<boolean> {
  return (await tx.row(selectUnlinked, [accountNumber])) !== undefined
}

const lockUnlinked = statement<Document>(
  'lock-unlinked-documents',
  `select ${columns} from ${joined}
   where document.account_number = $1 and reference = any ($2) and ${unlinked}
   order by document.created_at, document_id for update of document skip locked`,
)

/**
 * Documents of these references that answer no follow-up yet, the earliest first, without those that are being decided
 * on: their decision links them.
 */
export function lockUnlinkedDocuments(
  tx: Tx,
  accountNumber: string,
  references: readonly string[],
): Promise<Document[]> {
  return tx.rows(lockUnlinked, [accountNumber, references])
}

const selectApproved = statement<{ reference: string }>(
  'select-approved-references',
  `select distinct reference from clearing.document where account_number = $1 and status = 'Approved' and catalogued`,
)

/** The references of the catalogue under which the account has an approved document. */
export async function readApprovedReferences(tx: Tx, accountNumber: string): Promise<Set<string>> {
  const rows = await tx.rows(selectApproved, [accountNumber])
  return new Set(rows.map(({ reference }) => reference))
}

const selectApproval = statement<{ reference: string; by: string }>(
  'select-approval-of-follow-up',
  `select reference, decided_by as by from clearing.document
   where account_number = $1 and status = 'Approved' and catalogued and decided_by is not null
     and (follow_up_id = $2 or reference = any ($3) and updated_at >= (
       select placed_at from clearing.restriction where account_number = $1 and restriction_id = $4))
   order by follow_up_id = $2 desc nulls last, updated_at desc limit 1`,
)

/**
 * The newest approved document that answers a late follow-up: one linked to it, otherwise one of these references that
 * was approved after the restriction was placed.
 */
export function readApprovalFor(
  tx: Tx,
  accountNumber: string,
  { followUpId, restrictionId }: { readonly followUpId: string; readonly restrictionId: string | null },
  references: readonly string[],
): Promise<{ reference: string; by: string } | undefined> {
  return tx.row(selectApproval, [accountNumber, followUpId, references, restrictionId])
}

const selectLastApproval = statement<{ at: string | null }>(
  'select-last-approval-of-follow-ups',
  `select max(updated_at) as at from clearing.document
   where account_number = $1 and status = 'Approved' and follow_up_id = any ($2)`,
)

/** When the last document that answers one of the follow-ups was approved, ISO 8601 UTC; null if there is none. */
export async function readLastApproval(
  tx: Tx,
  accountNumber: string,
  followUpIds: readonly string[],
): Promise<string | null> {
  return (await tx.row(selectLastApproval, [accountNumber, followUpIds]))?.at ?? null
}

export interface DocumentFilter {
  readonly accountNumber: string
  readonly documentId?: string | undefined
  readonly typeName?: string | undefined
  readonly reference?: string | undefined
  readonly status?: string | undefined
  /** Calendar days in US Eastern time, both included. */
  readonly dateFrom?: string | undefined
  readonly dateTo?: string | undefined
}

const sortColumns = {
  createdDate: 'document.created_at',
  updatedDate: 'document.updated_at',
  documentTypeName: 'lower(type_name)',
  reference: 'lower(reference)',
  displayName: 'lower(display_name)',
  status: 'document.status',
  // All documents of an account have the same number, so the time decides their order.
  accountNumber: 'document.created_at',
  subNumber: 'document.created_at',
  repCode: 'document.created_at',
} as const

export type DocumentSort = keyof typeof sortColumns

function conditionsOf(filter: DocumentFilter): { where: string; values: Value[] } {
  const conditions = ['document.account_number = $1']
  const values: Value[] = [filter.accountNumber]
  const add = (condition: (place: string) => string, value: string | undefined) => {
    if (value === undefined || value === '') return
    values.push(value)
    conditions.push(condition(`$${values.length}`))
  }
  // Compared as text, so that a value that is no id finds nothing.
  add((place) => `document.document_id::text = lower(${place})`, filter.documentId)
  add((place) => `lower(type_name) = lower(${place})`, filter.typeName)
  add((place) => `lower(reference) = lower(${place})`, filter.reference)
  add((place) => `document.status = ${place}`, filter.status)
  add((place) => `${dayOf('document.created_at')} >= ${place}::date`, filter.dateFrom)
  add((place) => `${dayOf('document.created_at')} <= ${place}::date`, filter.dateTo)
  return { where: conditions.join(' and '), values }
}

/** A page of the account's documents, and the number of all matches. */
export async function findDocuments(
  tx: Tx,
  filter: DocumentFilter,
  page: { sortBy: DocumentSort; descending: boolean; size: number; skipped: number },
): Promise<{ documents: Document[]; total: number }> {
  const { where, values } = conditionsOf(filter)
  const direction = page.descending ? 'desc' : 'asc'
  const select = unprepared<Document>(
    `select ${columns} from ${joined} where ${where}
     order by ${sortColumns[page.sortBy]} ${direction}, document_id ${direction}
     limit ${page.size} offset ${page.skipped}`,
  )
  const counting = unprepared<{ total: string }>(
    `select count(*) as total from clearing.document where ${where}`,
  )
  const [documents, [counted]] = await Promise.all([tx.rows(select, values), tx.rows(counting, values)])
  return { documents, total: Number(counted?.total ?? 0) }
}
