// The coded fields of the service's status: its components, their states, and incidents.

import { listCodes } from './code-list.ts'

/** The components of the service. Each has a probe. */
export const serviceComponents = listCodes({
  Reading: 'Reading accounts, positions and activity',
  Writing: 'Opening and changing accounts',
  Tokens: 'Access tokens',
  Documents: 'Documents',
  Onboarding: 'Onboarding and other queued work',
  Webhooks: 'Webhooks and event streams',
})

/** States of a component. */
export const componentStatuses = listCodes({
  Operational: 'Works',
  Degraded: 'Works late or in part',
  Unavailable: 'Does not work',
})

/** Impacts of an incident on callers. */
export const incidentImpacts = listCodes({
  None: 'Nothing is affected; callers are informed, for example of planned work',
  Degraded: 'The components work late or in part',
  Unavailable: 'The components do not work',
})

/** States of an incident. */
export const incidentStates = listCodes({
  Investigating: 'The cause is not known',
  Identified: 'The cause is known, and is being corrected',
  Monitoring: 'Corrected; it is being watched',
  Resolved: 'Over',
})
