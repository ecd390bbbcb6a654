/** A load: how far it is while it runs, and its rejected lines and conflicts to be looked at and saved. */
import type { CallOf } from '@clearing/sdk'
import { Button, Progress } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Act } from '../act/act.tsx'
import { usePart } from '../address.ts'
import { type Answered, call, given } from '../client.ts'
import { renderCsv, saveFile } from '../csv.ts'
import { renderCount } from '../design/count.ts'
import { Facts } from '../design/facts.tsx'
import { Listed } from '../design/listed.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Failure, Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { Time } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { usePages, useRead } from '../reads.ts'

type Load = Answered<'get-load'>
const runningEveryMs = 1_000

export function LoadScreen() {
  const loadId = usePart('loadId')
  const [runs, setRuns] = useState(true)
  const read = useRead('get-load', { loadId }, { everyMs: runs ? runningEveryMs : undefined })
  if (read.data !== undefined && runs && read.data.state !== 'Running') setRuns(false)
  return (
    <Shown read={read}>
      {(load) => (
        <Page
          title={wordsOf(load.kind)}
          above={[{ label: 'Loads', to: '/books/loads' }]}
          badge={<Status of={load.state} />}
          acts={hasLeft(load) && load.lookedAtBy === '' ? <Review loadId={load.loadId} /> : undefined}
        >
          {load.state === 'Running' && <Progress value={100} animated aria-label="The load runs" />}
          <Panel title="Lines">
            <Facts
              facts={[
                ['Received', renderCount(load.received)],
                ['Accepted', renderCount(load.accepted)],
                ['Of days to come', load.pending === 0 ? undefined : renderCount(load.pending)],
                ['Duplicates', renderCount(load.duplicates)],
                ['Conflicts', renderCount(load.conflicts)],
                ['Rejected', renderCount(load.rejected)],
                ['Started', <Time key="started" at={load.startedOn} />],
                ['Ended', load.endedOn === null ? undefined : <Time key="ended" at={load.endedOn} />],
                ['Reviewed by', hasLeft(load) ? load.lookedAtBy || 'nobody yet' : undefined],
              ]}
            />
          </Panel>
          <Rejects load={load} />
        </Page>
      )}
    </Shown>
  )
}

/** Something that the checklist of a close asks about. */
function hasLeft({ state, rejected }: Load): boolean {
  return state !== 'Running' && (rejected > 0 || state === 'CutOff')
}

function Review({ loadId }: { readonly loadId: string }) {
  return (
    <Act
      operation="review-load"
      label="Mark as reviewed"
      title="Mark as reviewed"
      explains="The load is no longer open when the business day is closed."
      fields={[{ name: 'note', label: 'Note', kind: 'long' }]}
      fixed={{ loadId }}
    />
  )
}

const columnNames = ['line', 'code', 'field', 'reason'] as const

function Rejects({ load }: { readonly load: Load }) {
  const pages = usePages('get-load', 'rejects', { loadId: load.loadId })
  const { refetch } = pages
  const known = load.rejects.length + load.rejected + load.conflicts
  // biome-ignore lint/correctness/useExhaustiveDependencies: read anew as the load goes on
  useEffect(() => void refetch(), [known, load.state])
  const [saves, setSaves] = useState(false)
  const [fault, setFault] = useState<unknown>()
  const save = async () => {
    setSaves(true)
    setFault(undefined)
    try {
      saveFile(`rejects-${load.loadId}.csv`, 'text/csv', renderCsv(columnNames, await readAll(load)))
    } catch (caught) {
      setFault(caught)
    } finally {
      setSaves(false)
    }
  }
  return (
    <Panel
      title={load.conflicts === 0 ? 'Rejected lines' : 'Rejected lines and conflicts'}
      flush
      acts={
        <Button
          variant="default"
          loading={saves}
          disabled={load.rejects.length === 0}
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={save}
        >
          CSV of all
        </Button>
      }
    >
      {fault !== undefined && <Failure fault={fault} />}
      <Listed
        label="Rejected lines"
        pages={pages}
        keyOf={({ line, field }, index) => `${line} ${field} ${index}`}
        empty="Every line was taken."
        columns={[
          {
            key: 'line',
            header: 'Line',
            right: true,
            by: ({ line }) => line,
            cell: ({ line }) => renderCount(line),
          },
          {
            key: 'code',
            header: 'Code',
            by: ({ code }) => code,
            cell: ({ code }) => <span className="mono">{code}</span>,
          },
          {
            key: 'field',
            header: 'Field',
            by: ({ field }) => field,
            cell: ({ field }) => <span className="mono">{field}</span>,
          },
          { key: 'reason', header: 'Reason', cell: ({ reason }) => reason },
        ]}
      />
    </Panel>
  )
}

/** All pages of the rejects, from the first. */
async function readAll({ loadId }: Load): Promise<Load['rejects']> {
  const rejects: Load['rejects'] = []
  let after = ''
  do {
    const page: Load = (await call('get-load', given<CallOf<'get-load'>>({ loadId, after }))).data
    rejects.push(...page.rejects)
    after = page.next
  } while (after !== '')
  return rejects
}
