/** open-incident: reports an incident on the status page and to every client firm. */

import { renderIncident, reportToFirms } from '../events/incidents.ts'
import { newId } from '../ids.ts'
import { writeAudit } from '../store/audit.ts'
import { writeIncident } from '../store/incidents.ts'
import type { Handler } from './context.ts'

export const openIncident: Handler<'open-incident'> = async (request, context) => {
  const { tx, now } = context
  const { title, impact, state = 'Investigating', text } = request
  const components = [...new Set(request.components)]
  const incident = { incident_id: newId(now), title, components, impact, state }
  writeIncident(tx, incident, text, now)
  const { incident_id: target } = incident
  writeAudit(context, {
    action: 'open-incident',
    target,
    changes: { title, components, impact, state, text },
  })
  reportToFirms(context, 'opened', incident, text)
  const at = now.toISOString()
  return renderIncident({
    ...incident,
    opened_at: at,
    updated_at: at,
    resolved_at: state === 'Resolved' ? at : null,
    reports: [{ state, impact, text, at }],
  })
}
