/**
 * The rejected lines of a load as they were sent. Each can be corrected in place and sent again, and all can be saved
 * as CSV.
 */
import type { CallOf } from '@clearing/sdk'
import { Group, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { type Answered, call, given } from '../client.ts'
import { renderCsv, saveFile } from '../csv.ts'
import { Button } from '../design/button.tsx'
import { countOf, renderCount } from '../design/count.ts'
import { Count } from '../design/listed.tsx'
import { Panel } from '../design/panel.tsx'
import { Empty, Failure, Loading } from '../design/states.tsx'
import { usePages } from '../reads.ts'
import { useKeys } from '../work/keys.ts'
import { acceptedByOf, RejectedLine } from './rejected-line.tsx'

type Load = Answered<'get-load'>
export type Reject = Load['rejects'][number]

const columnNames = ['line', 'code', 'field', 'reason', 'sent', 'acceptedBy'] as const
const causesShown = 8

export function Rejects({ load }: { readonly load: Load }) {
  const pages = usePages('get-load', 'rejects', { loadId: load.loadId })
  const { refetch } = pages
  const known = load.rejects.length + load.rejected + load.conflicts
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again while the load runs
  useEffect(() => void refetch(), [known, load.state])
  const [cause, setCause] = useState<string>()
  const lines = useMemo(() => linesOf(pages.rows), [pages.rows])
  const left = lines.filter(({ rejects }) => acceptedByOf(rejects) === null)
  const causes = causesOf(left)
  const shown =
    cause === undefined ? lines : left.filter(({ rejects }) => rejects.some((one) => causeOf(one) === cause))
  const [current, setCurrent] = useState<number>()
  const at = shown.findIndex(({ line }) => line === current)
  const move = (by: number) => setCurrent(shown[Math.max(0, Math.min(at + by, shown.length - 1))]?.line)
  useKeys([
    { key: 'j', does: 'Next line', act: () => move(1) },
    { key: 'k', does: 'Line before', act: () => move(-1) },
  ])
  return (
    <Panel
      title={load.conflicts === 0 ? 'Rejected lines' : 'Rejected lines and conflicts'}
      note={shown.length === 0 ? undefined : 'j and k move; Enter sends the corrected line again'}
      flush
      acts={<Save load={load} />}
    >
      {causes.length > 1 && (
        <Group gap="xs" className="inside" role="group" aria-label="Causes">
          {causes.slice(0, causesShown).map(([name, count]) => (
            <Button
              key={name}
              variant={cause === name ? 'filled' : 'default'}
              aria-pressed={cause === name}
              onClick={() => setCause(cause === name ? undefined : name)}
            >
              {name} ({renderCount(count)})
            </Button>
          ))}
        </Group>
      )}
      {pages.error !== null && <Failure fault={pages.error} again={pages.again} />}
      {pages.isPending ? (
        <Loading />
      ) : lines.length === 0 ? (
        <Empty what="Every line was accepted." />
      ) : (
        <ol className="lines" aria-label="Rejected lines">
          {shown.map(({ line, rejects }) => (
            <RejectedLine
              key={line}
              kind={load.kind}
              line={line}
              rejects={rejects}
              isCurrent={line === current}
              onChoose={() => setCurrent(line)}
            />
          ))}
        </ol>
      )}
      {pages.hasNextPage && pages.error === null && (
        <Group justify="center" p="xs">
          <Button variant="default" loading={pages.isFetchingNextPage} onClick={pages.more}>
            More
          </Button>
        </Group>
      )}
      {lines.length > 0 && (
        <div className="foot">
          <Count shown={shown.length} total={load.rejected + load.conflicts} isAll={false} />
          {left.length < lines.length && (
            <Text size="xs" className="quiet">
              {renderCount(lines.length - left.length)} accepted later.
            </Text>
          )}
        </div>
      )}
    </Panel>
  )
}

interface Line {
  readonly line: number
  readonly rejects: readonly Reject[]
}

/** A line may have several reasons. */
function linesOf(rejects: readonly Reject[]): Line[] {
  const lines = new Map<number, Reject[]>()
  for (const one of rejects) lines.set(one.line, [...(lines.get(one.line) ?? []), one])
  return [...lines].map(([line, found]) => ({ line, rejects: found }))
}

function causeOf({ code, field }: Reject): string {
  return field === '' ? code : `${code} ${field}`
}

/** The most frequent first. */
function causesOf(lines: readonly Line[]): [cause: string, count: number][] {
  const counts = new Map<string, number>()
  for (const { rejects } of lines)
    for (const name of new Set(rejects.map(causeOf))) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort((one, other) => other[1] - one[1])
}

function Save({ load }: { readonly load: Load }) {
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
    <>
      {fault !== undefined && <Failure fault={fault} />}
      <Button
        variant="default"
        loading={saves}
        disabled={load.rejects.length === 0}
        leftSection={<IconDownload size={14} aria-hidden />}
        title={`Saves ${countOf(load.rejected + load.conflicts, 'line')} with their reasons`}
        onClick={save}
      >
        CSV of all
      </Button>
    </>
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
