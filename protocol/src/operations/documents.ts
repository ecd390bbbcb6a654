/** Operations that upload, find and read documents. */
import Type from 'typebox'
import { accountNumber, block, code, customerId, earliest, latest, optional, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { next, orderMembers, pageOf } from '../paging.ts'
import { documentDetailShape, documentShape, documentTypeShape } from '../shapes/document.ts'
import { exampleIds } from './examples.ts'

const strict = { additionalProperties: false }

export const addDocument = defineOperation({
  summary: 'Attach a document to an account',
  description:
    'Takes multipart form data with one file: .pdf, .jpg, .jpeg, .bmp, .png, .tiff or .tif, at most 10 MB. File name, first bytes and structure must agree. ' +
    'Encrypted files and files with active content are rejected. If the reference is among the `acceptedDocuments` of an open follow-up, the document answers it.',
  audience: 'firm',
  scope: 'documents:write',
  writes: true,
  body: 'multipart',
  origin: 'specification',
  aliases: ['/document-api/v1/add-document'],
  request: block({
    documentTypeName: words(limits.documentTypeNameLengthMax, {
      description:
        'Type under which the document is filed, as in get-document-types. It does not decide which follow-up the document answers.',
    }),
    reference: words(limits.documentReferenceLengthMax, {
      description: 'What the document is, as in get-document-types and in `acceptedDocuments` of follow-ups.',
    }),
    accountNumber: accountNumber(),
    comments: optional(
      words(limits.documentCommentsLengthMax, { description: 'Comments for your own reference.' }),
    ),
    displayName: optional(words(limits.documentDisplayNameLengthMax, { description: 'Name for display.' })),
  }),
  data: documentShape,
  examples: [
    {
      title: 'A proof of address',
      request: {
        documentTypeName: 'Identity Documents',
        reference: 'UTIL',
        accountNumber: '30100001',
        displayName: 'Electricity bill',
      },
    },
  ],
})

export const getDocumentDetails = defineOperation({
  summary: 'Find documents',
  description: 'Returns the documents of an account, filtered, sorted and in pages.',
  audience: 'firm',
  scope: 'documents:read',
  writes: false,
  body: 'json',
  origin: 'extension',
  aliases: ['/document-api/v1/get-document-details'],
  request: block({
    accountNumber: accountNumber(),
    documentId: optional(words(36, { description: 'Returns the document with this id only.' })),
    documentTypeName: optional(
      words(limits.documentTypeNameLengthMax, { description: 'Returns documents of this type only.' }),
    ),
    reference: optional(
      words(limits.documentReferenceLengthMax, { description: 'Returns documents of this reference only.' }),
    ),
    status: optional(code('documentStatus', { description: 'Returns documents with this status only.' })),
    dateFrom: optional(earliest('day of createdDate')),
    dateTo: optional(latest('day of createdDate')),
    page: optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description:
          'Page number, from 1. The default is 1. To continue from a page, send `after` instead. Both are accepted only if they are the same position.',
      }),
    ),
    ...pageOf(),
    ...orderMembers('documentSort', { by: 'createdDate', mode: 'descend' }),
  }),
  data: Type.Object(
    {
      documents: Type.Array(documentDetailShape, { description: 'The documents of the page.' }),
      page: Type.Integer({ description: 'Number of the page.' }),
      size: Type.Integer({ description: 'The most items of a page.' }),
      total: Type.Integer({ description: 'Total number of documents that match the filters.' }),
      next,
    },
    strict,
  ),
  examples: [
    {
      title: 'Newest first',
      request: { accountNumber: '30100001', sortBy: 'createdDate', sortMode: 'descend' },
    },
  ],
})

export const getDocumentTypes = defineOperation({
  summary: 'List document types',
  description: 'Returns every documentTypeName with its references, and the follow-ups that each can answer.',
  audience: 'firm',
  scope: 'documents:read',
  writes: false,
  body: 'json',
  origin: 'extension',
  aliases: ['/document-api/v1/get-document-types'],
  request: block({
    documentTypeName: optional(
      words(limits.documentTypeNameLengthMax, { description: 'Returns this type only.' }),
    ),
  }),
  data: Type.Object(
    { documentTypes: Type.Array(documentTypeShape, { description: 'The catalogue of documents.' }) },
    strict,
  ),
  examples: [{ title: 'All of them', request: {} }],
})

export const getDocument = defineOperation({
  summary: 'Read the content of a document',
  description: 'Returns the uploaded file, unchanged, as an attachment.',
  audience: 'firm',
  scope: 'documents:read',
  writes: false,
  body: 'json',
  origin: 'extension',
  aliases: ['/document-api/v1/get-document'],
  answers: 'file',
  fileTypes: ['application/pdf', 'image/jpeg', 'image/png', 'image/bmp', 'image/tiff'],
  request: block({
    accountNumber: accountNumber(),
    documentId: words(36, { description: 'ID of the document.' }),
  }),
  data: Type.Unsafe<ReadableStream<Uint8Array>>(Type.String({ format: 'binary' })),
  examples: [
    {
      title: 'To a file',
      request: { accountNumber: '30100001', documentId: exampleIds.document },
      yours: { documentId: 'add-document' },
    },
  ],
})

export const generateDocument = defineOperation({
  summary: 'Fill in a form',
  description:
    'Returns a form of the catalogue (`NEWA`, `CASH`, `W9`, `W8BE`, `OPTS`, `TOD`, `FASF`, `MRGN`, `ADOP-simple`, `ADOP-Traditional`, `ADOP-Roth`) as a PDF ' +
    'attachment to sign, filled from the record of the account. `W9` and `W8BE` are about one person: the primary owner, or the person with this `customerId` or in these `profiles`. A ' +
    'form that does not apply to the account is rejected. Nothing is stored: add the signed form with add-document. Tax ids and government id numbers are masked to ' +
    'the last four characters unless the token carries `pii:read`.',
  audience: 'firm',
  scope: 'documents:read',
  writes: false,
  body: 'json',
  origin: 'extension',
  aliases: ['/document-api/v1/generate-document'],
  answers: 'file',
  fileTypes: ['application/pdf'],
  request: block({
    accountNumber: accountNumber(),
    reference: code('documentReference', { description: 'Reference of the form.' }),
    documentTypeName: optional(
      words(limits.documentTypeNameLengthMax, { description: 'Type of the document to generate.' }),
    ),
    customerId: optional(
      customerId({ description: 'The person of `W9` or `W8BE`. The default is the primary owner.' }),
    ),
    profiles: optional(
      Type.Array(words(40), {
        description:
          'The person of `W9` or `W8BE` by position instead of by `customerId`: `primaryowner`, or `associatedparty-1` for the first associated party. A form has one person.',
        examples: [['associatedparty-1']],
      }),
    ),
  }),
  data: Type.Unsafe<ReadableStream<Uint8Array>>(Type.String({ format: 'binary' })),
  examples: [
    { title: 'The application', request: { accountNumber: '30100001', reference: 'NEWA' } },
    { title: 'A certification of the tax id', request: { accountNumber: '30100001', reference: 'W9' } },
  ],
})
