/** Documents (Specification, Document record; Reading 5). */
import Type from 'typebox'
import { answeredCode } from '../field.ts'

const strict = { additionalProperties: false }

const record = {
  documentId: Type.String(),
  subNumber: Type.String({ description: 'The entity number of the account.' }),
  repCode: Type.String(),
  accountNumber: Type.String(),
  displayName: Type.String(),
  createdDate: Type.String({ description: 'MM/DD/YYYY HH:mm:ss, US Eastern time.' }),
  updatedDate: Type.String({ description: 'As createdDate; empty when not updated.' }),
  status: answeredCode('documentStatus'),
}

/** The answer of add-document. */
export const documentShape = Type.Object(record, strict)

/** A document as get-document-details lists it. */
export const documentDetailShape = Type.Object(
  {
    ...record,
    documentTypeName: Type.String(),
    reference: Type.String(),
    catalogued: Type.Boolean({
      description: 'Whether type and reference are of the catalogue (Reading 5.1).',
    }),
    comments: Type.String(),
    fileName: Type.String(),
    mediaType: Type.String(),
    sizeBytes: Type.Integer(),
    sha256: Type.String({ description: 'Of the content, hexadecimal.' }),
    rejectionCode: Type.String({ description: 'Empty unless rejected.' }),
  },
  strict,
)

export const documentTypeShape = Type.Object(
  {
    documentTypeName: Type.String(),
    reference: Type.String(),
    title: Type.String(),
    satisfies: Type.Array(Type.String(), { description: 'Codes of follow-ups it can answer.' }),
    since: Type.String(),
  },
  strict,
)
