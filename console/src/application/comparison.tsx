/** What the firm submitted beside what the record keeps: what was folded, corrected or added stands out. */
import { accountBlock } from '@clearing/protocol'
import type { CallOf } from '@clearing/sdk'
import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { flatten, recordOf } from '../account/record.ts'
import { Panel } from '../design/panel.tsx'
import { pathInWords, valueInWords } from '../design/record-words.ts'
import { Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { Table } from '../design/table.tsx'
import { useRead } from '../reads.ts'

interface Row {
  readonly path: string
  readonly submitted: string
  readonly kept: string
}

export function Comparison(props: { readonly accountNumber: string; readonly submitted: object }) {
  const [onlyDifferent, setOnlyDifferent] = useState(false)
  const account = useRead('get-account', {
    accountNumber: props.accountNumber,
    ...shapeOf(props.submitted),
  })
  return (
    <Panel
      title="Submitted and kept"
      note="personal numbers are masked"
      flush
      acts={
        <Checkbox
          label="Only differences"
          checked={onlyDifferent}
          onChange={(event) => setOnlyDifferent(event.currentTarget.checked)}
        />
      }
    >
      <Shown read={account} rows={8}>
        {(data) => {
          const rows = compare(props.submitted, recordOf(data))
          return (
            <Table
              label="Submitted and kept"
              isPart
              rows={
                onlyDifferent
                  ? rows.filter(({ submitted, kept }) => submitted !== kept && !submitted.includes('*'))
                  : rows
              }
              keyOf={({ path }) => path}
              empty="There is no difference."
              columns={[
                {
                  key: 'field',
                  header: 'Field',
                  cell: ({ path }) => <span title={path}>{pathInWords(path)}</span>,
                },
                {
                  key: 'submitted',
                  third: true,
                  header: 'Submitted',
                  cell: ({ path, submitted }) =>
                    valueInWords(path, submitted) || <span className="quiet">not submitted</span>,
                },
                {
                  key: 'kept',
                  third: true,
                  header: 'Kept',
                  cell: ({ path, kept }) =>
                    valueInWords(path, kept) || <span className="quiet">not kept</span>,
                },
                {
                  key: 'same',
                  header: <span className="unseen">Difference</span>,
                  cell: (row) => difference(row),
                },
              ]}
            />
          )
        }}
      </Shown>
    </Panel>
  )
}

/** The record in the shape of the request: without a number of the firm's own it was shape 1, which names its entity. */
function shapeOf(submitted: object): Pick<CallOf<'get-account'>, 'entityNumber'> {
  const { accountNumber, entityNumber } = submitted as { accountNumber?: unknown; entityNumber?: unknown }
  return accountNumber === undefined && typeof entityNumber === 'string' ? { entityNumber } : {}
}

/** Fields are matched without regard to letter case, as the service reads them. */
function compare(submitted: object, kept: object): Row[] {
  const rows = new Map<string, Row>()
  for (const [path, value] of flatten(submitted))
    rows.set(path.toLowerCase(), { path, submitted: value, kept: '' })
  for (const [path, value] of flatten(kept)) {
    const before = rows.get(path.toLowerCase())
    rows.set(path.toLowerCase(), { path, submitted: before?.submitted ?? '', kept: value })
  }
  return [...rows.values()].sort((one, other) => place(one) - place(other))
}

const order = Object.keys(accountBlock.members).map((name) => name.toLowerCase())

/** As the record shows its parts; what it does not know comes first: the entity and the kind of account. */
function place({ path }: Row): number {
  return order.indexOf(path.toLowerCase().replace(/[.[].*/, ''))
}

function difference({ submitted, kept }: Row) {
  if (submitted === kept) return null
  if (submitted === '') return <Status of="Added" tone="quiet" />
  if (submitted.includes('*') || kept.includes('*')) return <Status of="Masked" tone="quiet" />
  if (kept === '') return <Status of="Not shown" tone="quiet" />
  return <Status of="Changed" tone="attention" />
}
