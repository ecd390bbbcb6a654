/** The OpenAPI 3.1 document of the service, a pure function of the table of operations. */
import { codeLists } from '../codes/index.ts'
import { limits } from '../limits.ts'
import type { OperationDefinition } from '../operation.ts'
import { operations } from '../operations/index.ts'
import { renderErrorAnswers } from './error-answers.ts'
import { introduction } from './introduction.ts'
import { renderOperationPaths, tags } from './operation-paths.ts'
import { renderPublicPaths } from './public-paths.ts'
import type { JsonObject } from './schema-json.ts'
import { startSchemaBook } from './schemas.ts'

/** The version of the contract that the document describes. */
export const contractVersion = '1.0.0'

export interface OpenApiSettings {
  /** Address of the service. The default is the address of the sandbox. */
  readonly serverUrl?: string
}

/** Renders the document. The same table always gives the same text. */
export function renderOpenApi({ serverUrl = 'http://127.0.0.1:8080' }: OpenApiSettings = {}): JsonObject {
  const book = startSchemaBook()
  const server = serverUrl.replace(/\/+$/, '')
  const operationPaths = (Object.entries(operations) as [string, OperationDefinition][]).flatMap(
    ([name, operation]) => renderOperationPaths(name, operation, book, server),
  )
  const paths = { ...Object.fromEntries(operationPaths), ...renderPublicPaths(book) }
  const responses = renderErrorAnswers(book)
  const used = JSON.stringify([paths, responses])
  return {
    openapi: '3.1.1',
    info: {
      title: 'Clearing Account Service',
      version: contractVersion,
      summary: 'Accounts, onboarding and books of a securities clearing firm.',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: server, description: 'This service.' }],
    tags: usedTags(paths),
    paths,
    components: {
      schemas: book.schemas(),
      responses,
      parameters,
      // Deprecation and Sunset occur only while something is deprecated.
      headers: Object.fromEntries(
        Object.entries(headers).filter(([name]) => used.includes(`#/components/headers/${name}"`)),
      ),
      securitySchemes: {
        oauth2: {
          type: 'oauth2',
          description: 'Client credentials of a firm, or of operations.',
          flows: {
            clientCredentials: {
              tokenUrl: `${server}/identity/connect/token`,
              scopes: Object.fromEntries(codeLists.scope.map(({ value, label }) => [value, label])),
            },
          },
        },
        basic: {
          type: 'http',
          scheme: 'basic',
          description: 'Client id and secret, for the token endpoint only.',
        },
      },
    },
  }
}

/** The tags that occur in the paths, with their descriptions. */
function usedTags(paths: JsonObject): JsonObject[] {
  const used = new Set(JSON.stringify(paths).match(/"tags":\["[^"]+"\]/g))
  return Object.entries(tags)
    .filter(([name]) => used.has(`"tags":["${name}"]`))
    .map(([name, description]) => ({ name, description }))
}

const parameters: JsonObject = {
  ClearingConsistency: {
    name: 'Clearing-Consistency',
    in: 'header',
    description:
      'The greatest value of the header `Clearing-Consistency` of responses and of the attribute `consistency` of events. The response then includes those writes and what those events report. Values are opaque, and compare as text.',
    required: false,
    schema: { type: 'string', maxLength: 64, examples: ['000000000A3F1C28'] },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: `A unique key of the request. A second request with the same key has no further effect. Keys are kept for ${limits.idempotencyKeptDays} days.`,
    required: false,
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: limits.idempotencyKeyLengthMax,
      pattern: '^[\\x20-\\x7e]+$',
      examples: ['0b1f5a3e-8f0c-4b7e-9a35-6d2f1c9b7e10'],
    },
  },
  Traceparent: {
    name: 'traceparent',
    in: 'header',
    description: 'W3C trace context. The trace id of the response continues it.',
    required: false,
    schema: { type: 'string', examples: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'] },
  },
}

function header(description: string, example: string, type = 'string'): JsonObject {
  return {
    description,
    schema: { type, examples: [type === 'integer' ? Number(example) : example] },
  }
}

const headers: JsonObject = {
  Allow: header('The allowed methods of the path.', 'POST'),
  ContentDisposition: header('The name of the file (RFC 6266).', 'attachment; filename="statement.pdf"'),
  Deprecation: header(
    'The time since which the operation, or a member of the request, is deprecated, in seconds since 1970 (RFC 9745).',
    '@1830297600',
  ),
  Sunset: header(
    'The time from which the operation may be removed (RFC 8594).',
    'Sat, 01 Jan 2028 00:00:00 GMT',
  ),
  ClearingConsistency: header(
    'Names a state that includes this write, or the changes that the returned events report. Send it with reads that must see them.',
    '000000000A3F1C28',
  ),
  IdempotentReplayed: header(
    '`true` if the response is the response of an earlier request with the same key.',
    'true',
  ),
  NoStore: header('Tokens must not be cached.', 'no-store'),
  RateLimit: header(
    'The remaining requests of the rate limit, and the seconds until it is fully restored. The headers `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` contain the same numbers, as in earlier drafts of the standard.',
    '"client";r=399;t=1',
  ),
  RateLimitPolicy: header(
    'The rate limit: requests and the seconds for which they are granted.',
    '"client";q=400;w=2',
  ),
  RetryAfter: header('Seconds to wait before sending the request again.', '1', 'integer'),
  Traceparent: header(
    'The trace id of the call, as in `traceId` of the envelope. It identifies a file, which has no envelope.',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  ),
  WwwAuthenticate: header('The authentication scheme, and the error of the token (RFC 6750).', 'Bearer'),
}
