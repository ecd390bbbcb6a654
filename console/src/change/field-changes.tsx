/** Fields of a record before and after a change. */
import type { ReactNode } from 'react'
import { flatten } from '../account/record.ts'
import { pathInWords, valueInWords } from '../design/record-words.ts'
import { Table } from '../design/table.tsx'

export interface FieldChange {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

export interface FieldChangesProps {
  readonly label: string
  readonly changes: readonly FieldChange[]
  readonly empty: string
  /** A value in another form than words. */
  readonly shows?: ((change: FieldChange, value: unknown) => ReactNode | undefined) | undefined
  /** The headings of the two columns. */
  readonly headers?: readonly [before: string, after: string]
}

export function FieldChanges(props: FieldChangesProps) {
  const { label, changes, empty, shows, headers = ['Before', 'After'] } = props
  return (
    <Table
      label={label}
      isPart
      rows={changes}
      keyOf={({ field }, index) => `${field} ${index}`}
      empty={empty}
      heightMax="50vh"
      columns={[
        {
          key: 'field',
          header: 'Field',
          cell: ({ field }) => <span title={field}>{pathInWords(field)}</span>,
        },
        {
          key: 'before',
          third: true,
          header: headers[0],
          cell: (change) =>
            shows?.(change, change.before) ?? <Value of={change.before} field={change.field} look="before" />,
        },
        {
          key: 'after',
          third: true,
          header: headers[1],
          cell: (change) =>
            shows?.(change, change.after) ?? <Value of={change.after} field={change.field} look="after" />,
        },
      ]}
    />
  )
}

function Value(props: { readonly of: unknown; readonly field: string; readonly look: 'before' | 'after' }) {
  const lines = flatten(props.of, props.field).map(([path, value]) =>
    path === props.field
      ? valueInWords(path, value)
      : `${pathInWords(path.slice(props.field.length + 1))}: ${valueInWords(path, value)}`,
  )
  if (lines.length === 0) return <span className="quiet">empty</span>
  const Mark = props.look === 'before' ? 'del' : 'ins'
  return lines.map((line) => (
    <div key={line}>
      <Mark className={props.look}>{line}</Mark>
    </div>
  ))
}
