/**
 * The statements and confirmations of the account. Each version is saved as PDF. Those of a period can be made again at
 * their last version.
 */
import { Group } from '@mantine/core'
import { Act } from '../act/act.tsx'
import { type Answered, client } from '../client.ts'
import { saveFile } from '../csv.ts'
import { Button } from '../design/button.tsx'
import { labelOf } from '../design/codes.ts'
import { Listed } from '../design/listed.tsx'
import { Panel } from '../design/panel.tsx'
import type { Column } from '../design/table.tsx'
import { Day, renderDay, Time } from '../design/time.tsx'
import { usePages } from '../reads.ts'
import { tellFault } from '../work/refused.ts'
import type { TabProps } from './account-screen.tsx'

type Statement = Answered<'list-statements'>['statements'][number]

export function Statements({ accountNumber }: TabProps) {
  const pages = usePages('list-statements', 'statements', { accountNumber })
  return (
    <Panel title="Statements and confirmations" flush>
      <Listed
        label="Statements and confirmations"
        pages={pages}
        keyOf={keyOf}
        empty="No statement or confirmation was made yet. The close of a business day makes them."
        columns={[...columns, actsColumn(lastVersionsOf(pages.rows))]}
      />
    </Panel>
  )
}

function keyOf({ kind, periodTo, version }: Statement) {
  return `${kind} ${periodTo} ${version}`
}

/** The list begins with the last version of each period. */
function lastVersionsOf(statements: readonly Statement[]): ReadonlySet<string> {
  const last = new Map<string, string>()
  for (const statement of statements) {
    const period = `${statement.kind} ${statement.periodTo}`
    if (!last.has(period)) last.set(period, keyOf(statement))
  }
  return new Set(last.values())
}

async function save({ accountNumber, kind, periodTo, version }: Statement) {
  const file = await client.getStatement({ accountNumber, kind, periodTo, statementVersion: version })
  saveFile(file.fileName, file.mediaType, await file.bytes())
}

const columns: readonly Column<Statement>[] = [
  { key: 'kind', header: 'Kind', cell: ({ kind }) => labelOf('statementKind', kind) },
  {
    key: 'period',
    header: 'Period',
    cell: ({ periodFrom, periodTo }) => (
      <>
        {periodFrom !== periodTo && (
          <>
            <Day on={periodFrom} /> to{' '}
          </>
        )}
        <Day on={periodTo} />
      </>
    ),
  },
  { key: 'version', header: 'Version', right: true, cell: ({ version }) => version },
  { key: 'delivery', header: 'Delivery', cell: ({ delivery }) => labelOf('statementDelivery', delivery) },
  {
    key: 'made',
    header: 'Made',
    cell: ({ madeOn, madeBy }) => (
      <>
        <Time at={madeOn} />
        <div className="quiet">{madeBy}</div>
      </>
    ),
  },
]

function actsColumn(last: ReadonlySet<string>): Column<Statement> {
  return {
    key: 'acts',
    header: <span className="unseen">Act</span>,
    cell: (statement) => (
      <Group gap="xs" wrap="nowrap">
        <Button
          variant="default"
          aria-label={`PDF, ${describe(statement)}`}
          onClick={() => void save(statement).catch(tellFault)}
        >
          PDF
        </Button>
        {last.has(keyOf(statement)) && <Again statement={statement} />}
      </Group>
    ),
  }
}

/** `Account statement, Oct 30, 2026, version 2` */
function describe({ kind, periodTo, version }: Statement) {
  return `${labelOf('statementKind', kind)}, ${renderDay(periodTo)}, version ${version}`
}

function Again({ statement }: { readonly statement: Statement }) {
  const { accountNumber, kind, periodTo, version } = statement
  return (
    <Act
      operation="make-statement"
      label="Make again"
      title="Make it again"
      submit="Make"
      explains="It is made from all that is known now. If something has changed, it is a further version, and the firm receives an event."
      fixed={{ accountNumber, kind, periodTo }}
      of={describe(statement)}
      result={({ data }) =>
        data.version > version
          ? `Version ${data.version} was made.`
          : `Nothing has changed, so version ${data.version} remains the last one.`
      }
    />
  )
}
