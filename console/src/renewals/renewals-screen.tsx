/** Renewals of open accounts, and requests for the listed ones. */
import type { CallOf } from '@clearing/sdk'
import { Alert } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ActButton } from '../act/act-button.tsx'
import { useFilters } from '../address.ts'
import { type Answered, call, given } from '../client.ts'
import { choicesOf, labelOf } from '../design/codes.ts'
import { type Filter, Filters } from '../design/filters.tsx'
import { Listed } from '../design/listed.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Failure } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import type { Column } from '../design/table.tsx'
import { Day } from '../design/time.tsx'
import { emptyOf, firmFilter } from '../firms/firm-filter.ts'
import { usePages, useRead } from '../reads.ts'

type Renewal = Answered<'list-renewals'>['renewals'][number]

export function RenewalsScreen() {
  const [{ kind, state, firmId, fallsFrom, fallsTo }] = useFilters()
  const firms = useRead('list-firms', {}).data?.firms
  const asked = given<CallOf<'list-renewals'>>({ kind, state, firmId, fallsFrom, fallsTo })
  const pages = usePages('list-renewals', 'renewals', asked)
  return (
    <Page
      title="Renewals"
      note="Expiring and missing documents and facts of open accounts. The close of each business day requests those that are due."
    >
      <Filters filters={[...filters, firmFilter(firms)]} />
      <AskThem kind={kind} rows={pages.rows} isOfFilter={!pages.isPlaceholderData} />
      <Panel title="Renewals" flush>
        <Listed
          label="Renewals"
          pages={pages}
          columns={columns}
          keyOf={keyOf}
          empty={emptyOf(firms, firmId, 'Nothing falls due.')}
        />
      </Panel>
    </Page>
  )
}

const filters: readonly Filter[] = [
  { name: 'kind', label: 'Kind', kind: 'choice', choices: choicesOf('renewalKind') },
  { name: 'state', label: 'State', kind: 'choice', choices: choicesOf('renewalState') },
  { name: 'fallsFrom', label: 'Falls from', kind: 'day' },
  { name: 'fallsTo', label: 'Falls to', kind: 'day' },
]

function keyOf({ accountNumber, kind, customerId }: Renewal) {
  return `${accountNumber} ${kind} ${customerId}`
}

/** The limit of one call. */
const askedAtOnce = 100

/** Requests the renewals of the listed accounts, one kind at a time. */
function askInWords(accounts: number) {
  if (accounts === 0) return 'Ask to renew'
  return accounts === 1 ? 'Ask the account to renew' : `Ask the ${accounts} accounts to renew`
}

interface Listing {
  readonly kind: string | undefined
  readonly rows: readonly Renewal[]
  /** False while the rows are still those of the filter before. */
  readonly isOfFilter: boolean
}

function AskThem({ kind, rows, isOfFilter }: Listing) {
  const queries = useQueryClient()
  const [runs, setRuns] = useState(false)
  const [outcome, setOutcome] = useState<Answered<'request-renewal'>>()
  const [fault, setFault] = useState<unknown>()
  const waiting = rows.filter(({ state }) => state === 'Coming').map(({ accountNumber }) => accountNumber)
  const accountNumbers = [...new Set(waiting)].slice(0, askedAtOnce)
  const notNow = !kind
    ? 'Choose a kind first.'
    : !isOfFilter
      ? 'The list is loading.'
      : accountNumbers.length === 0
        ? 'All renewals in this list have been requested.'
        : undefined
  const ask = async () => {
    setRuns(true)
    setFault(undefined)
    try {
      setOutcome((await call('request-renewal', { kind: kind ?? '', accountNumbers })).data)
      await queries.invalidateQueries({ queryKey: ['list-renewals'] })
    } catch (caught) {
      setFault(caught)
    } finally {
      setRuns(false)
    }
  }
  const refused = outcome?.results.filter((one) => one.outcome === 'Refused') ?? []
  return (
    <>
      <ActButton operation="request-renewal" notNow={notNow} loading={runs} onAct={ask} w="fit-content">
        {askInWords(accountNumbers.length)}
      </ActButton>
      {fault !== undefined && <Failure fault={fault} again={ask} />}
      {outcome !== undefined && (
        <Alert
          color={refused.length === 0 ? 'teal' : 'orange'}
          role="status"
          title={`Asked: ${outcome.asked}`}
        >
          {refused.map(({ accountNumber, reason }) => `${accountNumber}: ${reason}`).join(' ')}
        </Alert>
      )}
    </>
  )
}

const columns: readonly Column<Renewal>[] = [
  { key: 'falls', header: 'Falls on', cell: ({ fallsOn }) => <Day on={fallsOn} /> },
  { key: 'kind', header: 'Kind', cell: ({ kind }) => labelOf('renewalKind', kind) },
  {
    key: 'account',
    header: 'Account',
    cell: ({ accountNumber, accountName }) => (
      <>
        <Link to={`/accounts/${accountNumber}`}>{accountNumber}</Link>
        <div className="quiet">{accountName}</div>
      </>
    ),
  },
  { key: 'firm', header: 'Firm', cell: ({ firmName }) => firmName },
  { key: 'state', header: 'State', cell: ({ state }) => <Status of={state} /> },
  {
    key: 'due',
    header: 'Answer due',
    cell: ({ accountNumber, dueOn, state }) =>
      dueOn === null || state === 'Settled' ? (
        ''
      ) : (
        <Link to={`/accounts/${accountNumber}/application`}>
          <Day on={dueOn} />
        </Link>
      ),
  },
]
