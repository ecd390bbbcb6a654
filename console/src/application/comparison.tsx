/**
 * The application as the firm sent it beside the stored values, with the text of the request. Personal numbers
 * are shown only after a reason is given.
 */
import { RequestRejected } from '@clearing/sdk'
import { Checkbox, Text } from '@mantine/core'
import { useState } from 'react'
import { Reveal } from '../account/reveal.tsx'
import type { Answered } from '../client.ts'
import { countOf } from '../design/count.ts'
import { Panel } from '../design/panel.tsx'
import { pathInWords, valueInWords } from '../design/record-words.ts'
import { Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { Table } from '../design/table.tsx'
import { useRead } from '../reads.ts'

type Application = Answered<'get-application'>
type Row = Application['fields'][number]

export function Comparison({ accountNumber }: { readonly accountNumber: string }) {
  const [onlyDifferent, setOnlyDifferent] = useState(true)
  const [reason, setReason] = useState<string>()
  const application = useRead('get-application', { accountNumber }, { reveal: reason, keep: true })
  if (isNotKept(application.error))
    return (
      <Panel title="Sent and understood">
        <Text size="sm">
          This application is from a release that did not store requests as they were sent. The record of the
          account has the stored values.
        </Text>
      </Panel>
    )
  return (
    <Panel
      title="Sent and understood"
      flush
      acts={
        <>
          <Checkbox
            label="Only differences"
            checked={onlyDifferent}
            onChange={(event) => setOnlyDifferent(event.currentTarget.checked)}
          />
          <Reveal reason={reason} onReason={setReason} />
        </>
      }
    >
      <Shown read={application} rows={8}>
        {(data) => (
          <>
            <Table
              label="Sent and understood"
              isPart
              rows={onlyDifferent ? data.fields.filter((row) => difference(row) !== undefined) : data.fields}
              keyOf={({ field, sentAs }) => `${field} ${sentAs}`}
              empty="All values were stored as they were sent."
              columns={columns}
            />
            <details className="folded as-sent">
              <summary>{`The request as it was sent: ${data.operation}, ${countOf(data.text.length, 'character')}`}</summary>
              <pre>{data.text}</pre>
            </details>
          </>
        )}
      </Shown>
    </Panel>
  )
}

const columns = [
  {
    key: 'field',
    header: 'Field',
    cell: ({ field, sentAs }: Row) => (
      <>
        <span title={field}>{pathInWords(field)}</span>
        {sentAs !== '' && sentAs !== field && <div className="quiet mono">{sentAs}</div>}
      </>
    ),
  },
  {
    key: 'sent',
    third: true,
    header: 'Sent',
    cell: ({ sent }: Row) => sent || <span className="quiet">not sent</span>,
  },
  {
    key: 'understood',
    third: true,
    header: 'Understood',
    cell: ({ field, understood }: Row) => (
      <>
        {understood || <span className="quiet">stored in other fields</span>}
        {inOtherWords(field, understood)}
      </>
    ),
  },
  {
    key: 'difference',
    header: <span className="unseen">Difference</span>,
    cell: (row: Row) => {
      const found = difference(row)
      return found && <Status of={found} tone={found === 'Changed' ? 'attention' : 'quiet'} />
    },
  },
]

/** The words of a code below the code itself. */
function inOtherWords(field: string, understood: string) {
  const words = valueInWords(field, understood)
  return words === understood || words === '' ? null : <div className="quiet">{words}</div>
}

/**
 * The result of reading a value: the same value under another name or in other letters, another value, or one that the
 * firm did not send.
 */
function difference({ field, sentAs, sent, understood }: Row) {
  if (sentAs === '') return 'Added'
  if (sent !== understood) return sent.toUpperCase() === understood.toUpperCase() ? 'Letter case' : 'Changed'
  return sentAs === field ? undefined : 'Renamed'
}

function isNotKept(fault: unknown): boolean {
  return fault instanceof RequestRejected && fault.rejections.some(({ code }) => code === 'ERR.2013')
}
