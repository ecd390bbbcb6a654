/** Documents (Specification, Document record; Reading 5). */
import Type from 'typebox'
import { answeredCode } from '../field.ts'

const strict = { additionalProperties: false }

const record = {
  documentId: Type.String({ description: 'ID of the document.' }),
  subNumber: Type.String({ description: 'Entity number of the account.' }),
  repCode: Type.String({ description: 'Code of the representative of the account.' }),
  accountNumber: Type.String({ description: '8 characters.' }),
  displayName: Type.String({ description: 'Name for display, as submitted.' }),
  createdDate: Type.String({ description: 'MM/DD/YYYY HH:mm:ss, US Eastern time.' }),
  updatedDate: Type.String({
    description: 'In the form of createdDate; empty if the document was not updated.',
  }),
  status: answeredCode('documentStatus', { description: 'Status of the document.' }),
  catalogued: Type.Boolean({
    description:
      'Whether the reference is in the catalogue (Reading 5.1). Other documents answer no follow-up.',
  }),
  followUpId: Type.String({
    description: 'ID of the follow-up that the document answers; empty if it answers none.',
  }),
}

/** The response of add-document. */
export const documentShape = Type.Object(record, strict)

/** A document in the response of get-document-details. */
export const documentDetailShape = Type.Object(
  {
    ...record,
    documentTypeName: Type.String({ description: 'Type of the document.' }),
    reference: Type.String({ description: 'Reference of the document.' }),
    comments: Type.String({ description: 'Comments, as submitted.' }),
    fileName: Type.String({ description: 'Name of the uploaded file.' }),
    mediaType: Type.String({ description: 'Media type of the content, found by its bytes.' }),
    sizeBytes: Type.Integer({ description: 'Size of the content, in bytes.' }),
    sha256: Type.String({ description: 'SHA-256 of the content, hexadecimal.' }),
    rejectionCode: Type.String({ description: 'Rejection code; empty unless the document is rejected.' }),
    signedOn: Type.String({
      description: 'Day of the signature on a Form W-8BEN or W-8BEN-E; empty if it was not stated.',
    }),
  },
  strict,
)

export const documentTypeShape = Type.Object(
  {
    documentTypeName: Type.String({ description: 'Type of the document.' }),
    reference: Type.String({ description: 'Reference within the type.' }),
    title: Type.String({ description: 'Title of the document.' }),
    satisfies: Type.Array(Type.String(), {
      description: 'Codes of the follow-ups that the document can answer.',
    }),
    since: Type.String({ description: 'Day from which it is accepted, `yyyy-MM-dd`.' }),
  },
  strict,
)
