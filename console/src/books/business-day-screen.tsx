/** The business day: its open items, the checklist before its close, and the steps of the last close. */
import { Progress } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Act } from '../act/act.tsx'
import type { Answered } from '../client.ts'
import { labelOf } from '../design/codes.ts'
import { countOf, renderCount } from '../design/count.ts'
import { Facts } from '../design/facts.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Empty, Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { Table } from '../design/table.tsx'
import { Age, Day, renderDay, Time } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { useRead } from '../reads.ts'
import { NamesOfItem } from './names-of-item.tsx'

type Overview = Answered<'get-overview'>
const runningEveryMs = 2_000
/** The checklist reads much of the books, so it is refreshed less often than a running close. */
const checkedEveryMs = 20_000

export function BusinessDayScreen() {
  const overview = useRead('get-overview', {}, { everyMs: runningEveryMs })
  const checked = useRead('close-checklist', {}, { everyMs: checkedEveryMs })
  return (
    <Shown read={overview} failedPage={{ title: 'Business day' }}>
      {(data) => {
        const { businessDate, closing } = data
        return (
          <Page
            title="Business day"
            badge={<Status of={closing === null ? 'Open' : 'Running'} />}
            acts={<CloseDay date={businessDate} runs={closing !== null} checked={checked.data} />}
          >
            <div className="columns">
              <Panel title="Open now">
                <Facts
                  facts={[
                    ['Business date', <Day key="date" on={businessDate} />],
                    ['Close', closing === null ? 'not running' : <Status key="runs" of="Running" />],
                  ]}
                />
              </Panel>
              <LastClose close={data.lastClose} />
            </div>
            <Shown read={checked}>
              {({ checklist }) => <Checklist items={checklist} note={`of ${renderDay(businessDate)}`} />}
            </Shown>
            <Steps close={closing ?? data.lastClose} runs={closing !== null} />
          </Page>
        )
      }}
    </Shown>
  )
}

interface CloseDayProps {
  readonly date: string
  readonly runs: boolean
  readonly checked: Answered<'close-checklist'> | undefined
}

/** If items are open, the form asks for the reason to close the day. */
function CloseDay({ date, runs, checked }: CloseDayProps) {
  const isOpen = (checked?.open ?? 0) > 0
  const notNow = runs
    ? 'A close is running.'
    : checked?.hasCome === false
      ? `The business day, ${renderDay(date)}, has not come.`
      : undefined
  return (
    <Act
      operation="close-business-day"
      label="Close the day"
      title={`Close ${renderDay(date)}`}
      submit="Close the day"
      look={{ variant: 'filled' }}
      notNow={notNow}
      explains={`Settles, accrues, marks to market, issues and ages calls, and seals the day. Closing it a second time does nothing.${
        checked?.secondPerson === true
          ? ' The severity of the open items requires the approval of a second person.'
          : ''
      }${isOpen ? ` Open: ${openItems(checked?.checklist ?? [])}.` : ''}`}
      fields={
        isOpen
          ? [
              {
                name: 'acceptOpen.reason',
                label: 'Why the day is closed with open items',
                kind: 'long',
                required: true,
              },
            ]
          : []
      }
      fixed={{ date }}
    />
  )
}

type CheckItem = Answered<'close-checklist'>['checklist'][number]

/** The dialog names the items, because it can cover the checklist. */
function openItems(items: readonly CheckItem[]): string {
  return items
    .filter(({ open }) => open)
    .map(({ item, severity, count }) => {
      const counted = [severity?.toLowerCase(), renderCount(count)].filter(Boolean).join(', ')
      return `${labelOf('closeItem', item)} (${counted})`
    })
    .join('; ')
}

