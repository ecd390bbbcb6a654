/** The open breaks, and the proof of the books. */
import { codeLists } from '@clearing/protocol'
import type { CallOf } from '@clearing/sdk'
import { Alert, Group } from '@mantine/core'
import { IconScale } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Act } from '../act/act.tsx'
import { ActButton } from '../act/act-button.tsx'
import { useFilters } from '../address.ts'
import { type Answered, call, given } from '../client.ts'
import { Code } from '../design/code.tsx'
import { labelOf } from '../design/codes.ts'
import { countOf, renderCount } from '../design/count.ts'
import { Filters } from '../design/filters.tsx'
import { Listed } from '../design/listed.tsx'
import { Quantity } from '../design/money.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { breakInWords } from '../design/reasons.ts'
import { renderOrder, useSorting } from '../design/sorting.ts'
import { Failure } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Day, Time } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { useAll, usePages, useRead } from '../reads.ts'
import type { Work } from '../work/queues.ts'
import { reasonField } from '../work/reason-field.ts'
import { refusalOf } from '../work/refused.ts'

type Break = Answered<'list-breaks'>['breaks'][number]
type Found = Answered<'verify-books'>['breaks'][number]

export function BreaksScreen() {
  const [sorting] = useSorting('Breaks')
  const { sortBy, sortMode } = renderOrder(sorting, codeLists.breakSort)
  const [filters] = useFilters()
  const { data: failed } = useRead('list-failures', {})
  const kinds = failed?.failures.filter(({ source }) => source === 'Break')
  const request = given<CallOf<'list-breaks'>>({
    accountNumber: filters.accountNumber,
    kind: filters.kind,
    sortBy,
    sortMode,
    counted: true,
  })
  const waiting = useWaiting(filters.accountNumber)
  const pages = usePages('list-breaks', 'breaks', request)
  return (
    <Page
      title="Breaks"
      note="Accounts and lines that do not agree with the books. Review them in the inbox, or here after you choose an account."
    >
      <Verify />
      <Filters
        filters={[
          { name: 'accountNumber', label: 'Account', kind: 'text' },
          {
            name: 'kind',
            label: 'Cause',
            kind: 'choice',
            any: 'All causes',
            // The last break of the kind may just have been settled.
            unknown: `${wordsOf(filters.kind ?? '')} (0)`,
            choices: kinds?.map(({ cause, count }) => ({
              value: cause,
              label: `${wordsOf(cause)} (${renderCount(count)})`,
            })),
          },
        ]}
      />
      <Panel
        title="Breaks"
        flush
        acts={
          <Link to="/work" search={() => ({ queue: 'Break' })}>
            Review in the inbox
          </Link>
        }
      >
        <Listed
          label="Breaks"
          pages={pages}
          total={pages.data?.pages[0]?.total ?? undefined}
          keyOf={({ breakId }) => breakId}
          empty={filters.kind || filters.accountNumber ? 'No open break matches.' : 'There are no breaks.'}
          columns={[
            breakColumn(filters.break),
            ...columns,
            ...lineColumns,
            ...(waiting === undefined ? [] : [reviewColumn(waiting)]),
          ]}
        />
      </Panel>
    </Page>
  )
}

function keyOf({ kind, accountNumber, secNo }: Found, index: number) {
  return `${kind} ${accountNumber} ${secNo} ${index}`
}

const kindColumn: Column<Found> = {
  key: 'kind',
  header: 'Break',
  by: ({ kind }) => kind,
  cell: ({ kind }) => <Status of={kind} tone="attention" />,
}

/** The break that the address names is among the others of its account. */
function breakColumn(named: string | undefined): Column<Break> {
  return {
    ...kindColumn,
    cell: (row) => (
      <>
        {kindColumn.cell(row)}
        {row.breakId === named && <div className="quiet">opened from the inbox</div>}
      </>
    ),
  }
}

/** The breaks of an account that no person has reviewed, by their id; undefined without an account. */
function useWaiting(accountNumber = ''): ReadonlyMap<string, Work> | undefined {
  const isGiven = accountNumber !== ''
  const request = given<CallOf<'list-work'>>({ queues: ['Break'], accountNumber })
  const { rows, isPending, hasNextPage } = useAll('list-work', 'work', request, { enabled: isGiven })
  if (!isGiven || isPending || hasNextPage) return undefined
  return new Map(rows.map((work) => [work.itemId, work]))
}

