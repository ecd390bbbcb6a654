/** Tools for a list as a whole: columns, density, CSV file and printing. */
import { Checkbox, Group, Popover, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { renderRows, saveFile } from '../csv.ts'
import { Button } from './button.tsx'
import { plainFault } from './fault.ts'
import { useListShape } from './list-shape.ts'
import { tell } from './notices.tsx'
import { Printed } from './printed.tsx'
import { useToday } from './service-clock.ts'
import type { Column } from './table.tsx'

export interface ListToolsProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  /** All rows, including those that are not loaded yet. */
  readonly readAll: () => Promise<readonly Row[]>
}

export function ListTools<Row extends object>({ label, columns, readAll }: ListToolsProps<Row>) {
  const { hidden } = useListShape(label)
  const [printed, setPrinted] = useState<readonly Row[]>()
  const [reads, setReads] = useState<'csv' | 'print'>()
  const today = useToday()
  const withAll = async (how: 'csv' | 'print', use: (rows: readonly Row[]) => void) => {
    setReads(how)
    try {
      use(await readAll())
    } catch (fault) {
      const { title, text = '' } = plainFault(fault)
      tell({ tone: 'bad', title, message: text })
    } finally {
      setReads(undefined)
    }
  }
  const save = (rows: readonly Row[]) =>
    saveFile(`${label.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${today}.csv`, 'text/csv', renderRows(rows))
  const look = { variant: 'subtle', color: 'gray', size: 'compact-xs' } as const
  return (
    <Group gap={4} className="list-tools">
      <Shape label={label} columns={columns} />
      <Button
        {...look}
        aria-label={`CSV of ${label}`}
        loading={reads === 'csv'}
        onClick={() => void withAll('csv', save)}
      >
        CSV
      </Button>
      <Button
        {...look}
        aria-label={`Print ${label}`}
        loading={reads === 'print'}
        onClick={() => void withAll('print', setPrinted)}
      >
        Print
      </Button>
      {printed !== undefined && (
        <Printed
          label={label}
          columns={namedOf(columns).filter(({ key }) => !hidden.has(key))}
          rows={printed}
          onDone={() => setPrinted(undefined)}
        />
      )}
    </Group>
  )
}

/** Columns with data, without marks and buttons. */
function namedOf<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  return columns.filter(({ header }) => typeof header === 'string' && header !== '')
}

function Shape<Row>({ label, columns }: Pick<ListToolsProps<Row>, 'label' | 'columns'>) {
  const { hidden, isCompact, show, setCompact } = useListShape(label)
  const named = namedOf(columns)
  const shown = named.filter(({ key }) => !hidden.has(key))
  return (
    <Popover position="top-end" trapFocus returnFocus withinPortal shadow="md">
      <Popover.Target>
        <Button variant="subtle" color="gray" size="compact-xs" aria-label={`Columns of ${label}`}>
          {shown.length === named.length ? 'Columns' : `Columns: ${shown.length} of ${named.length}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={`Columns of ${label}`}>
        <Stack gap={6}>
          {named.map(({ key, header }) => (
            <Checkbox
              key={key}
              label={header}
              checked={!hidden.has(key)}
              disabled={shown.length === 1 && !hidden.has(key)}
              onChange={(event) => show(key, event.currentTarget.checked)}
            />
          ))}
          <Text size="xs" className="quiet" mt={4}>
            Density
          </Text>
          <Checkbox
            label="Compact rows"
            checked={isCompact}
            onChange={(event) => setCompact(event.currentTarget.checked)}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
