/**
 * The token service's paths on the server: tokens, metadata and public keys. Every response is JSON without the
 * envelope.
 */

import { limits } from '@clearing/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseUnavailable } from '../database/faults.ts'
import { addressOf } from './caller-address.ts'
import {
  invalidRequest,
  methodNotAllowed,
  requestTooLarge,
  serverError,
  type TokenError,
  unavailable,
} from './endpoint/token-error.ts'
import type { Identity } from './identity.ts'
import { signingKeyTimes } from './keys/signing-key.ts'
import { identityPaths, renderKeys, renderMetadata } from './metadata.ts'

const alsoHead = { exposeHeadRoute: true }
const otherMethods = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
const json = 'application/json; charset=utf-8'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route refuses its methods, which are therefore not methods of its path. */
    onlyRefuses?: boolean
  }
}

/** Adds the paths to a server, with their own parsers and error responses. */
export function mountIdentity(server: FastifyInstance, identity: Identity): void {
  server.register(async (part) => {
    part.removeAllContentTypeParsers()
    // Accepts any media type up to a limit, so that this service itself refuses a wrong one.
    part.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    part.setErrorHandler((error, _request, reply) => {
      const answer = asTokenError(error)
      if (answer.status >= 500) identity.onFault(error)
      return sendError(reply, answer)
    })

    for (const url of [identityPaths.token, identityPaths.tokenAlias]) {
      part.route({
        method: 'POST',
        url,
        bodyLimit: limits.tokenFormSizeBytesMax,
        handler: (request, reply) => answerToken(identity, request, reply),
      })
      part.route({
        method: [...otherMethods],
        url,
        config: { onlyRefuses: true },
        handler: (_request, reply) => sendError(reply, methodNotAllowed),
      })
    }

    const metadata = JSON.stringify(renderMetadata(identity.issuer, identity.takesCertificates))
    for (const url of metadataPaths(identity.issuer)) {
      part.get(url, alsoHead, (_request, reply) => sendPublic(reply, json, metadata))
    }
    part.get(identityPaths.keys, alsoHead, async (_request, reply) => {
      const snapshot = await identity.directory.current()
      return sendPublic(
        reply,
        'application/jwk-set+json',
        JSON.stringify(renderKeys(snapshot, identity.now())),
      )
    })
  })
}

const uncached = {
  'Content-Type': json,
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000',
} as const

async function answerToken(
  identity: Identity,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { rawHeaders, url } = request.raw
  const body = Buffer.isBuffer(request.body) ? request.body : undefined
  const answer = await identity.answerTokenRequest(
    { rawHeaders, url, body, certificate: request.clientCertificate },
    addressOf(request),
  )
  switch (answer.kind) {
    case 'granted':
      return sendGranted(reply, answer.body)
    case 'refused':
      return sendUncached(reply, answer.status, answer.body)
    case 'error':
      return sendError(reply, answer.error)
    default:
      throw new Error(`unknown answer ${answer satisfies never}`)
  }
}

function sendUncached(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).headers(uncached).send(body)
}

/**
 * Sends through Node's own response, like the responses of operations: Fastify's serialization is not needed for text.
 */
function sendGranted(reply: FastifyReply, body: string): FastifyReply {
  reply.hijack()
  const headers: Record<string, string> = {
    ...uncached,
    'Content-Length': `${Buffer.byteLength(body)}`,
  }
  // The service is stopping, so the client must not reuse this connection.
  if (!reply.server.server.listening) headers.Connection = 'close'
  reply.raw.writeHead(200, headers)
  reply.raw.end(body)
  return reply
}

function sendError(reply: FastifyReply, error: TokenError): FastifyReply {
  return sendUncached(
    reply.headers(error.headers ?? {}),
    error.status,
    JSON.stringify({ error: error.error, error_description: error.description }),
  )
}

function sendPublic(reply: FastifyReply, type: string, body: string): FastifyReply {
  return reply
    .header('Content-Type', type)
    .header('X-Content-Type-Options', 'nosniff')
    .header('Cache-Control', `public, max-age=${signingKeyTimes.cachedSeconds}`)
    .send(body)
}

/** Renders errors that the server found before or during the request. */
function asTokenError(error: unknown): TokenError {
  if (error instanceof DatabaseUnavailable) return unavailable
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  if (status === 413) return requestTooLarge(limits.tokenFormSizeBytesMax)
  if (typeof status === 'number' && status >= 400 && status < 500)
    return invalidRequest('The request cannot be read.')
  return serverError
}

/** RFC 8414 puts the well-known part before the issuer's own path, if it has one. */
function metadataPaths(issuer: string): string[] {
  const own = new URL(issuer).pathname.replace(/\/$/, '')
  const paths = [identityPaths.metadata, identityPaths.openidMetadata]
  return own === '' ? paths : [...paths, ...paths.map((path) => path + own)]
}
