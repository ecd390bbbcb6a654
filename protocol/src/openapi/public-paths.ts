/**
 * The paths that are not operations: the token service (RFC 6749, 7517, 8414), public keys, health and the event
 * stream.
 */
import { limits } from '../limits.ts'
import { eventStreamPath, eventStreamRequest } from '../operations/events.ts'
import { serviceStatusShape } from '../shapes/status.ts'
import { httpAnswers, rateHeaders, referToError } from './error-answers.ts'
import { type JsonObject, refer } from './schema-json.ts'
import type { SchemaBook } from './schemas.ts'

function json(schema: JsonObject, examples?: JsonObject): JsonObject {
  return {
    'application/json': { schema, ...(examples === undefined ? {} : { examples }) },
  }
}

const noStore = { 'Cache-Control': refer('headers', 'NoStore') }

/**
 * The error codes of the token endpoint: RFC 6749, section 5.2, RFC 8707 for invalid_target and RFC 9449 for proofs.
 */
const tokenErrors = [
  'invalid_request',
  'invalid_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_target',
  'invalid_dpop_proof',
  'temporarily_unavailable',
  'server_error',
]

/** The token endpoint, which has two paths. */
function renderToken(book: SchemaBook, operationId: string, description: string): JsonObject {
  const tokenError = book.enterRendered('TokenError', {
    description: 'An error object of RFC 6749, section 5.2.',
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        description: 'The error code.',
        type: 'string',
        'x-extensible-enum': tokenErrors,
        examples: ['invalid_client'],
      },
      error_description: {
        description: 'What is wrong, in words.',
        type: 'string',
        examples: ['Client authentication failed.'],
      },
    },
  })
  const refused = (description: string, error: string, headers: JsonObject = {}): JsonObject => ({
    description,
    headers: { ...noStore, ...headers },
    content: json(tokenError, { [error]: { value: { error } } }),
  })
  const retryAfter = { 'Retry-After': refer('headers', 'RetryAfter') }
  return {
    post: {
      operationId,
      summary: 'Obtain an access token',
      description,
      tags: ['Identity'],
      security: [{}, { basic: [] }],
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: enterTokenForm(book),
            examples: {
              sandbox: {
                summary: 'The sandbox’s first firm',
                value: {
                  grant_type: 'client_credentials',
                  client_id: 'alpha',
                  client_secret: 'alpha-sandbox-secret',
                },
              },
            },
          },
        },
      },
      responses: {
        '200': {
          description: 'An access token.',
          headers: noStore,
          content: json(enterTokenAnswer(book)),
        },
        '400': refused(
          'The request is malformed, or requests a scope that is not granted.',
          'invalid_request',
        ),
        '401': refused('The client authentication is invalid.', 'invalid_client', {
          'WWW-Authenticate': refer('headers', 'WwwAuthenticate'),
        }),
        ...httpAnswers,
        '405': refused('The request uses another method than POST.', 'invalid_request', {
          Allow: refer('headers', 'Allow'),
        }),
        '413': refused(`The form is larger than ${limits.tokenFormSizeBytesMax} bytes.`, 'invalid_request'),
        '429': refused('Authentication failed too often.', 'invalid_client', retryAfter),
        '500': refused('The service failed.', 'server_error'),
        '503': refused('The service cannot answer now.', 'temporarily_unavailable', retryAfter),
      },
    },
  }
}

