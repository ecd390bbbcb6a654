/** For tests: the token service on a real server and a real database, with a wall clock that the test moves. */
import { randomBytes, sign } from 'node:crypto'
import Fastify from 'fastify'
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts'
import { gatherMasterKeys, type MasterKeys, masterKeyFromBytes } from '../encryption/master-key.ts'
import type { TokenEvent } from './endpoint/token-endpoint.ts'
import { type Identity, openIdentity } from './identity.ts'
import { chooseSigningKey, type SigningKey } from './keys/signing-key.ts'
import { mountIdentity } from './mount-identity.ts'
import { seedSandboxFirms } from './sandbox-firms.ts'

export const testIssuer = 'http://127.0.0.1:8080'
/** The origin of a call from this machine. */
export const here = { address: '127.0.0.1', traceId: '', presented: undefined }

/** A clock that stands still until the test moves it. After a move back, the elapsed time stays the same. */
export class MovableClock {
  #ms = Date.UTC(2026, 5, 15, 14, 30, 0, 250)
  #passedMs = 0
  readonly now = (): Date => new Date(this.#ms)
  readonly monotonicMs = (): number => this.#passedMs
  move(byMs: number): void {
    this.#ms += byMs
    this.#passedMs += Math.max(0, byMs)
  }
}

export interface TestGround extends AsyncDisposable {
  readonly database: TestDatabase
  readonly masterKeys: MasterKeys
  readonly clock: MovableClock
}

/** A database with the firms of the sandbox. */
export async function prepareGround(): Promise<TestGround> {
  const database = await createTestDatabase()
  const masterKeys = gatherMasterKeys(masterKeyFromBytes(randomBytes(32)))
  const clock = new MovableClock()
  await seedSandboxFirms({ operations: database.operations, masterKeys, now: clock.now() })
  return { database, masterKeys, clock, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() }
}

export interface TestInstance extends AsyncDisposable {
  readonly base: string
  readonly identity: Identity
  readonly events: TokenEvent[]
  readonly faults: unknown[]
  /** The signing key of the last snapshot of this instance. */
  signingKey(): SigningKey & { readonly privateKey: object }
}

/** Starts an instance of the service; several may share one database. */
export async function startInstance(ground: TestGround, issuer = testIssuer): Promise<TestInstance> {
  const { database, masterKeys, clock } = ground
  const events: TokenEvent[] = []
  const faults: unknown[] = []
  const identity = await openIdentity({
    operations: database.operations,
    masterKeys,
    issuer,
    now: clock.now,
    monotonicMs: clock.monotonicMs,
    onEvent: (event) => events.push(event),
    onFault: (fault) => faults.push(fault),
  })
  let snapshot = await identity.directory.latest()
  const server = Fastify()
  mountIdentity(server, identity)
  const base = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    base,
    identity,
    events,
    faults,
    signingKey() {
      snapshot = identity.directory.known() ?? snapshot
      const key = chooseSigningKey(snapshot.signingKeys.values(), clock.now())
      if (key?.privateKey === undefined) throw new Error('no key signs')
      return key as SigningKey & { privateKey: object }
    },
    async [Symbol.asyncDispose]() {
      await server.close()
      await identity[Symbol.asyncDispose]()
    },
  }
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the test inspects responses of every shape
  readonly json: any
}

export async function send(url: string, request: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, request)
  const text = await response.text()
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {}
  return { status: response.status, headers: response.headers, text, json }
}

export function askToken(
  instance: { readonly base: string },
  form: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return send(`${instance.base}/identity/connect/token`, {
    method: 'POST',
    body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
}

export const alpha = { client_id: 'alpha', client_secret: 'alpha-sandbox-secret' }
export const beta = { client_id: 'beta', client_secret: 'beta-sandbox-secret' }

export async function takeToken(instance: { readonly base: string }, form = alpha): Promise<string> {
  const answer = await askToken(instance, form)
  if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${answer.text}`)
  return answer.json.access_token
}

export function encode(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
}

/** Makes a token with any header and claims, signed with a key of the service. */
export function forge(key: SigningKey, header: unknown, claims: unknown): string {
  if (key.privateKey === undefined) throw new Error('the key has no private half')
  const signed = `${encode(header)}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(signed), { key: key.privateKey, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}
