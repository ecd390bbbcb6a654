/** Large bodies of refused requests on connections that end with the response (RFC 9112, 9.6). */
import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { startHttp, type TestHttp } from '../test-service.ts'

let http: TestHttp
const lingerMs = 1_000
before(async () => {
  http = await startHttp(
    { echo: async (request: unknown) => request },
    {
      limits: { lingerMs },
      mount: async (app) => {
        // Answers through Fastify, as the token endpoint does.
        app.put('/plain', { onRequest: async (_request, reply) => reply.code(405).send('{}') }, () => '')
      },
    },
  )
})
after(() => http[Symbol.asyncDispose]())

const echo = '/account-api/v1/echo'
const json = { 'content-type': 'application/json', authorization: 'Bearer good' }
const large = Buffer.alloc(9_000_000, ' ')

interface Refusal {
  readonly status: number
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}
const refusals: readonly Refusal[] = [
  { status: 401, headers: { ...json, authorization: 'Bearer bad' } },
  { status: 404, path: '/account-api/v1/nothing' },
  { status: 405, method: 'PUT' },
  { status: 405, method: 'PUT', path: '/plain' },
  { status: 413 },
  { status: 415, headers: { ...json, 'content-type': 'text/plain' } },
]

for (const { status, method = 'POST', path = echo, headers = json } of refusals) {
  test(`${method} ${path} with a large body on a connection of its own is answered ${status}`, async () => {
    const agent = new Agent({ keepAlive: false })
    const answer = await new Promise<{ status: number | undefined; connection: string | undefined }>(
      (resolve, refuse) => {
        const sent = request(
          { agent, port: http.port, path, method, headers: { ...headers, 'content-length': large.length } },
          (response) => {
            response.resume()
            response.on('error', refuse)
            response.on('end', () =>
              resolve({ status: response.statusCode, connection: response.headers.connection }),
            )
          },
        )
        sent.on('error', refuse)
        sent.end(large)
      },
    )
    assert.deepEqual(answer, { status, connection: 'close' })
  })
}

/** Writes the head and the body, and reads only then. */
function sendWhole(head: string, body: Buffer): Promise<{ received: string; afterMs: number }> {
  const startedMs = performance.now()
  return new Promise((resolve, refuse) => {
    let received = ''
    const socket = connect(http.port, '127.0.0.1', () => {
      socket.write(head)
      socket.write(body, () => socket.resume())
    })
    socket.pause()
    socket.on('data', (piece) => {
      received += piece
    })
    socket.on('error', refuse)
    socket.on('close', () => resolve({ received, afterMs: performance.now() - startedMs }))
  })
}

function head(version: string, header: string, length: number): string {
  return `POST ${echo} HTTP/${version}\r\nHost: x\r\n${header}Content-Length: ${length}\r\n\r\n`
}

for (const [version, header] of [
  ['1.1', 'Connection: close\r\n'],
  ['1.0', ''],
] as const) {
  test(`a refused HTTP/${version} request that ends its connection is answered once its body is read`, async () => {
    const { received } = await sendWhole(head(version, header, large.length), large)
    assert.match(received, /^HTTP\/1\.1 401 /)
    assert.match(received, /connection: close/i)
    assert.match(received, /"hasErrors":true/)
  })

  test(`an HTTP/${version} body that does not end is waited for no longer than others`, async () => {
    const { received, afterMs } = await sendWhole(head(version, header, 1_000), Buffer.from('{'))
    assert.match(received, /^HTTP\/1\.1 401 [\s\S]*"hasErrors":true/)
    assert.ok(afterMs >= lingerMs * 0.9 && afterMs < lingerMs * 8, `${afterMs}`)
  })
}

test('a request after the one that ends the connection is not performed', async () => {
  http.log.length = 0
  const body = '{"name":"Ada"}'
  const second = `POST ${echo} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const { received } = await sendWhole(
    head('1.1', 'Connection: close\r\n', large.length),
    Buffer.concat([large, Buffer.from(second)]),
  ).catch(() => ({ received: '' }))
  assert.doesNotMatch(received, /ADA/)
  assert.deepEqual(
    http.log.filter(({ status }) => status === 200),
    [],
  )
})

test('a request without a body that ends its connection is answered', async () => {
  const { received } = await sendWhole(head('1.0', '', 0), Buffer.from(''))
  assert.match(received, /^HTTP\/1\.1 401 /)
})
