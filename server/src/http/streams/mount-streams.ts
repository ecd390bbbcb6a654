/**
 * `GET /account-api/v1/events`: admits readers as operations do, limits the streams of a client, and ends the streams
 * of ended tokens.
 */
import { eventStreamPath, eventStreamRequest, limits, readRequest, reject } from '@clearing/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { positionSeen } from '../../database/flush.ts'
import type { Pool } from '../../database/pool.ts'
import { inTransaction, readInFirm } from '../../database/transaction.ts'
import type { LogTail } from '../../events/log-tail.ts'
import { type AskedEvents, cursorInFuture, readWanted, type WantedEvents } from '../../events/read-filter.ts'
import { noteOfAccount } from '../../firm-rules/account-not-found.ts'
import type { Authenticate } from '../../identity/authenticate.ts'
import type { Caller } from '../../identity/caller.ts'
import type { Sender } from '../../identity/sender.ts'
import { type ReadRows, readLogPage } from '../../store/event-log.ts'
import type { Firm } from '../../store/firm.ts'
import { beingMoved, movingPauseSeconds } from '../admission/admit.ts'
import { type Challenge, challengeOf, inSchemeOf, readToken, scopeMissing } from '../admission/bearer.ts'
import { RateLimiter, type ShareRates } from '../admission/rate-limit.ts'
import { headersOf, type Outlet, sendFault, sendRejections } from '../answer/answer.ts'
import { gatherMembers, queryOf } from '../body/query.ts'
import type { Call } from '../call.ts'
import { endWithReader } from '../half-closed.ts'
import { httpLimits } from '../limits.ts'
import { startCall } from '../start-call.ts'
import { EventStream, renderStreamed } from './stream.ts'

export interface StreamsSettings {
  readonly app: Pool
  readonly tail: LogTail
  readonly authenticate: Authenticate
  readonly logger: Logger
  /** The service's public address: the `source` of its events. */
  readonly source: string
  /** How long a stream may be silent. */
  readonly heartbeatMs?: number
  /** How long a reader may take to read the sent data. */
  readonly slowReaderTimeoutMs?: number
  readonly shareRates?: ShareRates | undefined
}

const scope = 'events:read'
/** Interval of token checks: within it, every instance ends the streams of a disabled client (Reading 2.2). */
const tokenCheckMs = 1_000
const tooManyPauseSeconds = '5'

interface OpenStream {
  readonly token: string
  readonly sender: Sender
  readonly stream: EventStream
  end(reason: string): void
}

interface Serving {
  readonly settings: StreamsSettings
  readonly outlet: Outlet
  readonly rates: RateLimiter
  readonly open: Set<OpenStream>
  /** The number of streams of each client, including streams that are being opened. */
  readonly counts: Map<string, number>
}

type Admitted = Call & { readonly firm: Firm; readonly caller: Caller }

export function mountStreams(app: FastifyInstance, settings: StreamsSettings): void {
  const outlet: Outlet = { logger: settings.logger, observe: () => {}, limits: httpLimits }
  const rates = new RateLimiter()
  settings.shareRates?.('streams', rates)
  const open = new Set<OpenStream>()
  const counts = new Map<string, number>()
  const heartbeatMs = settings.heartbeatMs ?? limits.eventHeartbeatSeconds * 1_000
  const timer = setInterval(
    () => {
      for (const each of open) {
        void checkToken(settings.authenticate, each)
        each.stream.beat(heartbeatMs)
      }
    },
    Math.min(tokenCheckMs, heartbeatMs),
  )
  timer.unref()
  // Streams never end by themselves, so they are closed before the server waits for its requests.
  app.addHook('preClose', async () => {
    clearInterval(timer)
    for (const each of open) each.end('the service stops')
  })
  app.register(async (part) => {
    part.route({
      method: 'GET',
      url: eventStreamPath,
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        const call = startCall(request, undefined, undefined)
        try {
          await serve({ settings, outlet, rates, open, counts }, call, request, reply)
        } catch (fault) {
          sendFault(outlet, call, reply, fault)
        }
      },
      handler: () => {},
    })
  })
}

