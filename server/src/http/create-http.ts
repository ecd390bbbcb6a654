/**
 * The service's HTTP side: a Fastify application whose routes come from the table of operations. A request goes
 * route → token, rate, scope → body → idempotency → transaction and handler → envelope, and nothing of a step happens
 * before the one before it has said yes.
 */
import type { Socket } from 'node:net'
import { type OperationDefinition, type Rejection, reject } from '@clearing/protocol'
import multipart from '@fastify/multipart'
import type { Tracer } from '@opentelemetry/api'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Pool } from '../database/pool.ts'
import type { Authenticate } from '../identity/authenticate.ts'
import type { Parts } from '../operations/parts.ts'
import { admit, type Gate } from './admission/admit.ts'
import { RateLimiter } from './admission/rate-limit.ts'
import { sandboxFaultLimits } from './admission/sandbox-fault.ts'
import type { AdmitPerson } from './admission/session.ts'
import { type Outlet, sendFault, sendRejections, sendText } from './answer/answer.ts'
import { sendFile, sendStreamed } from './answer/answer-in-parts.ts'
import { answerClientError } from './answer/client-error.ts'
import { renderSuccess } from './answer/envelope.ts'
import type { RequestLog } from './answer/request-log.ts'
import { askForBody, deferContinue } from './body/expect-continue.ts'
import { type ReceiveSettings, receiveRequest } from './body/receive-request.ts'
import type { Call, Observation, Route } from './call.ts'
import { ClientGone } from './faults.ts'
import { findFirmOfCall } from './firm-of-account.ts'
import { type HttpLimits, httpLimits } from './limits.ts'
import { ConcurrentDuplicates } from './once/idempotency.ts'
import { readIdempotencyKey } from './once/idempotency-key.ts'
import {
  type AnyHandler,
  type KnownCall,
  type Performed,
  type Performer,
  performOperation,
} from './perform.ts'
import { listRoutes } from './routes.ts'
import { startCall } from './start-call.ts'

export interface HttpSettings {
  readonly operations: Readonly<Record<string, OperationDefinition>>
  readonly handlers: Readonly<Record<string, AnyHandler>>
  readonly parts: Parts
  readonly pools: { readonly app: Pool; readonly operations: Pool }
  readonly authenticate: Authenticate
  /** Admits people by their sessions; absent where nobody signs in. */
  readonly admitPerson?: AdmitPerson
  /** The service's time: the wall clock, or the sandbox's. */
  readonly clock: () => Date
  readonly logger: Logger
  /** Where uploads wait, encrypted, until their request is done. */
  readonly uploadFolder: string
  readonly observe?: (observation: Observation) => void
  /** Where calls are kept for their callers to look back at. */
  readonly requestLog?: RequestLog
  /** Given when traces are exported; without it trace ids are made and no spans. */
  readonly tracer?: Tracer
  /** Addresses whose X-Forwarded-For is believed. */
  readonly trustedProxies?: readonly string[]
  /** Operations whose reads must all see the database at one moment. */
  readonly readInOneView?: ReadonlySet<string>
  readonly limits?: Partial<HttpLimits>
}

declare module 'fastify' {
  interface FastifyRequest {
    call: Call | undefined
  }
}

