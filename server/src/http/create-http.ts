/**
 * The HTTP side of the service: a Fastify application whose routes come from the table of operations. A request passes
 * route → token, rate, scope → body → idempotency → transaction and handler → envelope. Each step begins only after the
 * step before it succeeded.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { type OperationDefinition, type Rejection, reject, rejectionsAsSent } from '@clearing/protocol'
import multipart from '@fastify/multipart'
import type { Tracer } from '@opentelemetry/api'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { lastPosition, positionSeen } from '../database/flush.ts'
import type { Pool } from '../database/pool.ts'
import type { Replica } from '../database/replica.ts'
import type { Authenticate } from '../identity/authenticate.ts'
import { decorateWithCertificate } from '../identity/binding/client-certificate.ts'
import { addressOf, entryWithoutAddress, trustOf } from '../identity/caller-address.ts'
import type { Parts } from '../operations/parts.ts'
import { admit, type Gate } from './admission/admit.ts'
import { RateLimiter, type ShareRates } from './admission/rate-limit.ts'
import { sandboxFaultLimits } from './admission/sandbox-fault.ts'
import type { AdmitPerson } from './admission/session.ts'
import { type Outlet, sendFault, sendRejections, sendText } from './answer/answer.ts'
import { sendFile, sendStreamed } from './answer/answer-in-parts.ts'
import { answerClientError } from './answer/client-error.ts'
import { renderSuccess } from './answer/envelope.ts'
import { limitedResponses } from './answer/limited-responses.ts'
import type { RequestLog } from './answer/request-log.ts'
import { askForBody, deferContinue } from './body/expect-continue.ts'
import { cutSlowBody } from './body/read-body.ts'
import { type ReceiveSettings, receiveRequest } from './body/receive-request.ts'
import type { Call, Observation, Route, RoutePool } from './call.ts'
import { ClientGone } from './faults.ts'
import { findFirmOfCall } from './firm-of-account.ts'
import { answerHalfClosed } from './half-closed.ts'
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
import { refuseRequests } from './refuse-requests.ts'
import { listRoutes } from './routes.ts'
import { startCall } from './start-call.ts'

export interface HttpSettings {
  readonly operations: Readonly<Record<string, OperationDefinition>>
  readonly handlers: Readonly<Record<string, AnyHandler>>
  readonly parts: Parts
  readonly pools: Readonly<Record<RoutePool, Pool>>
  readonly authenticate: Authenticate
  /** Admits people by their sessions; absent when no people sign in. */
  readonly admitPerson?: AdmitPerson
  /** The time of the service: the wall clock, or the clock of the sandbox. */
  readonly clock: () => Date
  readonly logger: Logger
  /** The folder of encrypted uploads, which are removed at the end of their request. */
  readonly uploadFolder: string
  readonly observe?: (observation: Observation) => void
  /** The log in which callers find their own calls. */
  readonly requestLog?: RequestLog
  /** Present when traces are exported. Without a tracer, calls have trace ids and no spans. */
  readonly tracer?: Tracer
  /** Addresses of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies?: readonly string[]
  /** The header in which such a proxy passes on the TLS certificate of a client, in lower case. */
  readonly clientCertificateHeader?: string | undefined
  /**
   * The server of another application, which passes requests on with `routing`. If absent, the application
   * gets its own server.
   */
  readonly server?: Server
  /** Operations whose reads must all see the same snapshot of the database. */
  readonly readInOneView?: ReadonlySet<string>
  /** Operations of the clearing firm whose statements may take long. */
  readonly readAtLength?: ReadonlySet<string>
  /** Standbys, and the operations that may be answered from them. */
  readonly replica?: Replica | undefined
  readonly readFromReplica?: ReadonlySet<string>
  readonly limits?: Partial<HttpLimits>
  /** Present when several processes serve behind one port. */
  readonly shareRates?: ShareRates | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    call: Call | undefined
  }
}

