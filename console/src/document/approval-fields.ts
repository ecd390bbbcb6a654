/** The members of decide-document that the approval of a document takes, by what the document is. */
import { isUnsettledStatus } from '../application/is-unsettled.ts'
import type { Answered } from '../client.ts'
import { useRead } from '../reads.ts'

export type Document = Answered<'get-document-details'>['documents'][number]

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

export function approvalFieldsOf(reference: string, renewsIdentification: boolean) {
  if (lapsingForms.has(reference)) return [reference === 'W8EXP' ? signedIfLapsing : signedOn]
  if (reference === 'DEAT') return [ownerDied]
  return renewsIdentification ? renewedId : []
}

const identifications: ReadonlySet<string> = new Set(['PASS', 'DRLC', 'NATL'])

/** Whether the document answers the request for the identification of a party of an open account. */
export function useRenewsIdentification({ accountNumber, reference, status }: Document): boolean {
  const isAsked = status === 'PendingApproval' && identifications.has(reference)
  const { data } = useRead('onboarding-result', { accountNumber }, { enabled: isAsked })
  return (
    isAsked &&
    (data?.followUps ?? []).some(
      ({ blocking, field, status: state }) =>
        !blocking && field.endsWith('.governmentIdentification') && isUnsettledStatus(state),
    )
  )
}
