/** Actions on the marked items: decide, settle, or assign. */
import { type CodeOf, type StaffRole, whyNotTake } from '@clearing/protocol'
import { Act } from '../act/act.tsx'
import type { Choice } from '../act/field.ts'
import { type Answered, call } from '../client.ts'
import { choicesOf } from '../design/codes.ts'
import { countOf } from '../design/count.ts'
import { useRead } from '../reads.ts'
import { queueOf, type Work } from './queues.ts'
import { reasonField } from './reason-field.ts'
import { type Outcome, refusalOf } from './refused.ts'

interface DecideProps {
  /** The marked items. */
  readonly works: readonly Work[]
  /** The queue that the list shows, which names the actions before an item is marked; undefined for all. */
  readonly listed: string | undefined
  readonly onDone: () => void
}

export function Decide({ works, listed = '', onDone }: DecideProps) {
  const decided = whyNotTogether(works, 'decide')
  const settled = whyNotTogether(works, 'settle')
  const count = countOf(works.length, 'item')
  const queue = queueOf(works[0]?.queue ?? listed)
  // The screens of the items have the actions of the other queues.
  const isDecidedHere = listed === '' || queue.decided !== undefined
  const shared = {
    onDone,
    reported: ({ data }: { data: Outcome }) => refusalOf(data, works),
  }
  const workIds = works.map(({ workId }) => workId)
  const { data: staffed } = useRead('list-staff', {})
  return (
    <>
      <Act
        operation="assign-work"
        label="Assign to…"
        title="Assign the work"
        notNow={works.length === 0 ? 'Select items first.' : undefined}
        fields={[
          {
            name: 'assignedTo',
            label: 'Colleague',
            kind: 'choice',
            none: 'Unassigned: return it to the queue',
            hint: 'Persons who may decide on all selected items.',
            choices: takersOf(works, staffed?.staff ?? []),
          },
        ]}
        fixed={{ workIds }}
        undo={({ data: { taken } }) => giveBackOf(works.filter(({ workId }) => taken.includes(workId)))}
        {...shared}
      />
      {!isDecidedHere ? null : queue.decided === 'settle' && (settled === undefined || works.length === 0) ? (
        <>
          <Act
            operation="settle-work"
            label={queue.settle ?? 'Settle'}
            title={`${queue.settle ?? 'Settle'}: ${count}`}
            notNow={settled}
            fields={[reasonField(true)]}
            fixed={{ workIds }}
            {...shared}
          />
          {queue.giveUp !== undefined && (
            <Act
              operation="settle-work"
              label={queue.giveUp}
              title={`${queue.giveUp}: ${count}`}
              explains="It is not retried, and leaves the inbox."
              danger
              notNow={settled}
              fields={[reasonField(true)]}
              fixed={{ workIds, settlement: 'GiveUp' }}
              {...shared}
            />
          )}
        </>
      ) : (
        <>
          <Act
            operation="decide-work"
            label={queue.approve ?? 'Approve'}
            title={`${queue.approve ?? 'Approve'} ${count}`}
            notNow={decided}
            fields={[reasonField(queue.approve !== undefined)]}
            fixed={{ workIds, decision: 'Approved' }}
            {...shared}
          />
          <Act
            operation="decide-work"
            label={queue.reject ?? 'Reject'}
            title={`${queue.reject ?? 'Reject'} ${count}`}
            danger
            notNow={decided}
            fields={[
              reasonField(true),
              ...(works.some((work) => work.queue === 'Document')
                ? [
                    {
                      name: 'rejectionCode',
                      label: 'What is wrong with the document',
                      kind: 'choice',
                      required: true,
                      choices: choicesOf('documentRejectionCode'),
                    } as const,
                  ]
                : []),
            ]}
            fixed={{ workIds, decision: 'Rejected' }}
            {...shared}
          />
        </>
      )}
    </>
  )
}

/** Undefined if the marked items are decided in different ways. */
function whyNotTogether(works: readonly Work[], how: 'decide' | 'settle'): string | undefined {
  if (works.length === 0) return 'Select items first.'
  if (works.some(({ queue }) => queueOf(queue).decided !== how))
    return 'These items cannot be decided in the list: open them.'
  if (new Set(works.map(({ queue }) => queue)).size > 1) return 'Select items of one queue.'
  if (works.length > 1 && works[0]?.queue === 'Match') return 'Matches are decided one by one.'
  return undefined
}

/** Each with its previous owner. */
function giveBackOf(works: readonly Work[]): (() => Promise<unknown>) | undefined {
  if (works.length === 0) return undefined
  const before = [...new Set(works.map(({ assignedTo }) => assignedTo))]
  return () =>
    Promise.all(
      before.map((assignedTo) => {
        const workIds = works.filter((work) => work.assignedTo === assignedTo).map(({ workId }) => workId)
        return call('assign-work', assignedTo === '' ? { workIds } : { workIds, assignedTo })
      }),
    )
}

type Colleague = Answered<'list-staff'>['staff'][number]

/** Persons who may claim items of every marked queue. */
function takersOf(works: readonly Work[], staff: readonly Colleague[]): readonly Choice[] {
  return staff
    .filter(
      ({ disabled, role }) =>
        !disabled &&
        works.every(({ queue }) => whyNotTake(role as StaffRole, queue as CodeOf<'workQueue'>) === undefined),
    )
    .map(({ email, name, role }) => ({ value: email, label: `${name} (${role}, ${email})` }))
}
