/** Calls that fail in a chosen way, to show a caller's view of the failure. */
import { CallFailed } from '@clearing/sdk'
import { Alert, Group, NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import { client } from '../client.ts'
import { Button } from '../design/button.tsx'
import { renderCount } from '../design/count.ts'
import { Panel } from '../design/panel.tsx'

const faults = [
  ['500', '500 Internal error'],
  ['503', '503 Out of service'],
  ['429', '429 Too many requests'],
  ['slow=3000', 'Three seconds late'],
] as const

type Fault = (typeof faults)[number][0]

export function Faults() {
  const [fault, setFault] = useState<Fault>('503')
  const [seen, setSeen] = useState<string>()
  const [waits, setWaits] = useState(false)
  const call = async () => {
    setWaits(true)
    const began = performance.now()
    const took = () => `after ${renderCount(Math.round(performance.now() - began))} ms`
    try {
      await client.codeLists({ name: 'scope' }, { sandboxFault: fault, retries: 0 })
      setSeen(`Answered ${took()}.`)
    } catch (caught) {
      const failed = caught instanceof CallFailed ? caught : undefined
      setSeen(
        `${failed?.status ?? 'No answer'} ${failed?.summary ?? String(caught)} ${took()}, trace ${failed?.traceId ?? ''}`,
      )
    } finally {
      setWaits(false)
    }
  }
  return (
    <Panel title="Faults">
      <Text size="sm" mb="sm">
        Any call to the sandbox fails when it carries the header <span className="mono">X-Sandbox-Fault</span>
        . Try one:
      </Text>
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label="Fault"
          value={fault}
          data={faults.map(([value, label]) => ({ value, label }))}
          onChange={(event) => setFault(event.currentTarget.value as Fault)}
        />
        <Button variant="default" loading={waits} onClick={call}>
          Call code-lists
        </Button>
      </Group>
      {seen !== undefined && (
        <Alert mt="sm" role="status" color="gray">
          {seen}
        </Alert>
      )}
    </Panel>
  )
}
