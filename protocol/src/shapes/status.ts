/** The status of the service and its incidents, as the public pages and the operations return them. */
import Type, { type Static } from 'typebox'
import { orNull, time } from '../answered-values.ts'
import { answeredCode } from '../field.ts'

const strict = { additionalProperties: false }

export const incidentShape = Type.Object(
  {
    incidentId: Type.String({ format: 'uuid', description: 'ID of the incident.' }),
    title: Type.String({ description: 'What happened, in a few words.' }),
    state: answeredCode('incidentState', { description: 'State of the incident.' }),
    impact: answeredCode('incidentImpact', { description: 'How much the incident impairs its components.' }),
    components: Type.Array(answeredCode('serviceComponent'), {
      description: 'The parts of the service that it concerns.',
    }),
    openedOn: time('When it was reported.'),
    updatedOn: time('When the last report was written.'),
    resolvedOn: orNull(time(), { description: 'When it was resolved; null until then.' }),
    updates: Type.Array(
      Type.Object(
        {
          state: answeredCode('incidentState', { description: 'State of the incident after the report.' }),
          impact: answeredCode('incidentImpact', { description: 'Impact after the report.' }),
          text: Type.String({ description: 'The report.' }),
          at: time('When it was written.'),
        },
        strict,
      ),
      { description: 'Every report, the newest first.' },
    ),
  },
  strict,
)

const componentShape = Type.Object(
  {
    component: answeredCode('serviceComponent', { description: 'The component.' }),
    label: Type.String({ description: 'Name of the component.' }),
    status: answeredCode('componentStatus', {
      description: 'The worst status among the probe and the unresolved incidents of the component.',
    }),
    probed: answeredCode('componentStatus', { description: 'The result of the probe.' }),
    reason: Type.String({ description: 'The fault that the probe found, or empty.' }),
  },
  strict,
)

export const serviceStatusShape = Type.Object(
  {
    status: answeredCode('componentStatus', { description: 'The worst of the components.' }),
    checkedOn: time('When the probes ran.'),
    components: Type.Array(componentShape, { description: 'The parts of the service.' }),
    incidents: orNull(Type.Array(incidentShape), {
      description:
        'Unresolved incidents, then those that were resolved in the last 90 days, the newest first. Null if they cannot be read.',
    }),
  },
  strict,
)

/** The response of `/status.json`. */
export type ServiceStatus = Static<typeof serviceStatusShape>
