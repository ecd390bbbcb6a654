/**
 * `GET /console/changes` notifies a page of the console that data changed, at most once a second, so that the
 * page loads its data again. The notice does not say which data changed, because the reads check permissions.
 * Each notice and each heartbeat contains the service's time. The stream ends with the session.
 */
import { limits, reject } from '@clearing/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ChangeListener } from '../../database/change-listener.ts'
import { readSessionCookie } from '../../identity/staff/cookies.ts'
import type { People } from '../../identity/staff/people.ts'
import { noSession } from '../admission/session.ts'
import { headersOf, type Outlet, sendFault, sendRejections } from '../answer/answer.ts'
import { endWithReader } from '../half-closed.ts'
import { httpLimits } from '../limits.ts'
import { startCall } from '../start-call.ts'

const notifyEveryMs = 1_000
const streamsPerPersonMax = 20

interface Stream {
  readonly staffId: string
  readonly session: string
  readonly reply: FastifyReply
}

interface ChangeSettings {
  readonly listener: ChangeListener
  readonly clock: () => Date
}

export function mountChanges(
  app: FastifyInstance,
  people: People,
  { listener, clock }: ChangeSettings,
): void {
  const outlet: Outlet = { logger: people.log, observe: () => {}, limits: httpLimits }
  const open = new Set<Stream>()
  const write = (stream: Stream, text: string): void => {
    const { raw } = stream.reply
    // A client that does not read is disconnected. It reconnects and loads everything again.
    if (raw.writableLength > 0 || !raw.write(text)) raw.destroy()
  }
  const end = (stream: Stream, text: string): void => {
    open.delete(stream)
    stream.reply.raw.end(text)
  }

  const renderNotice = (event: 'changed' | 'time') =>
    `event: ${event}\ndata: ${JSON.stringify({ now: clock().toISOString() })}\n\n`

  let waiting: NodeJS.Timeout | undefined
  listener.onChange(() => {
    waiting ??= setTimeout(() => {
      waiting = undefined
      for (const stream of open) write(stream, renderNotice('changed'))
    }, notifyEveryMs).unref()
  })
  const beat = setInterval(() => {
    for (const stream of open) {
      people.sessions.find(stream.session, false).then(
        (session) =>
          session === undefined
            ? end(stream, 'event: signed-out\ndata: {}\n\n')
            : write(stream, renderNotice('time')),
        () => {},
      )
    }
  }, limits.eventHeartbeatSeconds * 1_000).unref()
  // These requests never end by themselves, so they are closed before the server waits for its requests.
  app.addHook('preClose', async () => {
    clearInterval(beat)
    clearTimeout(waiting)
    for (const stream of open) end(stream, '')
  })

  app.get('/console/changes', async (request: FastifyRequest, reply: FastifyReply) => {
    const call = startCall(request, undefined, undefined)
    try {
      const value = readSessionCookie(request.raw, people.originOf(request)) ?? ''
      const session = await people.sessions.find(value, false)
      if (session === undefined) return sendRejections(outlet, call, reply, [noSession])
      const { staffId } = session
      if ([...open].filter((each) => each.staffId === staffId).length >= streamsPerPersonMax)
        return sendRejections(outlet, call, reply, [
          reject('ERR.2007', '', `You have ${streamsPerPersonMax} pages of the console open.`),
        ])
      reply.hijack()
      const stream: Stream = { staffId, session: value, reply }
      reply.raw.once('close', () => open.delete(stream))
      endWithReader(reply.raw)
      reply.raw.on('error', () => open.delete(stream))
      const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }
      reply.raw.writeHead(200, headersOf(call, reply, headers))
      reply.raw.write(renderNotice('time'))
      open.add(stream)
    } catch (fault) {
      sendFault(outlet, call, reply, fault)
    }
  })
}
