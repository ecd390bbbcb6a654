/** A real HTTP server that responds as a test specifies, records its requests, and issues its own tokens. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ConnectionSettings } from '../src/settings.ts'

export interface Sent {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export type Reply =
  | {
      readonly status?: number
      readonly headers?: Record<string, string>
      readonly json?: unknown
      readonly text?: string
    }
  /** Closes the connection without a response. */
  | 'hang-up'
  /** Sends no response. */
  | 'silence'
  /** Sends the headers and half of the body. */
  | 'half'
  /** Sends the headers and the first bytes of a file, then closes the connection. */
  | 'broken-off'

/** The replies to the business requests, in order; the last one repeats. */
export type Script = readonly (Reply | ((sent: Sent) => Reply))[]

export interface ScriptedService extends AsyncDisposable {
  readonly baseUrl: string
  /** Business requests, in order. */
  readonly calls: Sent[]
  /** Token requests, in order. */
  readonly tokenCalls: Sent[]
  /** Settings of a client of this server with short waits. */
  readonly settings: ConnectionSettings & { readonly clientId: string; readonly clientSecret: string }
}

export interface ServiceSettings {
  readonly script?: Script
  /** The replies of the token endpoint, in order. The default is token-1, token-2… with a lifetime of ten hours. */
  readonly tokenScript?: Script
}

export const traceId = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

export function success(data: unknown, headers: Record<string, string> = {}): Reply {
  return {
    status: 200,
    headers,
    json: { statusCode: 200, message: 'Request successful.', data, errors: [], traceId, hasErrors: false },
  }
}

export function failure(
  status: number,
  errors: { code: string; field?: string; reason?: string }[],
  headers: Record<string, string> = {},
): Reply {
  return {
    status,
    headers,
    json: {
      statusCode: status,
      message: 'Request invalid.',
      errors: errors.map((error) => ({ field: '', reason: 'A reason.', ...error })),
      traceId,
      hasErrors: true,
    },
  }
}

export function issue(token: string, expiresIn: number): Reply {
  return {
    json: { access_token: token, expires_in: expiresIn, token_type: 'Bearer' },
  }
}

export async function startService({
  script = [success({})],
  tokenScript,
}: ServiceSettings = {}): Promise<ScriptedService> {
  const calls: Sent[] = []
  const tokenCalls: Sent[] = []
  const server = createServer(async (request, response) => {
    const isToken = request.url?.endsWith('/connect/token') ?? false
    const kept = isToken ? tokenCalls : calls
    const sent = { path: request.url ?? '', headers: request.headers, text: await readText(request) }
    kept.push(sent)
    const replies = isToken ? (tokenScript ?? [issue(`token-${tokenCalls.length}`, 36_000)]) : script
    const reply = replies[Math.min(kept.length, replies.length) - 1] ?? 'hang-up'
    answer(response, typeof reply === 'function' ? reply(sent) : reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    baseUrl,
    calls,
    tokenCalls,
    settings: { baseUrl, clientId: 'alpha', clientSecret: 'secret', retryDelayMs: 1 },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  try {
    for await (const piece of request) pieces.push(piece as Buffer)
  } catch {
    // The caller disconnected. The received part is kept.
  }
  return Buffer.concat(pieces).toString('latin1')
}

function answer(response: ServerResponse, reply: Reply) {
  switch (reply) {
    case 'hang-up':
      response.destroy()
      return
    case 'silence':
      return
    case 'half':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"statusCode":200,')
      return
    case 'broken-off':
      response.writeHead(200, {
        'content-type': 'application/pdf',
        'content-length': '1000',
        traceparent: traceId,
      })
      response.write('%PDF-', () => response.destroy())
      return
    default: {
      const body = reply.text ?? JSON.stringify(reply.json)
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers })
      response.end(Buffer.from(body, 'latin1'))
    }
  }
}
