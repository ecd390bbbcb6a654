/** The requests to the firm and their answers. Operations can waive a request that waits for an answer. */
import { Link } from '@tanstack/react-router'
import { Act } from '../act/act.tsx'
import type { Answered } from '../client.ts'
import { labelOf } from '../design/codes.ts'
import { Panel } from '../design/panel.tsx'
import { pathInWords } from '../design/record-words.ts'
import { Status } from '../design/status.tsx'
import { Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { Reasons } from './findings.tsx'
import { isUnsettledStatus } from './is-unsettled.ts'

function labelOfDocument(reference: string) {
  return labelOf('documentReference', reference)
}

type Result = Answered<'onboarding-result'>
type FollowUp = Result['followUps'][number]

export function FollowUps({ result }: { readonly result: Result }) {
  const { accountNumber, followUps, findings } = result
  return (
    <Panel
      title="Follow-ups"
      flush
      acts={
        <Link to={`/accounts/${accountNumber}`} search={() => ({ tab: 'documents' })}>
          Documents
        </Link>
      }
    >
      <Table
        label="Follow-ups"
        isPart
        rows={followUps}
        keyOf={({ id }) => id}
        empty="There are no follow-ups."
        columns={[
          {
            key: 'what',
            header: 'Asked for',
            cell: ({ code, field, status, acceptedDocuments }) => (
              <>
                {labelOf('followUpCode', code)}
                {field !== '' && <div className="quiet">{pathInWords(field)}</div>}
                {acceptedDocuments.length > 0 && (
                  <div className="quiet">{acceptedDocuments.map(labelOfDocument).join(' or ')}</div>
                )}
                {code === 'WatchlistReview' && status === 'Open' && (
                  <div>
                    <Link to={`/accounts/${accountNumber}/screening`}>Compare the match</Link>
                  </div>
                )}
              </>
            ),
          },
          {
            key: 'status',
            header: 'Status',
            cell: ({ status }) => <Status of={status} tone={status === 'Open' ? 'attention' : undefined} />,
          },
          {
            key: 'reasons',
            header: 'Reasons',
            cell: (followUp) => (
              <Reasons accountNumber={accountNumber} followUp={followUp} findings={findings} />
            ),
          },
          {
            key: 'answers',
            header: 'Answers',
            cell: ({ answers }) =>
              answers.map(({ at, documentId, fields, text }) => (
                <div key={`${at} ${documentId}`}>
                  {text}
                  {documentId !== '' && (
                    <>
                      {' '}
                      <Link to={`/accounts/${accountNumber}/documents/${documentId}`}>document</Link>
                    </>
                  )}
                  {fields.length > 0 && <div className="quiet">{fields.map(pathInWords).join(', ')}</div>}
                </div>
              )),
          },
          { key: 'due', header: 'Due', cell: ({ dueBy }) => (dueBy === null ? '' : <Time at={dueBy} />) },
          ...(followUps.some((one) => canBeWaived(result, one))
            ? [
                {
                  key: 'waive',
                  header: <span className="unseen">Act</span>,
                  cell: (followUp: FollowUp) =>
                    canBeWaived(result, followUp) && (
                      <Waive accountNumber={accountNumber} followUp={followUp} />
                    ),
                },
              ]
            : []),
        ]}
      />
    </Panel>
  )
}

function canBeWaived({ currentState }: Result, { kind, status }: FollowUp): boolean {
  const waits = currentState === 'ActionRequired' || currentState === 'CreationComplete'
  return waits && kind !== 'Review' && isUnsettledStatus(status)
}

function Waive({ accountNumber, followUp }: { readonly accountNumber: string; readonly followUp: FollowUp }) {
  const what = [labelOf('followUpCode', followUp.code), pathInWords(followUp.field)]
    .filter(Boolean)
    .join(', ')
  return (
    <Act
      operation="waive-follow-up"
      label="Waive"
      title="Waive a follow-up"
      submit="Waive"
      explains={`${what}: the firm need not answer any more. An application continues when nothing else is asked.`}
      fields={[{ name: 'reason', label: 'Reason', kind: 'long', required: true }]}
      fixed={{ accountNumber, followUpId: followUp.id }}
      of={what}
    />
  )
}