/** A reviewed break stays in the list until a line corrects it. */
function reviewColumn(waiting: ReadonlyMap<string, Work>): Column<Break> {
  return {
    key: 'review',
    header: 'Review',
    cell: ({ breakId, accountNumber, kind, symbol, secNo }) => {
      const work = waiting.get(breakId)
      return (
        <Act
          operation="settle-work"
          label="Mark as reviewed"
          title="Mark the break as reviewed"
          submit="Mark as reviewed"
          notNow={work === undefined ? 'A person has reviewed it.' : undefined}
          fields={[reasonField(true)]}
          fixed={{ workIds: [`Break.${breakId}`] }}
          about={accountNumber}
          of={[accountNumber, wordsOf(kind), symbol || secNo].filter((part) => part !== '').join(', ')}
          reported={({ data }) => refusalOf(data, work === undefined ? [] : [work])}
        />
      )
    },
  }
}

const columns: readonly Column<Found>[] = [
  {
    key: 'account',
    header: 'Account',
    order: 'accountNumber',
    by: ({ accountNumber }) => accountNumber,
    cell: ({ accountNumber }) =>
      accountNumber === '' ? '' : <Link to={`/accounts/${accountNumber}`}>{accountNumber}</Link>,
  },
  { key: 'reason', header: 'Reason', cell: ({ reason }) => breakInWords(reason) },
  {
    key: 'raised',
    header: 'Raised',
    order: 'raisedDate',
    by: ({ raisedOn }) => raisedOn ?? '',
    cell: ({ raisedOn }) => (raisedOn === null ? '' : <Time at={raisedOn} />),
  },
]

/** The facts of a break that the books have: the security, the quantity, and the trade. */
const lineColumns: readonly Column<Break>[] = [
  {
    key: 'security',
    header: 'Security',
    cell: ({ symbol, secNo }) =>
      secNo === '' ? (
        ''
      ) : (
        <Link to="/books/stock-record" search={() => ({ security: symbol || secNo })}>
          {symbol || secNo}
        </Link>
      ),
  },
  {
    key: 'quantity',
    header: 'Quantity',
    right: true,
    cell: ({ quantity, acctType }) =>
      quantity === null ? (
        ''
      ) : (
        <>
          <Quantity of={quantity} />
          {acctType !== '' && (
            <span className="quiet"> {labelOf('activityAcctType', acctType).toLowerCase()}</span>
          )}
        </>
      ),
  },
  {
    key: 'trade',
    header: 'Trade',
    cell: ({ accountNumber, externalId, tradeDate, symbol }) =>
      tradeDate === null ? (
        <Code of={externalId} />
      ) : (
        <>
          <Link
            to={`/accounts/${accountNumber}`}
            // The activity is listed by process date, which is later than the trade date if the line came late.
            search={() => ({ tab: 'activity', from: tradeDate, symbol })}
          >
            <Day on={tradeDate} />
          </Link>
          <div className="quiet">
            <Code of={externalId} />
          </div>
        </>
      ),
  },
]

type Proof = Pick<Answered<'verify-books'>, 'accounts' | 'entries' | 'positions' | 'breaks'>

const nothing: Proof = { accounts: 0, entries: 0, positions: 0, breaks: [] }

function Verify() {
  const [runs, setRuns] = useState(false)
  const [proof, setProof] = useState<Proof>()
  const [fault, setFault] = useState<unknown>()
  const verify = async () => {
    setRuns(true)
    setFault(undefined)
    try {
      await verifyParts(setProof)
    } catch (caught) {
      setFault(caught)
    } finally {
      setRuns(false)
    }
  }
  const holds = proof?.breaks.length === 0
  return (
    <>
      <Group>
        <ActButton
          operation="verify-books"
          loading={runs}
          onAct={verify}
          leftSection={<IconScale size={15} aria-hidden />}
        >
          Verify the books
        </ActButton>
      </Group>
      {fault !== undefined && <Failure fault={fault} again={verify} />}
      {proof !== undefined && fault === undefined && (
        <Alert
          color={holds ? (runs ? 'gray' : 'teal') : 'red'}
          role="status"
          title={
            runs ? 'The books are being recomputed' : holds ? 'The books tie out' : 'The books do not tie out'
          }
        >
          Recomputed: {countOf(proof.accounts, 'account')}, {countOf(proof.entries, 'entry', 'entries')},{' '}
          {countOf(proof.positions, 'position')}.
          {!holds && (
            <Table
              label="Breaks found"
              isPart
              rows={proof.breaks}
              keyOf={keyOf}
              empty=""
              columns={[kindColumn, ...columns]}
            />
          )}
        </Alert>
      )}
    </>
  )
}

/** Large books are proved in parts, and the progress is shown after each. */
async function verifyParts(tell: (proof: Proof) => void): Promise<void> {
  let proof = nothing
  let after = ''
  do {
    const { data } = await call('verify-books', given<CallOf<'verify-books'>>({ after }))
    proof = {
      accounts: proof.accounts + data.accounts,
      entries: proof.entries + data.entries,
      positions: proof.positions + data.positions,
      breaks: [...proof.breaks, ...data.breaks],
    }
    tell(proof)
    after = data.next
  } while (after !== '')
}
