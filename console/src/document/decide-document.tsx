/** Approves a document, or rejects it with a code. The most frequent codes have buttons. */
import { Act } from '../act/act.tsx'
import { useDecider } from '../audit/decider.ts'
import type { Answered } from '../client.ts'
import { choicesOf } from '../design/codes.ts'
import { readEastern, renderTime } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { useGoOn } from '../work/next-item.tsx'

type Document = Answered<'get-document-details'>['documents'][number]

export function DecideDocument({ document }: { readonly document: Document }) {
  const { accountNumber, documentId, status, updatedDate } = document
  const goOn = useGoOn({ queue: 'Document', itemId: documentId })
  const isPending = status === 'PendingApproval'
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
        explains="The follow-up that it answers is accepted."
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
