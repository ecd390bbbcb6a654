/** The stages of the onboarding and its changes of state. */
import { Text, Timeline } from '@mantine/core'
import { IconCheck, IconClock, IconMinus, IconX } from '@tabler/icons-react'
import type { Answered } from '../client.ts'
import { Panel } from '../design/panel.tsx'
import { Status } from '../design/status.tsx'
import { renderAge, Time } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'

type Result = Answered<'onboarding-result'>

const looks: Readonly<Record<string, readonly [typeof IconCheck, string]>> = {
  Success: [IconCheck, 'teal.8'],
  Failed: [IconX, 'red.8'],
  InProgress: [IconClock, 'ink.7'],
  Pending: [IconClock, 'ink.7'],
}

export function Stages({ result: { state, history } }: { readonly result: Result }) {
  return (
    <>
      <Panel title="Stages">
        <Timeline bulletSize={20} lineWidth={2} active={state.length}>
          {state.map(({ code, status, reason }) => {
            const [Icon, color] = looks[status] ?? [IconMinus, 'gray.7']
            return (
              <Timeline.Item
                key={code}
                color={color}
                bullet={<Icon size={12} aria-hidden />}
                title={wordsOf(code)}
              >
                <Status of={status} />
                {reason !== '' && (
                  <Text size="xs" className="quiet" mt={2}>
                    {reason}
                  </Text>
                )}
              </Timeline.Item>
            )
          })}
        </Timeline>
      </Panel>
      <Panel title="History">
        <Timeline bulletSize={12} lineWidth={2}>
          {history.map(({ to, at, reason }, index) => {
            const next = history[index + 1]
            return (
              <Timeline.Item key={`${at} ${to}`} title={wordsOf(to)}>
                <Text size="xs" className="quiet">
                  <Time at={at} />
                  {next !== undefined &&
                    ` · ${renderAge(Date.parse(next.at) - Date.parse(at)).replace('now', 'under a minute')}`}
                </Text>
                {reason !== '' && <Text size="xs">{reason}</Text>}
              </Timeline.Item>
            )
          })}
        </Timeline>
      </Panel>
    </>
  )
}
