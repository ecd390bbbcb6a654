/** Approves a document, or rejects it with a code. The most frequent codes have buttons. */
import { recordOf } from '../account/record.ts'
import { Act } from '../act/act.tsx'
import { useDecider } from '../audit/decider.ts'
import { choicesOf } from '../design/codes.ts'
import { readEastern, renderTime } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { useRead } from '../reads.ts'
import { useGoOn } from '../work/next-item.tsx'
import { isAgreement } from './agreement.tsx'
import { approvalFieldsOf, type Document, useRenewsIdentification } from './approval-fields.ts'

/** What follows from the approval. */
function followsOf(document: Document, isApplication: boolean): string {
  if (document.reference === 'DEAT') return 'The approval states who died.'
  if (!isAgreement(document)) return 'A follow-up that it answers is accepted.'
  return isApplication
    ? 'The follow-up that it answers is accepted. If the application waits for the agreement, the record gets margin or option level 1 with it.'
    : 'The follow-up that it answers is accepted. Margin and options are added afterwards, on the account.'
}

export function DecideDocument({ document }: { readonly document: Document }) {
  const { accountNumber, documentId, status, updatedDate } = document
  const goOn = useGoOn({ queue: 'Document', itemId: documentId })
  const renews = useRenewsIdentification(document)
  const isPending = status === 'PendingApproval'
  const { data } = useRead('get-account', { accountNumber }, { enabled: isPending && isAgreement(document) })
  const isApplication = data !== undefined && recordOf(data).accountStatus === 'Pending'
  const decider = useDecider(
    isPending ? undefined : { accountNumber, action: 'decide-document', target: documentId },
  )
  const updatedOn = readEastern(updatedDate)
  const since = updatedOn === undefined ? '' : ` since ${renderTime(updatedOn)}`
  const notNow = isPending ? undefined : `It is ${wordsOf(status).toLowerCase()}${decider || since}.`
  return (
    <>
      <Act
        operation="decide-document"
        label="Approve"
        shortcut="a"
        title="Approve the document"
        submit="Approve"
        look={{ variant: 'filled' }}
        notNow={notNow}
        explains={followsOf(document, isApplication)}
        fields={approvalFieldsOf(document.reference, renews)}
        fixed={{ accountNumber, documentId, decision: 'Approved' }}
        onDone={goOn}
      />
      <Act
        operation="decide-document"
        label="Reject…"
        shortcut="r"
        title="Reject the document"
        submit="Reject"
        danger
        notNow={notNow}
        explains="The firm is asked for another document."
        fields={[
          {
            name: 'rejectionCode',
            label: 'What is wrong',
            kind: 'choice',
            required: true,
            choices: choicesOf('documentRejectionCode'),
          },
          { name: 'reason', label: 'Note', kind: 'long' },
        ]}
        fixed={{ accountNumber, documentId, decision: 'Rejected' }}
        onDone={goOn}
      />
    </>
  )
}
