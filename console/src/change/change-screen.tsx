/**
 * A change that waits for a second person: its old and new values field by field, the person who requested it, and the
 * decision.
 */
import { Alert } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useNamedAccount } from '../account/named.ts'
import { recordOf } from '../account/record.ts'
import { restrictionOf } from '../account/suspends.ts'
import { Act } from '../act/act.tsx'
import { usePart } from '../address.ts'
import type { Answered } from '../client.ts'
import { labelOf } from '../design/codes.ts'
import { Facts } from '../design/facts.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Empty, Failure, Loading } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { renderTime, Time } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { usePages, useRead } from '../reads.ts'
import { useSession } from '../session/session.ts'
import { ClaimedBy } from '../work/claimed-by.tsx'
import { NextItem, useGoOn } from '../work/next-item.tsx'
import { FieldChanges, type FieldChangesProps } from './field-changes.tsx'
import { useOvertaken } from './overtaken.ts'

type Change = Answered<'list-changes'>['changes'][number]

export function ChangeScreen() {
  const changeId = usePart('changeId')
  const pages = usePages('list-changes', 'changes', { changeId })
  const change = pages.rows.find((one) => one.changeId === changeId)
  if (change !== undefined) return <Shown change={change} />
  if (pages.error)
    return (
      <Page title="Change">
        <Failure fault={pages.error} again={() => void pages.refetch()} />
      </Page>
    )
  if (pages.isPending) return <Loading />
  return (
    <Page title="Change">
      <Empty what="There is no such change." />
    </Page>
  )
}

const restricting = [
  'place-restriction',
  'end-restriction',
  'record-hold-step',
  'close-account',
  'waive-follow-up',
]

function isRestriction({ operation }: Change): boolean {
  return restricting.includes(operation)
}

const lists = new Intl.ListFormat('en-GB')

/** `names and addresses` */
function subjectInWords({ subjects, operation }: Change): string {
  return lists.format((subjects.length === 0 ? [operation] : subjects).map(wordsOf)).toLowerCase()
}

function Shown({ change }: { readonly change: Change }) {
  const { changeId, accountNumber, state } = change
  const queue = isRestriction(change) ? 'Restriction' : 'Change'
  const goOn = useGoOn({ queue, itemId: changeId })
  const overtaken = useOvertaken(change)
  const named = useNamedAccount(accountNumber) || change.firmName
  const matches = change.openMatches === 1 ? 'one open match' : `${change.openMatches} open matches`
  return (
    <Page
      title={`Change of ${subjectInWords(change)}`}
      subject={`${subjectInWords(change)} · ${named}`}
      above={[
        { label: 'Work', to: '/work' },
        ...(accountNumber === ''
          ? []
          : [{ label: `Account ${accountNumber}`, to: `/accounts/${accountNumber}` }]),
      ]}
      badge={
        <Status
          of={state}
          tone={state === 'Requested' ? 'attention' : state === 'Approved' ? 'good' : 'quiet'}
        />
      }
      note={accountNumber === '' ? undefined : <Customer of={accountNumber} />}
      acts={
        <>
          <ClaimedBy queue={queue} accountNumber={accountNumber} itemId={changeId} />
          <NextItem queue={queue} itemId={changeId} />
          <Decisions change={change} matches={matches} overtaken={overtaken?.why} onDone={goOn} />
        </>
      }
    >
      {overtaken !== undefined && (
        <Alert color="red" variant="light" role="alert" title={overtaken.why}>
          {overtaken.now.map((line) => (
            <div key={line}>{line}</div>
          ))}
        </Alert>
      )}
      <RequestPanel change={change} matches={matches} />
      <Panel title="Fields" flush>
        <FieldChanges
          label="Fields"
          changes={change.fields}
          shows={documentOf(change)}
          empty="The change affects no field of the record."
        />
      </Panel>
    </Page>
  )
}

/** The name of the account, below the heading: a person decides by the name and not by the number. */
function Customer({ of: accountNumber }: { readonly of: string }) {
  const { data } = useRead('get-account', { accountNumber })
  const name = data === undefined ? '' : String(recordOf(data).accountName ?? '')
  return [name, `Account ${accountNumber}`].filter((part) => part !== '').join(' · ')
}

