/** A Postman collection (v2.1.0) of the operations: a folder for each audience, a request for each example, and automatic tokens. */
import { type Audience, type OperationDefinition, type OperationExample, pathOf } from '../operation.ts'
import { operations } from '../operations/index.ts'
import { describeYours } from './describe-yours.ts'
import { contractVersion } from './document.ts'
import type { JsonObject } from './schema-json.ts'

const folders: Record<Audience, string> = {
  firm: 'Client firms',
  operations: 'Operations of the clearing firm',
  sandbox: 'Sandbox',
}

/** Renders the collection. Its variables hold the values of the sandbox; a user changes them in one place. */
export function renderPostmanCollection({ serverUrl = 'http://127.0.0.1:8080' } = {}): JsonObject {
  const all = Object.entries(operations) as [string, OperationDefinition][]
  return {
    info: {
      name: 'Clearing Account Service',
      description: `The contract, version ${contractVersion}. Set baseUrl, clientId and clientSecret. For operations of the clearing firm, also set operationsClientId and operationsClientSecret. The requests obtain their tokens automatically.`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      { key: 'baseUrl', value: serverUrl.replace(/\/+$/, ''), type: 'string' },
      { key: 'clientId', value: 'alpha', type: 'string' },
      { key: 'clientSecret', value: 'alpha-sandbox-secret', type: 'string' },
      { key: 'operationsClientId', value: 'operations', type: 'string' },
      { key: 'operationsClientSecret', value: 'operations-sandbox-secret', type: 'string' },
    ],
    auth: renderAuth('clientId', 'clientSecret'),
    item: (Object.keys(folders) as Audience[]).map((audience) => ({
      name: folders[audience],
      ...(audience === 'operations'
        ? { auth: renderAuth('operationsClientId', 'operationsClientSecret') }
        : {}),
      item: all
        .filter(([, operation]) => isOffered(operation, audience))
        .flatMap(([name, operation]) => renderRequests(name, operation, audience)),
    })),
  }
}

/** The token of a credential. The id and the secret are variables. */
function renderAuth(clientId: string, clientSecret: string): JsonObject {
  return {
    type: 'oauth2',
    oauth2: [
      ['grant_type', 'client_credentials'],
      ['accessTokenUrl', '{{baseUrl}}/identity/connect/token'],
      ['clientId', `{{${clientId}}}`],
      ['clientSecret', `{{${clientSecret}}}`],
      ['client_authentication', 'body'],
      ['addTokenTo', 'header'],
    ].map(([key, value]) => ({ key, value, type: 'string' })),
  }
}

function isOffered(operation: OperationDefinition, audience: Audience): boolean {
  return operation.audience === audience || (audience === 'sandbox' && operation.inSandbox !== undefined)
}

function renderRequests(name: string, operation: OperationDefinition, audience: Audience): JsonObject[] {
  const path = pathOf(name, audience)
  const scope = audience === 'sandbox' ? (operation.inSandbox ?? operation.scope) : operation.scope
  return operation.examples.map((example) => ({
    name: `${name}: ${example.title}`,
    request: {
      method: 'POST',
      description: [
        `${operation.summary}.`,
        operation.description,
        ...describeYours(example),
        `Scope: \`${scope}\``,
      ].join('\n\n'),
      ...renderContent(operation, path, example),
    },
    response: [],
  }))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function renderContent(operation: OperationDefinition, path: string, example: OperationExample): JsonObject {
  const request = example.request as JsonObject
  const fields = Object.entries(request).map(([key, value]) => ({ key, value: textOf(value) }))
  const url = { host: ['{{baseUrl}}'], path: path.slice(1).split('/') }
  const key = operation.writes ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []
  switch (operation.body) {
    case 'json':
      return {
        url: { raw: `{{baseUrl}}${path}`, ...url },
        header: [{ key: 'Content-Type', value: 'application/json' }, ...key],
        body: {
          mode: 'raw',
          raw: JSON.stringify(request, undefined, 2),
          options: { raw: { language: 'json' } },
        },
      }
    case 'multipart':
      return {
        url: { raw: `{{baseUrl}}${path}`, ...url },
        header: key,
        body: {
          mode: 'formdata',
          formdata: [
            ...fields.map((field) => ({ ...field, type: 'text' })),
            { key: 'file', type: 'file', src: null },
          ],
        },
      }
    case 'lines': {
      const query = new URLSearchParams(fields.map(({ key: name, value }) => [name, value])).toString()
      return {
        url: { raw: `{{baseUrl}}${path}${query === '' ? '' : `?${query}`}`, ...url, query: fields },
        header: [{ key: 'Content-Type', value: 'text/csv' }, ...key],
        body: { mode: 'raw', raw: example.lines ?? '' },
      }
    }
    default:
      return operation.body satisfies never
  }
}