export function renderPublicPaths(book: SchemaBook): JsonObject {
  return {
    '/identity/connect/token': renderToken(
      book,
      'token',
      'The OAuth 2.0 client credentials flow (RFC 6749, section 4.4). Send the secret either in the form or by HTTP Basic authentication, not both. The default of `grant_type` is `client_credentials`. The default of `scope` is every scope that the client was granted.',
    ),
    '/auth/token': renderToken(book, 'tokenAlias', 'Equivalent to `/identity/connect/token`.'),
    '/identity/jwks': renderRead({
      operationId: 'keys',
      summary: 'Public keys of access tokens',
      description: 'The JSON Web Key Set (RFC 7517) that verifies access tokens.',
      tag: 'Identity',
      answer: {
        description: 'The keys.',
        content: { 'application/jwk-set+json': { schema: enterKeys(book) } },
      },
    }),
    '/audit/jwks': renderRead({
      operationId: 'auditKeys',
      summary: 'Public keys of signed audit heads',
      description:
        'The JSON Web Key Set (RFC 7517, RFC 8037) that verifies signed heads of the audit trail. Keep a copy: a key that was removed from the set is still needed to verify the heads that it signed.',
      tag: 'Identity',
      answer: {
        description: 'The keys.',
        content: { 'application/jwk-set+json': { schema: enterKeys(book) } },
      },
    }),
    '/.well-known/oauth-authorization-server': renderRead({
      operationId: 'authorizationServer',
      summary: 'Metadata of the token service',
      description: 'Authorization server metadata (RFC 8414).',
      tag: 'Identity',
      answer: { description: 'The metadata.', content: json(enterMetadata(book)) },
    }),
    '/status.json': renderRead({
      operationId: 'status',
      summary: 'Read the status of the service',
      description:
        'Returns the state of each component of the service, as probes of the last seconds found it, and the incidents that operations report. `/status` shows the same as a page. Needs no token. The event types `incident.*` report incidents as they happen.',
      tag: 'Health',
      answer: { description: 'The status.', content: json(book.render(serviceStatusShape, 'answer')) },
    }),
    [eventStreamPath]: renderEventStream(book),
    '/health/live': renderHealth(book, 'live', 'Check that the process runs', 'It runs.'),
    '/health/ready': renderHealth(
      book,
      'ready',
      'Check that the service is ready',
      'The service is ready: the database is available and its schema is current.',
    ),
  }
}

interface Read {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tag: string
  readonly answer: JsonObject
  readonly errors?: JsonObject
}

function renderRead({ operationId, summary, description, tag, answer, errors = {} }: Read): JsonObject {
  return {
    get: {
      operationId,
      summary,
      description,
      tags: [tag],
      security: [],
      responses: { '200': answer, ...httpAnswers, ...errors },
    },
  }
}

