/** Watch-list matches of all accounts, by firm, decision and days: what an examiner asks for. */
import type { CallOf } from '@clearing/sdk'
import { Link } from '@tanstack/react-router'
import { useFilters } from '../address.ts'
import { type Answered, given } from '../client.ts'
import { choicesOf } from '../design/codes.ts'
import { daysOf, Filters } from '../design/filters.tsx'
import { Happened } from '../design/happened.tsx'
import { Listed } from '../design/listed.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Status } from '../design/status.tsx'
import type { Column } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { emptyOf, firmFilter } from '../firms/firm-filter.ts'
import { usePages, useRead } from '../reads.ts'

type Match = Answered<'list-matches'>['matches'][number]

export function MatchesScreen() {
  const [{ firmId, decision, foundFrom, foundTo, decidedFrom, decidedTo }] = useFilters()
  const firms = useRead('list-firms', {}).data?.firms
  const asked = { firmId, decision, foundFrom, foundTo, decidedFrom, decidedTo }
  const pages = usePages('list-matches', 'matches', given<CallOf<'list-matches'>>(asked))
  return (
    <Page
      title="Matches"
      note="Watch-list matches of all accounts, the newest first."
      above={[{ label: 'Watch lists', to: '/screening' }]}
    >
      <Filters
        filters={[
          { name: 'decision', label: 'Decision', kind: 'choice', choices: choicesOf('matchState') },
          ...daysOf('found', 'Found'),
          ...daysOf('decided', 'Decided'),
          firmFilter(firms),
        ]}
      />
      <Panel title="Matches" flush>
        <Listed
          label="Matches"
          pages={pages}
          columns={matchColumns}
          keyOf={({ matchId }) => matchId}
          empty={emptyOf(firms, firmId, 'No match passes the filters.')}
        />
      </Panel>
    </Page>
  )
}

const matchColumns: readonly Column<Match>[] = [
  { key: 'found', header: 'Found', cell: ({ foundOn }) => <Time at={foundOn} /> },
  {
    key: 'account',
    header: 'Account',
    cell: ({ accountNumber }) => <Link to={`/accounts/${accountNumber}/screening`}>{accountNumber}</Link>,
  },
  {
    key: 'listed',
    header: 'Listed name',
    cell: ({ matchedName, listName, entryId }) => (
      <>
        {matchedName}
        <div className="quiet">
          {listName} {entryId}
        </div>
      </>
    ),
  },
  { key: 'score', header: 'Score', right: true, cell: ({ score }) => score },
  { key: 'decision', header: 'Decision', cell: ({ decision }) => <Status of={decision} /> },
  {
    key: 'decided',
    header: 'Decided',
    cell: ({ decidedOn, decidedBy, reason }) => <Happened at={decidedOn} by={decidedBy} why={reason} />,
  },
]
