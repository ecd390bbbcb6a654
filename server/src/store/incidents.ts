/** Incidents of the service with their reports. */
import { limits } from '@clearing/protocol'
import { statement } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'

export interface IncidentReport {
  readonly state: string
  readonly impact: string
  readonly text: string
  readonly at: string
}

export interface Incident {
  readonly incident_id: string
  readonly title: string
  readonly components: readonly string[]
  readonly impact: string
  readonly state: string
  readonly opened_at: string
  readonly updated_at: string
  readonly resolved_at: string | null
  /** The newest first. */
  readonly reports: readonly IncidentReport[]
}

const columns = `incident_id, title, components, impact, state, opened_at, updated_at, resolved_at,
  (select jsonb_agg(jsonb_build_object('state', report.state, 'impact', report.impact, 'text', report.text,
       'at', to_char(report.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by number desc)
   from clearing.incident_update as report where report.incident_id = incident.incident_id) as reports`

const selectIncidents = statement<Incident>(
  'select-incidents',
  `select ${columns} from clearing.incident
   where ($1::timestamptz is null or (opened_at, incident_id) < ($1, $2::uuid))
   order by opened_at desc, incident_id desc limit $3`,
)
const selectShown = statement<Incident>(
  'select-shown-incidents',
  `select ${columns} from clearing.incident
   where resolved_at is null or resolved_at > $1::timestamptz - interval '${limits.incidentShownDays} days'
   order by resolved_at is not null, opened_at desc, incident_id desc limit 100`,
)
const selectIncident = statement<Incident>(
  'select-incident',
  `select ${columns} from clearing.incident where incident_id = $1::uuid`,
)
const lockIncident = statement(
  'lock-incident',
  'select from clearing.incident where incident_id = $1::uuid for no key update',
)
const insertIncident = statement(
  'insert-incident',
  `insert into clearing.incident (incident_id, title, components, impact, state, opened_at, updated_at, resolved_at)
   values ($1, $2, $3, $4, $5, $6, $6, case when $5::text = 'Resolved' then $6::timestamptz end)`,
)
const updateIncident = statement(
  'update-incident',
  `update clearing.incident set components = $2, impact = $3, state = $4, updated_at = $5,
     resolved_at = case when $4::text = 'Resolved' then $5::timestamptz end
   where incident_id = $1`,
)
const insertReport = statement(
  'insert-incident-report',
  `insert into clearing.incident_update (incident_id, number, state, impact, text, at)
   select $1::uuid, 1 + coalesce(max(number), 0), $2, $3, $4, $5::timestamptz from clearing.incident_update where incident_id = $1`,
)

type Head = Pick<Incident, 'incident_id' | 'title' | 'components' | 'impact' | 'state'>

export function writeIncident(tx: Tx, incident: Head, text: string, at: Date): void {
  const { incident_id: id, title, components, impact, state } = incident
  tx.later(insertIncident, [id, title, components, impact, state, at])
  tx.later(insertReport, [id, state, impact, text, at])
}

export function writeIncidentReport(tx: Tx, incident: Head, text: string, at: Date): void {
  const { incident_id: id, components, impact, state } = incident
  tx.later(updateIncident, [id, components, impact, state, at])
  tx.later(insertReport, [id, state, impact, text, at])
}

function readIncident(tx: Tx, incidentId: string): Promise<Incident | undefined> {
  return tx.row(selectIncident, [incidentId])
}

/** Locks the incident, so that reports on it follow one another. */
export async function readLockedIncident(tx: Tx, incidentId: string): Promise<Incident | undefined> {
  await tx.row(lockIncident, [incidentId])
  return readIncident(tx, incidentId)
}

/** Incidents after a position, the newest first. */
export function findIncidents(
  tx: Tx,
  after: readonly [openedAt: string, id: string] | undefined,
  most: number,
): Promise<Incident[]> {
  return tx.rows(selectIncidents, [after?.[0] ?? null, after?.[1] ?? null, most])
}

/** The incidents of the status page: unresolved ones, then recently resolved ones. */
export function findShownIncidents(tx: Tx, now: Date): Promise<Incident[]> {
  return tx.rows(selectShown, [now])
}
