/** The paths of the operations with their requests, responses and possible errors. */
import type { TSchema } from 'typebox'
import { envelopeShape, successMessage } from '../envelope.ts'
import { limits } from '../limits.ts'
import { type Audience, deprecatedMembers, type OperationDefinition, pathOf } from '../operation.ts'
import { renderCodeSamples } from './code-samples.ts'
import { describeCallers } from './describe-callers.ts'
import { describeDeprecation } from './describe-deprecation.ts'
import { describeYours } from './describe-yours.ts'
import { type AnsweredStatus, exampleTraceId, rateHeaders, referToError } from './error-answers.ts'
import { camelCase, compact, type JsonObject, pascalCase, refer } from './schema-json.ts'
import type { SchemaBook } from './schemas.ts'

/** One path of an operation. */
interface Place {
  readonly path: string
  readonly audience: Audience
  readonly scope: string
  readonly operationId: string
  readonly isAlias: boolean
}

function placesOf(name: string, operation: OperationDefinition): Place[] {
  const { audience, scope, inSandbox, aliases = [] } = operation
  const own = { audience, scope, isAlias: false }
  const places: Place[] = [{ ...own, path: pathOf(name, audience), operationId: camelCase(name) }]
  if (inSandbox !== undefined) {
    const operationId = `sandbox${pascalCase(name)}`
    places.push({ ...own, path: pathOf(name, 'sandbox'), audience: 'sandbox', scope: inSandbox, operationId })
  }
  aliases.forEach((path, index) => {
    places.push({ ...own, path, operationId: `${camelCase(name)}Alias${index + 1}`, isAlias: true })
  })
  return places
}

/** The path items of an operation, by path. */
export function renderOperationPaths(
  name: string,
  operation: OperationDefinition,
  book: SchemaBook,
  server: string,
): [path: string, item: JsonObject][] {
  return placesOf(name, operation).map((place) => [
    place.path,
    {
      post: compact({
        operationId: place.operationId,
        summary: operation.summary,
        description: describe(name, operation, place),
        tags: [tagOf(place)],
        'x-origin': operation.origin,
        security: [{ oauth2: [place.scope] }],
        parameters: renderParameters(operation, book),
        requestBody: renderRequestBody(name, operation, book),
        responses: renderResponses(name, operation, place, book),
        deprecated: operation.deprecated === undefined ? undefined : true,
        'x-codeSamples': place.isAlias
          ? undefined
          : renderCodeSamples(name, operation, server, place.audience),
      }),
    },
  ])
}

function describe(name: string, operation: OperationDefinition, place: Place): string {
  const extension =
    operation.origin === 'extension' ? ['This operation is an extension of the specification.'] : []
  const alias = place.isAlias ? [`Equivalent to \`${pathOf(name, operation.audience)}\`.`] : []
  const callers = describeCallers(name, place.audience)
  return [
    operation.description,
    ...callers,
    ...extension,
    ...alias,
    ...(operation.deprecated === undefined ? [] : [describeDeprecation(operation.deprecated)]),
  ].join('\n\n')
}

/** Tags, with their descriptions, in the order of the reference. */
export const tags = {
  Accounts: 'Open, follow, read and change accounts, and read the coded lists of their fields.',
  Positions: 'Positions, balances and margin.',
  Activity: 'Trades and other activity.',
  Documents: 'Upload, find and read documents.',
  Events: 'What happened.',
  Operations: 'For the operations of the clearing firm: scope `operations`.',
  Sandbox: 'Controls of the sandbox. Production does not have them.',
  Identity: 'Access tokens and public keys. Responses are not in the envelope.',
  Health: 'Liveness and readiness of the service.',
} as const

type Tag = keyof typeof tags

function tagOf({ audience, scope }: Place): Tag {
  switch (audience) {
    case 'operations':
      return 'Operations'
    case 'sandbox':
      return 'Sandbox'
    case 'firm': {
      const tag = pascalCase(scope.split(':')[0] ?? '')
      return tag in tags ? (tag as Tag) : 'Accounts'
    }
    default:
      return audience satisfies never
  }
}

function renderParameters(operation: OperationDefinition, book: SchemaBook): JsonObject[] {
  const shared = [
    refer('parameters', operation.writes ? 'IdempotencyKey' : 'ClearingConsistency'),
    refer('parameters', 'Traceparent'),
  ]
  if (operation.body !== 'lines') return shared
  const { properties, required } = membersOf(operation.request)
  const query = Object.entries(properties).map(([name, shape]) => ({
    name,
    in: 'query',
    required: required.has(name),
    schema: book.render(shape, 'request'),
  }))
  return [...query, ...shared]
}

function membersOf(shape: TSchema) {
  const { properties = {}, required = [] } = shape as {
    properties?: Record<string, TSchema>
    required?: readonly string[]
  }
  return { properties, required: new Set(required) }
}

function renderRequestBody(name: string, operation: OperationDefinition, book: SchemaBook): JsonObject {
  const schema = () => book.enter(`${pascalCase(name)}Request`, operation.request, 'request')
  switch (operation.body) {
    case 'json':
      return {
        required: true,
        content: {
          'application/json': { schema: schema(), examples: renderExamples(operation, {}) },
        },
      }
    case 'multipart': {
      const examples = renderExamples(operation, { file: 'the bytes of the file' })
      const media = { schema: enterForm(name, operation, book), encoding: fileEncoding, examples }
      return { required: true, content: { 'multipart/form-data': media } }
    }
    case 'lines': {
      const description = `Any number of lines of at most ${limits.loadLineSizeBytesMax} bytes each, streamed.`
      return {
        required: true,
        content: {
          'application/x-ndjson': {
            schema: { type: 'string', description: `One JSON object per line. ${description}` },
          },
          'text/csv': {
            schema: { type: 'string', description: `A header line followed by the lines. ${description}` },
            examples: renderLines(operation),
          },
        },
      }
    }
    default:
      return operation.body satisfies never
  }
}