/** Makes the application; it listens when told to. `close` lets running requests finish (see `closeHttp`). */
export function createHttp(settings: HttpSettings): FastifyInstance {
  const limits: HttpLimits = { ...httpLimits, ...settings.limits }
  const { logger, parts } = settings
  const outlet: Outlet = {
    logger,
    observe: settings.observe ?? (() => {}),
    requestLog: settings.requestLog,
    limits,
  }
  const app = makeApplication(settings, outlet)
  const routes = listRoutes({ ...settings, sandbox: parts.sandbox })
  for (const { name } of routes) {
    if (settings.handlers[name] === undefined) throw new Error(`operation ${name} has no handler`)
  }
  const performer: Performer = {
    outlet,
    parts,
    clock: settings.clock,
    handlers: settings.handlers,
    readInOneView: settings.readInOneView ?? new Set(),
    duplicates: new ConcurrentDuplicates(),
  }
  const gate: Gate = {
    authenticate: settings.authenticate,
    admitPerson: settings.admitPerson,
    rates: new RateLimiter(),
    sandbox: parts.sandbox,
  }
  refuseOtherMethods(app, routes, settings, outlet)
  const serving: Serving = { settings, outlet, gate, performer, limits }
  const [forms, others] = [true, false].map((ofForms) =>
    routes.filter((route) => (route.operation.body === 'multipart') === ofForms),
  ) as [Route[], Route[]]
  app.register(async (scope) => {
    readBodiesFromTheWire(scope)
    for (const route of others) addRoute(scope, route, serving)
  })
  // Apart from the others, which need not pay for the hooks of the library.
  app.register(async (scope) => {
    readBodiesFromTheWire(scope)
    await scope.register(multipart)
    for (const route of forms) addRoute(scope, route, serving)
  })
  return app
}

