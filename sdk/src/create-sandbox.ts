/** Creates an isolated sandbox and a client of it, for a test run or a developer. */
// The declarations name AsyncDisposable, which no version of the language's library has without this line.
/// <reference lib="esnext.disposable" preserve="true" />
import { type AnswerOf, type Client, createClient } from './client.ts'
import { RequestRejected } from './failures.ts'
import type { ConnectionSettings, Decimals, SecretCredentials } from './settings.ts'

/** The client of the service that creates the sandbox, with the properties of the sandbox. */
export type SandboxSettings<D extends Decimals = 'number'> = ConnectionSettings &
  Pick<SecretCredentials, 'clientId' | 'clientSecret'> & {
    readonly decimals?: D
    /** A name for `listSandboxes`, such as the number of a build. */
    readonly name?: string
    /** Whether it has the demonstration accounts. The default is false. */
    readonly demonstration?: boolean
    /** Minutes without a call after which the service removes it. */
    readonly idleMinutes?: number
  }

/** An isolated sandbox. `await using` deletes it at the end of the block, if it still exists. */
export interface Sandbox<D extends Decimals = 'number'> extends AsyncDisposable {
  readonly sandboxId: string
  readonly baseUrl: string
  readonly credentials: AnswerOf<'create-sandbox'>['data']['credentials']
  /** A client of the firm that created the sandbox, or of the first firm of the sandbox. */
  readonly client: Client<D>
  /** A client of another credential of the sandbox, such as `operations`. */
  clientOf(clientId: string): Client<D>
  delete(): Promise<void>
}

/**
 * Creates an isolated sandbox: its own data, clock, prices, faults and limits. Throws what
 * `client.sandbox.createSandbox` throws.
 *
 * ```ts
 * await using sandbox = await createSandbox({ baseUrl, clientId, clientSecret })
 * await sandbox.client.sandbox.advanceClock({ days: 3 })
 * ```
 */
export async function createSandbox<const D extends Decimals = 'number'>(
  settings: SandboxSettings<D>,
): Promise<Sandbox<D>> {
  const { name, demonstration, idleMinutes, ...connection } = settings
  const service = createClient(connection)
  const wanted = { name, demonstration, idleMinutes }
  const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
  const { data } = await service.sandbox.createSandbox(given)
  const { sandboxId, baseUrl, credentials } = data
  const clientOf = (clientId: string): Client<D> => {
    const credential = credentials.find((each) => each.clientId === clientId)
    if (credential === undefined) throw new Error(`the sandbox has no credential ${clientId}`)
    return createClient({ ...connection, baseUrl, clientId, clientSecret: credential.clientSecret })
  }
  const own = credentials.find((each) => each.clientId === settings.clientId) ?? credentials[0]
  const remove = async () => {
    await service.sandbox.deleteSandbox({ sandboxId })
  }
  return {
    sandboxId,
    baseUrl,
    credentials,
    client: clientOf(own?.clientId ?? ''),
    clientOf,
    delete: remove,
    [Symbol.asyncDispose]: async () => {
      try {
        await remove()
      } catch (cause) {
        // The program deleted it already, or it received no call for its time.
        if (!(cause instanceof RequestRejected && cause.has('ERR.2027'))) throw cause
      }
    },
  }
}
