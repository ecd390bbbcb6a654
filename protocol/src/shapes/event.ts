/** Events, which are the same in lists, streams and webhooks, and webhooks with their deliveries. */
import Type from 'typebox'
import { orNull, time } from '../answered-values.ts'
import { code } from '../field.ts'

const strict = { additionalProperties: false }

/**
 * An event in the JSON format of CloudEvents 1.0. Names of extension attributes are in lower case, as that
 * specification requires.
 */
export const cloudEventShape = Type.Object(
  {
    specversion: Type.Literal('1.0', { description: 'Version of CloudEvents.' }),
    id: Type.String({
      format: 'uuid',
      description: 'ID of the event, the same in every delivery. Use it to detect repeated deliveries.',
    }),
    source: Type.String({ format: 'uri-reference', description: 'The service.' }),
    type: code('eventType', { description: 'Type of the event.' }),
    subject: Type.Optional(
      Type.String({ description: 'The account number, if the event concerns an account.' }),
    ),
    time: time('When the event happened, by the clock of the service.'),
    datacontenttype: Type.Literal('application/json', { description: 'Media type of `data`.' }),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Details of the event, without personal numbers. Members depend on the type and may be added.',
    }),
    entitynumber: Type.Optional(Type.String({ description: 'Of the account when it happened.' })),
    repcode: Type.Optional(Type.String({ description: 'Of the account when it happened.' })),
    accountnumber: Type.Optional(Type.String({ description: 'The account, if the event concerns one.' })),
    sequence: Type.Optional(
      Type.Integer({ description: 'Number of the event within its account, from 1 without gaps.' }),
    ),
    traceparent: Type.String({ description: 'Trace of the request that caused the event.' }),
    cursor: Type.String({
      description: 'Position of the event in the log. Send it as a cursor to read the events that follow.',
    }),
    consistency: Type.Optional(
      Type.String({
        description:
          'Names a state that includes what the event reports. Send the greatest one as the header `Clearing-Consistency` with reads that must see it. Values are opaque, compare as text, and can differ between deliveries of one event. Absent in the events of `list-events`: there, the response has the header.',
      }),
    ),
  },
  strict,
)

export const webhookShape = Type.Object(
  {
    webhookId: Type.String({ format: 'uuid', description: 'ID of the webhook.' }),
    url: Type.String({ format: 'uri', description: 'Address to which events are sent.' }),
    description: Type.String({ description: 'Description, as submitted.' }),
    types: Type.Array(Type.String(), { description: 'Event types and wildcards; empty for every type.' }),
    entityNumber: orNull(Type.String(), {
      description: 'Only events of accounts of this entity number; null for all.',
    }),
    repCode: orNull(Type.String(), {
      description: 'Only events of accounts of this representative; null for all.',
    }),
    accountNumber: orNull(Type.String(), { description: 'Only events of this account; null for all.' }),
    disabled: Type.Boolean({ description: 'Whether no events are sent.' }),
    disabledReason: orNull(Type.String(), { description: 'Why it was disabled; null if it is not.' }),
    createdOn: time('When the webhook was created.'),
    lastUpdated: time('When the webhook was last changed.'),
    addressSetBy: orNull(Type.String(), {
      description:
        'The credential that created the webhook or last changed its address. Null for webhooks created before release 0.2.',
    }),
    secrets: Type.Array(
      Type.Object(
        {
          secretId: Type.String({ format: 'uuid', description: 'ID of the secret.' }),
          createdOn: time('When the secret was created.'),
          expiresOn: orNull(time(), { description: 'When the secret stops signing; null if it has no end.' }),
        },
        strict,
      ),
      { description: 'The active secrets. Each of them signs every delivery.' },
    ),
  },
  strict,
)

/** A webhook with a new secret. */
export const issuedWebhookShape = Type.Object(
  {
    ...webhookShape.properties,
    secret: Type.String({
      description: 'The secret that signs the deliveries (`whsec_…`), shown only once.',
    }),
  },
  strict,
)

/** One delivery attempt with the response of the receiver. */
export const deliveryAttemptShape = Type.Object(
  {
    at: time('When the attempt was made, by the wall clock.'),
    durationMs: Type.Integer({ description: 'Duration of the attempt, in milliseconds.' }),
    status: orNull(Type.Integer(), {
      description: 'HTTP status of the response; null if there was no response.',
    }),
    answer: Type.String({ description: 'Beginning of the response’s body.' }),
    error: Type.String({ description: 'Why the attempt failed; empty if it succeeded.' }),
  },
  strict,
)

export const deliveryShape = Type.Object(
  {
    deliveryId: Type.String({ format: 'uuid', description: 'ID of the delivery.' }),
    webhookId: Type.String({ format: 'uuid', description: 'The webhook that it was sent to.' }),
    kind: code('deliveryKind', { description: 'Why the delivery was queued.' }),
    eventId: Type.String({ format: 'uuid', description: 'The event that it contains.' }),
    eventType: code('eventType', { description: 'Type of the event.' }),
    accountNumber: Type.String({ description: 'Account number; empty if the event concerns no account.' }),
    status: code('deliveryStatus', { description: 'Status of the delivery.' }),
    createdOn: time('When the delivery was queued.'),
    nextAttemptOn: orNull(time(), {
      description: 'When the next attempt is due; null if no attempt remains.',
    }),
    attempts: Type.Array(deliveryAttemptShape, { description: 'The attempts, the earliest first.' }),
  },
  strict,
)
