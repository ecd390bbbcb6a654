/** The watch lists in force with their files, and the progress of the comparison of each with the open accounts. */
import { Progress } from '@mantine/core'
import type { Answered } from '../client.ts'
import { Code } from '../design/code.tsx'
import { labelOf } from '../design/codes.ts'
import { countOf, renderCount } from '../design/count.ts'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { useRead } from '../reads.ts'

type List = Answered<'list-watch-lists'>['lists'][number]
type Compared = NonNullable<List['comparison']>

const everyMs = 2_000

export function ListsInForce() {
  const read = useRead('list-watch-lists', {}, { everyMs })
  return (
    <Panel title="Lists in force" note="names are screened against all of them" flush>
      <Shown read={read}>
        {({ lists }) => (
          <Table
            label="Lists in force"
            isPart
            rows={lists}
            keyOf={({ listName }) => listName}
            empty="No list is loaded. Screening waits until a list is loaded."
            columns={columns}
          />
        )}
      </Shown>
    </Panel>
  )
}

const columns: readonly Column<List>[] = [
  {
    key: 'list',
    header: 'List',
    cell: ({ listName, listVersion }) => (
      <>
        <strong>{listName}</strong>
        <div className="quiet">
          <Code of={listVersion} />
        </div>
      </>
    ),
  },
  { key: 'entries', header: 'Entries', right: true, cell: ({ entries }) => renderCount(entries) },
  { key: 'loaded', header: 'In force since', cell: ({ loadedOn }) => <Time at={loadedOn} /> },
  {
    key: 'files',
    header: 'Files',
    cell: ({ files }) =>
      files.map(({ part, source, loadedBy, size, digest }) => (
        <div key={part}>
          {labelOf('watchListPart', part)}
          {source !== '' && ` from ${source}`}
          {loadedBy !== '' && ` by ${loadedBy}`}
          <div
            className="quiet"
            title={digest}
          >{`${countOf(size, 'byte')}, SHA-256 ${digest.slice(0, 12)}…`}</div>
        </div>
      )),
  },
  {
    key: 'comparison',
    header: 'Open accounts',
    cell: ({ comparison }) =>
      comparison === null ? (
        <span className="quiet">nothing to compare</span>
      ) : (
        <Comparison of={comparison} />
      ),
  },
]

function Comparison({ of: compared }: { readonly of: Compared }) {
  const { accounts, accountsInAll, matches, restricted, startedOn, startedBy, endedOn, gained } = compared
  const inAll = accountsInAll === null ? '' : `${renderCount(accounts)} of `
  const part = accountsInAll === null || accountsInAll === 0 ? 100 : (accounts / accountsInAll) * 100
  return (
    <>
      <div>
        {`${inAll}${countOf(accountsInAll ?? accounts, 'account')} compared, ${countOf(matches, 'match', 'matches')}`}
        {restricted > 0 && `, ${renderCount(restricted)} restricted`}
      </div>
      {endedOn === null && <Progress value={part} aria-label="Accounts compared" />}
      <div className="quiet">
        {`${countOf(gained, 'new or changed entry', 'new or changed entries')} by ${startedBy}, `}
        <Time at={startedOn} />
        {endedOn === null ? ', running' : ', ended '}
        {endedOn !== null && <Time at={endedOn} />}
      </div>
    </>
  )
}
