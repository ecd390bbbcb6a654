/** What happened: pulled here, streamed at `GET /account-api/v1/events`, pushed by webhooks; one log with the same ids and cursors. */
import Type from 'typebox'
import { accountNumber, block, code, entityNumber, list, optional, repCode, words } from '../field.ts'
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
const cursorLengthMax = 100

/** Which events: all of these must be so. */
const filter = {
  types: optional(
    Type.Union(
      [
        list(words(typeLengthMax)),
        words(limits.eventFilterTypesMax * typeLengthMax, { description: 'The same, joined by commas.' }),
      ],
      {
        description: 'Types (`account.opened`) and wildcards (`document.*`, `*`); every type when absent.',
        examples: [['account.*', 'document.rejected']],
      },
    ),
  ),
  entityNumber: optional(entityNumber()),
  repCode: optional(repCode()),
  accountNumber: optional(accountNumber()),
}
const aliases = { type: 'types' }

const placeInLog = 'A `nextCursor`, or the `cursor` or `id` of an event: what follows it is answered.'
const startOfStream = () => optional(words(cursorLengthMax, { description: placeInLog }))

/** The query of `GET /account-api/v1/events`. */
export const eventStreamRequest = block({ ...filter, cursor: startOfStream() }, { aliases })

/** The path of the stream of events. */
export const eventStreamPath = '/account-api/v1/events'

export const listEvents = defineOperation({
  ...firm,
  summary: 'Pull events',
  description:
    'What happened to the firm’s accounts, in the order of the log, from the beginning or after a cursor. Events of one account come in ' +
    'the order of their `sequence`. Send `next` as `after` until it is empty; keep `nextCursor`, and send it as `after` later. ' +
    'An event may come again after a failure; its `id` stays the same.',
  writes: false,
  request: block(
    {
      ...filter,
      ...pageOf({ sizeMax: limits.eventPageSizeMax, sizeDefault: limits.eventPageSizeDefault }),
      after: optional(
        words(cursorLengthMax, { description: `The \`next\` of the page before. Also: ${placeInLog}` }),
      ),
      cursor: cursor(cursorLengthMax, placeInLog),
    },
    { aliases },
  ),
  data: Type.Object(
    {
      events: Type.Array(cloudEventShape),
      next: Type.String({ description: 'Where the next page begins; empty when there is nothing more yet.' }),
      nextCursor: Type.String({
        description:
          'The place in the log behind this page, also when it has no events: keep it, and send it as `after` later.',
      }),
      more: Type.Boolean({ description: 'Whether there may be more already.', ...renamed('next') }),
    },
    strict,
  ),
  examples: [
    { title: 'From the beginning', request: {} },
    { title: 'Documents', request: { types: ['document.*'], size: 10 } },
  ],
})

const webhookId = () => words(36, { description: 'The webhook, a UUID.' })
const url = () =>
  words(limits.webhookUrlLengthMax, {
    description:
      'Where events are sent: https, on a public address. In the sandbox also http, and addresses of the own machine.',
    examples: ['http://127.0.0.1:9000/hook'],
  })
const description = () => words(limits.noteLengthMax)

export const createWebhook = defineOperation({
  ...firm,
  summary: 'Subscribe an address to events',
  description:
    'Sends what happens from now on to an address, signed after the Standard Webhooks specification (headers `webhook-id`, ' +
    '`webhook-timestamp`, `webhook-signature`). Answers the signing secret, this once. At least once, in order for each account; ' +
    'failures are tried again for three days.',
  writes: true,
  request: block(
    { ...filter, url: url(), description: optional(description()), cursor: startOfStream() },
    { aliases },
  ),
  data: issuedWebhookShape,
  examples: [
    {
      title: 'All about documents',
      request: { url: 'http://127.0.0.1:9000/hook', types: ['document.*'] },
    },
  ],
})

