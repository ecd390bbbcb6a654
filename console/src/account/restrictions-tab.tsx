/** Restrictions of the account, in force and ended, and the changes of them that wait for a second person. */

import { Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Act } from '../act/act.tsx'
import { takeBackOf } from '../change/take-back.ts'
import { ends, isAbout, Waits } from '../change/waits.tsx'
import type { Answered } from '../client.ts'
import { choicesOf, labelOf } from '../design/codes.ts'
import { Happened } from '../design/happened.tsx'
import { Listed } from '../design/listed.tsx'
import { Panel } from '../design/panel.tsx'
import { Status } from '../design/status.tsx'
import type { Column } from '../design/table.tsx'
import { Day, Time, withDays } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { useAll, usePages } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'
import { entitlementsInWords, restrictionOf } from './suspends.ts'

type Restriction = Answered<'list-restrictions'>['restrictions'][number]
type Change = Answered<'list-changes'>['changes'][number]

/** `endOf` finds the change that waits to end a restriction. */
function restrictionColumns(
  accountNumber: string,
  endOf: (code: string) => Change | undefined,
): readonly Column<Restriction>[] {
  return [
    {
      key: 'code',
      header: 'Restriction',
      cell: (row) => labelOf('restrictionCode', row.restrictionCode),
    },
    {
      key: 'state',
      header: 'State',
      cell: (row) => (
        <>
          <Status
            of={row.endedOn === null ? 'In force' : 'Ended'}
            tone={row.endedOn === null ? 'attention' : 'quiet'}
          />
          {row.hold !== null && <DaysOfHold hold={row.hold} />}
        </>
      ),
    },
    {
      key: 'suspends',
      header: 'Suspends',
      cell: (row) => entitlementsInWords(row.suspends),
    },
    { key: 'reason', header: 'Reason', cell: (row) => withDays(row.reason) },
    {
      key: 'placed',
      header: 'Placed',
      cell: (row) => <Happened at={row.placedOn} by={row.placedBy} />,
    },
    {
      key: 'ended',
      header: 'Ended',
      cell: (row) => {
        const asked = endOf(row.restrictionCode)
        if (row.endedOn === null) return asked && <Waits what="The end waits" change={asked} />
        return <Happened at={row.endedOn} by={row.endedBy} why={row.endReason} />
      },
    },
    {
      key: 'act',
      header: <span className="unseen">Act</span>,
      cell: (row) => (
        <>
          {row.hold !== null && (
            <Act
              operation="record-hold-step"
              label="Record a step…"
              title="Record a step of the hold"
              explains="A step that sets another end takes effect when a second person has approved it."
              fields={stepFields}
              fixed={{ accountNumber, restrictionId: row.restrictionId }}
              of={labelOf('restrictionCode', row.restrictionCode)}
              undo={takeBackOf}
            />
          )}
          <Act
            operation="end-restriction"
            label="End…"
            title="End the restriction"
            explains={`${labelOf('restrictionCode', row.restrictionCode)}. It ends when a second person has approved it.`}
            notNow={
              row.endedOn !== null
                ? 'It has ended.'
                : endOf(row.restrictionCode) && 'The end waits for a second person.'
            }
            fields={[{ name: 'reason', label: 'Reason', kind: 'long', required: true }]}
            fixed={{ accountNumber, restrictionId: row.restrictionId }}
            of={labelOf('restrictionCode', row.restrictionCode)}
            undo={takeBackOf}
          />
        </>
      ),
    },
  ]
}

const stepFields = [
  { name: 'step', label: 'Step', kind: 'choice', required: true, choices: choicesOf('holdStep') },
  {
    name: 'until',
    label: 'Last day of the hold',
    kind: 'day',
    hint: 'Only if a regulator or a court set the end.',
  },
  {
    name: 'reason',
    label: 'Reason',
    kind: 'long',
    hint: 'Who was notified, and who was not and why; or the finding of the review, the report or the order.',
    required: true,
  },
] as const

function DaysOfHold({ hold }: { readonly hold: NonNullable<Restriction['hold']> }) {
  const { expiresOn, notifyBy, notifiedOn, steps } = hold
  return (
    <>
      <div className="quiet">
        Until the close of <Day on={expiresOn} />
      </div>
      {notifiedOn === null && (
        <div>
          Notice due by <Day on={notifyBy} />
        </div>
      )}
      {steps.map(({ step, recordedOn, recordedBy, reason }) => (
        <div key={`${step} ${recordedOn}`} className="quiet">
          {wordsOf(step)}, <Time at={recordedOn} />, {recordedBy}: {reason}
        </div>
      ))}
    </>
  )
}

/** Two requests of the same kind differ in the restriction. */
function OfRestriction({ change }: { readonly change: Change }) {
  const restriction = restrictionOf(change)
  return restriction && `: ${restriction.label}`
}

const changeColumns: readonly Column<Change>[] = [
  {
    key: 'what',
    header: 'Change',
    cell: (row) => (
      <Link to={`/changes/${row.changeId}`}>
        {/* The subject of both a placement and an end is the restrictions. */}
        {row.operation === 'update-account' ? row.subjects.map(wordsOf).join(', ') : wordsOf(row.operation)}
        <OfRestriction change={row} />
      </Link>
    ),
  },
  {
    key: 'state',
    header: 'State',
    cell: (row) => (
      <Status
        of={row.state}
        tone={row.state === 'Requested' ? 'waiting' : row.state === 'Approved' ? 'good' : 'quiet'}
      />
    ),
  },
  {
    key: 'asked',
    header: 'Requested',
    cell: (row) => <Happened at={row.requestedOn} by={row.requestedBy} why={row.reason} />,
  },
  {
    key: 'decided',
    header: 'Decided',
    cell: (row) => <Happened at={row.decidedOn} by={row.decidedBy} why={row.decisionReason} />,
  },
]

export function RestrictionsTab({ accountNumber }: TabProps) {
  const restrictions = usePages('list-restrictions', 'restrictions', { accountNumber })
  const waiting = useAll('list-changes', 'changes', { accountNumber, state: 'Requested' })
  const endOf = (code: string) =>
    waiting.rows.find((change) => ends.includes(change.operation) && isAbout(change, 'restriction', code))
  const changes = usePages('list-changes', 'changes', { accountNumber })
  return (
    <Stack gap="md">
      <Panel title="Restrictions" flush>
        <Listed
          label="Restrictions"
          pages={restrictions}
          keyOf={({ restrictionId }) => restrictionId}
          empty="The account has had no restrictions."
          columns={restrictionColumns(accountNumber, endOf)}
        />
      </Panel>
      <Panel title="Change requests" flush>
        <Listed
          label="Change requests"
          pages={changes}
          keyOf={({ changeId }) => changeId}
          empty="There are no change requests."
          columns={changeColumns}
        />
      </Panel>
    </Stack>
  )
}
