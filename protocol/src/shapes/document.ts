/** Documents (Specification, Document record; Reading 5). */
import Type from 'typebox'
import { answeredCode } from '../field.ts'

const strict = { additionalProperties: false }

const record = {
  documentId: Type.String(),
  subNumber: Type.String({ description: 'Entity number of the account.' }),
  repCode: Type.String(),
  accountNumber: Type.String(),
  displayName: Type.String(),
  createdDate: Type.String({ description: 'MM/DD/YYYY HH:mm:ss, US Eastern time.' }),
  updatedDate: Type.String({
    description: 'In the form of createdDate; empty if the document was not updated.',
  }),
  status: answeredCode('documentStatus'),
}

/** The response of add-document. */
export const documentShape = Type.Object(record, strict)

/** A document in the response of get-document-details. */
export const documentDetailShape = Type.Object(
  {
    ...record,
    documentTypeName: Type.String(),
    reference: Type.String(),
    catalogued: Type.Boolean({
      description: 'Whether type and reference are in the catalogue (Reading 5.1).',
    }),
    comments: Type.String(),
    fileName: Type.String(),
    mediaType: Type.String(),
    sizeBytes: Type.Integer(),
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
    documentTypeName: Type.String(),
    reference: Type.String(),
    title: Type.String(),
    satisfies: Type.Array(Type.String(), {
      description: 'Codes of the follow-ups that the document can answer.',
    }),
    since: Type.String(),
  },
  strict,
)
