/**
 * The inbox: everything that waits for a decision, oldest first, with keys. Marked items are claimed, assigned, decided
 * or settled together.
 */
import { type CodeOf, codeLists, type StaffRole, whyNotTake } from '@clearing/protocol'
import type { CallOf } from '@clearing/sdk'
import { Checkbox, Group, Kbd, Modal, Table as Plain } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ActButton } from '../act/act-button.tsx'
import { useFilters, useGoTo } from '../address.ts'
import { given } from '../client.ts'
import { Button } from '../design/button.tsx'
import { type Filter, Filters } from '../design/filters.tsx'
import { Listed } from '../design/listed.tsx'
import { undoNewest } from '../design/notices.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { useRestoring } from '../design/place.ts'
import { isInSight, useSelection } from '../design/selection.ts'
import { renderOrder, useSorting } from '../design/sorting.ts'
import { Status } from '../design/status.tsx'
import type { Column } from '../design/table.tsx'
import { Age, Due } from '../design/time.tsx'
import { eachOnce, usePages, useWrite } from '../reads.ts'
import { useRestoredState } from '../restored-state.ts'
import { useSession } from '../session/session.ts'
import { tellClaimed } from './claimed.ts'
import { Decide } from './decide.tsx'
import { type Key, useKeys } from './keys.ts'
import { detailOf, isDueOnDay, placeOf, queueOf, queues, subjectOf, type Work } from './queues.ts'
import { tellFault } from './refused.ts'

const label = 'Work'
const markedMax = 100
const keysNote = 'j and k move, Enter opens, c claims'
const landedNote = 'The item that was highlighted has left the list. The next one is highlighted now.'
const nothing: readonly Work[] = []
const noMarks: ReadonlySet<string> = new Set()

function keyOf({ workId }: Work) {
  return workId
}

export function WorkScreen() {
  const goTo = useGoTo()
  const { email, role } = useSession()
  const [{ queue }] = useFilters()
  const { pages, rows, selection } = useInbox()
  const { marked, mark, markAll, unmarkAll } = useMarked()
  const [helps, help] = useDisclosure()
  const claim = useWrite('claim-work')
  const current = selection.row
  const chosen = rows.filter(({ workId }) => marked.has(workId))

  const openItem = (work: Work) => {
    selection.keep()
    const { to, search } = placeOf(work)
    goTo(to, search)
  }
  /** Acts on the highlighted row. A row that is not visible is scrolled into view first. */
  const withCurrent = (act: (work: Work) => void) => {
    if (current === undefined) return
    if (isInSight()) act(current)
    else selection.reveal()
  }
  const take = (works: readonly Work[]) => {
    if (works.length === 0) return
    void claim.mutateAsync({ workIds: works.map(({ workId }) => workId) }).then(({ data }) => {
      tellClaimed(data, works, () => void pages.refetch())
      unmarkAll()
    }, tellFault)
  }
  const keys: Key[] = [
    { key: 'j', does: 'Next item', act: () => selection.move(1) },
    { key: 'k', does: 'Item before', act: () => selection.move(-1) },
    { key: 'Enter', does: 'Open the item', act: () => withCurrent(openItem) },
    {
      key: 'c',
      does: 'Claim it, or all that are marked',
      act: () => (chosen.length > 0 ? take(chosen) : withCurrent((work) => take([work]))),
    },
    { key: 'x', does: 'Mark it', act: () => withCurrent(({ workId }) => mark(workId)) },
    { key: 'r', does: 'Reload the list', act: () => void pages.refetch() },
    { key: 'z', does: 'Undo, while a notice offers it', act: undoNewest },
    { key: '?', does: 'These keys', act: help.open },
  ]
  useKeys(keys)

  return (
    <Page
      title="Work"
      note="Everything that waits for a decision: the oldest first, or in the order of a column."
      acts={
        <Button variant="default" onClick={help.open}>
          Keys&nbsp;<Kbd size="xs">?</Kbd>
        </Button>
      }
    >
      <Filters filters={[queueFilter(queue), ...filterList]} />
      <Panel
        title={chosen.length > 0 ? `${chosen.length} marked` : 'Inbox'}
        note={
          <span role="status">
            {selection.landed ? landedNote : chosen.length > 0 ? undefined : keysNote}
          </span>
        }
        flush
        acts={
          <Group gap="xs">
            <ActButton
              operation="claim-work"
              variant="default"
              notNow={chosen.length === 0 ? 'Select items first.' : whyNotAll(chosen, role as StaffRole)}
              onAct={() => take(chosen)}
            >
              Claim
            </ActButton>
            <Decide works={chosen} listed={queue && namesOf(queue)[0]} onDone={unmarkAll} />
          </Group>
        }
      >
        <Listed
          label={label}
          pages={{ ...pages, rows }}
          total={pages.data?.pages[0]?.total ?? undefined}
          columns={[markColumn({ rows, marked, mark, markAll }), ...columns(email)]}
          keyOf={keyOf}
          selection={selection}
          opens={openItem}
          empty="No items wait."
          emptyHint="New work appears automatically."
        />
      </Panel>
      <KeysDialog keys={keys} isOpen={helps} close={help.close} />
    </Page>
  )
}

/** Why the role cannot claim these items: the reason of the first that it cannot. */
function whyNotAll(works: readonly Work[], role: StaffRole): string | undefined {
  return works
    .map(({ queue }) => whyNotTake(role, queue as CodeOf<'workQueue'>))
    .find((why) => why !== undefined)
}

