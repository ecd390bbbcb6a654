/**
 * The client: one method for each operation of the table. The name of a method is the name of its operation in
 * camelCase. Operations below `/account-api/` are methods of the client itself, those below `/operations-api/` of
 * `operations`, those below `/sandbox-api/` of `sandbox`. A new operation needs no edit here.
 */
import type {
  Audience,
  DataOf,
  OperationDefinition,
  OperationName,
  operations,
  RequestOf,
  Static,
} from '@clearing/protocol'
import { calls, pathOf } from '@clearing/protocol/calls'
import type { Answer, FileAnswer } from './answer.ts'
import { type CalledOperation, type Connection, callOperation } from './call.ts'
import { checkSettings } from './check-settings.ts'
import {
  jsonBody,
  type Lines,
  linesBody,
  multipartBody,
  type OpenableBody,
  type UploadFile,
} from './content.ts'
import { decimalNames } from './decimals.ts'
import {
  type CloudEvent,
  type EventsSettings,
  type EventsWanted,
  followEvents,
  type ListEvents,
} from './events.ts'
import { type EachSettings, eachRow, type Page, pagingOf, type RowOf } from './paging.ts'
import type { Account, AccountMessage } from './rows.ts'
import type { CallSettings, ClientSettings, Decimals } from './settings.ts'
import { borrowTokens, createTokenSource, type TokenSource } from './tokens.ts'
import { patienceOf } from './waiting.ts'

type Table = typeof operations

/** The type `getAccount` for `get-account`. */
export type MethodName<N extends string> = N extends `${infer Head}-${infer Rest}`
  ? `${Head}${Capitalize<MethodName<Rest>>}`
  : N

/** The argument of a method: the operation's request, with `file` for uploads and `lines` for loads. */
export type CallOf<N extends OperationName> = RequestOf<Table[N]> &
  (Table[N]['body'] extends 'multipart'
    ? { readonly file: UploadFile }
    : Table[N]['body'] extends 'lines'
      ? { readonly lines: Lines }
      : unknown)

/** The result of a method. */
export type AnswerOf<N extends OperationName, D extends Decimals = 'number'> = Table[N] extends {
  answers: 'file'
}
  ? FileAnswer
  : Answer<D extends 'string' ? DecimalsAsText<Table[N]['data']> : DataOf<Table[N]>>

/** The data of the responses in two shapes, if the request does not have the member that chooses the other shape. */
interface UsualShape {
  'get-account': { without: 'entityNumber'; data: Account }
  'new-account': { without: 'accountNumber'; data: { message: AccountMessage } }
}

type UsualMethod<N extends keyof UsualShape> = (
  request: CallOf<N> & { readonly [K in UsualShape[N]['without']]?: never },
  settings?: CallSettings,
) => Promise<Answer<UsualShape[N]['data']>>

/**
 * The method of an operation. It throws `RequestRejected`, `ServiceFailed`, `ServiceUnavailable`, `OutcomeUnknown` or
 * `TokenRefused`.
 */
export type Method<N extends OperationName, D extends Decimals = 'number'> = (N extends keyof UsualShape
  ? UsualMethod<N>
  : unknown) &
  (object extends CallOf<N>
    ? (request?: CallOf<N>, settings?: CallSettings) => Promise<AnswerOf<N, D>>
    : (request: CallOf<N>, settings?: CallSettings) => Promise<AnswerOf<N, D>>) &
  (AnswerOf<N, D> extends Answer<infer Data extends Page> ? EachRow<CallOf<N>, Data> : unknown)