async function serve(
  serving: Serving,
  call: Call,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { settings, outlet, rates, counts } = serving
  const query = queryOf(request.raw.url ?? '')
  const refuse = (challenge: Challenge) => {
    const { rejections, wwwAuthenticate } = inSchemeOf(request.raw.headers.authorization, challenge)
    sendRejections(outlet, call, reply, rejections, { headers: { 'www-authenticate': wwwAuthenticate } })
  }
  const read = readToken(request, query)
  if ('rejections' in read) return refuse(read)
  const { token, presented } = read
  const { address, traceId } = call
  const authentication = await settings.authenticate(token, { address, traceId, presented })
  if (authentication.kind !== 'known') return refuse(challengeOf(authentication))
  if (!authentication.caller.scopes.has(scope)) return refuse(scopeMissing(scope))
  const { firm, caller } = authentication
  Object.assign(call, { firm, caller })
  if (firm.moving) {
    const headers = { 'retry-after': movingPauseSeconds }
    return sendRejections(outlet, call, reply, [beingMoved], { headers })
  }
  const { clientId } = caller
  call.rate = rates.take(clientId, firm.settings.requestsPerSecond, performance.now())
  const count = counts.get(clientId) ?? 0
  if (!call.rate.allowed || count >= limits.eventStreamsPerClientMax) {
    const reason = call.rate.allowed
      ? `The client has ${count} streams open, and may have no more.`
      : `More than ${firm.settings.requestsPerSecond} requests a second.`
    return sendRejections(outlet, call, reply, [reject('ERR.2007', '', reason)], {
      headers: {
        'retry-after': tooManyPauseSeconds,
      },
    })
  }
  if (!acceptsStream(request.raw.headers.accept)) {
    return sendRejections(outlet, call, reply, [reject('ERR.2014', '', 'The answer is text/event-stream.')])
  }
  counts.set(clientId, count + 1)
  try {
    const wanted = await readQuery(settings, firm, query, request.raw.headers['last-event-id'])
    if ('rejections' in wanted) return sendRejections(outlet, call, reply, wanted.rejections)
    if (!request.server.server.listening) return void request.raw.socket.destroy()
    await stream(serving, call as Admitted, { token, wanted }, reply)
  } finally {
    const left = (counts.get(clientId) ?? 1) - 1
    if (left === 0) counts.delete(clientId)
    else counts.set(clientId, left)
  }
}

/** Reads the query by the rules of an operation; `types` may be given several times. */
async function readQuery(
  { app }: StreamsSettings,
  firm: Firm,
  query: string,
  lastEventId: string | string[] | undefined,
): Promise<WantedStream | { readonly rejections: WantedRejections }> {
  const given = [...new URLSearchParams(query)]
  const types = given.filter(([name]) => /^types?$/i.test(name)).map(([, value]) => value)
  const others = given.filter(([name]) => !/^types?$/i.test(name))
  const { members, duplicates } = gatherMembers(
    types.length === 0 ? others : [...others, ['types', types.join(',')] as const],
  )
  const read = readRequest(eventStreamRequest, members, { duplicates, fromText: true })
  if (read.rejections.length > 0) return { rejections: read.rejections }
  const asked: AskedEvents = {
    ...(read.value as AskedEvents),
    ...(typeof lastEventId === 'string' && lastEventId !== '' ? { cursor: lastEventId } : {}),
  }
  return inTransaction(app, { firm: firm.firmId, readOnly: true, repeatable: true }, async (tx) => {
    const wanted = await readWanted(asked, { firm, tx })
    if ('rejections' in wanted) return wanted
    const { after, filter, isMoved } = wanted
    const rows = tx.rows.bind(tx)
    if (after !== undefined && !isMoved) {
      const page = await readLogPage(rows, firm.firmId, after, filter, { size: 1 })
      if (page === 'future') return { rejections: [cursorInFuture] }
    }
    const { accountNumber } = filter
    if (accountNumber === undefined) return { ...wanted, note: undefined }
    // A reserved number has events, and is not an account yet.
    const log = await readLogPage(rows, firm.firmId, undefined, { types: [], accountNumber }, { size: 1 })
    const isEmpty = typeof log === 'string' || log.events.length === 0
    return { ...wanted, note: isEmpty ? await noteOfAccount(accountNumber, { firm, tx }) : undefined }
  })
}

