/** The person's open sessions, and the action that ends all others. */
import { Group, PasswordInput, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { tell } from '../design/notices.tsx'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { readJson } from '../session/read-json.ts'
import { headersOfPage } from '../session/session.ts'
import { askSession } from './ask-session.ts'

interface OwnSession {
  readonly startedOn: string
  readonly seenOn: string
  readonly address: string
  readonly browser: string
  readonly here: boolean
}

async function readSessions({ signal }: { readonly signal: AbortSignal }): Promise<OwnSession[]> {
  const answer = await fetch('/console/sessions', { headers: headersOfPage(), signal })
  return (await readJson<{ sessions: OwnSession[] }>(answer)).sessions
}

const browsers = /(Edg|OPR|Firefox|Chrome|Safari)\/(\d+)/
const systems = /Windows|Android|iPhone|iPad|Mac OS X|CrOS|Linux/
const names: Readonly<Record<string, string>> = {
  Edg: 'Edge',
  OPR: 'Opera',
  'Mac OS X': 'macOS',
  CrOS: 'ChromeOS',
}

/** `Chrome 147 on Linux`; the text itself if it names no browser that is known. */
function browserInWords(agent: string): string {
  const [, browser = '', version = ''] = /(Edg|OPR)\/(\d+)/.exec(agent) ?? browsers.exec(agent) ?? []
  if (browser === '') return agent
  const system = systems.exec(agent)?.[0]
  return `${names[browser] ?? browser} ${version}${system === undefined ? '' : ` on ${names[system] ?? system}`}`
}

export function OwnSessions() {
  const sessions = useQuery({ queryKey: ['own-sessions'], queryFn: readSessions })
  return (
    <Panel title="Where you are signed in" flush>
      <Shown read={sessions} rows={2}>
        {(rows) => (
          <>
            <Table
              label="Your sessions"
              isPart
              rows={rows}
              keyOf={({ startedOn }) => startedOn}
              empty="You have no sessions."
              columns={[
                { key: 'started', header: 'Signed in', cell: ({ startedOn }) => <Time at={startedOn} /> },
                {
                  key: 'seen',
                  header: 'Last used',
                  cell: ({ seenOn, here }) =>
                    here ? <Status of="Here" tone="good" /> : <Time at={seenOn} />,
                },
                { key: 'address', header: 'From', cell: ({ address }) => address },
                {
                  key: 'browser',
                  header: 'Browser',
                  cell: ({ browser }) => (
                    <span className="quiet" title={browser}>
                      {browserInWords(browser)}
                    </span>
                  ),
                },
              ]}
            />
            {rows.length > 1 && <EndOthers onDone={() => void sessions.refetch()} />}
          </>
        )}
      </Shown>
    </Panel>
  )
}

function EndOthers({ onDone }: { readonly onDone: () => void }) {
  const [current, setCurrent] = useState('')
  const [wrong, setWrong] = useState<string>()
  const end = async () => {
    const { wrong: found } = await askSession('sessions/end', { current })
    setWrong(found && Object.values(found)[0])
    if (found !== undefined) return
    setCurrent('')
    tell({ tone: 'good', message: 'Your other sessions have ended.' })
    onDone()
  }
  return (
    <form
      className="inside"
      onSubmit={(event) => {
        event.preventDefault()
        void end()
      }}
    >
      <Stack gap="sm">
        <PasswordInput
          size="xs"
          label="Your password, to end the others"
          autoComplete="current-password"
          value={current}
          error={wrong}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" variant="default">
            Sign out everywhere else
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
