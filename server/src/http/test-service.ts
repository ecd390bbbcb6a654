/**
 * For tests: the application with a small table of operations on a free port, and a client that controls every byte
 * that it sends.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import {
  block,
  defineOperation,
  type OperationDefinition,
  optional,
  type Scope,
  text,
  words,
} from '@clearing/protocol'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import Type from 'typebox'
import { Calls } from '../books/pace.ts'
import { openPool, type Pool } from '../database/pool.ts'
import { makeFirstFirmKeys } from '../encryption/firm-key.ts'
import { createKeyring, type Keyring } from '../encryption/keyring.ts'
import { gatherMasterKeys, masterKeyFromBytes } from '../encryption/master-key.ts'
import type { Authentication } from '../identity/authenticate.ts'
import type { Caller } from '../identity/caller.ts'
import type { Context } from '../operations/context.ts'
import type { Parts } from '../operations/parts.ts'
import type { Firm } from '../store/firm.ts'
import { clearingFirmId } from '../store/firms.ts'
import { Turns } from '../turns.ts'
import type { Observation } from './call.ts'
import { closeHttp } from './close-http.ts'
import { createHttp, type HttpSettings } from './create-http.ts'
import type { AnyHandler } from './perform.ts'

export const firmId = randomUUID()
const firm: Firm = {
  firmId,
  name: 'Alpha Securities',
  entityNumbers: new Set(['301']),
  repCodes: new Set(['JC01']),
  settings: {
    duplicateApplications: 'Flag',
    documentCatalogueClosed: false,
    requestsPerSecond: 100_000,
    keysOnly: false,
    changesNeedingApproval: [],
  },
  moves: 0,
  moving: false,
}

function caller(clientId: string, ...scopes: Scope[]): Caller {
  return {
    clientId,
    scopes: new Set(scopes),
  }
}

function known(who: Caller, of: Firm = firm): Authentication {
  return { kind: 'known', firm: of, caller: who }
}

/** The tokens of the tests and their owners. */
const tokens: Record<string, Authentication> = {
  good: known(caller('alpha', 'accounts:read', 'accounts:write', 'documents:write', 'pii:read')),
  masked: known(caller('alpha', 'accounts:read', 'accounts:write')),
  other: known(caller('other', 'accounts:read', 'accounts:write')),
  reader: known(caller('reader', 'accounts:read')),
  operations: known(caller('operations', 'operations')),
  slow: known(caller('slow', 'accounts:read'), {
    ...firm,
    settings: { ...firm.settings, requestsPerSecond: 1 },
  }),
  moving: known(caller('moving', 'accounts:read', 'accounts:write'), { ...firm, moving: true }),
  clearing: known(caller('operations', 'documents:write'), { ...firm, firmId: clearingFirmId }),
  old: { kind: 'expired' },
}

const common = {
  summary: 'test',
  description: 'test',
  audience: 'firm',
  body: 'json',
  origin: 'extension',
  data: Type.Unknown(),
  examples: [{ title: 'A test', request: {} }],
} as const

/** A table with one operation of each kind. */
export const testOperations = {
  echo: defineOperation({
    ...common,
    scope: 'accounts:read',
    writes: false,
    request: block({ name: text(30), note: optional(words(100)) }),
  }),
  open: defineOperation({
    ...common,
    scope: 'accounts:write',
    writes: true,
    request: block({ name: text(30), note: optional(words(100)) }),
  }),
  // The service recognizes an exact repeat of an operation of this name without a key.
  'new-account': defineOperation({
    ...common,
    scope: 'accounts:write',
    writes: true,
    request: block({ name: text(30), note: optional(words(100)) }),
  }),
  'add-document': defineOperation({
    ...common,
    body: 'multipart',
    scope: 'documents:write',
    writes: true,
    aliases: ['/document-api/v1/add-document'],
    request: block({ reference: words(20), comments: optional(words(50)) }),
  }),
  load: defineOperation({
    ...common,
    audience: 'operations',
    body: 'lines',
    storedInParts: true,
    scope: 'operations',
    writes: true,
    request: block({ listName: words(20), size: optional(Type.Integer()) }),
  }),
  list: defineOperation({ ...common, scope: 'accounts:read', writes: false, request: block({}) }),
  'get-document': defineOperation({
    ...common,
    scope: 'accounts:read',
    writes: false,
    answers: 'file',
    fileTypes: ['application/pdf'],
    request: block({}),
  }),
  decide: defineOperation({
    ...common,
    audience: 'operations',
    scope: 'operations',
    inSandbox: 'accounts:write',
    writes: true,
    request: block({}),
  }),
} satisfies Record<string, OperationDefinition>

