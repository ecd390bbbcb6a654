/** A load: its progress, and its rejected lines and conflicts for correction. */
import { Progress } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Act } from '../act/act.tsx'
import { usePart } from '../address.ts'
import type { Answered } from '../client.ts'
import { renderCount } from '../design/count.ts'
import { Facts } from '../design/facts.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { Time } from '../design/time.tsx'
import { useRead } from '../reads.ts'
import { titleOfLoad } from './load-kinds.ts'
import { Rejects } from './rejects.tsx'

type Load = Answered<'get-load'>
const runningEveryMs = 1_000

export function LoadScreen() {
  const loadId = usePart('loadId')
  const [runs, setRuns] = useState(true)
  const read = useRead('get-load', { loadId }, { everyMs: runs ? runningEveryMs : undefined })
  if (read.data !== undefined && runs && read.data.state !== 'Running') setRuns(false)
  const above = [{ label: 'Loads', to: '/books/loads' }]
  return (
    <Shown read={read} failedPage={{ title: 'Load', above }}>
      {(load) => (
        <Page
          title={titleOfLoad(load.kind)}
          subject={[titleOfLoad(load.kind), load.source].filter((part) => part !== '').join(' · ')}
          above={above}
          badge={<Status of={load.state} />}
          acts={hasLeft(load) && load.lookedAtBy === '' ? <Review loadId={load.loadId} /> : undefined}
        >
          {load.state === 'Running' && <Progress value={100} animated aria-label="The load runs" />}
          <Panel title="Lines">
            <Facts
              facts={[
                [
                  'Source',
                  load.source === '' ? undefined : (
                    <Link key="source" to="/books/loads" search={() => ({ source: load.source })}>
                      {load.source}
                    </Link>
                  ),
                ],
                ['Received', renderCount(load.received)],
                ['Accepted', renderCount(load.accepted)],
                ['Of future days', load.pending === 0 ? undefined : renderCount(load.pending)],
                ['Duplicates', renderCount(load.duplicates)],
                ['Conflicts', renderCount(load.conflicts)],
                ['Rejected', renderCount(load.rejected)],
                ['Started', <Time key="started" at={load.startedOn} />],
                ['Ended', load.endedOn === null ? undefined : <Time key="ended" at={load.endedOn} />],
                ['Reviewed by', hasLeft(load) ? load.lookedAtBy || 'not reviewed' : undefined],
              ]}
            />
          </Panel>
          <Rejects load={load} />
        </Page>
      )}
    </Shown>
  )
}

/** An item of the checklist of a close. */
function hasLeft({ state, rejected }: Load): boolean {
  return state !== 'Running' && (rejected > 0 || state === 'CutOff')
}

function Review({ loadId }: { readonly loadId: string }) {
  return (
    <Act
      operation="review-load"
      label="Mark as reviewed"
      title="Mark as reviewed"
      explains="The close of the business day no longer lists the load."
      fields={[{ name: 'note', label: 'Note', kind: 'long' }]}
      fixed={{ loadId }}
    />
  )
}
