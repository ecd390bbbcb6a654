/** The business day: what is open, how the last close went step by step, and the next close. */
import { Progress } from '@mantine/core'
import { Act } from '../act/act.tsx'
import type { Answered } from '../client.ts'
import { Facts } from '../design/facts.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Empty, Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { Table } from '../design/table.tsx'
import { Day, Time } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { useRead } from '../reads.ts'

type Overview = Answered<'get-overview'>
const runningEveryMs = 2_000

export const BusinessDayScreen = () => {
  const overview = useRead('get-overview', {}, { everyMs: runningEveryMs })
  return (
    <Shown read={overview}>
      {(data) => {
        const { businessDate, closing } = data
        return (
          <Page
            title="Business day"
            badge={<Status of={closing === null ? 'Open' : 'Running'} />}
            acts={
              <Act
                operation="close-business-day"
                label="Close the day"
                title={`Close ${businessDate}`}
                submit="Close the day"
                look={{ variant: 'filled' }}
                notNow={closing === null ? undefined : 'A close is running.'}
                explains="Settles, accrues, marks to market, issues and ages calls, and seals the day. Closing it a second time does nothing."
                fixed={{ date: businessDate } as never}
              />
            }
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
            <Steps close={closing ?? data.lastClose} runs={closing !== null} />
          </Page>
        )
      }}
    </Shown>
  )
}

type Close = Overview['lastClose']

const LastClose = ({ close }: { readonly close: Close }) => (
  <Panel title="Last close">
    {close === null ? (
      <Empty what="No day was closed yet." />
    ) : (
      <Facts
        facts={[
          ['Day', <Day key="day" on={close.closedDate} />],
          ['Accounts', close.accounts.toLocaleString()],
          ['Positions', close.positions.toLocaleString()],
          ['Calls issued', close.callsIssued.toLocaleString()],
          ['Calls met', close.callsMet.toLocaleString()],
          ['Started', <Time key="started" at={close.startedOn} />],
          ['Closed', <Time key="closed" at={close.closedOn} />],
        ]}
      />
    )}
  </Panel>
)

interface StepsProps {
  readonly close: Close
  readonly runs: boolean
}

const Steps = ({ close, runs }: StepsProps) => {
  const steps = close?.steps ?? []
  const done = steps.filter(({ state }) => state === 'Done').length
  return (
    <Panel title="Steps" note={close === null ? undefined : `of ${close.closedDate}`} flush>
      {runs && (
        <Progress
          value={(done / Math.max(1, steps.length)) * 100}
          animated
          m="md"
          aria-label={`${done} of ${steps.length} steps are done`}
        />
      )}
      <Table
        label="Steps"
        rows={steps}
        keyOf={({ step }) => step}
        empty="There are no steps to show."
        columns={[
          { key: 'step', header: 'Step', cell: ({ step }) => wordsOf(step) },
          { key: 'state', header: 'State', cell: ({ state }) => <Status of={state} /> },
          {
            key: 'took',
            header: 'Took',
            right: true,
            by: ({ durationMs }) => durationMs,
            cell: ({ durationMs }) => `${durationMs.toLocaleString()} ms`,
          },
        ]}
      />
    </Panel>
  )
}