const fileEncoding = {
  file: {
    contentType: 'application/pdf, image/jpeg, image/png, image/bmp, image/tiff, application/octet-stream',
  },
}

/** The fields and the file of a form. */
function enterForm(name: string, operation: OperationDefinition, book: SchemaBook): JsonObject {
  const { properties, required } = membersOf(operation.request)
  const fields = Object.entries(properties).map(([field, shape]) => [field, book.render(shape, 'request')])
  const file = {
    description: `The document: .pdf, .jpg, .jpeg, .bmp, .png, .tiff or .tif, at most ${limits.uploadSizeBytesMax} bytes.`,
    type: 'string',
    format: 'binary',
  }
  return book.enterRendered(`${pascalCase(name)}Form`, {
    type: 'object',
    additionalProperties: false,
    required: [...required, 'file'],
    properties: { ...Object.fromEntries(fields), file },
  })
}

function slug(title: string) {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, '-')
}

function renderExamples(operation: OperationDefinition, also: JsonObject): JsonObject {
  return Object.fromEntries(
    operation.examples.map((example) => [
      slug(example.title),
      compact({
        summary: example.title,
        description: describeYours(example)[0],
        value: { ...(example.request as JsonObject), ...also },
      }),
    ]),
  )
}

function renderLines({ examples }: OperationDefinition): JsonObject {
  return Object.fromEntries(
    examples.map(({ title, lines = '' }) => [slug(title), { summary: title, value: lines }]),
  )
}

function renderResponses(
  name: string,
  operation: OperationDefinition,
  place: Place,
  book: SchemaBook,
): JsonObject {
  const success =
    operation.answers === 'file'
      ? renderFileAnswer(operation.fileTypes ?? [])
      : renderSuccess(name, operation, book)
  const errors = errorsOf(name, operation, place).map((status) => [String(status), referToError(status)])
  return { '200': success, ...Object.fromEntries(errors) }
}

/**
 * An operation on one account or on all. Lists that can be filtered by an account return no rows for an unknown one.
 */
const maySeekAccount: ReadonlySet<string> = new Set(['verify-books'])

/**
 * Reads with conflicts: a firm may refuse possible duplicates of an application (ERR.2012), and an isolated sandbox has
 * no sandboxes to list (ERR.2028).
 */
const mayConflict: ReadonlySet<string> = new Set(['validate-account', 'list-sandboxes'])

/** Every status of an operation's responses other than 200 (Reading 1.8). */
function errorsOf(name: string, operation: OperationDefinition, place: Place): AnsweredStatus[] {
  const { properties, required } = membersOf(operation.request)
  const names = Object.keys(properties)
  const finds =
    required.has('accountNumber') || maySeekAccount.has(name) || names.some((member) => member.endsWith('Id'))
  const notFound = finds || place.audience === 'sandbox' ? [404 as const] : []
  const conflict = operation.writes || mayConflict.has(name) ? [409 as const] : []
  const reused = operation.writes ? [422 as const] : []
  return [400, 401, 403, ...notFound, 405, 406, 408, ...conflict, 413, 415, ...reused, 429, 431, 500, 503]
}

/** The headers of an operation that is deprecated or has a deprecated member. */
function deprecationHeaders(operation: OperationDefinition): JsonObject {
  const all = [operation.deprecated, ...deprecatedMembers(operation).values()].filter(
    (one) => one !== undefined,
  )
  return {
    ...(all.length === 0 ? {} : { Deprecation: refer('headers', 'Deprecation') }),
    ...(all.some(({ sunset }) => sunset !== undefined) ? { Sunset: refer('headers', 'Sunset') } : {}),
  }
}

function renderSuccess(name: string, operation: OperationDefinition, book: SchemaBook): JsonObject {
  const data = book.enter(`${pascalCase(name)}Data`, operation.data, 'answer')
  const { properties, ...envelope } = book.render(envelopeShape({}), 'answer')
  const answered = operation.examples.filter((example) => example.data !== undefined)
  const examples = answered.map((example) => [
    slug(example.title),
    {
      summary: example.title,
      value: {
        statusCode: 200,
        message: successMessage,
        data: example.data as JsonObject,
        errors: [],
        traceId: exampleTraceId,
        hasErrors: false,
      },
    },
  ])
  const schema = book.enterRendered(`${pascalCase(name)}Answer`, {
    ...envelope,
    properties: {
      ...(properties as JsonObject),
      data: { ...data, description: 'The result of the operation.' },
    },
  })
  return {
    description: successMessage,
    headers: {
      ...rateHeaders,
      ...deprecationHeaders(operation),
      ...(operation.writes ? { 'Idempotent-Replayed': refer('headers', 'IdempotentReplayed') } : {}),
      ...(operation.writes || operation.namesState === true
        ? { 'Clearing-Consistency': refer('headers', 'ClearingConsistency') }
        : {}),
    },
    content: {
      'application/json': {
        schema,
        ...(examples.length > 0 ? { examples: Object.fromEntries(examples) } : {}),
      },
    },
  }
}

function renderFileAnswer(fileTypes: readonly string[]): JsonObject {
  return {
    description: 'The file, as an attachment.',
    headers: { ...rateHeaders, 'Content-Disposition': refer('headers', 'ContentDisposition') },
    content: Object.fromEntries(
      fileTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
    ),
  }
}
