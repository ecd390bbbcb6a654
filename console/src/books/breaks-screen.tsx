/** The open breaks, and the proof of the books. */
import { codeLists } from '@clearing/protocol'
import type { CallOf } from '@clearing/sdk'
import { Alert, Group } from '@mantine/core'
import { IconScale } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
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
import { orderOf, useSorting } from '../design/sorting.ts'
import { Failure } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { type Column, Table } from '../design/table.tsx'
import { Day, Time } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { usePages, useRead } from '../reads.ts'

type Break = Answered<'list-breaks'>['breaks'][number]
type Found = Answered<'verify-books'>['breaks'][number]

export function BreaksScreen() {
  const [sorting] = useSorting('Breaks')
  const { sortBy, sortMode } = orderOf(sorting, codeLists.breakSort)
  const [filters] = useFilters()
  const { data: failed } = useRead('list-failures', {})
  const kinds = failed?.failures.filter(({ source }) => source === 'Break')
  const request = given<CallOf<'list-breaks'>>({ kind: filters.kind, sortBy, sortMode, counted: true })
  const pages = usePages('list-breaks', 'breaks', request)
  return (
    <Page
      title="Breaks"
      note="Accounts and lines that do not agree with the books. Review them in the inbox."
    >
      <Verify />
      <Filters
        filters={[
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
          keyOf={keyOf}
          empty={filters.kind ? 'No break has this cause.' : 'There are no breaks.'}
          columns={[...columns, ...lineColumns]}
        />
      </Panel>
    </Page>
  )
}

function keyOf({ kind, accountNumber, secNo }: Found, index: number) {
  return `${kind} ${accountNumber} ${secNo} ${index}`
}

const columns: readonly Column<Found>[] = [
  {
    key: 'kind',
    header: 'Break',
    by: ({ kind }) => kind,
    cell: ({ kind }) => <Status of={kind} tone="attention" />,
  },
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
            <Table label="Breaks found" isPart rows={proof.breaks} keyOf={keyOf} empty="" columns={columns} />
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
