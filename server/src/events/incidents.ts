/** An incident in the form of responses, and the event that reports it to client firms. */
import type { Data } from '@clearing/protocol'
import type { Tx } from '../database/transaction.ts'
import { writeEventOfFirms } from '../store/firm-events.ts'
import type { Incident } from '../store/incidents.ts'

export function renderIncident(incident: Incident): Data<'open-incident'> {
  return {
    incidentId: incident.incident_id,
    title: incident.title,
    state: incident.state,
    impact: incident.impact,
    components: [...incident.components],
    openedOn: toMilliseconds(incident.opened_at),
    updatedOn: toMilliseconds(incident.updated_at),
    resolvedOn: incident.resolved_at && toMilliseconds(incident.resolved_at),
    updates: incident.reports.map(({ state, impact, text, at }) => ({ state, impact, text, at })),
  }
}

function toMilliseconds(at: string): string {
  return new Date(at).toISOString()
}

type Reported = Pick<Incident, 'incident_id' | 'title' | 'components' | 'impact' | 'state'>

export function reportToFirms(
  { tx, now, traceId }: { readonly tx: Tx; readonly now: Date; readonly traceId: string },
  kind: 'opened' | 'updated' | 'resolved',
  { incident_id: incidentId, title, state, impact, components }: Reported,
  text: string,
): void {
  const content = { incidentId, title, state, impact, components, text }
  writeEventOfFirms(tx, { type: `incident.${kind}`, at: now, traceId, content })
}
