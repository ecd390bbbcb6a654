/** The sandbox's clock: shown, advanced, frozen. */
import type { CallOf } from '@clearing/sdk'
import { Act } from '../act/act.tsx'
import { given } from '../client.ts'
import { Facts } from '../design/facts.tsx'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { Day, renderAge, Time } from '../design/time.tsx'
import { useRead } from '../reads.ts'

const clockEveryMs = 5_000

function aheadInWords(seconds: number) {
  return seconds < 60 ? 'not' : renderAge(seconds * 1_000)
}

export function Clock() {
  const clock = useRead('get-clock', {}, { everyMs: clockEveryMs })
  return (
    <Panel
      title="Clock"
      acts={
        <>
          <Act
            operation="advance-clock"
            label="Advance…"
            title="Advance the clock"
            submit="Advance"
            explains="Business days that end during the move are closed, and due stages and follow-ups are processed."
            fields={[
              { name: 'days', label: 'Days', kind: 'whole', first: '1' },
              {
                name: 'duration',
                label: 'Or a duration',
                kind: 'text',
                hint: 'ISO 8601: PT30S, PT6H, P1DT12H.',
              },
            ]}
            shape={({ days, duration }) =>
              given<CallOf<'advance-clock'>>({ days: duration === undefined ? days : undefined, duration })
            }
          />
          <Act
            operation="set-clock"
            label="Set…"
            title="Set the clock"
            submit="Set"
            explains="The clock only moves forward. A snapshot or a reset moves it back."
            fields={[
              {
                name: 'now',
                label: 'To the instant',
                kind: 'text',
                required: true,
                hint: 'ISO 8601, such as 2027-01-04T15:00:00Z.',
              },
            ]}
          />
          <Act
            operation="freeze-clock"
            label={clock.data?.frozen ? 'Let it run' : 'Freeze'}
            title={clock.data?.frozen ? 'Let the clock run' : 'Freeze the clock'}
            fixed={{ frozen: clock.data?.frozen !== true }}
          />
        </>
      }
    >
      <Shown read={clock} rows={2}>
        {({ now, frozen, aheadSeconds, businessDate }) => (
          <Facts
            facts={[
              ['Time', <Time key="now" at={now} />],
              [
                'State',
                <Status key="runs" of={frozen ? 'Frozen' : 'Runs'} tone={frozen ? 'attention' : 'good'} />,
              ],
              ['Ahead of the wall clock', aheadInWords(Number(aheadSeconds))],
              ['Business date', <Day key="day" on={businessDate} />],
            ]}
          />
        )}
      </Shown>
    </Panel>
  )
}