/** The items that the address filters and orders, and the highlighted one. */
function useInbox() {
  const [filters] = useFilters()
  const [sorting] = useSorting(label)
  const { sortBy, sortMode } = renderOrder(sorting, codeLists.workSort)
  const request = given<CallOf<'list-work'>>({
    queues: filters.queue ? namesOf(filters.queue) : undefined,
    assigned: filters.assigned,
    late: filters.waiting === 'late' ? true : undefined,
    olderThanHours: Number(filters.waiting) || undefined,
    sortBy,
    sortMode,
    counted: true,
  })
  const pages = usePages('list-work', 'work', request)
  const rows = useMemo(() => eachOnce(pages.rows, keyOf), [pages.rows])
  const isRestoring = useRestoring(label, pages)
  const selection = useSelection({
    label,
    list: JSON.stringify(request),
    rows: pages.isPlaceholderData || isRestoring ? nothing : rows,
    keyOf,
  })
  return { pages, rows, selection }
}

/** The marks of rows, at most as many as one decision may take. */
function useMarked() {
  const [marked, setMarked] = useRestoredState('marked work', noMarks)
  const mark = (workId: string) =>
    setMarked((before) => {
      const after = new Set(before)
      if (!after.delete(workId) && after.size < markedMax) after.add(workId)
      return after
    })
  const markAll = (rows: readonly Work[]) => setMarked(new Set(rows.slice(0, markedMax).map(keyOf)))
  return { marked, mark, markAll, unmarkAll: () => setMarked(noMarks) }
}

interface Marking extends Omit<ReturnType<typeof useMarked>, 'unmarkAll'> {
  /** The rows that are shown. */
  readonly rows: readonly Work[]
}

function markColumn({ rows, marked, mark, markAll }: Marking): Column<Work> {
  const count = rows.filter((work) => marked.has(keyOf(work))).length
  const isAll = count === Math.min(rows.length, markedMax)
  return {
    key: 'mark',
    header: (
      <Checkbox
        aria-label={rows.length > markedMax ? `Mark the first ${markedMax}` : 'Mark all'}
        checked={isAll}
        indeterminate={count > 0 && !isAll}
        onChange={() => markAll(isAll ? nothing : rows)}
      />
    ),
    cell: (work) => (
      <Checkbox
        aria-label={['Mark', subjectOf(work), work.accountNumber].join(' ').trim()}
        checked={marked.has(work.workId)}
        onChange={() => mark(work.workId)}
      />
    ),
  }
}

interface KeysDialogProps {
  readonly keys: readonly Key[]
  readonly isOpen: boolean
  readonly close: () => void
}

function KeysDialog({ keys, isOpen, close }: KeysDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title="Keys of the inbox"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Plain>
        <tbody>
          {keys.map(({ key, does }) => (
            <tr key={key}>
              <td>
                <Kbd>{key}</Kbd>
              </td>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </Plain>
    </Modal>
  )
}

/** The queues in the address: one, or those of a part of Home. */
function namesOf(queue: string): string[] {
  return queue.split(',')
}

function queueFilter(queue = ''): Filter {
  return {
    name: 'queue',
    label: 'Queue',
    kind: 'choice',
    any: 'All queues',
    unknown: namesOf(queue)
      .map((name) => queueOf(name).label)
      .join(', '),
    choices: Object.entries(queues).map(([value, { label }]) => ({ value, label })),
  }
}

const filterList = [
  {
    name: 'assigned',
    label: 'Assigned',
    kind: 'choice',
    any: 'Anyone',
    choices: [
      { value: 'Mine', label: 'Mine' },
      { value: 'Nobody', label: 'Not assigned' },
    ],
  },
  {
    name: 'waiting',
    label: 'Waiting',
    kind: 'choice',
    any: 'Any time',
    choices: [
      { value: 'late', label: 'Late' },
      { value: '24', label: 'More than a day' },
      { value: '72', label: 'More than three days' },
      { value: '168', label: 'More than a week' },
    ],
  },
] as const

function columns(email: string): readonly Column<Work>[] {
  return [
    {
      key: 'queue',
      header: 'Queue',
      order: 'queue',
      cell: ({ queue }) => <Status of={queue} tone="waiting" />,
    },
    {
      key: 'subject',
      header: 'What',
      cell: (work) => {
        const { to, search } = placeOf(work)
        return (
          <>
            <Link to={to} search={() => search}>
              {subjectOf(work)}
            </Link>
            {work.detail !== '' && <div className="quiet">{detailOf(work)}</div>}
          </>
        )
      },
    },
    {
      key: 'account',
      header: 'Account',
      order: 'accountNumber',
      cell: ({ accountNumber, accountName }) => (
        <>
          {accountNumber}
          <div className="quiet">{accountName}</div>
        </>
      ),
    },
    { key: 'firm', header: 'Firm', order: 'firmName', cell: ({ firmName }) => firmName },
    {
      key: 'since',
      header: 'Waits',
      right: true,
      order: 'since',
      cell: ({ since }) => <Age since={since} />,
    },
    {
      key: 'due',
      header: 'Due',
      cell: ({ dueBy, queue }) => (dueBy === null ? '' : <Due by={dueBy} isWholeDay={isDueOnDay(queue)} />),
    },
    {
      key: 'assigned',
      header: 'Assigned to',
      order: 'assignedTo',
      cell: ({ assignedTo }) =>
        assignedTo === email ? (
          <Status of="You" tone="waiting" />
        ) : (
          assignedTo || <span className="quiet">unassigned</span>
        ),
    },
  ]
}