function Checklist({ items, note }: { readonly items: readonly CheckItem[]; readonly note: string }) {
  return (
    <Panel title="Checklist" note={note} flush>
      <Table
        label="Checklist"
        isPart
        rows={items}
        keyOf={({ item, severity }) => `${item} ${severity}`}
        empty="There are no items."
        columns={[
          { key: 'item', header: 'Item', cell: ({ item }) => <ItemName item={item} /> },
          { key: 'severity', header: 'Severity', cell: ({ severity }) => severity ?? '' },
          {
            key: 'state',
            header: 'State',
            cell: ({ open, count }) =>
              open ? (
                <Status of="Open" tone="attention" />
              ) : (
                // Items that do not prevent a close are only reported.
                <Status of={count > 0 ? 'Reported' : 'Done'} />
              ),
          },
          {
            key: 'count',
            header: 'Count',
            right: true,
            by: ({ count }) => count,
            cell: ({ count }) => renderCount(count),
          },
          {
            key: 'oldest',
            header: 'Oldest',
            right: true,
            cell: ({ oldestOn }) => (oldestOn ? <Age since={oldestOn} /> : ''),
          },
          {
            key: 'owners',
            header: 'Owners',
            cell: ({ oldestOn, owners = [] }) =>
              owners.join(', ') || (oldestOn ? <span className="quiet">unassigned</span> : ''),
          },
          {
            key: 'detail',
            header: 'Which',
            cell: ({ detail, names = [], count }) =>
              names.length > 0 ? <NamesOfItem names={names} count={count} /> : detail.replace(kind, wordsOf),
          },
        ]}
      />
    </Panel>
  )
}

/** A kind of breaks, as the service names it. */
const kind = /\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b/g

/** The screen that shows the items. */
const places: Readonly<Record<string, string>> = {
  LoadsRunning: '/books/loads',
  LoadsCutOff: '/books/loads',
  Rejects: '/books/loads',
  Breaks: '/books/breaks',
  Calls: '/books/calls',
  Locations: '/books/locations',
}

function ItemName({ item }: { readonly item: string }) {
  const to = places[item]
  const label = labelOf('closeItem', item)
  return to === undefined ? label : <Link to={to}>{label}</Link>
}

type Close = Overview['lastClose']

function LastClose({ close }: { readonly close: Close }) {
  return (
    <Panel title="Last close">
      {close === null ? (
        <Empty what="No day has been closed yet." />
      ) : (
        <Facts
          facts={[
            ['Day', <Day key="day" on={close.closedDate} />],
            ['Accounts', renderCount(close.accounts)],
            ['Positions', renderCount(close.positions)],
            ['Margin calls issued', renderCount(close.callsIssued)],
            ['Margin calls met', renderCount(close.callsMet)],
            ['Started', <Time key="started" at={close.startedOn} />],
            ['Closed', <Time key="closed" at={close.closedOn} />],
            ['Open items', openThen(close.checklist)],
            ['Accepted', close.acceptedOpen === null ? undefined : acceptedBy(close.acceptedOpen)],
          ]}
        />
      )}
    </Panel>
  )
}

function openThen(checklist: readonly CheckItem[]): string {
  return (
    checklist
      .filter(({ open }) => open)
      .map(
        ({ item, severity, count }) =>
          `${wordsOf(item)}${severity === null ? '' : ` (${severity})`}: ${renderCount(count)}`,
      )
      .join(', ') || 'nothing'
  )
}

function acceptedBy({ reason, by, approvedBy }: NonNullable<NonNullable<Close>['acceptedOpen']>): string {
  return `${reason} – ${by}${approvedBy === '' ? '' : `, approved by ${approvedBy}`}`
}

interface StepsProps {
  readonly close: Close
  readonly runs: boolean
}

function Steps({ close, runs }: StepsProps) {
  const steps = close?.steps ?? []
  const done = steps.filter(({ state }) => state === 'Done').length
  return (
    <Panel title="Steps" note={close === null ? undefined : `of ${renderDay(close.closedDate)}`} flush>
      {runs && (
        <Progress
          value={(done / Math.max(1, steps.length)) * 100}
          animated
          m="md"
          aria-label={`${done} of ${countOf(steps.length, 'step')} done`}
        />
      )}
      <Table
        label="Steps"
        isPart
        rows={steps}
        keyOf={({ step }) => step}
        empty={close === null ? 'No day has been closed yet.' : 'The close has no steps.'}
        columns={[
          { key: 'step', header: 'Step', cell: ({ step }) => labelOf('closeStep', step) },
          { key: 'state', header: 'State', cell: ({ state }) => <Status of={state} /> },
          {
            key: 'took',
            header: 'Took',
            right: true,
            by: ({ durationMs }) => durationMs,
            cell: ({ durationMs }) => `${renderCount(durationMs)} ms`,
          },
        ]}
      />
    </Panel>
  )
}
