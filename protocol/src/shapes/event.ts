/** Events as they are delivered, the same by pull, stream and webhook; and webhooks with their deliveries. */
import Type from 'typebox'
import { code } from '../field.ts'

const strict = { additionalProperties: false }
const time = (description: string) => Type.String({ format: 'date-time', description })
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(shape: T) =>
  Type.Union([shape, Type.Null()])

/** A CloudEvent (CloudEvents 1.0, JSON format). Its extensions are in lower case, as that specification asks. */
export const cloudEventShape = Type.Object(
  {
    specversion: Type.Literal('1.0'),
    id: Type.String({
      format: 'uuid',
      description: 'The same in every delivery: what was seen before is known by it.',
    }),
    source: Type.String({ format: 'uri-reference', description: 'The service.' }),
    type: code('eventType'),
    subject: Type.Optional(Type.String({ description: 'The account number, when it concerns an account.' })),
    time: time('When it happened, in the service’s time.'),
    datacontenttype: Type.Literal('application/json'),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'What happened, without personal numbers. Members depend on the type and may be added.',
    }),
    entitynumber: Type.Optional(Type.String({ description: 'Of the account when it happened.' })),
    repcode: Type.Optional(Type.String({ description: 'Of the account when it happened.' })),
    accountnumber: Type.Optional(Type.String()),
    sequence: Type.Optional(
      Type.Integer({ description: 'Counts the events of the account without gaps, from 1.' }),
    ),
    traceparent: Type.String({ description: 'The trace of the request that caused it.' }),
    cursor: Type.String({
      description: 'The place in the log: events after it are those that follow this one.',
    }),
  },
  strict,
)

export const webhookShape = Type.Object(
  {
    webhookId: Type.String({ format: 'uuid' }),
    url: Type.String({ format: 'uri' }),
    description: Type.String(),
    types: Type.Array(Type.String(), { description: 'Types and wildcards; empty for every type.' }),
    entityNumber: orNull(Type.String()),
    repCode: orNull(Type.String()),
    accountNumber: orNull(Type.String()),
    disabled: Type.Boolean(),
    disabledReason: orNull(Type.String()),
    createdOn: time('When it was created.'),
    lastUpdated: time('When it was last changed.'),
    secrets: Type.Array(
      Type.Object(
        {
          secretId: Type.String({ format: 'uuid' }),
          createdOn: time('When it was made.'),
          expiresOn: orNull(time('When it stops signing.')),
        },
        strict,
      ),
      { description: 'The live secrets: each of them signs every delivery.' },
    ),
  },
  strict,
)

/** Answered when a secret is made. */
export const issuedWebhookShape = Type.Object(
  {
    ...webhookShape.properties,
    secret: Type.String({ description: 'Signs the deliveries (`whsec_…`). Shown once.' }),
  },
  strict,
)

/** One attempt to deliver, with what the receiver answered. */
export const deliveryAttemptShape = Type.Object(
  {
    at: time('When it was sent, by the wall clock.'),
    durationMs: Type.Integer(),
    status: orNull(Type.Integer({ description: 'HTTP status of the answer; null when there was none.' })),
    answer: Type.String({ description: 'The beginning of the answer’s body.' }),
    error: Type.String({ description: 'Why it counts as failed; empty when it does not.' }),
  },
  strict,
)

export const deliveryShape = Type.Object(
  {
    deliveryId: Type.String({ format: 'uuid' }),
    webhookId: Type.String({ format: 'uuid' }),
    kind: code('deliveryKind'),
    eventId: Type.String({ format: 'uuid' }),
    eventType: code('eventType'),
    accountNumber: Type.String({ description: 'Empty when the event concerns no account.' }),
    status: code('deliveryStatus'),
    createdOn: time('When it was queued.'),
    nextAttemptOn: orNull(time('When it is tried next; null when it is over.')),
    attempts: Type.Array(deliveryAttemptShape),
  },
  strict,
)
