/** Approves a document, or rejects it with a code. The most frequent codes have buttons. */
import { recordOf } from '../account/record.ts'
import { Act } from '../act/act.tsx'
import { useDecider } from '../audit/decider.ts'
import type { Answered } from '../client.ts'
import { choicesOf } from '../design/codes.ts'
import { readEastern, renderTime } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { useRead } from '../reads.ts'
import { useGoOn } from '../work/next-item.tsx'
import { isAgreement } from './agreement.tsx'

/** Forms that are valid for a number of years after their signature. */
const lapsingForms: ReadonlySet<string> = new Set(['W8BE', 'W8BEN-E', 'W8ECI', 'W8EXP'])
const signedOn = {
  name: 'signedOn',
  label: 'Signed on',
  kind: 'day',
  hint: 'The form is valid until the end of the third year after this day. Without it, the day of the upload counts.',
} as const

/** The form of a government, a central bank of issue or an international organization does not lapse. */
const signedIfLapsing = {
  ...signedOn,
  hint: 'State it if the form lapses: it is valid until the end of the third year after this day. The form of a government does not lapse.',
} as const

/** The members that write a renewed identification to the record. */
const renewedId = [
  {
    name: 'idNumber',
    label: 'Number',
    kind: 'text',
    hint: 'It is written to the record. If all of these are left empty, the firm is asked to enter the document.',
  },
  { name: 'idLocation', label: 'Issued by', kind: 'text', hint: 'Two letters of the country or state.' },
  { name: 'idIssueDate', label: 'Issued on', kind: 'day' },
  { name: 'idExpiration', label: 'Expires on', kind: 'day' },
] as const
const ownerDied = {
  name: 'ownerDied',
  label: 'Who died',
  kind: 'choice',
  none: 'An owner: the account is restricted at once',
  choices: [{ value: 'false', label: 'Another person, such as a beneficiary: no restriction' }],
} as const
const identifications: ReadonlySet<string> = new Set(['PASS', 'DRLC', 'NATL'])

type Document = Answered<'get-document-details'>['documents'][number]

/** Whether the document answers the request for the identification of a party of an open account. */
function useRenews({ accountNumber, reference, status }: Document): boolean {
  const isAsked = status === 'PendingApproval' && identifications.has(reference)
  const { data } = useRead('onboarding-result', { accountNumber }, { enabled: isAsked })
  return (
    isAsked &&
    (data?.followUps ?? []).some(
      ({ blocking, field, status: state }) =>
        !blocking && field.endsWith('.governmentIdentification') && waiting.has(state),
    )
  )
}
const waiting: ReadonlySet<string> = new Set(['Open', 'Answered', 'Rejected', 'Expired'])

export function DecideDocument({ document }: { readonly document: Document }) {
  const { accountNumber, documentId, status, updatedDate } = document
  const goOn = useGoOn({ queue: 'Document', itemId: documentId })
  const renews = useRenews(document)
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
        explains={
          isAgreement(document)
            ? isApplication
              ? 'The follow-up that it answers is accepted. If the application waits for the agreement, the record gets margin or option level 1 with it.'
              : 'The follow-up that it answers is accepted. Margin and options are added afterwards, on the account.'
            : document.reference === 'DEAT'
              ? 'The approval states who died.'
              : 'A follow-up that it answers is accepted.'
        }
        fields={
          lapsingForms.has(document.reference)
            ? [document.reference === 'W8EXP' ? signedIfLapsing : signedOn]
            : document.reference === 'DEAT'
              ? [ownerDied]
              : renews
                ? renewedId
                : []
        }
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
