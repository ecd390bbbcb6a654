/**
 * Writes long responses while they are read: a list inside the envelope, or a file. Memory use does not grow
 * with the response. When a response cannot be finished, the connection is closed, so that no client takes an
 * incomplete response for a complete one.
 */
import type { FastifyReply } from 'fastify'
import type { FileAnswer, Streamed } from '../../answers.ts'
import type { Call } from '../call.ts'
import { AnswerBroken } from '../faults.ts'
import { drained, type Headers, headersOf, type Outlet, settle } from './answer.ts'
import { renderEnd, renderStart } from './envelope.ts'

/**
 * Writes the list. The head is sent with the first part, so that an earlier failure gets an ordinary error response.
 * Throws AnswerBroken after the connection was closed.
 */
export async function sendStreamed(
  outlet: Outlet,
  call: Call,
  reply: FastifyReply,
  streamed: Streamed,
): Promise<void> {
  const before = `${renderStart()}{${JSON.stringify(streamed.member)}:[`
  const parts = streamed.chunks[Symbol.asyncIterator]()
  const first = await parts.next()
  const text = wrap(before, first, parts, () => `]${renderRest(streamed.rest())}}${renderEnd(call.traceId)}`)
  await sendParts(outlet, call, reply, { 'content-type': 'application/json; charset=utf-8' }, text)
}

async function* wrap(
  before: string,
  first: IteratorResult<string>,
  rest: AsyncIterator<string>,
  after: () => string,
): AsyncGenerator<string> {
  let comma = ''
  try {
    yield before
    for (let part = first; part.done !== true; part = await rest.next()) {
      if (part.value === '') continue
      yield `${comma}${part.value}`
      comma = ','
    }
  } finally {
    await rest.return?.()
  }
  yield after()
}

/** Renders the members that follow the list. */
function renderRest(members: object): string {
  const text = JSON.stringify(members).slice(1, -1)
  return text === '' ? '' : `,${text}`
}

/** Sends a file as an attachment that browsers do not execute (R080). */
export async function sendFile(
  outlet: Outlet,
  call: Call,
  reply: FastifyReply,
  file: FileAnswer,
): Promise<void> {
  const parts = file.content[Symbol.asyncIterator]()
  const first = await parts.next()
  const headers = {
    'content-type': file.mediaType,
    ...(file.sizeBytes === undefined ? {} : { 'content-length': `${file.sizeBytes}` }),
    'content-disposition': renderDisposition(file.fileName),
    'content-security-policy': "default-src 'none'; sandbox",
  }
  await sendParts(outlet, call, reply, headers, wholeFile(first, parts, file.sizeBytes))
}

async function* wholeFile(
  first: IteratorResult<Buffer>,
  rest: AsyncIterator<Buffer>,
  sizeBytes: number | undefined,
): AsyncGenerator<Buffer> {
  let size = 0
  try {
    for (let part = first; part.done !== true; part = await rest.next()) {
      size += part.value.length
      yield part.value
    }
  } finally {
    await rest.return?.()
  }
  if (sizeBytes !== undefined && size !== sizeBytes)
    throw new Error(`a file of ${sizeBytes} bytes had ${size}`)
}

async function sendParts(
  outlet: Outlet,
  call: Call,
  reply: FastifyReply,
  headers: Headers,
  parts: AsyncIterable<string | Buffer>,
): Promise<void> {
  const response = reply.raw
  reply.hijack()
  response.writeHead(200, headersOf(call, reply, headers))
  try {
    for await (const part of parts) {
      if (response.destroyed) throw new Error('the client closed the connection')
      if (response.write(part)) continue
      if (!(await drained(response, outlet.limits.slowReaderTimeoutMs)))
        throw new Error('the client stopped reading')
    }
  } catch (cause) {
    response.destroy()
    settle(outlet, call, 200, ['broken'])
    throw new AnswerBroken('an answer could not be finished', { cause })
  }
  response.end()
  settle(outlet, call, 200, [])
}

/** Renders Content-Disposition (RFC 6266): an ASCII name for old clients and the exact name in the form of RFC 8187. */
export function renderDisposition(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const exact = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
