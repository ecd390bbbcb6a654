/**
 * Restrictions of all accounts, by firm, code and days. The blocked accounts are those of the reports of 31 CFR
 * 501.603.
 */
import type { CallOf } from '@clearing/sdk'
import { Link } from '@tanstack/react-router'
import { useFilters } from '../address.ts'
import { type Answered, given } from '../client.ts'
import { choicesOf, labelOf } from '../design/codes.ts'
import { daysOf, Filters } from '../design/filters.tsx'
import { Happened } from '../design/happened.tsx'
import { Listed } from '../design/listed.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import type { Column } from '../design/table.tsx'
import { emptyOf, firmFilter } from '../firms/firm-filter.ts'
import { usePages, useRead } from '../reads.ts'

type Restriction = Answered<'list-restrictions'>['restrictions'][number]

export function RestrictionsScreen() {
  const [{ firmId, restrictionCode, inForceOn, placedFrom, placedTo, endedFrom, endedTo }] = useFilters()
  const firms = useRead('list-firms', {}).data?.firms
  const asked = { firmId, restrictionCode, inForceOn, placedFrom, placedTo, endedFrom, endedTo }
  const pages = usePages('list-restrictions', 'restrictions', given<CallOf<'list-restrictions'>>(asked))
  return (
    <Page
      title="Restrictions"
      note="Restrictions of all accounts, the newest first."
      above={[{ label: 'Watch lists', to: '/screening' }]}
    >
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
    cell: ({ placedOn, placedBy, reason }) => <Happened at={placedOn} by={placedBy} why={reason} />,
  },
  {
    key: 'ended',
    header: 'Ended',
    cell: ({ endedOn, endedBy, endReason }) => <Happened at={endedOn} by={endedBy} why={endReason} />,
  },
]
