/**
 * What an operation is: one entry of the contract from which the route, the handler's type, the sdk's
 * method, the command line's verb and the OpenAPI description follow.
 */
import type { Static, TSchema } from 'typebox'
import type { Scope } from './codes/index.ts'

/** Who may call: client firms, the clearing firm's own operations, or anyone with a sandbox credential in the sandbox. */
export type Audience = 'firm' | 'operations' | 'sandbox'

/**
 * How the request's body travels: one JSON object; multipart form data with one file (`file`); or a stream of
 * lines, NDJSON or CSV, whose other members travel in the query.
 */
export type Body = 'json' | 'multipart' | 'lines'

export interface OperationDefinition {
  /** The business operation in a few words: the summary line of the reference. */
  readonly summary: string
  /** What it does, what it answers, its limits; Markdown. */
  readonly description: string
  readonly audience: Audience
  /** The one scope a token must carry. */
  readonly scope: Scope
  /** True when it changes something: it then takes an Idempotency-Key and writes an audit row. */
  readonly writes: boolean
  readonly body: Body
  /** Whether the specification defines it or we add it (Reading 1.13). */
  readonly origin: 'specification' | 'extension'
  /** In the sandbox an operation of the clearing firm's is offered to client firms too, for their own accounts, under this scope. */
  readonly inSandbox?: Scope
  /** Other paths under which it answers too. */
  readonly aliases?: readonly string[]
  /** Set when it is on its way out: its answers then say so (RFC 9745, RFC 8594), and so does the reference. */
  readonly deprecated?: Deprecation
  /** The answer is a file or a stream instead of the envelope. */
  readonly answers?: 'envelope' | 'file'
  /** Media types of the file, where they are not those of documents. */
  readonly fileTypes?: readonly string[]
  readonly request: TSchema
  readonly data: TSchema
  /** Examples that run against the sandbox as they stand, but for the values that they call `yours`. One at least. */
  readonly examples: readonly [OperationExample, ...OperationExample[]]
}

export interface Deprecation {
  /** The day it was deprecated, as 2027-01-31. */
  readonly since: string
  /** The day from which it may be gone; absent while that is not decided. */
  readonly sunset?: string
  /** What to use in its place, as a sentence. */
  readonly instead: string
}

/** The members of a request that are on their way out: those whose schema has `x-deprecated`. */
export function deprecatedMembers({
  request,
}: Pick<OperationDefinition, 'request'>): ReadonlyMap<string, Deprecation> {
  const { properties = {} } = request as { properties?: Readonly<Record<string, object>> }
  return new Map(
    Object.entries(properties).flatMap(([name, schema]) =>
      'x-deprecated' in schema ? [[name, schema['x-deprecated'] as Deprecation] as const] : [],
    ),
  )
}

export interface OperationExample {
  readonly title: string
  readonly request: unknown
  /**
   * Members of the request whose values are only where they were made, each with the operation that answers such a value;
   * the request shows what one looks like.
   */
  readonly yours?: Readonly<Record<string, string>>
  /** The lines of a body of lines, as CSV. */
  readonly lines?: string
  /** The `data` the example answers, where it is the same each time. */
  readonly data?: unknown
}

export const defineOperation = <const D extends OperationDefinition>(definition: D): D => definition

const prefixes: Record<Audience, string> = {
  firm: '/account-api/v1/',
  operations: '/operations-api/v1/',
  sandbox: '/sandbox-api/v1/',
}

/** The path of an operation, from its name and audience. */
export const pathOf = (operationName: string, audience: Audience): string =>
  prefixes[audience] + operationName

/** The canonical request of an operation: names, codes and texts as the specification spells them. */
export type RequestOf<D extends OperationDefinition> = Static<D['request']>
/** The `data` member of an operation's answer. */
export type DataOf<D extends OperationDefinition> = Static<D['data']>