/** Fastify's own parsers would take in a body before anybody asked. */
function readBodiesFromTheWire(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

interface Serving {
  readonly settings: HttpSettings
  readonly outlet: Outlet
  readonly gate: Gate
  readonly performer: Performer
  readonly limits: HttpLimits
}

function addRoute(scope: FastifyInstance, route: Route, serving: Serving): void {
  const { outlet, settings } = serving
  const receiving: ReceiveSettings = { limits: serving.limits, uploadFolder: settings.uploadFolder }
  scope.route({
    method: 'POST',
    url: route.path,
    async onRequest(request, reply) {
      const call = startCall(request, route, settings.tracer) as Call & { readonly route: Route }
      request.call = call
      try {
        const refused = await admit(serving.gate, call, request)
        if (refused !== undefined) sendRejections(outlet, call, reply, refused.rejections, refused.headers)
        else if (call.fault?.kind === 'timeout') keepSilent(request, reply)
        // Fastify's own way to the handler has nothing to do for a body that it does not parse.
        else if (route.operation.body !== 'multipart')
          await serve(serving, receiving, call as KnownCall, request, reply)
      } catch (fault) {
        sendFault(outlet, call, reply, fault)
      }
    },
    async handler(request, reply) {
      const call = request.call as KnownCall
      try {
        await serve(serving, receiving, call, request, reply)
      } catch (fault) {
        sendFault(outlet, call, reply, fault)
      }
    },
  })
}

async function serve(
  { outlet, performer, settings }: Serving,
  receiving: ReceiveSettings,
  call: KnownCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const key = call.route.operation.writes ? readIdempotencyKey(request.raw) : undefined
  if (typeof key === 'object') return sendRejections(outlet, call, reply, [key])
  call.idempotencyKey = key
  askForBody(request.raw, reply.raw)
  const received = await receiveRequest(call, request, receiving)
  if (!('value' in received)) return sendRejections(outlet, call, reply, received.rejections)
  const firm = await findFirmOfCall(call, received.value, request, settings)
  if ('code' in firm) {
    await received.release()
    return sendRejections(outlet, call, reply, [firm])
  }
  Object.assign(call, { firm })
  const dropIfAsked = () => {
    if (call.fault?.kind === 'drop after commit') throw new ClientGone('the answer was to be dropped')
  }
  const performed = await performOperation(performer, call, received, key, async (streamed) => {
    dropIfAsked()
    await sendStreamed(outlet, call, reply, streamed)
  }).finally(received.release)
  dropIfAsked()
  await send(outlet, call, reply, performed)
}

async function send(outlet: Outlet, call: Call, reply: FastifyReply, performed: Performed): Promise<void> {
  switch (performed.kind) {
    case 'data': {
      const { data, message } = performed.answer
      call.replayed = performed.replayed
      const headers = performed.replayed ? { 'idempotent-replayed': 'true' } : {}
      return sendText(outlet, call, reply, 200, renderSuccess(data, call.traceId, message), headers)
    }
    case 'rejected': {
      const { rejections, message, retryAfterSeconds } = performed
      const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': `${retryAfterSeconds}` }
      return sendRejections(outlet, call, reply, rejections, headers, message)
    }
    case 'file':
      return sendFile(outlet, call, reply, performed.file)
    case 'streamed':
      return
    default:
      throw new Error(`no way to send ${performed satisfies never}`)
  }
}

/** The sandbox's fault `timeout`: no answer, and the connection ends after a while. */
function keepSilent(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  request.raw.resume()
  const timer = setTimeout(() => request.raw.socket.destroy(), sandboxFaultLimits.silenceMs)
  request.raw.socket.once('close', () => clearTimeout(timer))
}

function makeApplication({ trustedProxies = [] }: HttpSettings, outlet: Outlet): FastifyInstance {
  const { limits } = outlet
  const app = Fastify({
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    http: {
      maxHeaderSize: maxHeaderSizeBytes,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.slowConnectionsCheckMs,
      // Node's own refusal would have no envelope: see refuseOtherMethods.
      requireHostHeader: false,
    },
    // Bodies have times of their own, by their kind.
    requestTimeout: 0,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    clientErrorHandler: (error, socket) => answerClientError(outlet, error, socket as Socket),
    frameworkErrors: (_error, request, reply) => {
      const call = startCall(request, undefined, undefined)
      sendRejections(outlet, call, reply, [
        reject('ERR.2004', '', 'The address of the request is malformed.'),
      ])
    },
  })
  app.server.maxConnections = limits.connectionsMax
  app.decorateRequest('call', undefined)
  deferContinue(app.server)
  app.setErrorHandler((fault, request, reply) => {
    const call = request.call ?? startCall(request, undefined, undefined)
    const refusal = refusalOf(fault)
    if (refusal === undefined) sendFault(outlet, call, reply, fault)
    else sendRejections(outlet, call, reply, [refusal])
  })
  return app
}

/**
 * A business path called with another method than POST, every path that does not exist, and a request that names no
 * host, in the envelope; before Fastify looks at a body that nobody will read.
 */
function refuseOtherMethods(
  app: FastifyInstance,
  routes: readonly Route[],
  { tracer }: HttpSettings,
  outlet: Outlet,
): void {
  const byPath = new Map(routes.map((route) => [route.path, route]))
  const refuse = (request: FastifyRequest, reply: FastifyReply) => {
    const url = request.raw.url ?? ''
    const queryAt = url.indexOf('?')
    const route = byPath.get(queryAt < 0 ? url : url.slice(0, queryAt))
    const call = startCall(request, route, tracer)
    const [rejection, headers] =
      route === undefined ? [noSuchPath, {}] : [methodNotAllowed, { allow: 'POST' }]
    sendRejections(outlet, call, reply, [rejection], headers)
  }
  app.addHook('onRequest', (request, reply, done) => {
    const { headers, httpVersion } = request.raw
    if (headers.host === undefined && httpVersion === '1.1') {
      const call = startCall(request, undefined, tracer)
      sendRejections(outlet, call, reply, [hostMissing], { connection: 'close' })
    } else if (request.is404) refuse(request, reply)
    else done()
  })
  app.setNotFoundHandler(refuse)
}

const noSuchPath = reject('ERR.2013', '', 'There is no such operation.')
const hostMissing = reject('ERR.2004', '', 'The header Host is missing.')
const methodNotAllowed = reject('ERR.2006', '', 'The operation is called with POST.')

/** What Fastify refuses by itself, on paths that are not of the table. */
function refusalOf(fault: unknown): Rejection | undefined {
  const status = fault instanceof Error && 'statusCode' in fault ? Number(fault.statusCode) : 500
  if (status < 400 || status > 499) return undefined
  if (status === 413) return reject('ERR.2015', '', 'The body is too large.')
  if (status === 415) return reject('ERR.2005', '', 'The Content-Type is not supported.')
  return reject('ERR.2004', '', 'The request is malformed.')
}

const maxHeaderSizeBytes = 16_384
