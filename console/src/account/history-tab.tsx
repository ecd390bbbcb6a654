/**
 * The history of the record: every change with its old and new values, the record after any change, and the record at
 * two days side by side.
 */
import { Group, Slider, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FieldChanges } from '../change/field-changes.tsx'
import type { Answered } from '../client.ts'
import { Button } from '../design/button.tsx'
import { Count } from '../design/listed.tsx'
import { Panel } from '../design/panel.tsx'
import { Empty, Failure, Loading, Shown } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { Time } from '../design/time.tsx'
import { wordsOf } from '../design/words.ts'
import { usePages, useRead } from '../reads.ts'
import type { TabProps } from './account-screen.tsx'
import type { Block } from './record.ts'
import { RecordCompared } from './record-compared.tsx'
import { RecordView } from './record-view.tsx'

type Change = Answered<'account-history'>['history'][number]

export function HistoryTab({ accountNumber }: TabProps) {
  const pages = usePages('account-history', 'history', { accountNumber })
  const { rows: history, hasNextPage } = pages
  if (history.length === 0 && pages.error !== null) return <Failure fault={pages.error} again={pages.again} />
  if (pages.isPending) return <Loading />
  if (history.length === 0) return <Empty what="No change is recorded." />
  return (
    <Stack gap="md">
      {history.length > 1 && <AsOf accountNumber={accountNumber} history={history} />}
      <RecordCompared accountNumber={accountNumber} />
      {history.map((change) => (
        <ChangePanel key={change.sequence} change={change} />
      ))}
      {pages.error !== null && <Failure fault={pages.error} again={pages.again} />}
      <Group gap="sm">
        <Count shown={history.length} total={history[0]?.sequence} isAll={!hasNextPage} />
        {hasNextPage && pages.error === null && (
          <Button variant="default" onClick={pages.more} loading={pages.isFetchingNextPage}>
            Show older changes
          </Button>
        )}
      </Group>
    </Stack>
  )
}

function ChangePanel({ change }: { readonly change: Change }) {
  return (
    <Panel
      title={`${change.sequence}. ${wordsOf(change.operation)}`}
      note={
        <>
          <Time at={change.at} /> <By change={change} /> · version {change.version}
          {change.reason !== '' && ` · ${change.reason}`}
        </>
      }
      flush
      acts={<Status of={change.accountStatus} />}
    >
      <FieldChanges
        label={`Fields of change ${change.sequence}`}
        changes={change.changes.map(({ field, from, to }) => ({ field, before: from, after: to }))}
        empty={change.sequence === 1 ? 'The record as it was submitted.' : 'No field of the record changed.'}
      />
    </Panel>
  )
}

/** Who requested and who approved the change. The screen of a request shows its reasons. */
function By({ change: { actor, changeId, requestedBy, approvedBy } }: { readonly change: Change }) {
  if (changeId === null) return <>by {actor}</>
  return (
    <>
      <Link to={`/changes/${changeId}`}>requested</Link> by {requestedBy},{' '}
      {approvedBy === null ? `made by ${actor}` : `approved by ${approvedBy}`}
    </>
  )
}

/** A slider over the changes, and the record after the selected one. */
function AsOf(props: { readonly accountNumber: string; readonly history: readonly Change[] }) {
  const oldestFirst = [...props.history].reverse()
  const [index, setIndex] = useState(oldestFirst.length - 1)
  const [shows, setShows] = useState(false)
  const at = oldestFirst[index]?.at ?? ''
  const read = useRead(
    'account-history',
    { accountNumber: props.accountNumber, asOf: at, size: 1 },
    { enabled: shows, keep: true },
  )
  return (
    <Panel title="The record as of" note={<Time at={at} />}>
      <Slider
        min={0}
        max={oldestFirst.length - 1}
        step={1}
        value={index}
        onChange={(value) => {
          setShows(true)
          setIndex(value)
        }}
        marks={oldestFirst.map((_, value) => ({ value }))}
        thumbLabel="Change"
        label={(value) => `after change ${oldestFirst[value]?.sequence ?? ''}`}
      />
      <Text size="xs" className="quiet" mt="xs" mb="sm">
        Move the slider to see the record after a change.
      </Text>
      {shows && (
        <Shown read={read}>
          {({ record }) =>
            record ? <RecordView record={record as Block} /> : <Empty what="There was no account yet." />
          }
        </Shown>
      )}
    </Panel>
  )
}
