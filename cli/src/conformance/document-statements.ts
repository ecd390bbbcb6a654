/** The statements on documents. */
import { expectMembers, expectRefusal, expectSuccess, type Statement } from './statement.ts'
import { expect, shown } from './subject.ts'

const record = 'Document record (add-document response)'
const operation = 'POST /account-api/v1/add-document'

export const documentStatements: readonly Statement[] = [
  {
    section: record,
    sentence: '| documentId | string | unique identifier |',
    async check(subject) {
      const reply = await subject.call('add-document', await subject.upload({}))
      expectSuccess(reply)
      expectMembers(
        reply.json.data,
        'string',
        'documentId subNumber repCode accountNumber displayName createdDate updatedDate status',
      )
      const other = await subject.call('add-document', await subject.upload({ comments: 'another' }))
      expect(other.json.data?.documentId !== reply.json.data.documentId, 'two documents have one id')
    },
  },
  {
    section: record,
    sentence: '| createdDate | string | format MM/DD/YYYY HH:mm:ss |',
    async check(subject) {
      const { json } = await subject.call('add-document', await subject.upload({ comments: 'dated' }))
      expect(
        /^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/.test(json.data?.createdDate),
        `it is ${shown(json.data?.createdDate)}`,
      )
    },
  },
  {
    section: record,
    sentence: '| updatedDate | string | empty string when not updated |',
    async check(subject) {
      const { json } = await subject.call('add-document', await subject.upload({ comments: 'not updated' }))
      expect(json.data?.updatedDate === '', `it is ${shown(json.data?.updatedDate)}`)
    },
  },
  {
    section: 'States and transitions',
    sentence:
      '| Document | PendingApproval | add-document | document stored | PendingApproval | createdDate set |',
    async check(subject) {
      const { json } = await subject.call('add-document', await subject.upload({ comments: 'pending' }))
      expect(json.data?.status === 'PendingApproval', `it is ${shown(json.data?.status)}`)
    },
  },
  {
    section: operation,
    sentence: 'A request example uses the path `/document-api/v1/add-document`.',
    async check(subject) {
      const form = await subject.upload({ comments: 'by the other path' })
      expectSuccess(await subject.call('add-document', form, '/document-api/v1/add-document'))
    },
  },
  ...(['documentTypeName', 'reference', 'accountNumber'] as const).map(
    (name): Statement => ({
      section: operation,
      sentence: {
        documentTypeName: '| documentTypeName | text | yes |',
        reference: '| reference | text | yes |',
        accountNumber: '| accountNumber | text | yes |',
      }[name],
      check: async (subject) =>
        expectRefusal(await subject.call('add-document', await subject.upload({ [name]: '' })), name),
    }),
  ),
  {
    section: 'Limits',
    sentence: '| Maximum uploaded file size | 10 MB | add-document |',
    async check(subject) {
      const large = new Uint8Array(10 * 1_048_576 + 1)
      expectRefusal(await subject.call('add-document', await subject.upload({}, 'large.png', large)))
    },
  },
  {
    section: 'Limits',
    sentence: '| Allowed file types | .pdf, .jpg, .jpeg, .bmp, .png, .tiff, .tif | add-document |',
    async check(subject) {
      const program = new TextEncoder().encode('#!/bin/sh\necho no document\n')
      expectRefusal(await subject.call('add-document', await subject.upload({}, 'program.sh', program)))
    },
  },
]