/** The stream of server-sent events. The query has the filters of list-events. */
function renderEventStream(book: SchemaBook): JsonObject {
  const query = Object.entries(eventStreamRequest.properties).map(([name, shape]) => ({
    name,
    in: 'query',
    required: false,
    schema: book.render(name === 'types' ? typesText : shape, 'request'),
  }))
  const lastEventId = {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description:
      'The `id` of the last received event. The stream continues after it. It takes precedence over `cursor`.',
    schema: { type: 'string' },
  }
  const errors = ([400, 401, 403, 405, 406, 408, 429, 431, 500, 503] as const).map((status) => [
    String(status),
    referToError(status),
  ])
  return {
    get: {
      operationId: 'events',
      summary: 'Stream events',
      description: `Server-sent events (WHATWG HTML, section 9.2) in the order of the log: after Last-Event-ID or \`cursor\` if one is given, else from now on. The \`data\` of each event is a CloudEvent; its \`id\` is the cursor of its position. After ${limits.eventHeartbeatSeconds} seconds without an event, the stream sends a comment. If the firm has no account with the number of the filter, a comment of the first block says so. An event \`reset\` means that the cursor is older than the log, or that the service was restored to a moment before it: read your accounts again; the stream continues at the \`cursor\` of its data. The stream ends when the access token expires. One client can have ${limits.eventStreamsPerClientMax} open streams.\n\nThis operation is an extension of the specification.`,
      tags: ['Events'],
      'x-origin': 'extension',
      security: [{ oauth2: ['events:read'] }],
      parameters: [...query, lastEventId, refer('parameters', 'Traceparent')],
      responses: {
        '200': {
          description: 'The stream.',
          headers: rateHeaders,
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
        ...Object.fromEntries(errors),
      },
    },
  }
}

const typesText = {
  type: 'string',
  description: 'Event types and wildcards, separated by commas. The default is every type.',
  examples: ['account.*,document.rejected'],
}

function renderHealth(
  book: SchemaBook,
  which: 'live' | 'ready',
  summary: string,
  description: string,
): JsonObject {
  const schema = book.enterRendered('Health', {
    type: 'object',
    required: ['status'],
    properties: {
      status: { description: '`live`, `ready` or `not ready`.', type: 'string', examples: ['ready'] },
      reason: { description: 'Why the service is not ready; otherwise absent.', type: 'string' },
      writes: { description: 'Why writes are refused; absent if they are accepted.', type: 'string' },
    },
  })
  return renderRead({
    operationId: `health${which === 'live' ? 'Live' : 'Ready'}`,
    summary,
    description: 'For load balancers and supervisors. Needs no token.',
    tag: 'Health',
    answer: { description, content: json(schema) },
    errors: { '503': { description: 'Not now.', content: json(schema) } },
  })
}

function enterTokenForm(book: SchemaBook) {
  return book.enterRendered('TokenRequest', {
    type: 'object',
    properties: {
      grant_type: {
        type: 'string',
        const: 'client_credentials',
        description: 'The OAuth 2.0 grant. The default is `client_credentials`.',
      },
      client_id: {
        type: 'string',
        description: 'ID of the credential. With a secret, required here or by HTTP Basic authentication.',
      },
      client_secret: {
        type: 'string',
        format: 'password',
        description: 'Secret of the credential, unless it is sent by HTTP Basic authentication.',
      },
      scope: {
        type: 'string',
        description:
          'The requested scopes, separated by spaces. The default is every scope that the client was granted.',
        examples: ['accounts:read pii:read'],
      },
      resource: {
        type: 'string',
        format: 'uri',
        description: 'The service that the token is for (RFC 8707): the issuer, if it is present.',
      },
      client_assertion: { type: 'string', description: 'A signed JWT instead of the secret (RFC 7523).' },
      client_assertion_type: {
        type: 'string',
        const: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        description: 'The type of `client_assertion`. Required with it.',
      },
    },
  })
}

function enterTokenAnswer(book: SchemaBook) {
  return book.enterRendered('TokenAnswer', {
    type: 'object',
    required: ['access_token', 'expires_in', 'token_type'],
    properties: {
      access_token: { type: 'string', description: 'A JWT (RFC 9068).' },
      expires_in: {
        type: 'integer',
        description: 'Lifetime of the token, in seconds.',
        examples: [limits.tokenLifetimeSeconds],
      },
      token_type: {
        type: 'string',
        'x-extensible-enum': ['Bearer', 'DPoP'],
        description: 'DPoP if the request had a DPoP proof (RFC 9449).',
      },
      scope: { type: 'string', description: 'The granted scopes, separated by spaces.' },
    },
  })
}

const keyMembers = {
  kty: 'Type of the key: `EC` for access tokens, `OKP` for signed heads.',
  crv: 'Curve of the key: `P-256` or `Ed25519`.',
  x: 'X coordinate of an EC key, or the public key of an OKP key; base64url.',
  y: 'Y coordinate of an EC key, base64url; absent for OKP.',
  kid: 'ID of the key, as in the header of a token or in `keyId` of a signed head.',
  alg: 'Algorithm of the key: `ES256` or `EdDSA`.',
  use: 'Use of the key: `sig`.',
}

function enterKeys(book: SchemaBook) {
  return book.enterRendered('KeySet', {
    type: 'object',
    required: ['keys'],
    properties: {
      keys: {
        description: 'The public keys.',
        type: 'array',
        items: {
          type: 'object',
          required: ['kty', 'kid', 'alg', 'use'],
          properties: Object.fromEntries(
            Object.entries(keyMembers).map(([member, description]) => [
              member,
              { type: 'string', description },
            ]),
          ),
        },
      },
    },
  })
}

function enterMetadata(book: SchemaBook) {
  const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description })
  const address = (description: string) => ({ type: 'string', format: 'uri', description })
  return book.enterRendered('AuthorizationServer', {
    type: 'object',
    required: ['issuer', 'token_endpoint', 'jwks_uri'],
    properties: {
      issuer: address('The issuer, as in the claim `iss` of tokens.'),
      token_endpoint: address('Address of the token endpoint.'),
      jwks_uri: address('Address of the public keys of access tokens.'),
      scopes_supported: texts('All scopes.'),
      response_types_supported: texts('Empty: the service has no authorization endpoint.'),
      grant_types_supported: texts('The grants of the token endpoint.'),
      token_endpoint_auth_methods_supported: texts('How a client can authenticate at the token endpoint.'),
      token_endpoint_auth_signing_alg_values_supported: texts('Algorithms of `client_assertion`.'),
      dpop_signing_alg_values_supported: texts('Algorithms of DPoP proofs (RFC 9449).'),
      tls_client_certificate_bound_access_tokens: {
        type: 'boolean',
        description: 'Whether tokens can be bound to the TLS certificate of the client (RFC 8705).',
      },
    },
  })
}