/**
 * Makes the application; the caller starts it with `listen`. `close` lets running requests finish (see `closeHttp`).
 */
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
    replica: settings.replica,
    readFromReplica: settings.readFromReplica ?? new Set(),
    duplicates: new ConcurrentDuplicates(),
  }
  const rates = new RateLimiter()
  settings.shareRates?.('calls', rates)
  const gate: Gate = {
    authenticate: settings.authenticate,
    admitPerson: settings.admitPerson,
    rates,
    sandbox: parts.sandbox,
  }
  refuseRequests(app, routes, settings.tracer, outlet)
  const serving: Serving = { settings, outlet, gate, performer, limits }
  const [forms, others] = [true, false].map((ofForms) =>
    routes.filter((route) => (route.operation.body === 'multipart') === ofForms),
  ) as [Route[], Route[]]
  app.register(async (scope) => {
    readBodiesFromTheWire(scope)
    for (const route of others) addRoute(scope, route, serving)
  })
  // In a scope of its own, so that other operations do not pay for the hooks of the multipart library.
  app.register(async (scope) => {
    readBodiesFromTheWire(scope)
    await scope.register(multipart)
    for (const route of forms) addRoute(scope, route, serving)
  })
  return app
}

/** Disables Fastify's own parsers, which would read a body before the call is admitted. */
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
        if (refused !== undefined)
          sendRejections(outlet, call, reply, refused.rejections, { headers: refused.headers })
        else if (call.fault?.kind === 'timeout') keepSilent(request, reply)
        // Fastify's own route to the handler is not needed for a body that Fastify does not parse.
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
  const firm = await findFirmOfCall(call, received.value, request, settings).catch(async (fault) => {
    await received.release()
    throw fault
  })
  if ('code' in firm) {
    await received.release()
    return sendRejections(outlet, call, reply, [firm])
  }
  Object.assign(call, { firm })
  const dropIfAsked = () => {
    if (call.fault?.kind === 'drop after commit')
      throw new ClientGone('the sandbox fault dropped the response')
  }
  const performed = await performOperation(performer, call, received, key, async (streamed) => {
    dropIfAsked()
    await sendStreamed(outlet, call, reply, streamed)
  }).finally(received.release)
  dropIfAsked()
  if (performed.kind === 'data') {
    const { writes, namesState } = call.route.operation
    const { app, operations } = settings.pools
    if (writes) call.consistency = lastPosition(app, operations)
    else if (namesState === true) call.consistency = positionSeen(app, operations)
  }
  await send(outlet, call, reply, inNamesOfCaller(call, performed))
}

/** An error names its field as the request does, of the names that stand for one field (Reading 1.9). */
function inNamesOfCaller({ route, bodySent }: KnownCall, performed: Performed): Performed {
  if (performed.kind !== 'rejected') return performed
  const { request } = route.operation
  return { ...performed, rejections: rejectionsAsSent(request, bodySent, performed.rejections) }
}

async function send(outlet: Outlet, call: Call, reply: FastifyReply, performed: Performed): Promise<void> {
  switch (performed.kind) {
    case 'data': {
      const { data, message } = performed.answer
      call.replayed = performed.replayed
      const headers = performed.replayed ? { 'idempotent-replayed': 'true' } : {}
      return sendText(outlet, call, reply, {
        status: 200,
        text: renderSuccess(data, call.traceId, message),
        headers,
      })
    }
    case 'rejected': {
      const { rejections, message, retryAfterSeconds } = performed
      const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': `${retryAfterSeconds}` }
      return sendRejections(outlet, call, reply, rejections, { headers, message })
    }
    case 'file':
      return sendFile(outlet, call, reply, performed.file)
    case 'streamed':
      return
    default:
      throw new Error(`no way to send ${performed satisfies never}`)
  }
}

/** The sandbox fault `timeout`: sends no response and closes the connection after a while. */
function keepSilent(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  request.raw.resume()
  const timer = setTimeout(() => request.raw.socket.destroy(), sandboxFaultLimits.silenceMs)
  request.raw.socket.once('close', () => clearTimeout(timer))
}

/**
 * Fastify loads its compilers of schemas at each start, unless others are given. No route has a schema of Fastify's.
 */
const noCompilers = { buildValidator: noCompiler, buildSerializer: noCompiler }
function noCompiler(): never {
  throw new Error('routes have no schemas of Fastify')
}

