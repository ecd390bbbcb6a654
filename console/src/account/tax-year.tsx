/** The sales of a tax year by box of Form 8949, and the form as a file. */
import { Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { type Answered, client } from '../client.ts'
import { saveFile } from '../csv.ts'
import { Button } from '../design/button.tsx'
import { countOf, renderCount } from '../design/count.ts'
import { Facts } from '../design/facts.tsx'
import { Money } from '../design/money.tsx'
import { moneyColumn } from '../design/money-column.tsx'
import { Panel } from '../design/panel.tsx'
import { Failure, Shown } from '../design/states.tsx'
import { type Column, Table } from '../design/table.tsx'
import { useRead } from '../reads.ts'

type Report = Answered<'tax-report'>
type Box = Report['boxes'][number]

interface YearProps {
  readonly accountNumber: string
  readonly year: number
}

export function TaxYear({ accountNumber, year }: YearProps) {
  const read = useRead('tax-report', { accountNumber, year }, { keep: true })
  return (
    <Panel
      title={`Tax year ${year}`}
      note={read.data && countOf(read.data.rows.length, 'row')}
      acts={<SaveForm accountNumber={accountNumber} year={year} />}
      flush
    >
      <Shown read={read} rows={2}>
        {(report) => <Boxes report={report} />}
      </Shown>
    </Panel>
  )
}

function SaveForm({ accountNumber, year }: YearProps) {
  const [fault, setFault] = useState<unknown>()
  const save = async () => {
    setFault(undefined)
    try {
      const file = await client.form8949({ accountNumber, year })
      saveFile(file.fileName, file.mediaType, await file.bytes())
    } catch (caught) {
      setFault(caught)
    }
  }
  return (
    <>
      {fault !== undefined && <Failure fault={fault} />}
      <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />} onClick={save}>
        Form 8949 of {year}
      </Button>
    </>
  )
}

function Boxes({ report }: { readonly report: Report }) {
  if (report.exemptRecipient)
    return (
      <Text size="sm" className="inside">
        The account is an IRA. It gets no Form 1099-B.
      </Text>
    )
  return (
    <>
      <Table
        label="Boxes of Form 8949"
        rows={report.boxes}
        keyOf={({ box }) => box}
        empty="The year has no sale for Form 8949."
        columns={columns}
      />
      {Number(report.section1256) !== 0 && (
        <div className="inside">
          <Facts
            facts={[
              ['Options on broad indexes, for Form 6781', <Money key="gain" amount={report.section1256} />],
            ]}
          />
        </div>
      )}
    </>
  )
}

const meanings: Readonly<Record<string, string>> = {
  A: 'short term, cost reported to the IRS',
  B: 'short term, cost not reported',
  C: 'short term, no Form 1099-B',
  D: 'long term, cost reported to the IRS',
  E: 'long term, cost not reported',
  F: 'long term, no Form 1099-B',
}

const columns: readonly Column<Box>[] = [
  {
    key: 'box',
    header: 'Box',
    by: ({ box }) => box,
    cell: ({ box }) => (
      <>
        {box} <span className="quiet">{meanings[box]}</span>
      </>
    ),
  },
  {
    key: 'count',
    header: 'Rows',
    right: true,
    by: ({ count }) => count,
    cell: ({ count }) => renderCount(count),
  },
  moneyColumn('proceeds', 'Proceeds', ({ proceeds }) => proceeds),
  moneyColumn('cost', 'Cost', ({ cost }) => cost),
  moneyColumn('wash', 'Disallowed by wash sales', ({ washDisallowedAmt }) => washDisallowedAmt),
  moneyColumn('gain', 'Gain or loss', ({ gainLoss }) => gainLoss),
]
