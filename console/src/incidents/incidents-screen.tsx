/** Incidents of the service as the status page shows them: the staff open them, report on them and resolve them. */
import type { CallOf } from '@clearing/sdk'
import { Anchor, Stack } from '@mantine/core'
import { Act } from '../act/act.tsx'
import type { Field } from '../act/field.ts'
import type { Answered, MemberOf } from '../client.ts'
import { choicesOf, labelOf } from '../design/codes.ts'
import { Count } from '../design/listed.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Empty, Failure, Loading } from '../design/states.tsx'
import { Status } from '../design/status.tsx'
import { Time } from '../design/time.tsx'
import { useAll } from '../reads.ts'

type Incident = Answered<'list-incidents'>['incidents'][number]

const everyone = 'Everyone can read it: no names, accounts or addresses of machines.'
const components = choicesOf('serviceComponent')
const impacts = choicesOf('incidentImpact')
const states = choicesOf('incidentState')

export function IncidentsScreen() {
  const pages = useAll('list-incidents', 'incidents', {})
  const { rows, isPending, error, refetch, hasNextPage } = pages
  return (
    <Page
      title="Incidents"
      note="Reported on the status page, and to every client firm as events."
      acts={
        <>
          <Anchor href="/status" target="_blank" rel="noreferrer" size="sm">
            Status page
          </Anchor>
          <Act
            operation="open-incident"
            label="Open an incident…"
            title="Open an incident"
            submit="Open"
            look={{ variant: 'filled' }}
            explains="The status page shows it at once."
            fields={openFields}
          />
        </>
      }
    >
      {isPending && <Loading />}
      {rows.length === 0 && error && <Failure fault={error} again={() => refetch()} />}
      {rows.length === 0 && !isPending && !error && (
        <Panel title="Incidents">
          <Empty what="There are no incidents." />
        </Panel>
      )}
      <Stack gap="md">
        {rows.map((incident) => (
          <IncidentPanel key={incident.incidentId} incident={incident} />
        ))}
      </Stack>
      {rows.length > 0 && <Count shown={rows.length} total={undefined} isAll={!hasNextPage} />}
    </Page>
  )
}

function IncidentPanel({ incident }: { readonly incident: Incident }) {
  const { incidentId, title, state, impact, openedOn, resolvedOn, updates } = incident
  const isOver = resolvedOn !== null
  return (
    <Panel
      title={title}
      note={incident.components.map((each) => labelOf('serviceComponent', each)).join(', ')}
      acts={
        <>
          <Status of={state} tone={isOver ? 'good' : 'attention'} />
          {!isOver && (
            <>
              <Act
                operation="update-incident"
                label="Report…"
                title="Report on the incident"
                submit="Report"
                fields={reportFields(incident)}
                fixed={{ incidentId }}
                of={title}
              />
              <Act
                operation="update-incident"
                label="Resolve…"
                title="Resolve the incident"
                submit="Resolve"
                explains="A resolved incident accepts no further reports."
                fields={[{ name: 'text', label: 'Report', kind: 'long', required: true, hint: everyone }]}
                fixed={{ incidentId, state: 'Resolved' }}
                of={title}
              />
            </>
          )}
        </>
      }
    >
      <p className="quiet">
        {labelOf('incidentImpact', impact)}. Opened <Time at={openedOn} />
        {resolvedOn !== null && (
          <>
            , resolved <Time at={resolvedOn} />
          </>
        )}
      </p>
      <dl className="rows">
        {updates.map((report) => (
          <div key={`${report.at} ${report.state}`}>
            <dt>
              {labelOf('incidentState', report.state)}
              <div>
                <Time at={report.at} />
              </div>
            </dt>
            <dd>{report.text}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

const openFields: readonly Field<MemberOf<CallOf<'open-incident'>>>[] = [
  { name: 'title', label: 'Title', kind: 'text', required: true, hint: everyone },
  { name: 'components', label: 'Components', kind: 'several', required: true, choices: components },
  { name: 'impact', label: 'Impact', kind: 'choice', required: true, choices: impacts },
  { name: 'state', label: 'State', kind: 'choice', choices: states, first: 'Investigating' },
  {
    name: 'text',
    label: 'Report',
    kind: 'long',
    required: true,
    hint: 'What callers notice and what they can do.',
  },
]

function reportFields({ state, impact }: Incident): Field<MemberOf<CallOf<'update-incident'>>>[] {
  return [
    {
      name: 'state',
      label: 'State',
      kind: 'choice',
      required: true,
      choices: states.filter(({ value }) => value !== 'Resolved'),
      first: state,
    },
    { name: 'impact', label: 'Impact', kind: 'choice', choices: impacts, first: impact },
    { name: 'text', label: 'Report', kind: 'long', required: true, hint: everyone },
  ]
}