function makeApplication(
  { trustedProxies = [], server, clientCertificateHeader }: HttpSettings,
  outlet: Outlet,
): FastifyInstance {
  const { limits } = outlet
  const app = Fastify({
    ...(server === undefined ? {} : { serverFactory: () => standInFor(server) }),
    trustProxy: trustedProxies.length === 0 ? false : trustOf(trustedProxies),
    rewriteUrl: ({ url = '/' }) => (url.startsWith('/') ? url : inOriginForm(url)),
    http: {
      maxHeaderSize: maxHeaderSizeBytes,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.slowConnectionsCheckMs,
      // Node's own refusal would have no envelope: see refuseRequests.
      requireHostHeader: false,
      ServerResponse: limitedResponses(limits),
    },
    // Each kind of body has its own time limit.
    requestTimeout: 0,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    return503OnClosing: false,
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: noCompilers },
    clientErrorHandler: (error, socket) => answerClientError(outlet, error, socket as Socket),
    frameworkErrors: (_error, request, reply) => {
      const call = startCall(request, undefined, undefined)
      sendRejections(outlet, call, reply, [
        reject('ERR.2004', '', 'The address of the request is malformed.'),
      ])
    },
  })
  app.decorateRequest('call', undefined)
  if (trustedProxies.length > 0) warnOfForwarded(app, outlet.logger)
  app.addHook('preParsing', (request, reply, payload, done) => {
    // Forms of the token endpoint and of the sign-in. The body of an operation has limits of its own.
    if (request.call === undefined) {
      askForBody(request.raw, reply.raw)
      cutSlowForm(request.raw, limits)
    }
    done(null, payload)
  })
  decorateWithCertificate(app, clientCertificateHeader)
  if (server === undefined) {
    app.server.maxConnections = limits.connectionsMax
    deferContinue(app.server)
    answerHalfClosed(app.server)
    // Without a listener Node closes the connection without a response.
    app.server.on('connect', (_request, socket) => answerClientError(outlet, notAProxy, socket as Socket))
  }
  app.setErrorHandler((fault, request, reply) => {
    const call = request.call ?? startCall(request, undefined, undefined)
    const refusal = refusalOf(fault)
    if (refusal === undefined) sendFault(outlet, call, reply, fault)
    else sendRejections(outlet, call, reply, [refusal])
  })
  return app
}

/** Warns once. The text comes from outside, so it is shortened. */
function warnOfForwarded(app: FastifyInstance, logger: Logger): void {
  let warned = false
  app.addHook('onRequest', (request, _reply, done) => {
    const entry = warned ? undefined : entryWithoutAddress(request)
    if (entry !== undefined) {
      warned = true
      logger.warn(
        { entry: entry.slice(0, 60), proxy: addressOf(request) },
        'the proxy sends an X-Forwarded-For whose last entry is no address: the address of the proxy stands for that of the caller',
      )
    }
    done()
  })
}

/** A proxy may send the whole address as the target of a request (RFC 9112, 3.2.2). */
function inOriginForm(url: string): string {
  const [origin] = /^https?:\/\/[^/?#]*/i.exec(url) ?? ['']
  if (origin === '') return url
  const rest = url.slice(origin.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

function cutSlowForm(raw: IncomingMessage, { bodyTimeoutMs, bodyIdleTimeoutMs }: HttpLimits): void {
  if (raw.complete) return
  const stop = cutSlowBody(raw, { totalTimeoutMs: bodyTimeoutMs, idleTimeoutMs: bodyIdleTimeoutMs })
  raw.once('close', stop)
}

/** A server that never listens. Its address and state are those of the other server. */
function standInFor(server: Server): Server {
  return Object.defineProperty(createServer(), 'listening', { get: () => server.listening })
}

const notAProxy = Object.assign(new Error('CONNECT is for proxies'), { code: 'CONNECT' })

/** Renders an error that Fastify raises itself, on paths outside the table. */
function refusalOf(fault: unknown): Rejection | undefined {
  const status = fault instanceof Error && 'statusCode' in fault ? Number(fault.statusCode) : 500
  if (status < 400 || status > 499) return undefined
  if (status === 413) return reject('ERR.2015', '', 'The body is too large.')
  if (status === 415) return reject('ERR.2005', '', 'The Content-Type is not supported.')
  return reject('ERR.2004', '', 'The request is malformed.')
}

const maxHeaderSizeBytes = 16_384
