/** For tests: the whole service on its own database, callers of its firms, and accounts that cause events. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '@clearing/protocol'
import { readConfig } from '../config/config.ts'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { createLog } from '../observe/log.ts'
import { startService } from '../service.ts'

export interface TestService extends AsyncDisposable {
  readonly address: string
  readonly database: TestDatabase
  tokenOf(clientId: string): Promise<string>
  /** Calls an operation of the audience firm with JSON. */
  call(clientId: string, operation: string, request?: object): Promise<TestReply>
  /** Calls an operation of the clearing firm. */
  operate(operation: string, request?: object): Promise<TestReply>
  /** Opens an account and resolves to its number. The events of the opening follow. */
  openAccount(clientId: 'alpha' | 'beta', accountNumber?: string): Promise<string>
  /** Stops the service of this process and starts another on the same database. */
  restart(): Promise<void>
}

export interface TestReply {
  readonly status: number
  readonly message: string
  // biome-ignore lint/suspicious/noExplicitAny: the test inspects responses of every shape
  readonly data: any
  readonly errors: readonly { readonly code: string; readonly field: string; readonly reason: string }[]
}

const firms = {
  alpha: { entityNumber: '301', repCode: 'JC01' },
  beta: { entityNumber: '302', repCode: 'BB01' },
}
const application = operations['new-account'].examples[0].request
const answerTimeoutMs = 30_000
let persons = 0

export async function startTestService(settings: Record<string, string> = {}): Promise<TestService> {
  const database = await createTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'events-test-'))
  const config = readConfig(
    {
      PORT: '0',
      ISSUER: 'http://127.0.0.1:8080',
      DATA_DIR: folder,
      DATABASE_URL: database.urls.owner,
      DATABASE_OWNER_URL: database.urls.owner,
      ...settings,
    },
    ['--empty'],
  )
  let service = await startService(config, createLog('silent'))
  const tokens = new Map<string, string>()

  const tokenOf = async (clientId: string): Promise<string> => {
    const known = tokens.get(clientId)
    if (known !== undefined) return known
    const answer = await fetch(`${service.address}/identity/connect/token`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: clientId, client_secret: `${clientId}-sandbox-secret` }),
      signal: AbortSignal.timeout(answerTimeoutMs),
    })
    const { access_token: token } = (await answer.json()) as { access_token: string }
    tokens.set(clientId, token)
    return token
  }
  const send = async (clientId: string, path: string, request: object): Promise<TestReply> => {
    const answer = await fetch(service.address + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${await tokenOf(clientId)}`, 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(answerTimeoutMs),
    })
    const { message, data, errors } = (await answer.json()) as TestReply
    return { status: answer.status, message, data, errors }
  }
  return {
    get address() {
      return service.address
    },
    database,
    tokenOf,
    call: (clientId, operation, request = {}) => send(clientId, `/account-api/v1/${operation}`, request),
    operate: (operation, request = {}) => send('operations', `/operations-api/v1/${operation}`, request),
    async openAccount(clientId, accountNumber) {
      persons += 1
      const { entityNumber, repCode } = firms[clientId]
      const { data, errors } = await send(clientId, '/account-api/v1/new-account', {
        ...application,
        ...(accountNumber === undefined ? {} : { accountNumber }),
        entityNumber,
        main: { ...application.main, repCode },
        primaryOwner: { ...application.primaryOwner, taxIdNumber: String(219_000_000 + 10_001 + persons) },
      })
      if (data === undefined) throw new Error(JSON.stringify(errors))
      return accountNumber ?? data.message.accountNumber
    },
    async restart() {
      await service.stop()
      service = await startService(config, createLog('silent'))
    },
    async [Symbol.asyncDispose]() {
      await service.stop()
      await database[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
