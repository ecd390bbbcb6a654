/**
 * Refuses requests that no route may see, in the envelope and before Fastify reads a body: other methods than those of
 * the path, unknown paths, a missing or repeated Host header, and codings of the transfer that the service does not
 * undo.
 */
import type { IncomingMessage } from 'node:http'
import { type Rejection, reject } from '@clearing/protocol'
import type { Tracer } from '@opentelemetry/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { countHeader } from './admission/bearer.ts'
import { type Outlet, sendRejections } from './answer/answer.ts'
import type { Route } from './call.ts'
import { prepareNoSuchPath } from './nearest-operation.ts'
import { rememberPaths } from './served-paths.ts'
import { startCall } from './start-call.ts'

/** Headers of all responses, pages included: browsers use HTTPS only, and do not guess the type of a response. */
const ofEveryAnswer = {
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000',
}

/** Called before the routes are added. */
export function refuseRequests(
  app: FastifyInstance,
  routes: readonly Route[],
  tracer: Tracer | undefined,
  outlet: Outlet,
): void {
  const byPath = new Map(routes.map((route) => [route.path, route]))
  const methodsOf = rememberPaths(app)
  const noSuchPath = prepareNoSuchPath([...byPath.keys()], (path) => methodsOf(path).length > 0)
  const refuse = (request: FastifyRequest, reply: FastifyReply) => {
    const url = request.raw.url ?? ''
    const queryAt = url.indexOf('?')
    const path = queryAt < 0 ? url : url.slice(0, queryAt)
    const route = byPath.get(path)
    const call = startCall(request, route, tracer)
    const methods = methodsOf(path)
    const [rejection, headers] =
      methods.length === 0
        ? [noSuchPath(path), {}]
        : [refuseMethod(route, methods), { allow: methods.join(', ') }]
    sendRejections(outlet, call, reply, [rejection], { headers })
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(ofEveryAnswer)
    const refusal = refuseHost(request.raw) ?? refuseCoding(request.raw)
    if (refusal !== undefined) {
      const call = startCall(request, undefined, tracer)
      sendRejections(outlet, call, reply, [refusal], { headers: { connection: 'close' } })
    } else if (request.is404) refuse(request, reply)
    else done()
  })
  app.setNotFoundHandler(refuse)
}

function refuseMethod(route: Route | undefined, methods: readonly string[]): Rejection {
  const called = route === undefined ? 'This path' : 'The operation'
  return reject('ERR.2006', '', `${called} is called with ${methods.join(' or ')}.`)
}

const hostMissing = reject('ERR.2004', '', 'The header Host is missing.')
const hostRepeated = reject('ERR.2004', '', 'The header Host must be given once.')
const notOnlyChunked = reject(
  'ERR.2004',
  '',
  'The Transfer-Encoding must be chunked alone: the service does not undo other codings.',
)

/**
 * A request has one Host (RFC 9112, 3.2): a proxy before the service could take the other one of two. HTTP/1.0 has
 * none. Node keeps the first Host, so two are counted.
 */
function refuseHost({ headers, httpVersion, rawHeaders }: IncomingMessage): Rejection | undefined {
  if (headers.host === undefined) return httpVersion === '1.1' ? hostMissing : undefined
  return countHeader(rawHeaders, 'host') > 1 ? hostRepeated : undefined
}

/**
 * Node undoes `chunked` and leaves the codings before it in the body, although RFC 9112, 6.1 makes them part of the
 * transfer.
 */
function refuseCoding({ headers }: IncomingMessage): Rejection | undefined {
  const coding = headers['transfer-encoding']
  return coding === undefined || /^[\s,]*chunked[\s,]*$/i.test(coding) ? undefined : notOnlyChunked
}
