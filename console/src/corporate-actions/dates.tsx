/** The dates of a corporate action in their order, each in words. */
import { Text, Timeline } from '@mantine/core'
import { Day, renderDay, Time } from '../design/time.tsx'
import type { Action } from './action.ts'

interface Dated {
  readonly on: string
  readonly title: string
  readonly words: string
}

function datesOf(action: Action): Dated[] {
  const { recordDate, exDate, payDate, bookedOn, deadline, defaultOption, cancelledBy, state } = action
  const booked = `The lines of all holders ${state === 'Announced' ? 'are' : 'were'} booked on this day.`
  const books = cancelledBy === '' ? booked : 'No line counts, because of the cancel.'
  return [
    { on: recordDate, title: 'Record date', words: 'The issuer counts the holders of record on this day.' },
    {
      on: exDate,
      title: 'Ex-date',
      words: 'Who holds the security at the beginning of this day is entitled.',
    },
    {
      on: deadline,
      title: 'Deadline',
      words: `The last day for elections. Shares without an election get the default, ${defaultOption}.`,
    },
    { on: payDate, title: 'Pay date', words: bookedOn === payDate ? books : 'The issuer pays.' },
    { on: bookedOn === payDate ? '' : bookedOn, title: 'Booking', words: books },
  ]
    .filter(({ on }) => on !== '')
    .sort((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0))
}

interface DatesProps {
  readonly of: Action
  /** Empty as long as it is not read. */
  readonly businessDate: string
}

export function Dates({ of: action, businessDate }: DatesProps) {
  const dates = datesOf(action)
  const reached = dates.filter(({ on }) => on <= businessDate).length
  return (
    <Timeline bulletSize={12} lineWidth={2} active={reached}>
      <Timeline.Item title="Announced">
        <Text size="xs" className="quiet">
          <Time at={action.announcedOn} />
          {action.amendedOn !== null && (
            <>
              , amended <Time at={action.amendedOn} />
            </>
          )}
        </Text>
      </Timeline.Item>
      {dates.map(({ on, title, words }) => (
        <Timeline.Item key={title} title={title}>
          <Text size="sm">
            <Day on={on} />
            {on === businessDate && ', today'}
          </Text>
          <Text size="xs" className="quiet">
            {words}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  )
}

const states: Readonly<Record<string, (action: Action) => string>> = {
  Announced: ({ bookedOn }) => `Its lines are booked on ${renderDay(bookedOn)}.`,
  Booked: () => 'The lines of all holders are booked. Trades that arrive late still change them.',
  Amending: ({ version }) =>
    `Its lines are being reversed, because version ${version} of the terms was announced after they had been booked.`,
  Cancelling: ({ cancelledBy }) => `It was cancelled by ${cancelledBy}, and its lines are being reversed.`,
  Cancelled: ({ cancelledBy }) => `It was cancelled by ${cancelledBy}, and none of its lines counts.`,
}

/** Why the action is in its state, and what happens next. */
export function stateInWords(action: Action, businessDate: string): string {
  const isDue = action.state === 'Announced' && businessDate !== '' && action.bookedOn <= businessDate
  if (isDue) return 'Its lines are due and are being booked.'
  return states[action.state]?.(action) ?? ''
}
