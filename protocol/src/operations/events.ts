/**
 * Operations on events. One log is pulled with list-events, streamed at `GET /account-api/v1/events` and pushed to
 * webhooks, with the same ids and cursors.
 */
import Type from 'typebox'
import {
  accountNumber,
  block,
  code,
  codes,
  described,
  entityNumber,
  list,
  optional,
  repCode,
  words,
} from '../field.ts'
import { limits } from '../limits.ts'
import { defineOperation } from '../operation.ts'
import { cursor, next, orNullCursor, pageOf, renamed } from '../paging.ts'
import {
  cloudEventShape,
  deliveryAttemptShape,
  deliveryShape,
  issuedWebhookShape,
  webhookShape,
} from '../shapes/event.ts'
import { exampleIds } from './examples.ts'

const strict = { additionalProperties: false }
const firm = { audience: 'firm', scope: 'events:read', body: 'json', origin: 'extension' } as const

const typeLengthMax = 60
const { cursorLengthMax } = limits

/** The filter of events. An event must match every member that is given. */
const filter = {
  types: optional(
    Type.Union(
      [
        list(words(typeLengthMax)),
        words(limits.eventFilterTypesMax * typeLengthMax, {
          description: 'The same list as one text, joined by commas.',
        }),
      ],
      {
        description:
          'Event types (`account.opened`) and wildcards (`document.*`, `*`). The default is every type, and so is an empty list.',
        examples: [['account.*', 'document.rejected']],
      },
    ),
  ),
  entityNumber: optional(entityNumber({ description: 'Only events of accounts of this entity number.' })),
  repCode: optional(repCode({ description: 'Only events of accounts of this representative.' })),
  accountNumber: optional(accountNumber({ description: 'Only events of this account.' })),
}
const aliases = { type: 'types' }

const placeInLog = 'A `nextCursor`, or the `cursor` or `id` of an event. Events after it are returned.'
function startOfStream() {
  return optional(words(cursorLengthMax, { description: placeInLog }))
}

/** The query parameters of `GET /account-api/v1/events`. */
export const eventStreamRequest = block({ ...filter, cursor: startOfStream() }, { aliases })

/** The path of the event stream. */
export const eventStreamPath = '/account-api/v1/events'

export const listEvents = defineOperation({
  ...firm,
  summary: 'List events',
  description:
    'Returns the events of the firm’s accounts in the order of the log, from the beginning or after a cursor. Events of one account come in the order of their ' +
    '`sequence`. Send `next` as `after` until it is empty. Keep `nextCursor`, and send it as `after` to continue later. After a failure an event can be delivered ' +
    'again with the same `id`. To read what the events report, send the header `Clearing-Consistency` of the response with your reads.',
  writes: false,
  namesState: true,
  request: block(
    {
      ...filter,
      ...pageOf({ sizeMax: limits.eventPageSizeMax, sizeDefault: limits.eventPageSizeDefault }),
      after: optional(
        words(cursorLengthMax, { description: `The \`next\` of the previous page. Also: ${placeInLog}` }),
      ),
      cursor: cursor(cursorLengthMax, placeInLog),
    },
    { aliases },
  ),
  data: Type.Object(
    {
      events: Type.Array(cloudEventShape, {
        description: 'The events of the page, in the order of the log.',
      }),
      next: Type.String({ description: 'Cursor of the next page; empty if there are no more events yet.' }),
      nextCursor: Type.String({
        description:
          'Position in the log after this page, also if the page has no events. Keep it, and send it as `after` to continue later.',
      }),
      more: Type.Boolean({ description: 'Whether more events may be available now.', ...renamed('next') }),
    },
    strict,
  ),
  examples: [
    { title: 'From the beginning', request: {} },
    { title: 'Documents', request: { types: ['document.*'], size: 10 } },
  ],
})

function webhookId() {
  return words(36, { description: 'ID of the webhook, a UUID.' })
}
function url() {
  return words(limits.webhookUrlLengthMax, {
    description:
      'The address that receives the events: https, on a public address. The sandbox also accepts http and local addresses.',
    examples: ['http://127.0.0.1:9000/hook'],
  })
}
function description() {
  return words(limits.noteLengthMax, { description: 'What the webhook is for.' })
}

export const createWebhook = defineOperation({
  ...firm,
  summary: 'Create a webhook',
  description:
    'Subscribes an address to events from now on. Deliveries are signed after the Standard Webhooks specification (headers `webhook-id`, `webhook-timestamp`, ' +
    '`webhook-signature`). The response holds the signing secret, which is shown only once. Each event is delivered at least once, in order for each account. Failed ' +
    'deliveries are retried for three days.',
  writes: true,
  request: block(
    { ...filter, url: url(), description: optional(description()), cursor: startOfStream() },
    { aliases },
  ),
  data: issuedWebhookShape,
  examples: [
    {
      title: 'Events of documents',
      request: { url: 'http://127.0.0.1:9000/hook', types: ['document.*'] },
    },
  ],
})

export const updateWebhook = defineOperation({
  ...firm,
  summary: 'Change a webhook',
  description:
    "Changes the members that are sent; an absent or empty member keeps its value. `types: ['*']` means every type, and `removeFilters` ends the other filters. " +
    '`disabled: true` stops deliveries. An enabled webhook continues at the position in the log where it stopped.',
  writes: true,
  request: block(
    {
      webhookId: webhookId(),
      url: optional(url()),
      description: optional(description()),
      ...filter,
      removeFilters: optional(
        codes('webhookFilter', { description: 'Filters of the webhook that end.', examples: [['repCode']] }),
      ),
      disabled: optional(Type.Boolean({ description: 'True stops the webhook, false starts it again.' })),
    },
    { aliases },
  ),
  data: webhookShape,
  examples: [
    {
      title: 'Every type of event',
      request: { webhookId: exampleIds.webhook, types: ['*'] },
      yours: { webhookId: 'create-webhook' },
    },
    {
      title: 'Pause a webhook',
      request: { webhookId: exampleIds.webhook, disabled: true },
      yours: { webhookId: 'create-webhook' },
    },
  ],
})

