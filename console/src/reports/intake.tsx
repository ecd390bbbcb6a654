/** Applications of the last days (submitted, opened, rejected) as small columns, with a table for screen readers. */
import { Group, Text, VisuallyHidden } from '@mantine/core'
import type { Answered } from '../client.ts'
import { renderCount } from '../design/count.ts'
import { Empty } from '../design/states.tsx'
import { renderDay } from '../design/time.tsx'

type Days = Answered<'get-overview'>['days']

const heightPx = 92

export function Intake({ days }: { readonly days: Days }) {
  const most = Math.max(1, ...days.map((day) => Math.max(day.submitted, day.opened, day.rejected)))
  if (days.length === 0) return <Empty what="No applications yet" />
  return (
    <>
      <div className="intake" aria-hidden style={{ height: heightPx }}>
        {days.map((day) => (
          <div
            key={day.date}
            title={`${renderDay(day.date)}: ${day.submitted} submitted, ${day.opened} opened, ${day.rejected} rejected or failed`}
          >
            {(['submitted', 'opened', 'rejected'] as const).map((kind) => (
              <i key={kind} className={kind} style={{ height: `${(day[kind] / most) * 100}%` }} />
            ))}
          </div>
        ))}
      </div>
      <Group justify="space-between" mt={4} className="quiet" fz="xs">
        <span>{renderDay(days[0]?.date ?? '')}</span>
        <span>{renderDay(days.at(-1)?.date ?? '')}</span>
      </Group>
      <Group gap="md" mt={4} aria-hidden>
        {(['submitted', 'opened', 'rejected'] as const).map((kind) => (
          <Text key={kind} size="xs" className={`legend ${kind}`}>
            {kind === 'rejected' ? 'rejected or failed' : kind}{' '}
            {renderCount(days.reduce((sum, day) => sum + day[kind], 0))}
          </Text>
        ))}
      </Group>
      <VisuallyHidden component="ul">
        {days.map((day) => (
          <li key={day.date}>
            {renderDay(day.date)}: {day.submitted} submitted, {day.opened} opened, {day.rejected} rejected or
            failed
          </li>
        ))}
      </VisuallyHidden>
    </>
  )
}
