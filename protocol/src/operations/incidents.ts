/**
 * Operations on the incidents of the service: the staff report them, and every client firm reads them on the status
 * page.
 */
import Type from 'typebox'
import { listOf } from '../answered-values.ts'
import { block, code, list, optional, words } from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { next, pageOf } from '../paging.ts'
import { incidentShape } from '../shapes/status.ts'
import { exampleIds } from './examples.ts'

const strict = { additionalProperties: false }
const operations = { audience: 'operations', scope: 'operations', body: 'json', origin: 'extension' } as const

function report() {
  return words(limits.noteLengthMax, {
    description:
      'What callers notice and what they can do. The text is public: it must not contain names, accounts or addresses of machines.',
  })
}

export const openIncident = defineOperation({
  ...operations,
  summary: 'Open an incident',
  description:
    'Reports an incident on the status page (`/status`, `/status.json`), and to every client firm with the event `incident.opened`. Its components have at least the status of its impact until it is resolved.',
  writes: true,
  request: block({
    title: words(limits.incidentTitleLengthMax, {
      description: 'What happened, in a few words. The text is public.',
      examples: ['Webhooks are delivered late'],
    }),
    components: list(code('serviceComponent'), {
      description: 'The parts of the service that it concerns.',
    }),
    impact: code('incidentImpact', { description: 'How much the incident impairs its components.' }),
    state: optional(code('incidentState', { description: 'The default is `Investigating`.' })),
    text: report(),
  }),
  data: incidentShape,
  examples: [
    {
      title: 'Late webhooks',
      request: {
        title: 'Webhooks are delivered late',
        components: ['Webhooks'],
        impact: 'Degraded',
        text: 'Deliveries wait up to 20 minutes. No event is lost; list-events has them now.',
      },
    },
  ],
})

export const updateIncident = defineOperation({
  ...operations,
  summary: 'Report on an incident',
  description:
    'Adds a report to an incident, with its new state; `Resolved` ends it. Client firms get the event `incident.updated` or `incident.resolved`. A resolved incident accepts no further reports.',
  writes: true,
  request: block({
    incidentId: words(36, { description: 'ID of the incident, as list-incidents returns it.' }),
    state: code('incidentState', { description: 'State of the incident after the report.' }),
    text: report(),
    impact: optional(code('incidentImpact', { description: 'The default leaves it unchanged.' })),
    components: optional(
      list(code('serviceComponent'), { description: 'The default leaves them unchanged.' }),
    ),
  }),
  data: incidentShape,
  examples: [
    {
      title: 'It is over',
      request: {
        incidentId: exampleIds.incident,
        state: 'Resolved',
        text: 'All deliveries were made. A full disk had stopped the sender.',
      },
      yours: { incidentId: 'open-incident' },
    },
  ],
})

export const listIncidents = defineOperation({
  ...operations,
  summary: 'List incidents',
  description: 'Returns all incidents with their reports, the newest first.',
  writes: false,
  request: block({ ...pageOf() }),
  data: Type.Object({ incidents: listOf(incidentShape, 'The incidents of the page.'), next }, strict),
  examples: [{ title: 'The newest', request: { size: 20 } }],
})