/** The iterator of a method that returns a list in pages. */
export interface EachRow<Call, Data> {
  /**
   * Iterates over the rows of all pages, from the page of the request on. The next page is requested after the rows of
   * the current page are consumed; `break` stops the requests. Rows that are added meanwhile may be missed. No row
   * comes twice, except documents of an account.
   *
   * ```ts
   * for await (const call of client.listCalls.each({ includeMet: true })) console.log(call.accountNumber, call.amount)
   * ```
   */
  each(
    ...request: object extends Call
      ? [request?: Call, settings?: EachSettings<Data>]
      : [request: Call, settings?: EachSettings<Data>]
  ): AsyncGenerator<RowOf<Data>, void, undefined>
}

type Offered<N extends OperationName, A extends Audience> = Table[N]['audience'] extends A
  ? MethodName<N>
  : A extends 'sandbox'
    ? Table[N] extends { inSandbox: string }
      ? MethodName<N>
      : never
    : never

/** The operations of one audience as methods. */
export type Methods<A extends Audience, D extends Decimals = 'number'> = {
  readonly [N in OperationName as Offered<N, A>]: Method<N, D>
}

/** The client of a firm's program. `operations` and `sandbox` need credentials that may call them. */
export type Client<D extends Decimals = 'number'> = Methods<'firm', D> & {
  /**
   * Iterates over the events of the firm's accounts without end: reads the log, then streams new events, and resumes a
   * lost stream at its position. Calls of this client see what the events report; for those of another client, pass
   * `event.consistency`. Events of an account come in the order of their `sequence`, at least once. Store
   * `event.cursor` after an event is processed, and pass it as `cursor` after a restart. Throws `EventsMissed` if the
   * cursor is older than the log or the service was restored to a moment before it, `RequestRejected` for an invalid
   * filter.
   *
   * ```ts
   * for await (const event of client.events({ types: ['account.*'], cursor })) {
   *   await process(event)
   *   await store(event.cursor)
   * }
   * ```
   */
  events(wanted?: EventsWanted, settings?: EventsSettings): AsyncGenerator<CloudEvent, void, undefined>
  /** Operations of the clearing firm. They need the scope `operations`. */
  readonly operations: Methods<'operations', D>
  /** Controls of the sandbox. Production does not have them. */
  readonly sandbox: Methods<'sandbox', D>
}

type Schema = OperationDefinition['data']

/** The type of a shape with decimals as text. */
export type DecimalsAsText<S> = S extends { type: 'number' }
  ? string
  : S extends { type: 'array'; items: infer Item }
    ? DecimalsAsText<Item>[]
    : S extends { type: 'object'; properties: infer P }
      ? { [K in keyof P as P[K] extends { '~optional': true } ? never : K]: DecimalsAsText<P[K]> } & {
          [K in keyof P as P[K] extends { '~optional': true } ? K : never]?: DecimalsAsText<P[K]>
        }
      : S extends { anyOf: readonly (infer Branch)[] }
        ? DecimalsAsText<Branch>
        : S extends Schema
          ? Static<S>
          : never

/** The method name of an operation: `getAccount` for `get-account`. */
export function methodName<N extends string>(operation: N) {
  return operation.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()) as MethodName<N>
}

/** A method without specific types, for tools that iterate over the table of operations. */
export interface LooseMethod {
  (request?: object, settings?: CallSettings): Promise<Answer<unknown> | FileAnswer>
  /** Present if the operation returns a list in pages. */
  each?(request?: object, settings?: EachSettings<unknown>): AsyncGenerator<unknown, void, undefined>
}

/**
 * The method of an operation by its name, for tools that iterate over the table of operations. Undefined if the
 * audience does not have the operation.
 */
export function methodOf(
  client: Client<Decimals>,
  name: OperationName,
  audience: Audience = calls[name].audience ?? 'firm',
): LooseMethod | undefined {
  const group: object = audience === 'firm' ? client : client[audience]
  return (group as Record<string, LooseMethod | undefined>)[methodName(name)]
}

/**
 * Creates a client of the service at `baseUrl`. The client obtains and renews tokens automatically. It retries
 * temporary failures; all attempts of a write have one idempotency key. Nothing is sent before the first call.
 *
 * ```ts
 * const client = createClient({ baseUrl, clientId, clientSecret })
 * const { data } = await client.getAccount({ accountNumber: '30100001' })
 * ```
 */
