/** update-incident: adds a report to an unresolved incident and notifies every client firm. */
import { reject } from '@clearing/protocol'
import { Rejected } from '../answers.ts'
import { renderIncident, reportToFirms } from '../events/incidents.ts'
import { parseUuid } from '../ids.ts'
import { writeAudit } from '../store/audit.ts'
import { readLockedIncident, writeIncidentReport } from '../store/incidents.ts'
import type { Handler } from './context.ts'

const notFound = reject('ERR.2013', 'incidentId', 'There is no such incident.')

export const updateIncident: Handler<'update-incident'> = async (request, context) => {
  const { tx, now } = context
  const { state, text } = request
  const id = parseUuid(request.incidentId)
  const before = id === undefined ? undefined : await readLockedIncident(tx, id)
  if (before === undefined) return new Rejected([notFound])
  if (before.resolved_at !== null) {
    const reason = `The incident was resolved on ${before.resolved_at.slice(0, 10)}.`
    return new Rejected([reject('ERR.2046', 'incidentId', reason)])
  }
  const impact = request.impact ?? before.impact
  const components = request.components === undefined ? before.components : [...new Set(request.components)]
  const { incident_id, title } = before
  const after = { incident_id, title, components, impact, state }
  writeIncidentReport(tx, after, text, now)
  writeAudit(context, {
    action: 'update-incident',
    target: incident_id,
    changes: { components, impact, state, text },
  })
  reportToFirms(context, state === 'Resolved' ? 'resolved' : 'updated', after, text)
  const at = now.toISOString()
  return renderIncident({
    ...after,
    opened_at: before.opened_at,
    updated_at: at,
    resolved_at: state === 'Resolved' ? at : null,
    reports: [{ state, impact, text, at }, ...before.reports],
  })
}
