/**
 * Matches and restrictions of all accounts, by firm, decision, code and days: what an examiner asks for, and the
 * blocked accounts for the reports of 31 CFR 501.603.
 */
import type { CallOf } from '@clearing/sdk'
import { Link } from '@tanstack/react-router'
import { useFilters } from '../address.ts'
import { type Answered, given } from '../client.ts'
import { choicesOf, labelOf } from '../design/codes.ts'
import { type Filter, Filters } from '../design/filters.tsx'
import { Listed } from '../design/listed.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Status } from '../design/status.tsx'
import type { Column } from '../design/table.tsx'
import { Time } from '../design/time.tsx'
import { emptyOf, firmFilter } from '../firms/firm-filter.ts'
import { usePages, useRead } from '../reads.ts'

type Match = Answered<'list-matches'>['matches'][number]
type Restriction = Answered<'list-restrictions'>['restrictions'][number]

const above = [{ label: 'Watch lists', to: '/screening' }]

export function MatchesScreen() {
  const [{ firmId, decision, foundFrom, foundTo, decidedFrom, decidedTo }] = useFilters()
  const firms = useRead('list-firms', {}).data?.firms
  const asked = { firmId, decision, foundFrom, foundTo, decidedFrom, decidedTo }
  const pages = usePages('list-matches', 'matches', given<CallOf<'list-matches'>>(asked))
  return (
    <Page title="Matches" note="Watch-list matches of all accounts, the newest first." above={above}>
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

export function RestrictionsScreen() {
  const [{ firmId, restrictionCode, inForceOn, placedFrom, placedTo, endedFrom, endedTo }] = useFilters()
  const firms = useRead('list-firms', {}).data?.firms
  const asked = { firmId, restrictionCode, inForceOn, placedFrom, placedTo, endedFrom, endedTo }
  const pages = usePages('list-restrictions', 'restrictions', given<CallOf<'list-restrictions'>>(asked))
  return (
    <Page title="Restrictions" note="Restrictions of all accounts, the newest first." above={above}>
      <Filters
        filters={[
          {
            name: 'restrictionCode',
            label: 'Restriction',
            kind: 'choice',
            choices: choicesOf('restrictionCode'),
          },
          { name: 'inForceOn', label: 'In force on', kind: 'day' },
          ...daysOf('placed', 'Placed'),
          ...daysOf('ended', 'Ended'),
          firmFilter(firms),
        ]}
      />
      <Panel title="Restrictions" flush>
        <Listed
          label="Restrictions"
          pages={pages}
          columns={restrictionColumns}
          keyOf={({ restrictionId }) => restrictionId}
          empty={emptyOf(firms, firmId, 'No restriction passes the filters.')}
        />
      </Panel>
    </Page>
  )
}

function daysOf(name: string, label: string): Filter[] {
  return [
    { name: `${name}From`, label: `${label} from`, kind: 'day' },
    { name: `${name}To`, label: `${label} to`, kind: 'day' },
  ]
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
    cell: ({ decidedOn, decidedBy, reason }) => <Ending at={decidedOn} by={decidedBy} why={reason} />,
  },
]

const restrictionColumns: readonly Column<Restriction>[] = [
  {
    key: 'account',
    header: 'Account',
    cell: ({ accountNumber }) => (
      <Link to={`/accounts/${accountNumber}`} search={() => ({ tab: 'restrictions' })}>
        {accountNumber}
      </Link>
    ),
  },
  {
    key: 'code',
    header: 'Restriction',
    cell: ({ restrictionCode }) => labelOf('restrictionCode', restrictionCode),
  },
  {
    key: 'placed',
    header: 'Placed',
    cell: ({ placedOn, placedBy, reason }) => <Ending at={placedOn} by={placedBy} why={reason} />,
  },
  {
    key: 'ended',
    header: 'Ended',
    cell: ({ endedOn, endedBy, endReason }) => <Ending at={endedOn} by={endedBy} why={endReason} />,
  },
]

interface EndingProps {
  readonly at: string | null
  readonly by: string
  readonly why: string
}

/** When something happened, by whom and why; nothing if it has not happened. */
function Ending({ at, by, why }: EndingProps) {
  if (at === null) return ''
  return (
    <>
      <Time at={at} />
      <div className="quiet">{by}</div>
      <div>{why}</div>
    </>
  )
}
