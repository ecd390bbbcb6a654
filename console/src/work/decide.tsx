/** What can be done with the items that are marked: decided or settled together, or given to somebody. */
import { limits } from '@clearing/protocol'
import { Act } from '../act/act.tsx'
import { choicesOf } from '../design/codes.ts'
import { queueOf, type Work } from './queues.ts'
import { tellRefused } from './refused.ts'

const reason = (required: boolean) =>
  ({
    name: 'reason',
    label: 'Reason',
    kind: 'long',
    required,
    hint: `At most ${limits.noteLengthMax} characters. The firm may read it: no personal data.`,
  }) as const

export const Decide = ({
  works,
  onDone,
}: {
  readonly works: readonly Work[]
  readonly onDone: () => void
}) => {
  const decided = whyNotTogether(works, 'decide')
  const settled = whyNotTogether(works, 'settle')
  const count = works.length === 1 ? 'one item' : `${works.length} items`
  const queue = queueOf(works[0]?.queue ?? '')
  const shared = {
    onDone: ({ data }: { data: { refused: readonly { workId: string; reason: string }[] } }) => {
      tellRefused(data.refused)
      onDone()
    },
  }
  const workIds = works.map(({ workId }) => workId)
  return (
    <>
      <Act
        operation="assign-work"
        label="Give to…"
        title="Give the work to somebody"
        notNow={works.length === 0 ? 'Mark items first.' : undefined}
        fields={[
          {
            name: 'assignedTo',
            label: 'E-mail of the colleague',
            kind: 'text',
            hint: 'Empty gives it back.',
          },
        ]}
        fixed={{ workIds } as never}
        {...shared}
      />
      {settled === undefined ? (
        <Act
          operation="settle-work"
          label={queue.settle ?? 'Settle'}
          title={`${queue.settle ?? 'Settle'}: ${count}`}
          fields={[reason(true)]}
          fixed={{ workIds } as never}
          {...shared}
        />
      ) : (
        <>
          <Act
            operation="decide-work"
            label={queue.approve ?? 'Approve'}
            title={`${queue.approve ?? 'Approve'} ${count}`}
            notNow={decided}
            fields={[reason(queue.approve !== undefined)]}
            fixed={{ workIds, decision: 'Approved' } as never}
            {...shared}
          />
          <Act
            operation="decide-work"
            label={queue.reject ?? 'Reject'}
            title={`${queue.reject ?? 'Reject'} ${count}`}
            danger
            notNow={decided}
            fields={[
              reason(true),
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
            fixed={{ workIds, decision: 'Rejected' } as never}
            {...shared}
          />
        </>
      )}
    </>
  )
}

/** Undefined when all that is marked is decided the same way. */
const whyNotTogether = (works: readonly Work[], how: 'decide' | 'settle'): string | undefined => {
  if (works.length === 0) return 'Mark items first.'
  if (works.some(({ queue }) => queueOf(queue).decided !== how))
    return 'What is marked is not decided from the list: open it.'
  if (new Set(works.map(({ queue }) => queue)).size > 1) return 'Mark items of one queue.'
  return undefined
}