interface WantedStream extends WantedEvents {
  /** For the reader: the account of the filter does not exist. */
  readonly note: string | undefined
}

type WantedRejections = Extract<
  Awaited<ReturnType<typeof readWanted>>,
  { readonly rejections: unknown }
>['rejections']

async function stream(
  { settings, outlet, open }: Serving,
  call: Admitted,
  { token, wanted }: { readonly token: string; readonly wanted: WantedStream },
  reply: FastifyReply,
): Promise<void> {
  const { app, tail, source, logger } = settings
  const { firmId, moves } = call.firm
  const { clientId } = call.caller
  const response = reply.raw
  const controller = new AbortController()
  const rows: ReadRows = (what, values) => readInFirm(app, firmId, what, values)
  const watch = tail.watch(firmId)
  let why = 'the reader left or was too slow'
  try {
    const opened = await EventStream.open({
      response,
      firmId,
      moves,
      filter: wanted.filter,
      after: wanted.after,
      note: wanted.note,
      rows,
      tail: watch.tail,
      render: (event) => renderStreamed(event, source, positionSeen(app)),
      slowReaderTimeoutMs: settings.slowReaderTimeoutMs ?? outlet.limits.slowReaderTimeoutMs,
      signal: controller.signal,
    })
    reply.hijack()
    const entry: OpenStream = {
      token,
      sender: { address: call.address, traceId: call.traceId, presented: undefined },
      stream: opened,
      end(reason) {
        why = reason
        controller.abort()
      },
    }
    response.once('close', () => controller.abort())
    endWithReader(response)
    if (response.destroyed) controller.abort()
    open.add(entry)
    logger.info({ traceId: call.traceId, firmId, clientId, address: call.address }, 'event stream opened')
    try {
      response.writeHead(200, headersOf(call, reply, streamHeaders))
      response.flushHeaders()
      await opened.run()
    } catch (fault) {
      // The reader reconnects and continues where it stopped.
      why = 'the log could not be read'
      logger.warn({ traceId: call.traceId, err: fault }, 'event stream')
    } finally {
      open.delete(entry)
      // Data that a reader does not take would stay in memory.
      if (response.writableNeedDrain) response.destroy()
      else response.end()
      const openMs = Math.round(performance.now() - call.startedMs)
      logger.info({ traceId: call.traceId, firmId, clientId, why, openMs }, 'event stream ended')
    }
  } finally {
    watch.leave()
  }
}

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  connection: 'close',
  // Makes proxies pass data on at once instead of buffering it.
  'x-accel-buffering': 'no',
}

async function checkToken(authenticate: Authenticate, { token, sender, end }: OpenStream): Promise<void> {
  try {
    const authentication = await authenticate(token, sender)
    if (authentication.kind === 'known' && authentication.firm.moving)
      return end('the firm moves to another cell')
    if (authentication.kind === 'known' && authentication.caller.scopes.has(scope)) return
    end('the token has ended')
  } catch {
    end('the token could not be checked')
  }
}

function acceptsStream(accept: string | undefined): boolean {
  return accept === undefined || /(^|,)\s*(text\/event-stream|text\/\*|\*\/\*)\s*(;|,|$)/i.test(accept)
}
