/** Watch lists: those in force, and a new version, which is compared with the one in force before it takes effect. */
import { codeLists } from '@clearing/protocol'
import { Group, NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { FileForm } from '../act/file-form.tsx'
import { type Answered, call, given } from '../client.ts'
import { Button } from '../design/button.tsx'
import { choicesOf } from '../design/codes.ts'
import { renderCount } from '../design/count.ts'
import { Facts } from '../design/facts.tsx'
import { tell } from '../design/notices.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Failure } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { Table } from '../design/table.tsx'
import { useWhyNot } from '../session/permitted.ts'
import { ListsInForce } from './lists-in-force.tsx'

type Part = (typeof codeLists.watchListPart)[number]['value']

/** A file that was compared and is not in force yet. */
interface Proposal {
  readonly compared: Answered<'compare-watch-list'>
  readonly part: Part
  readonly source: string
  readonly csv: string
  readonly key: string
}

const [firstPart] = codeLists.watchListPart

export function ListsScreen() {
  const [proposal, setProposal] = useState<Proposal>()
  const notAllowed = useWhyNot('load-watch-list')
  return (
    <Page
      title="Watch lists"
      note="New and changed entries are compared with the names of all open accounts."
      acts={
        <>
          <Link to="/work" search={() => ({ queue: 'Match' })}>
            Matches to decide
          </Link>
          <Link to="/screening/matches">All matches</Link>
          <Link to="/screening/restrictions">All restrictions</Link>
        </>
      }
    >
      <ListsInForce />
      <div className="columns">
        <Panel title="Load a version">{notAllowed ?? <CompareList onCompared={setProposal} />}</Panel>
        {proposal !== undefined && (
          <Proposed key={proposal.key} proposal={proposal} onDone={() => setProposal(undefined)} />
        )}
      </div>
      {proposal !== undefined && <Differences compared={proposal.compared} />}
    </Page>
  )
}

function CompareList({ onCompared }: { readonly onCompared: (proposal: Proposal) => void }) {
  const [listName, setListName] = useState('')
  const [part, setPart] = useState<Part>(firstPart?.value ?? 'sdn')
  const compare = async (file: File) => {
    const csv = await file.text()
    const request = given({ listName: listName.trim(), part, lines: { csv } })
    const { data: compared } = await call('compare-watch-list', request)
    onCompared({ compared, part, source: file.name, csv, key: crypto.randomUUID() })
  }
  return (
    <FileForm
      submit="Compare with the list in force"
      description="sdn.csv, alt.csv, add.csv or sdn_comments.csv, as the Office of Foreign Assets Control publishes them. Load the entries first."
      accept=".csv,.txt"
      ready={listName.trim() !== ''}
      request={`${listName} ${part}`}
      send={compare}
    >
      <TextInput
        label="Name of the list"
        description="Letters, digits, - and _. A new name makes another list."
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

/** What the file would change, and the button that puts it in force. */
function Proposed({ proposal, onDone }: { readonly proposal: Proposal; readonly onDone: () => void }) {
  const [runs, setRuns] = useState(false)
  const [fault, setFault] = useState<unknown>()
  const queries = useQueryClient()
  const { compared, part, source, csv, key } = proposal
  const load = async () => {
    setRuns(true)
    setFault(undefined)
    try {
      const request = given({ listName: compared.listName, part, source, lines: { csv } })
      const { data } = await call('load-watch-list', request, { idempotencyKey: key })
      tell({ tone: 'good', title: `${data.listName} is in force`, message: data.listVersion })
      await queries.invalidateQueries()
      onDone()
    } catch (caught) {
      setFault(caught)
      setRuns(false)
    }
  }
  return (
    <Panel title={`${compared.listName} with ${source}`} note="not in force yet">
      <Facts
        facts={[
          ['Entries', renderCount(compared.entries)],
          ['Added', renderCount(compared.added)],
          ['Changed', renderCount(compared.changed)],
          ['Removed', renderCount(compared.removed)],
          ['Unreadable lines', renderCount(compared.rejected)],
          ['In force now', compared.currentVersion || 'no list of this name'],
        ]}
      />
      {fault !== undefined && <Failure fault={fault} />}
      <Group justify="flex-end" mt="sm">
        <Button variant="default" onClick={onDone}>
          Discard
        </Button>
        <Button onClick={load} loading={runs}>
          Put in force
        </Button>
      </Group>
    </Panel>
  )
}

const tones = { Added: 'attention', Changed: 'attention', Removed: 'quiet' } as const

function Differences({ compared }: { readonly compared: Proposal['compared'] }) {
  const { differences, rejects } = compared
  return (
    <>
      <Panel title="Differences" note="at most 100 of each kind" flush>
        <Table
          label="Differences"
          isPart
          rows={differences}
          keyOf={({ entryId, difference }) => `${difference} ${entryId}`}
          empty="The file changes no entry."
          columns={[
            {
              key: 'difference',
              header: 'Difference',
              cell: ({ difference }) => (
                <Status of={difference} tone={tones[difference as keyof typeof tones]} />
              ),
            },
            {
              key: 'name',
              header: 'Entry',
              cell: ({ name, entryId }) => (
                <>
                  {name}
                  <div className="quiet">{entryId}</div>
                </>
              ),
            },
            { key: 'before', header: 'Before', cell: ({ before }) => before },
            { key: 'after', header: 'After', cell: ({ after }) => after },
          ]}
        />
      </Panel>
      {rejects.length > 0 && (
        <Panel title="Lines that were not understood" flush>
          <Table
            label="Lines that were not understood"
            isPart
            rows={rejects}
            keyOf={({ line }) => String(line)}
            empty=""
            columns={[
              { key: 'line', header: 'Line', right: true, cell: ({ line }) => renderCount(line) },
              { key: 'reason', header: 'Reason', cell: ({ reason }) => reason },
            ]}
          />
        </Panel>
      )}
    </>
  )
}
