/**
 * Compresses the pages and files of the documentation for browsers that accept gzip. Each is compressed once,
 * because they do not change while the service runs.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const compress = promisify(gzip)
const sizeBytesMin = 1_024

export function packAnswers(app: FastifyInstance): void {
  const packed = new Map<string, Promise<Buffer>>()
  app.addHook('onSend', async (request, reply, payload) => {
    const isText = /^(text|application)\//.test(String(reply.getHeader('content-type')))
    const isFresh = reply.getHeader('cache-control') === 'no-store'
    if (!isText || isFresh || request.method !== 'GET') return payload
    if (!(typeof payload === 'string' || Buffer.isBuffer(payload)) || payload.length < sizeBytesMin)
      return payload
    reply.header('Vary', 'Accept-Encoding')
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return payload
    const { url = '' } = request.routeOptions
    const known = packed.get(url) ?? compress(payload)
    packed.set(url, known)
    reply.header('Content-Encoding', 'gzip').removeHeader('Content-Length')
    return known
  })
}
