/**
 * A Postman collection (v2.1.0) of the operations: a folder for each audience, and in it a request for each example.
 * The collection runs from its first request to its last without manual steps. It requests its tokens. The calls that
 * create the values of an example come before the example.
 */
import { type Audience, type OperationDefinition, type OperationExample, pathOf } from '../operation.ts'
import { type OperationName, operations } from '../operations/index.ts'
import { describeYours } from './describe-yours.ts'
import { contractVersion } from './document.ts'
import { afterEachRequest, afterLoad, afterStep, beforeEachRequest } from './postman-scripts.ts'
import { type Step, stepsBefore, variableOf } from './postman-steps.ts'
import { renderSamplePdf } from './sample-pdf.ts'
import type { JsonObject } from './schema-json.ts'

const folders: Record<Audience, string> = {
  firm: 'Client firms',
  operations: 'Operations of the clearing firm',
  sandbox: 'Sandbox',
}

/** Variables that the scripts set. A collection declares them, so that a user sees all of them. */
const keptVariables = ['accessToken', 'keptToken', 'operationsKeptToken', 'letters', 'taxIdNumber']

/** Renders the collection. Its variables hold the values of the sandbox; a user changes them in one place. */
export function renderPostmanCollection({ serverUrl = 'http://127.0.0.1:8080' } = {}): JsonObject {
  const values = {
    baseUrl: serverUrl.replace(/\/+$/, ''),
    clientId: 'alpha',
    clientSecret: 'alpha-sandbox-secret',
    operationsClientId: 'operations',
    operationsClientSecret: 'operations-sandbox-secret',
    ...Object.fromEntries(keptVariables.map((name) => [name, ''])),
  }
  return {
    info: {
      name: 'Clearing Account Service',
      description: `The contract, version ${contractVersion}. The requests obtain their tokens automatically: set baseUrl, clientId and clientSecret, and for operations of the clearing firm also operationsClientId and operationsClientSecret. Run the collection against a fresh sandbox: every request succeeds, in the order of the collection.`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: Object.entries(values).map(([key, value]) => ({ key, value, type: 'string' })),
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{accessToken}}', type: 'string' }] },
    event: [renderEvent('prerequest', beforeEachRequest), renderEvent('test', afterEachRequest)],
    item: (Object.keys(folders) as Audience[]).map((audience) => ({
      name: folders[audience],
      item: (Object.entries(operations) as [OperationName, OperationDefinition][])
        .filter(([, operation]) => isOffered(operation, audience))
        .flatMap(([name, operation]) => renderRequests(name, operation, audience)),
    })),
  }
}

function isOffered(operation: OperationDefinition, audience: Audience): boolean {
  return operation.audience === audience || (audience === 'sandbox' && operation.inSandbox !== undefined)
}

function renderEvent(listen: 'prerequest' | 'test', script: string): JsonObject {
  return { listen, script: { type: 'text/javascript', exec: script.trim().split('\n') } }
}

/** The requests of an operation: its examples, or a folder with the steps before each where there are some. */
function renderRequests(
  name: OperationName,
  operation: OperationDefinition,
  audience: Audience,
): JsonObject[] {
  return operation.examples.map((example) => {
    const title = `${name}: ${example.title}`
    const request = renderExample(name, operation, audience, example)
    const steps = stepsBefore(name, Object.keys(example.yours ?? {}), audience)
    if (steps.length === 0) return { name: title, ...request }
    return {
      name: title,
      item: [
        ...steps.map((step, index) => ({
          name: `${title}, step ${index + 1}: ${step.operation}`,
          ...renderStep(step),
        })),
        { name: title, ...request },
      ],
    }
  })
}

function renderStep({ operation: name, audience, request, lines, keep = {}, again }: Step): JsonObject {
  const operation: OperationDefinition = operations[name]
  const path = pathOf(name, audience ?? operation.audience)
  const script = again === undefined && Object.keys(keep).length === 0 ? [] : [afterStep(again, keep)]
  return {
    event: script.map((text) => renderEvent('test', text)),
    request: {
      method: 'POST',
      description: `${operation.summary}.`,
      ...renderContent(operation, path, request as JsonObject, lines),
    },
    response: [],
  }
}

function renderExample(
  name: string,
  operation: OperationDefinition,
  audience: Audience,
  example: OperationExample,
): JsonObject {
  const scope = audience === 'sandbox' ? (operation.inSandbox ?? operation.scope) : operation.scope
  const request = { ...(example.request as JsonObject) }
  for (const member of Object.keys(example.yours ?? {})) {
    const variable = `{{${variableOf(member)}}}`
    request[member] = Array.isArray(request[member]) ? [variable] : variable
  }
  return {
    event: operation.body === 'lines' ? [renderEvent('test', afterLoad)] : [],
    request: {
      method: 'POST',
      description: [
        `${operation.summary}.`,
        operation.description,
        ...describeYours(example),
        `Scope: \`${scope}\``,
      ].join('\n\n'),
      ...renderContent(operation, pathOf(name, audience), request, example.lines),
    },
    response: [],
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const boundary = 'a-part-of-the-example'

/** A form with a small PDF as text, because a collection cannot carry a file. */
function renderForm(fields: readonly { key: string; value: string }[]): string {
  const parts = [
    ...fields.map(({ key, value }) => `Content-Disposition: form-data; name="${key}"\r\n\r\n${value}`),
    `Content-Disposition: form-data; name="file"; filename="bill.pdf"\r\nContent-Type: application/pdf\r\n\r\n${renderSamplePdf()}`,
  ]
  return `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`
}

function renderContent(
  operation: OperationDefinition,
  path: string,
  request: JsonObject,
  lines = '',
): JsonObject {
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
        header: [{ key: 'Content-Type', value: `multipart/form-data; boundary=${boundary}` }, ...key],
        body: { mode: 'raw', raw: renderForm(fields) },
      }
    case 'lines': {
      const query = new URLSearchParams(fields.map(({ key: name, value }) => [name, value])).toString()
      return {
        url: { raw: `{{baseUrl}}${path}${query === '' ? '' : `?${query}`}`, ...url, query: fields },
        header: [{ key: 'Content-Type', value: 'text/csv' }, ...key],
        body: { mode: 'raw', raw: lines },
      }
    }
    default:
      return operation.body satisfies never
  }
}