export const updateWebhook = defineOperation({
  ...firm,
  summary: 'Change a webhook',
  description:
    "Changes what is named; what is absent or empty stays. `types: ['*']` is every type. `disabled: true` stops it; enabled again, it goes on where it stopped.",
  writes: true,
  request: block(
    {
      webhookId: webhookId(),
      url: optional(url()),
      description: optional(description()),
      ...filter,
      disabled: optional(Type.Boolean()),
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
      title: 'Stopped for a while',
      request: { webhookId: exampleIds.webhook, disabled: true },
      yours: { webhookId: 'create-webhook' },
    },
  ],
})

export const deleteWebhook = defineOperation({
  ...firm,
  summary: 'End a webhook',
  description: 'Nothing is sent any more; its secrets and its log of deliveries are removed.',
  writes: true,
  request: block({ webhookId: webhookId() }),
  data: Type.Object({ webhookId: Type.String({ format: 'uuid' }) }, strict),
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
  summary: 'The firm’s webhooks',
  description: 'Every webhook, the oldest first, without secrets.',
  writes: false,
  request: block({}),
  data: Type.Object({ webhooks: Type.Array(webhookShape) }, strict),
  examples: [{ title: 'All of them', request: {} }],
})

export const rotateWebhookSecret = defineOperation({
  ...firm,
  summary: 'Give a webhook a new secret',
  description:
    'Answers the new secret, this once. The old ones go on signing beside it for `overlapHours` (24 by default, 0 ends them at once).',
  writes: true,
  request: block({
    webhookId: webhookId(),
    overlapHours: optional(Type.Integer({ minimum: 0, maximum: limits.secretOverlapHoursMax, default: 24 })),
  }),
  data: issuedWebhookShape,
  examples: [
    {
      title: 'With an hour for both',
      request: { webhookId: exampleIds.webhook, overlapHours: 1 },
      yours: { webhookId: 'create-webhook' },
    },
  ],
})

export const testWebhook = defineOperation({
  ...firm,
  summary: 'Try a webhook',
  description: 'Sends an event of type `webhook.test` now, once, and answers what the receiver answered.',
  writes: false,
  request: block({ webhookId: webhookId() }),
  data: Type.Object({ delivered: Type.Boolean(), attempt: deliveryAttemptShape }, strict),
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
  summary: 'The log of deliveries to webhooks',
  description: `What was sent, to one webhook or all of the firm, and what the receiver answered, the latest first; kept ${limits.webhookDeliveryKeptDays} days.`,
  writes: false,
  request: block({
    webhookId: optional(webhookId()),
    deliveryId: optional(words(36, { description: 'The one delivery with this id.' })),
    status: optional(code('deliveryStatus')),
    eventId: optional(words(36)),
    accountNumber: optional(accountNumber()),
    ...pageOf(),
    cursor: cursor(cursorLengthMax),
  }),
  data: Type.Object(
    {
      deliveries: Type.Array(deliveryShape),
      next,
      nextCursor: orNullCursor(),
    },
    strict,
  ),
  examples: [
    {
      title: 'What was given up',
      request: { webhookId: exampleIds.webhook, status: 'Failed' },
      yours: { webhookId: 'create-webhook' },
    },
  ],
})

export const resendEvents = defineOperation({
  ...firm,
  summary: 'Send events again',
  description:
    `Queues events of the log for a webhook again: those named by \`eventIds\`, or all that match its filter in a range of time (\`from\`, ` +
    `\`to\`, ISO 8601, inclusive), at most ${limits.webhookResendEventsMax}.`,
  writes: true,
  request: block({
    webhookId: webhookId(),
    eventIds: optional(list(words(36))),
    from: optional(Type.String({ format: 'date-time', maxLength: 40 })),
    to: optional(Type.String({ format: 'date-time', maxLength: 40 })),
    accountNumber: optional(accountNumber()),
  }),
  data: Type.Object({ queued: Type.Integer() }, strict),
  examples: [
    {
      title: 'Of one account, since a day',
      request: { webhookId: exampleIds.webhook, accountNumber: '30100001', from: '2026-01-01T00:00:00Z' },
      yours: { webhookId: 'create-webhook' },
    },
  ],
})
