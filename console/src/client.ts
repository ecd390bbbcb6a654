/** The only way to the service: the sdk with the page's session. Amounts remain the exact text of the service. */
import type { Data, OperationName, operations } from '@clearing/protocol'
import {
  type Answer,
  type AnswerOf,
  type CallOf,
  type CallSettings,
  createClient,
  methodOf,
} from '@clearing/sdk'
import { fetchAsPerson } from './session/presence.ts'

export const client = createClient({
  baseUrl: location.origin,
  session: 'page',
  fetch: fetchAsPerson,
  decimals: 'string',
  retries: 2,
  retryDelayMs: 300,
  retryDelayMsMax: 3_000,
})

/** The `data` of an operation's response, with amounts as text. */
export type Answered<N extends OperationName> = AnswerOf<N, 'string'> extends Answer<infer D> ? D : Data<N>

/** Operations of the envelope, by name. */
export type Readable = {
  [N in OperationName]: (typeof operations)[N] extends { answers: 'file' } ? never : N
}[OperationName]

type Given<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] }

/**
 * The members with a value; undefined and empty texts are left out. Names that the request does not have are refused.
 */
export function given<T extends object>(members: Given<T>): T {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== ''),
  ) as T
}

/**
 * The members of a request for which a form may have fields; those of a block as `block.member`, and those of the
 * items of a list as `list[0].member`.
 */
export type MemberOf<Request> = {
  [K in keyof Request & string]: Blocks<K, NonNullable<Request[K]>>
}[keyof Request & string]
type Blocks<K extends string, Value> = Value extends readonly (infer Item)[]
  ? Item extends object
    ? K | `${K}[${number}].${keyof Item & string}`
    : K
  : Value extends object
    ? K | `${K}.${keyof Value & string}`
    : K

/** Calls an operation by its name and returns the whole response. */
export async function call<N extends Readable>(
  name: N,
  request: CallOf<N>,
  settings?: CallSettings,
): Promise<Answer<Answered<N>>> {
  const method = methodOf(client, name)
  if (method === undefined) throw new Error(`the client has no method for ${name}`)
  return (await method(request as object, settings)) as Answer<Answered<N>>
}
