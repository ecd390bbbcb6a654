/** Watch lists: loads one, says what it brought, and shows how many accounts still wait for the comparison with it. */
import { codeLists } from '@clearing/protocol'
import { NativeSelect, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FileForm } from '../act/file-form.tsx'
import { type Answered, call, given } from '../client.ts'
import { choicesOf } from '../design/codes.ts'
import { countOf, renderCount } from '../design/count.ts'
import { Facts } from '../design/facts.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Table } from '../design/table.tsx'
import { useRead } from '../reads.ts'
import { useWhyNot } from '../session/permitted.ts'

type Loaded = Answered<'load-watch-list'>
type Part = (typeof codeLists.watchListPart)[number]['value']

const [firstPart] = codeLists.watchListPart

export function ListsScreen() {
  const [loaded, setLoaded] = useState<Loaded>()
  const notAllowed = useWhyNot('load-watch-list')
  return (
    <Page
      title="Watch lists"
      note="A list in the layout of the OFAC SDN file. New and changed entries are compared with the names of all open accounts."
      acts={
        <Link to="/work" search={() => ({ queue: 'Match' })}>
          Matches to decide
        </Link>
      }
    >
      <div className="columns">
        <Panel title="Load a list">{notAllowed ?? <LoadList onLoaded={setLoaded} />}</Panel>
        {loaded !== undefined && <Outcome loaded={loaded} />}
      </div>
      {loaded !== undefined && loaded.rejects.length > 0 && (
        <Panel title="Lines that were not understood" flush>
          <Table
            label="Lines that were not understood"
            isPart
            rows={loaded.rejects}
            keyOf={({ line }) => String(line)}
            empty=""
            columns={[
              { key: 'line', header: 'Line', right: true, cell: ({ line }) => renderCount(line) },
              { key: 'reason', header: 'Reason', cell: ({ reason }) => reason },
            ]}
          />
        </Panel>
      )}
    </Page>
  )
}

function LoadList({ onLoaded }: { readonly onLoaded: (loaded: Loaded) => void }) {
  const [listName, setListName] = useState('')
  const [part, setPart] = useState<Part>(firstPart?.value ?? 'sdn')
  const send = async (file: File, idempotencyKey: string) => {
    const lines = { csv: await file.text() }
    const { data } = await call('load-watch-list', given({ listName: listName.trim(), part, lines }), {
      idempotencyKey,
    })
    onLoaded(data)
  }
  return (
    <FileForm
      submit="Load the list"
      description="sdn.csv, alt.csv or add.csv, as the Office of Foreign Assets Control publishes them. Load the entries first."
      accept=".csv,.txt"
      ready={listName.trim() !== ''}
      request={`${listName} ${part}`}
      send={send}
    >
      <TextInput
        label="Name of the list"
        description="Letters, digits, - and _. A list that is there already is replaced."
        withAsterisk
        value={listName}
        autoComplete="off"
        onChange={(event) => setListName(event.currentTarget.value)}
      />
      <NativeSelect
        label="Part of the list"
        value={part}
        data={choicesOf('watchListPart')}
        onChange={({ currentTarget: { value } }) =>
          setPart(codeLists.watchListPart.find((row) => row.value === value)?.value ?? part)
        }
      />
    </FileForm>
  )
}

const everyMs = 2_000

/** The comparison is done by jobs: it goes on while some of them wait. */
function Outcome({ loaded }: { readonly loaded: Loaded }) {
  const { data: overview } = useRead('get-overview', {}, { everyMs })
  const matches = overview?.queues.find(({ queue }) => queue === 'Match')
  const waits = overview?.health.jobsWaiting ?? 0
  return (
    <Panel title={`${loaded.listName} is in force`} note={loaded.listVersion}>
      <Facts
        facts={[
          ['Lines', renderCount(loaded.received)],
          ['Taken', renderCount(loaded.accepted)],
          ['Not understood', renderCount(loaded.rejected)],
          ['New or changed entries', renderCount(loaded.gained)],
          ['Jobs that wait', waits === 0 ? 'none' : countOf(waits, 'job')],
          [
            'Matches to decide',
            <Link key="matches" to="/work" search={() => ({ queue: 'Match' })}>
              {renderCount(matches?.count ?? 0)}
            </Link>,
          ],
        ]}
      />
    </Panel>
  )
}
