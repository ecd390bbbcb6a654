/** The one way to the service: the sdk with the page's session. Amounts stay the exact text that the service wrote. */
import type { Data, OperationDefinition, OperationName, operations } from '@clearing/protocol'
import { operations as table } from '@clearing/protocol'
import {
  type Answer,
  type AnswerOf,
  type CallOf,
  type CallSettings,
  createClient,
  methodOf,
} from '@clearing/sdk'

export const client = createClient({
  baseUrl: location.origin,
  session: 'page',
  decimals: 'string',
  retries: 2,
  retryDelayMs: 300,
  retryDelayMsMax: 3_000,
})

/** What an operation answers in `data`, with amounts as text. */
export type Answered<N extends OperationName> = AnswerOf<N, 'string'> extends Answer<infer D> ? D : Data<N>

/** Operations of the envelope, by name. */
export type Readable = {
  [N in OperationName]: (typeof operations)[N] extends { answers: 'file' } ? never : N
}[OperationName]

export const definitionOf = (name: OperationName): OperationDefinition => table[name]

/** Calls an operation by its name and answers the whole answer. */
export const call = async <N extends Readable>(
  name: N,
  request: CallOf<N>,
  settings?: CallSettings,
): Promise<Answer<Answered<N>>> => {
  const method = methodOf(client, name)
  if (method === undefined) throw new Error(`the client has no method for ${name}`)
  return (await method(request as object, settings)) as Answer<Answered<N>>
}
