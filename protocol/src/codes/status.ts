// What the status of the service is about: its parts, how they are, and incidents.

import { listCodes } from './code-list.ts'

/** The parts of the service whose status is shown. Each has a probe. */
export const serviceComponents = listCodes({
  Reading: 'Reading accounts, positions and activity',
  Writing: 'Opening and changing accounts',
  Tokens: 'Access tokens',
  Documents: 'Documents',
  Onboarding: 'Onboarding and other queued work',
  Webhooks: 'Webhooks and event streams',
})

/** How a part of the service is. */
export const componentStatuses = listCodes({
  Operational: 'Works',
  Degraded: 'Works late or in part',
  Unavailable: 'Does not work',
})

/** What an incident means for callers. */
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