/** A pool for tests that send no statement. It has no database. */
function noPool(): Pool {
  return openPool({ name: 'app', url: 'postgresql://127.0.0.1:1/none' })
}

/** The keyring of the test's firm, with keys made for this process. */
export async function makeKeyring(): Promise<Keyring> {
  const masterKeys = gatherMasterKeys(masterKeyFromBytes(randomBytes(32)))
  const keys = await makeFirstFirmKeys(masterKeys, firmId, new Date())
  return createKeyring({ masterKeys, loadFirmKeys: () => Promise.resolve(keys) })
}

export interface TestHttp extends AsyncDisposable {
  readonly app: FastifyInstance
  readonly base: string
  readonly port: number
  /** The parsed lines of the log. */
  readonly log: Record<string, unknown>[]
  readonly logText: () => string
  readonly observations: Observation[]
  /** The running calls. */
  readonly calls: Calls
  readonly uploadFolder: string
  /** Sends JSON text to an operation of the audience firm. */
  send(operation: string, body: string | Uint8Array, headers?: Record<string, string>): Promise<TestAnswer>
}

export interface TestAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the test inspects responses of every shape
  readonly json: any
}

export async function startHttp(
  handlers: Record<string, (request: never, context: Context) => Promise<unknown>>,
  settings: Partial<HttpSettings> & {
    sandbox?: boolean
    keyring?: Keyring
    /** Adds paths that are no operations. */
    mount?: (app: FastifyInstance) => void
  } = {},
): Promise<TestHttp> {
  const uploadFolder = await mkdtemp(join(tmpdir(), 'http-test-'))
  const log: Record<string, unknown>[] = []
  let logText = ''
  const logger = pino(
    {},
    new Writable({
      write(line: Buffer, _encoding, done) {
        logText += line
        log.push(JSON.parse(line.toString()))
        done()
      },
    }),
  )
  const observations: Observation[] = []
  const calls = new Calls()
  const loadTurns = new Turns({ work: 'large loads', runningMax: 2, waitMs: 1_000 })
  const { sandbox = false, keyring = await makeKeyring(), ...more } = settings
  const pools = settings.pools ?? { app: noPool(), operations: noPool(), loads: noPool() }
  const operations = Object.fromEntries(
    Object.entries(testOperations).filter(([name]) => handlers[name] !== undefined),
  )
  const app = createHttp({
    operations,
    handlers: handlers as Record<string, AnyHandler>,
    parts: { sandbox, keyring, loadThread: { calls }, loadTurns } as unknown as Parts,
    pools,
    authenticate: (token) => tokens[token] ?? { kind: 'invalid' },
    clock: () => new Date(),
    logger,
    uploadFolder,
    observe: (observation) => observations.push(observation),
    ...more,
  })
  settings.mount?.(app)
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    app,
    base,
    port: Number(new URL(base).port),
    log,
    logText: () => logText,
    observations,
    calls,
    uploadFolder,
    send: (operation, body, headers = {}) =>
      send(`${base}/account-api/v1/${operation}`, {
        method: 'POST',
        body: body as string,
        headers: { authorization: 'Bearer good', 'content-type': 'application/json', ...headers },
      }),
    async [Symbol.asyncDispose]() {
      await closeHttp(app, 1_000)
      if (settings.pools === undefined) await Promise.all([pools.app.end(), pools.operations.end()])
      await rm(uploadFolder, { recursive: true, force: true })
    },
  }
}

export async function send(url: string, request: RequestInit): Promise<TestAnswer> {
  const response = await fetch(url, request)
  const answer = await response.text()
  let json: unknown
  try {
    json = JSON.parse(answer)
  } catch {}
  return { status: response.status, headers: response.headers, text: answer, json }
}

/**
 * Writes raw bytes and returns all received bytes until the server closes the connection, or until `until` is
 * received.
 */
export function sendRaw(port: number, bytes: string | Uint8Array, until?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const finish = () => {
      socket.destroy()
      resolve(received)
    }
    socket.on('data', (piece) => {
      received += piece.toString('latin1')
      if (until !== undefined && received.includes(until)) finish()
    })
    socket.on('close', finish)
    socket.on('error', (error) => (received === '' ? reject(error) : finish()))
  })
}
