/** The AsyncAPI 3.0 document of the events: every type as a message of two channels, webhooks and the event stream. */
import { codeLists } from '../codes/index.ts'
import { type EventType, eventDataShapes } from '../event-data.ts'
import { eventStreamPath } from '../operations/events.ts'
import { cloudEventShape } from '../shapes/event.ts'
import { contractVersion } from './document.ts'
import { type JsonObject, refer } from './schema-json.ts'
import { startSchemaBook } from './schemas.ts'

/** Headers of a delivery: the Standard Webhooks specification. */
const webhookHeaders = {
  type: 'object',
  required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  properties: {
    'webhook-id': { type: 'string', description: 'ID of the event, the same in every attempt.' },
    'webhook-timestamp': { type: 'string', description: 'Time of the attempt, in seconds since 1970.' },
    'webhook-signature': {
      type: 'string',
      description:
        'HMAC-SHA256 signatures, one for each secret in force: `v1,` and Base64, separated by spaces.',
    },
  },
}

/** Renders the document. The same contract always gives the same text. */
export function renderAsyncApi({ serverUrl = 'http://127.0.0.1:8080' } = {}): JsonObject {
  const book = startSchemaBook()
  const event = book.enter('CloudEvent', cloudEventShape, 'answer')
  const types = codeLists.eventType.map(({ value, label }) => ({ type: value, label }))
  const messages = types.map(({ type, label }) => {
    const data = book.render(eventDataShapes[type as EventType], 'answer')
    const payload = { allOf: [event, { type: 'object', properties: { type: { const: type }, data } }] }
    const message = { name: type, title: label, contentType: 'application/cloudevents+json', payload }
    return [type, message] as const
  })
  const references = Object.fromEntries(
    types.map(({ type }) => [type, { $ref: `#/components/messages/${type}` }]),
  )
  const server = new URL(serverUrl)
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Events of the Clearing Account Service',
      version: contractVersion,
      description:
        'Every event is a CloudEvent 1.0, the same in webhooks, in the stream and in list-events, except for `consistency`. Delivery is at least once: compare `id`. Events of an account have consecutive `sequence` numbers. Types and members can be added.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: {
      service: {
        host: server.host,
        protocol: server.protocol.replace(':', ''),
        security: [{ $ref: '#/components/securitySchemes/token' }],
      },
    },
    channels: {
      webhook: {
        address: null,
        title: 'Webhooks',
        description:
          'A POST to the address of a webhook, made with create-webhook. Respond with 2xx within the time limit.',
        messages: references,
        'x-headers': refer('schemas', 'WebhookHeaders'),
      },
      stream: {
        address: eventStreamPath,
        title: 'Event stream',
        description:
          'GET with an access token: server-sent events. `Last-Event-ID` or `cursor` resumes a stream.',
        servers: [{ $ref: '#/servers/service' }],
        messages: references,
      },
    },
    operations: {
      deliverEvent: {
        action: 'send',
        channel: { $ref: '#/channels/webhook' },
        summary: 'The service delivers an event to a webhook.',
        bindings: { http: { method: 'POST' } },
      },
      streamEvents: {
        action: 'send',
        channel: { $ref: '#/channels/stream' },
        summary: 'The service sends events over an open connection.',
        bindings: { http: { method: 'GET' } },
      },
    },
    components: {
      messages: Object.fromEntries(messages),
      schemas: { ...book.schemas(), WebhookHeaders: webhookHeaders },
      securitySchemes: {
        token: {
          type: 'oauth2',
          description: 'Client credentials of a firm with the scope `events:read`.',
          flows: {
            clientCredentials: {
              tokenUrl: `${serverUrl.replace(/\/+$/, '')}/identity/connect/token`,
              availableScopes: { 'events:read': 'Read events and manage webhooks' },
            },
          },
          scopes: ['events:read'],
        },
      },
    },
  }
}