/** The document that proves a change, `W9 01a2…`, as a link to it. */
function documentOf({ accountNumber }: Change): FieldChangesProps['shows'] {
  return ({ field }, value) => {
    const [, reference = '', documentId] =
      /^(\S+) ([0-9a-f-]{36})$/.exec(field === 'document' ? String(value) : '') ?? []
    if (documentId === undefined) return undefined
    return (
      <Link to={`/accounts/${accountNumber}/documents/${documentId}`}>
        {labelOf('documentReference', reference)}
      </Link>
    )
  }
}

interface DecisionsProps {
  readonly change: Change
  /** Its open matches in words. */
  readonly matches: string
  /** Why the record no longer allows the change. */
  readonly overtaken: string | undefined
  readonly onDone: () => void
}

function Decisions({ change, matches, overtaken, onDone }: DecisionsProps) {
  const { changeId, state } = change
  const { email } = useSession()
  const own = change.requestedBy === email
  const decided =
    state === 'Requested'
      ? undefined
      : `${wordsOf(state)} by ${change.decidedBy} at ${renderTime(change.decidedOn ?? '')}.`
  const notNow = decided ?? (own ? 'You requested it, so another person must decide.' : undefined)
  const unasked = change.approvalNeeded
    ? change.approvedBy === ''
      ? undefined
      : `${change.approvedBy} approved it. It waits for ${matches}.`
    : `It waits for ${matches} of a watch list, and for no second person.`
  return (
    <>
      <Act
        operation="decide-change"
        label="Approve"
        shortcut="a"
        title="Approve the change"
        submit="Approve"
        look={{ variant: 'filled' }}
        notNow={notNow ?? unasked ?? overtaken}
        explains={
          change.openMatches === 0
            ? 'It takes effect at once.'
            : `It takes effect when ${matches} of a watch list are cleared.`
        }
        fields={[{ name: 'reason', label: 'Reason', kind: 'long' }]}
        fixed={{ changeId, decision: 'Approved' }}
        about={change.accountNumber}
        onDone={onDone}
      />
      <Act
        operation="decide-change"
        label="Reject"
        shortcut="r"
        title="Reject the change"
        submit="Reject"
        danger
        notNow={notNow}
        fields={[{ name: 'reason', label: 'Reason', kind: 'long', required: true }]}
        fixed={{ changeId, decision: 'Rejected' }}
        about={change.accountNumber}
        onDone={onDone}
      />
      <Act
        operation="withdraw-change"
        label="Withdraw"
        title="Withdraw the change"
        notNow={decided ?? (own ? undefined : 'Only the person who requested it can withdraw it.')}
        fixed={{ changeId }}
      />
    </>
  )
}

function RequestPanel({ change, matches }: Pick<DecisionsProps, 'change' | 'matches'>) {
  const { accountNumber } = change
  const found = restrictionOf(change)
  const restriction = found && `${found.label}. ${found.suspends}`
  return (
    <Panel title="Request">
      <Facts
        facts={[
          ['Requested by', change.requestedBy],
          ['Requested', <Time key="on" at={change.requestedOn} />],
          ['Reason', change.reason],
          ...(restriction === undefined ? [] : [['Restriction', restriction] as const]),
          ['Firm', change.firmName],
          [
            'Account',
            accountNumber === '' ? undefined : (
              <Link key="account" to={`/accounts/${accountNumber}`}>
                {accountNumber}
              </Link>
            ),
          ],
          ...(change.approvedBy === '' ? [] : [['Approved by', change.approvedBy] as const]),
          ...(change.openMatches === 0
            ? []
            : [
                [
                  'Screening',
                  <Link key="screening" to={`/accounts/${accountNumber}/screening`}>
                    {matches}
                  </Link>,
                ] as const,
              ]),
          ...(change.decidedOn === null
            ? []
            : ([
                ['Decided by', change.decidedBy],
                ['Decided', <Time key="decided" at={change.decidedOn} />],
                ['Decision’s reason', change.decisionReason],
              ] as const)),
        ]}
      />
    </Panel>
  )
}
