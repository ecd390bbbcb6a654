/**
 * The whole service for a test, started in this process on a database of its own and a free port, and used through the
 * sdk. Every response is checked against the published contract. `stop` ends everything and fails when a response broke
 * the contract.
 */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { type Client, createClient } from '@clearing/sdk'
import pg from 'pg'
import { readConfig } from '../../server/src/config/config.ts'
import { createTestDatabase } from '../../server/src/database/test-database.ts'
import { makeTestFolder } from '../../server/src/database/test-folder.ts'
import { createLog } from '../../server/src/observe/log.ts'
import { startService } from '../../server/src/service.ts'
import { ContractWatch } from './contract.ts'
import { eventsReported } from './events-reported.ts'
import { startBehindRouter } from './running-cells.ts'
import { copyStartedPlace, type StartedPlace } from './started-place.ts'

/** A response as it was transmitted. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of responses of every operation
  readonly json: any
}

export interface RunningService {
  readonly address: string
  /** Differs from `address` behind a router. */
  readonly ownAddress: string
  readonly dataDir: string
  readonly contract: ContractWatch
  readonly alpha: Client
  readonly beta: Client
  readonly operations: Client
  /** The log so far, one entry per line. */
  readonly log: () => string
  /** A client of a credential. Without a secret, the credential is one of the sandbox. */
  client(clientId: string, clientSecret?: string, scope?: readonly string[]): Client
  /** An access token of a credential. */
  token(clientId: string, clientSecret?: string, scope?: string): Promise<string>
  /** Sends the given request unchanged to a path of the address. */
  send(path: string, request: SendSettings): Promise<RawAnswer>
  /** Calls an operation with a JSON body as Alpha, without the sdk. */
  post(operation: string, body: unknown, headers?: Record<string, string>): Promise<RawAnswer>
  /** Queries the database as its superuser. */
  query(sql: string, values?: unknown[]): Promise<pg.QueryResult>
  /** Waits until all events so far can be read. A transaction in any test's database on the server holds them back. */
  eventsReported(): Promise<void>
  stop(): Promise<void>
}

export type HttpBody = NonNullable<RequestInit['body']>

export interface SendSettings {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: HttpBody
}

export interface StartSettings {
  /** Further settings of the environment. */
  readonly environment?: Record<string, string>
  /** Makes the demonstration accounts. */
  readonly withAccounts?: boolean
  /** Starts without a copy of a started sandbox. */
  readonly forTheFirstTime?: boolean
}

/** Set: each service is two cells behind a router, and is called through it. See through-cells.nightly.ts. */
export const throughCellsVariable = 'CLEARING_TEST_THROUGH_CELLS'

export function startRunningService(settings: StartSettings = {}): Promise<RunningService> {
  return process.env[throughCellsVariable] === undefined
    ? startAlone(settings)
    : startBehindRouter((environment, router) =>
        startAlone({ ...settings, environment: { ...settings.environment, ...environment } }, router),
      )
}

/** `router`: the address at which the service is called, if it differs from its own. */
async function startAlone(settings: StartSettings, router?: string): Promise<RunningService> {
  const { database, dataDir } = await makePlace(settings)
  const environment = {
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.urls.owner,
    DATABASE_CONNECTIONS: '4',
    ...settings.environment,
  }
  let logged = ''
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logged += chunk
      done()
    },
  })
  const service = await startService(
    readConfig(environment, settings.withAccounts ? [] : ['--empty']),
    createLog('info', destination),
  ).catch(async (fault: unknown) => {
    await database[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
    throw fault
  })
  const address = router ?? service.address
  const contract = new ContractWatch(address)
  const superuser = new pg.Pool({
    connectionString: database.urls.superuser,
    max: 2,
    // A test's transaction stays open while the test waits for calls.
    idleTimeoutMillis: 0,
  })
  // A connection that is closing while its database is dropped gets an error without a listener.
  superuser.on('connect', (client) => client.on('error', () => {}))
  superuser.on('error', () => {})
  const tokens = new Map<string, Promise<string>>()

  const client = (
    clientId: string,
    clientSecret = `${clientId}-sandbox-secret`,
    scope?: readonly string[],
  ): Client =>
    createClient({
      baseUrl: address,
      clientId,
      clientSecret,
      fetch: contract.fetch,
      retryDelayMs: 50,
      ...(scope ? { scope } : {}),
    })

  const askToken = async (clientId: string, clientSecret: string, scope: string): Promise<string> => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      ...(scope === '' ? {} : { scope }),
    })
    const answer = await contract.fetch(`${address}/identity/connect/token`, { method: 'POST', body: form })
    const { access_token: token } = (await answer.json()) as { access_token?: string }
    assert.ok(token, `no token for ${clientId}: ${answer.status}`)
    return token
  }
  const token = (clientId: string, clientSecret = `${clientId}-sandbox-secret`, scope = '') => {
    const key = `${clientId} ${clientSecret} ${scope}`
    const known = tokens.get(key) ?? askToken(clientId, clientSecret, scope)
    tokens.set(key, known)
    return known
  }

  const send = async (path: string, { method = 'POST', headers = {}, body }: SendSettings) => {
    const answer = await contract.fetch(`${address}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body, duplex: 'half' }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, json: parseJson(text) }
  }

  return {
    address,
    ownAddress: service.address,
    dataDir,
    contract,
    alpha: client('alpha'),
    beta: client('beta'),
    operations: client('operations'),
    log: () => logged,
    client,
    token,
    send,
    post: async (operation, body, headers = {}) =>
      send(`/account-api/v1/${operation}`, {
        headers: {
          authorization: `Bearer ${await token('alpha')}`,
          'content-type': 'application/json',
          ...headers,
        },
        body:
          typeof body === 'string' || body instanceof Uint8Array ? (body as HttpBody) : JSON.stringify(body),
      }),
    query: (sql, values) => superuser.query(sql, values),
    eventsReported: () => eventsReported((sql) => superuser.query(sql)),
    async stop() {
      await service.stop()
      await superuser.end()
      await database[Symbol.asyncDispose]()
      await rm(dataDir, { recursive: true, force: true })
      assert.deepEqual(contract.violations, [], 'responses that the contract does not allow')
    },
  }
}

/** With further settings, the first state may differ. */
async function makePlace(settings: StartSettings): Promise<StartedPlace> {
  const { environment, withAccounts = false, forTheFirstTime = environment !== undefined } = settings
  if (!forTheFirstTime) return copyStartedPlace(withAccounts)
  return {
    database: await createTestDatabase(),
    dataDir: await makeTestFolder('acceptance-'),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
