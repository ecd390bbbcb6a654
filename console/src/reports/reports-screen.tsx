/** Account openings by client firm in a range of days, and the current states of applications. */
import { Group } from '@mantine/core'
import type { Answered } from '../client.ts'
import { renderCount } from '../design/count.ts'
import { DayRange, useDayRange } from '../design/day-range.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { type Column, Table } from '../design/table.tsx'
import { wordsOf } from '../design/words.ts'
import { useRead } from '../reads.ts'
import { OpeningNow, renderHours } from './opening-now.tsx'

type Report = Answered<'get-report'>['firms'][number]

const rangeDays = 90

const counts = {
  submitted: 'Submitted',
  opened: 'Opened',
  rejected: 'Rejected',
  failed: 'Failed',
  waiting: 'Waiting',
  askedBack: 'Firm had to add',
} as const

export function ReportsScreen() {
  const { from: dateFrom, to: dateTo } = useDayRange(rangeDays)
  const report = useRead('get-report', { dateFrom, dateTo }, { keep: true })
  return (
    <Page
      title="Reports"
      note="Account opening by client firm, for the applications submitted in this range."
    >
      <Group gap="sm" align="flex-end" role="search">
        <DayRange from={dateFrom} to={dateTo} />
      </Group>
      <Shown read={report}>
        {({ firms }) => (
          <Panel title="By firm" flush>
            <Table
              label="Account opening by firm"
              rows={firms}
              keyOf={({ firmId }) => firmId}
              empty="No application was submitted in this range."
              columns={columns}
            />
          </Panel>
        )}
      </Shown>
      <OpeningNow />
    </Page>
  )
}

const columns: readonly Column<Report>[] = [
  { key: 'firm', header: 'Firm', by: ({ firmName }) => firmName, cell: ({ firmName }) => firmName },
  ...(Object.keys(counts) as (keyof typeof counts)[]).map((count) => ({
    key: count,
    header: counts[count],
    right: true,
    by: (row: Report) => row[count],
    cell: (row: Report) => renderCount(row[count]),
  })),
  {
    key: 'reasons',
    header: 'Reasons for rejection',
    cell: ({ reasons }) => reasons.map(({ reason, count }) => `${reason} (${count})`).join('; '),
  },
  {
    key: 'time',
    header: 'Median time in state',
    cell: ({ timeInState }) =>
      timeInState.map(({ state, medianHours }) => `${wordsOf(state)} ${renderHours(medianHours)}`).join(', '),
  },
]
