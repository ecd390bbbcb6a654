/** The positions of an account at the ends of two days side by side, with the differences. */
import type { CallOf } from '@clearing/sdk'
import { type Answered, given } from '../client.ts'
import { countOf } from '../design/count.ts'
import { Money, Quantity } from '../design/money.tsx'
import { Panel } from '../design/panel.tsx'
import { Shown } from '../design/states.tsx'
import { type Column, Table } from '../design/table.tsx'
import { renderDay } from '../design/time.tsx'
import { useRead } from '../reads.ts'
import { HeldAway, type Holding, keyOfHolding } from './holding.tsx'

type Summary = Answered<'position-summary'>

export interface PositionsComparedProps {
  readonly summary: Summary
  readonly accountNumber: string
  /** The day of the summary; empty for now. */
  readonly asOf: string
  /** The other day of the comparison. */
  readonly against: string
}

export function PositionsCompared(props: PositionsComparedProps) {
  const { summary, accountNumber, asOf, against } = props
  const request = given<CallOf<'position-summary'>>({ accountNumber, asOf: against })
  return (
    <Shown read={useRead('position-summary', request)} rows={6}>
      {(other) => {
        const rows = sideBySide(other, summary)
        const days = [renderDay(against), asOf === '' ? 'Now' : renderDay(asOf)] as const
        return (
          <Panel
            title={`${days[0]} beside ${asOf === '' ? 'now' : days[1]}`}
            note={`${countOf(rows.filter(isChanged).length, 'change')}, market values in US dollars`}
            flush
          >
            <Table
              label="Positions of two days"
              rows={rows}
              keyOf={({ key }) => key}
              empty="The account held nothing on either day."
              columns={columnsOf(days)}
            />
          </Panel>
        )
      }}
    </Shown>
  )
}

interface Row {
  readonly key: string
  readonly symbol: string
  readonly description: string
  readonly before: Holding | undefined
  readonly after: Holding | undefined
}

function sideBySide(before: Summary, after: Summary): Row[] {
  const [was, is] = [before, after].map(
    ({ portfolios }) => new Map(portfolios.map((position) => [keyOfHolding(position), position])),
  )
  const keys = new Set([...(is?.keys() ?? []), ...(was?.keys() ?? [])])
  return [...keys].map((key) => {
    const pair = { before: was?.get(key), after: is?.get(key) }
    const { symbol = '', secNo = '', description = '' } = pair.after ?? pair.before ?? {}
    return { key, symbol: symbol || secNo, description, ...pair }
  })
}

function isChanged({ before, after }: Row) {
  return before?.quantity !== after?.quantity
}

function columnsOf([was, is]: readonly [string, string]): readonly Column<Row>[] {
  return [
    {
      key: 'security',
      header: 'Security',
      by: ({ symbol }) => symbol,
      cell: ({ symbol, description, before, after }) => (
        <>
          {symbol} <HeldAway of={after ?? before} />
          <div className="quiet">{description}</div>
        </>
      ),
    },
    { key: 'type', header: 'Type', cell: ({ before, after }) => (after ?? before)?.acctType },
    {
      key: 'quantity-before',
      header: `Quantity, ${was}`,
      right: true,
      cell: ({ before }) => <Held position={before} />,
    },
    {
      key: 'quantity-after',
      header: `Quantity, ${is}`,
      right: true,
      cell: (row) =>
        isChanged(row) ? (
          <ins className="after">
            <Held position={row.after} />
          </ins>
        ) : (
          <Held position={row.after} />
        ),
    },
    {
      key: 'value-before',
      header: `Value, USD, ${was}`,
      right: true,
      by: ({ before }) => Number(before?.marketUsdeValue ?? 0),
      cell: ({ before }) => (before === undefined ? '' : <Money amount={before.marketUsdeValue} />),
    },
    {
      key: 'value-after',
      header: `Value, USD, ${is}`,
      right: true,
      by: ({ after }) => Number(after?.marketUsdeValue ?? 0),
      cell: ({ after }) => (after === undefined ? '' : <Money amount={after.marketUsdeValue} />),
    },
  ]
}

function Held({ position }: { readonly position: Holding | undefined }) {
  return position === undefined ? <span className="quiet">none</span> : <Quantity of={position.quantity} />
}
