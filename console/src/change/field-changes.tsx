/** Fields of a record before and after a change. */
import { Table } from '../design/table.tsx'
import { pathInWords } from '../design/words.ts'

export interface FieldChange {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

export interface FieldChangesProps {
  readonly label: string
  readonly changes: readonly FieldChange[]
  readonly empty: string
}

export function FieldChanges({ label, changes, empty }: FieldChangesProps) {
  return (
    <Table
      label={label}
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
        { key: 'before', header: 'Before', cell: ({ before }) => <Value of={before} look="before" /> },
        { key: 'after', header: 'After', cell: ({ after }) => <Value of={after} look="after" /> },
      ]}
    />
  )
}

function Value({ of: value, look }: { readonly of: unknown; readonly look: 'before' | 'after' }) {
  const text =
    typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)
  if (text === '') return <span className="quiet">empty</span>
  return look === 'before' ? <del className="before">{text}</del> : <ins className="after">{text}</ins>
}