export function createClient<const D extends Decimals = 'number'>(settings: ClientSettings<D>): Client<D> {
  const baseUrl = checkSettings(settings)
  const fetch =
    settings.fetch ?? ((...request: Parameters<typeof globalThis.fetch>) => globalThis.fetch(...request))
  const shared = { ...settings, baseUrl, fetch }
  const connection: Connection = {
    settings: shared,
    fetch,
    tokens: tokensOf(shared),
    patience: patienceOf(settings),
    consistency: '',
  }
  const firm: Record<string, unknown> = { operations: {}, sandbox: {} }
  const groups: Record<Audience, object> = {
    firm,
    operations: firm.operations as object,
    sandbox: firm.sandbox as object,
  }
  for (const name of Object.keys(calls) as OperationName[]) {
    const method = makeMethod(connection, name, settings.decimals === 'string')
    const { audience: own = 'firm', inSandbox } = calls[name]
    for (const audience of audiencesOf({ audience: own, inSandbox })) {
      const group = groups[audience] as Record<string, unknown>
      if (methodName(name) in group)
        throw new Error(`two members of the client are called ${methodName(name)}`)
      group[methodName(name)] = method(audience)
    }
  }
  if ('events' in firm) throw new Error('two members of the client are called events')
  firm.events = (wanted: EventsWanted = {}, eventsSettings: EventsSettings = {}) =>
    followEvents(connection, firm.listEvents as ListEvents, wanted, eventsSettings)
  return firm as Client<D>
}

function tokensOf(settings: ClientSettings<Decimals>): TokenSource | undefined {
  if ('session' in settings) return undefined
  return 'accessToken' in settings ? borrowTokens(settings) : createTokenSource(settings)
}

/** The audiences of an operation: its own, and the sandbox if it is offered there too. */
export function audiencesOf(operation: {
  readonly audience: Audience
  readonly inSandbox?: unknown
}): Audience[] {
  return operation.inSandbox === undefined ? [operation.audience] : [operation.audience, 'sandbox']
}

function makeMethod(connection: Connection, name: OperationName, decimalsAsText: boolean) {
  const { writes = false, body = 'json', answers } = calls[name]
  const operation: CalledOperation = { writes, body, answers }
  const decimals = decimalsAsText ? decimalNames(name) : undefined
  return (audience: Audience): LooseMethod => {
    const address = `${connection.settings.baseUrl}${pathOf(name, audience)}`
    const method = async (request: object = {}, settings: CallSettings = {}) => {
      const { query, body } = await renderRequest(operation, request as Record<string, unknown>)
      return callOperation(connection, { name, operation, url: address + query, body, decimals }, settings)
    }
    const paging = pagingOf(name)
    if (paging === undefined) return method
    const list = method as (request: object) => Promise<Answer<unknown>>
    return Object.assign(method, {
      each: (request: object = {}, settings: EachSettings<unknown> = {}) =>
        eachRow(list, paging, request as Record<string, unknown>, settings),
    })
  }
}

async function renderRequest(
  { body }: CalledOperation,
  request: Record<string, unknown>,
): Promise<{ query: string; body: OpenableBody }> {
  switch (body) {
    case 'json':
      return { query: '', body: jsonBody(request) }
    case 'multipart': {
      const { file, ...fields } = request
      return { query: '', body: await multipartBody(fields, file as UploadFile) }
    }
    case 'lines': {
      const { lines, ...members } = request
      const query = new URLSearchParams()
      for (const [member, value] of Object.entries(members)) {
        if (value !== undefined) query.append(member, String(value))
      }
      return { query: query.size === 0 ? '' : `?${query}`, body: linesBody(lines as Lines) }
    }
    default:
      return body satisfies never
  }
}
