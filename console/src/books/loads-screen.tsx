/** Loads of facts, those that run first, and a new one from a file. */
import type { CallOf } from '@clearing/sdk'
import { Link } from '@tanstack/react-router'
import { useFilters, useGoTo } from '../address.ts'
import { type Answered, given } from '../client.ts'
import { plainChoices } from '../design/codes.ts'
import { renderCount } from '../design/count.ts'
import { Filters } from '../design/filters.tsx'
import { Listed } from '../design/listed.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Status } from '../design/status.tsx'
import type { Column } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { usePages } from '../reads.ts'
import { loadKindInWords, loadKinds } from './load-kinds.ts'
import { NewLoad } from './new-load.tsx'

type Load = Answered<'list-loads'>['loads'][number]

export function LoadsScreen() {
  const [filters] = useFilters()
  const goTo = useGoTo()
  const { kind, state, source } = filters
  const isFiltered = [kind, state, source].some(Boolean)
  const pages = usePages('list-loads', 'loads', given<CallOf<'list-loads'>>({ kind, state, source }))
  return (
    <Page title="Loads" acts={<NewLoad first={loadKinds.find((one) => one === kind)} />}>
      <Filters
        filters={[
          {
            name: 'kind',
            label: 'Kind',
            kind: 'choice',
            any: 'All',
            choices: plainChoices(loadKinds, loadKindInWords),
          },
          {
            name: 'state',
            label: 'State',
            kind: 'choice',
            any: 'All',
            choices: plainChoices(['Running', 'Complete', 'CutOff'], wordsOf),
          },
          { name: 'source', label: 'Source', kind: 'text' },
        ]}
      />
      <Panel title="Loads" flush>
        <Listed
          label="Loads"
          pages={pages}
          columns={columns}
          keyOf={({ loadId }) => loadId}
          opens={({ loadId }) => goTo(`/books/loads/${loadId}`)}
          empty={isFiltered ? 'No load matches.' : 'There are no loads.'}
        />
      </Panel>
    </Page>
  )
}

function count(value: number) {
  return renderCount(value)
}

const columns: readonly Column<Load>[] = [
  {
    key: 'kind',
    header: 'Kind',
    by: ({ kind }) => kind,
    cell: ({ kind, loadId }) => (
      <Link to={`/books/loads/${loadId}`} className="whole">
        {loadKindInWords(kind)}
      </Link>
    ),
  },
  {
    key: 'source',
    header: 'Source',
    by: ({ source }) => source,
    cell: ({ source }) =>
      source === '' ? (
        ''
      ) : (
        <Link to="/books/loads" search={() => ({ source })} title="All loads of this source">
          {source}
        </Link>
      ),
  },
  { key: 'state', header: 'State', by: ({ state }) => state, cell: ({ state }) => <Status of={state} /> },
  {
    key: 'received',
    header: 'Received',
    right: true,
    by: ({ received }) => received,
    cell: ({ received }) => count(received),
  },
  {
    key: 'accepted',
    header: 'Accepted',
    right: true,
    by: ({ accepted }) => accepted,
    cell: ({ accepted }) => count(accepted),
  },
  {
    key: 'duplicates',
    header: 'Duplicates',
    right: true,
    by: ({ duplicates }) => duplicates,
    cell: ({ duplicates }) => count(duplicates),
  },
  {
    key: 'conflicts',
    header: 'Conflicts',
    right: true,
    by: ({ conflicts }) => conflicts,
    cell: ({ conflicts }) => (conflicts === 0 ? '0' : <span className="negative">{count(conflicts)}</span>),
  },
  {
    key: 'rejected',
    header: 'Rejected',
    right: true,
    by: ({ rejected }) => rejected,
    cell: ({ rejected }) => (rejected === 0 ? '0' : <span className="negative">{count(rejected)}</span>),
  },
  { key: 'by', header: 'Started by', by: ({ startedBy }) => startedBy, cell: ({ startedBy }) => startedBy },
  {
    key: 'started',
    header: 'Started',
    by: ({ startedOn }) => startedOn,
    cell: ({ startedOn }) => <Time at={startedOn} />,
  },
]
