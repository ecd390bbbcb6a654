/**
 * The definition of an operation: one entry of the contract. The route, the handler's type, the sdk's method, the
 * command line's verb and the OpenAPI description derive from it.
 */
import type { Static, TSchema } from 'typebox'
import type { Scope } from './codes/index.ts'

/** The callers of an operation: client firms, the clearing firm's operations, or every sandbox credential. */
export type Audience = 'firm' | 'operations' | 'sandbox'

/**
 * The form of the request's body: one JSON object; multipart form data with one file (`file`); or a stream of lines,
 * NDJSON or CSV. The other members of a request of lines are sent in the query.
 */
export type Body = 'json' | 'multipart' | 'lines'

export interface OperationDefinition {
  /** The operation in a few words, beginning with a verb: the summary line of the reference. */
  readonly summary: string
  /** What the operation does, what it returns and its limits, in Markdown. */
  readonly description: string
  readonly audience: Audience
  /** The scope that the access token must carry. */
  readonly scope: Scope
  /** True if the operation changes something. It then takes an Idempotency-Key and writes an audit row. */
  readonly writes: boolean
  readonly body: Body
  /** True if the responses of an operation that only reads name the state that later reads must include. */
  readonly namesState?: true
  /** True if the lines are stored in several transactions, so that a load that was cut off may be stored in part. */
  readonly storedInParts?: true
  /** Whether the specification defines the operation, or this service adds it (Reading 1.13). */
  readonly origin: 'specification' | 'extension'
  /**
   * The scope under which the sandbox offers an operation of the clearing firm to client firms too, for their own
   * accounts.
   */
  readonly inSandbox?: Scope
  /** Further paths of the operation. */
  readonly aliases?: readonly string[]
  /**
   * Set if the operation is deprecated. Its responses (RFC 9745, RFC 8594) and the reference then report it.
   */
  readonly deprecated?: Deprecation
  /** Whether the response is an envelope (the default) or a file. */
  readonly answers?: 'envelope' | 'file'
  /** The media types that a file can have. */
  readonly fileTypes?: readonly string[]
  readonly request: TSchema
  readonly data: TSchema
  /** Examples that run against the sandbox unchanged, except for the members named in `yours`. At least one. */
  readonly examples: readonly [OperationExample, ...OperationExample[]]
}

export interface Deprecation {
  /** The date of the deprecation, such as 2027-01-31. */
  readonly since: string
  /** The date from which the operation or member may be removed; absent while it is not decided. */
  readonly sunset?: string
  /** The replacement, as a sentence. */
  readonly instead: string
}

/** The deprecated members of a request: those whose schema has `x-deprecated`. */
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
   * Members of the request that a reader replaces with values of their own, each with the operation that returns such a
   * value. The request shows the form of the value.
   */
  readonly yours?: Readonly<Record<string, string>>
  /** The body of an operation that takes lines, as CSV. */
  readonly lines?: string
  /** The `data` of the response, if it is the same for every call. */
  readonly data?: unknown
}

/** Returns the definition with its literal types. */
export function defineOperation<const D extends OperationDefinition>(definition: D): D {
  return definition
}

const prefixes: Record<Audience, string> = {
  firm: '/account-api/v1/',
  operations: '/operations-api/v1/',
  sandbox: '/sandbox-api/v1/',
}

/** The path of an operation: the prefix of its audience and its name. */
export function pathOf(operationName: string, audience: Audience): string {
  return prefixes[audience] + operationName
}

/** The canonical request of an operation: names, codes and texts as the specification spells them. */
export type RequestOf<D extends OperationDefinition> = Static<D['request']>
/** The `data` member of an operation's response. */
export type DataOf<D extends OperationDefinition> = Static<D['data']>