export const deleteWebhook = defineOperation({
  ...firm,
  summary: 'Delete a webhook',
  description: 'Stops all deliveries, and deletes the webhook with its secrets and its delivery log.',
  writes: true,
  request: block({ webhookId: webhookId() }),
  data: Type.Object(
    { webhookId: Type.String({ format: 'uuid', description: 'ID of the deleted webhook.' }) },
    strict,
  ),
  examples: [
    {
      title: 'By its id',
      request: { webhookId: exampleIds.webhook },
      yours: { webhookId: 'create-webhook' },
    },
  ],
})

export const listWebhooks = defineOperation({
  ...firm,
  summary: 'List webhooks',
  description: 'Returns every webhook of the firm, the oldest first, without secrets.',
  writes: false,
  request: block({}),
  data: Type.Object(
    { webhooks: Type.Array(webhookShape, { description: 'The webhooks of the firm.' }) },
    strict,
  ),
  examples: [{ title: 'All of them', request: {} }],
})

export const rotateWebhookSecret = defineOperation({
  ...firm,
  summary: 'Rotate the secret of a webhook',
  description:
    'Returns the new secret, which is shown only once. The old secrets continue to sign beside it for `overlapHours` (24 by default; 0 ends them at once). ' +
    `At most ${limits.webhookSecretsMax} secrets sign: a further rotation ends the oldest before its time.`,
  writes: true,
  request: block({
    webhookId: webhookId(),
    overlapHours: optional(
      Type.Integer({
        description: 'For how many hours the old secrets continue to sign. With 0, they end at once.',
        minimum: 0,
        maximum: limits.secretOverlapHoursMax,
        default: 24,
      }),
    ),
  }),
  data: issuedWebhookShape,
  examples: [
    {
      title: 'With an overlap of one hour',
      request: { webhookId: exampleIds.webhook, overlapHours: 1 },
      yours: { webhookId: 'create-webhook' },
    },
  ],
})

export const testWebhook = defineOperation({
  ...firm,
  summary: 'Test a webhook',
  description: 'Sends one event of type `webhook.test` at once, and returns the response of the receiver.',
  writes: false,
  request: block({ webhookId: webhookId() }),
  data: Type.Object(
    {
      delivered: Type.Boolean({ description: 'Whether the receiver responded with 2xx.' }),
      attempt: described(deliveryAttemptShape, 'The attempt, with the response of the receiver.'),
    },
    strict,
  ),
  examples: [
    {
      title: 'By its id',
      request: { webhookId: exampleIds.webhook },
      yours: { webhookId: 'create-webhook' },
    },
  ],
})

export const listDeliveries = defineOperation({
  ...firm,
  summary: 'List webhook deliveries',
  description: `Returns the deliveries to one webhook or to all webhooks of the firm, with the response of the receiver, the latest first. Deliveries are kept for ${limits.webhookDeliveryKeptDays} days, or until their webhook is deleted.`,
  writes: false,
  request: block({
    webhookId: optional(webhookId()),
    deliveryId: optional(words(36, { description: 'Returns the delivery with this id only.' })),
    status: optional(code('deliveryStatus', { description: 'Only deliveries with this status.' })),
    eventId: optional(words(36, { description: 'Returns the deliveries of this event only.' })),
    accountNumber: optional(accountNumber({ description: 'Only deliveries of events of this account.' })),
    ...pageOf(),
    cursor: cursor(cursorLengthMax),
  }),
  data: Type.Object(
    {
      deliveries: Type.Array(deliveryShape, { description: 'The latest first.' }),
      next,
      nextCursor: orNullCursor(),
    },
    strict,
  ),
  examples: [
    {
      title: 'Failed deliveries',
      request: { webhookId: exampleIds.webhook, status: 'Failed' },
      yours: { webhookId: 'create-webhook' },
    },
  ],
})

export const resendEvents = defineOperation({
  ...firm,
  summary: 'Resend events',
  description:
    `Queues events of the log for a webhook again: the events named by \`eventIds\`, or all events that match its filter in a range of time (\`from\`, ` +
    `\`to\`, ISO 8601, inclusive). One request queues at most ${limits.webhookResendEventsMax} events. ` +
    `It is rejected if more than ${limits.webhookWaitingMax} deliveries of the webhook would wait.`,
  writes: true,
  request: block({
    webhookId: webhookId(),
    eventIds: optional(list(words(36), { description: 'The events to send again.' })),
    from: optional(
      Type.String({
        description: 'The earliest time of an event. Required without `eventIds`.',
        format: 'date-time',
        maxLength: 40,
      }),
    ),
    to: optional(
      Type.String({
        description: 'The latest time of an event. Without it, the range has no end.',
        format: 'date-time',
        maxLength: 40,
      }),
    ),
    accountNumber: optional(accountNumber({ description: 'Only events of this account.' })),
  }),
  data: Type.Object(
    { queued: Type.Integer({ description: 'Number of deliveries that were queued.' }) },
    strict,
  ),
  examples: [
    {
      title: 'Events of one account since a date',
      request: { webhookId: exampleIds.webhook, accountNumber: '30100001', from: '2026-01-01T00:00:00Z' },
      yours: { webhookId: 'create-webhook' },
    },
  ],
})
