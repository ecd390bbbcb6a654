/** An HTTP address in front of a server of this machine. A test may let requests wait, refuse them, or pass them on. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Gate extends AsyncDisposable {
  readonly port: number
  /** Requests of this method get this status. */
  refuse(method: string, status: number): void
  /** Requests of this method wait until `open` is called. */
  hold(method: string): void
  /** The number of requests that wait. */
  waiting(): number
  open(): void
}

export async function startGate(portBehind: () => number): Promise<Gate> {
  let refused: { readonly method: string; readonly status: number } | undefined
  let held: string | undefined
  const waiting: (() => void)[] = []

  const passOn = (received: IncomingMessage, response: ServerResponse): void => {
    const { method, url: path, headers } = received
    const behind = request({ host: '127.0.0.1', port: portBehind(), method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    behind.on('error', () => response.destroy())
    received.pipe(behind)
  }
  const server = createServer((received, response) => {
    if (refused !== undefined && received.method === refused.method) {
      received.resume()
      response.writeHead(refused.status).end()
    } else if (received.method === held) waiting.push(() => passOn(received, response))
    else passOn(received, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    refuse: (method, status) => {
      refused = { method, status }
    },
    hold: (method) => {
      held = method
    },
    waiting: () => waiting.length,
    open: () => {
      refused = undefined
      held = undefined
      for (const pass of waiting.splice(0)) pass()
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
