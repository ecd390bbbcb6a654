/** The record at the ends of any two days side by side: the fields that differ. */
import { Group, Stack } from '@mantine/core'
import { type FieldChange, FieldChanges } from '../change/field-changes.tsx'
import type { Answered } from '../client.ts'
import { DayRange, useDayRange } from '../design/day-range.tsx'
import { Panel } from '../design/panel.tsx'
import { Empty, Shown } from '../design/states.tsx'
import { renderDay } from '../design/time.tsx'
import { useRead } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'
import { flatten } from './record.ts'

const rangeDays = 30

export function RecordCompared({ accountNumber }: TabProps) {
  const { from, to } = useDayRange(rangeDays)
  const [first = from, last = to] = [from, to].sort()
  return (
    <Panel title="Two days side by side" note="the record at the end of each">
      <Stack gap="sm">
        <Group gap="sm" align="flex-end">
          <DayRange from={from} to={to} />
        </Group>
        <Differences accountNumber={accountNumber} first={first} last={last} />
      </Stack>
    </Panel>
  )
}

interface DifferencesProps extends TabProps {
  readonly first: string
  readonly last: string
}

function Differences({ accountNumber, first, last }: DifferencesProps) {
  const before = useRead('account-history', { accountNumber, asOf: first, size: 1 }, { keep: true })
  const after = useRead('account-history', { accountNumber, asOf: last, size: 1 }, { keep: true })
  return (
    <Shown read={before}>
      {(was) => (
        <Shown read={after}>
          {(is) =>
            is.record ? (
              <FieldChanges
                label="Fields that differ"
                changes={differencesOf(was.record, is.record)}
                empty="The record is the same on both days."
                headers={[renderDay(first), renderDay(last)]}
              />
            ) : (
              <Empty what="There was no account yet on either day." />
            )
          }
        </Shown>
      )}
    </Shown>
  )
}

type Kept = Answered<'account-history'>['record']

function differencesOf(before: Kept, after: Kept): FieldChange[] {
  const [was, is] = [new Map(flatten(before)), new Map(flatten(after))]
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((field) => was.get(field) !== is.get(field))
    .map((field) => ({ field, before: was.get(field), after: is.get(field) }))
}
