/** For tests: a receiver of webhooks whose responses the test chooses, and which can be offline for a while. */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inTime } from '../../database/test-waiting.ts'
import type { CloudEvent } from '../cloud-event.ts'

export interface ReceivedDelivery {
  readonly event: CloudEvent
  readonly body: string
  readonly headers: IncomingHttpHeaders
  /** True if the response was 2xx. */
  readonly taken: boolean
}

export type Manner =
  | number
  | 'hang'
  | 'hang-up'
  | { status: number; headers?: Record<string, string>; body?: string }

export interface TestReceiver extends AsyncDisposable {
  readonly url: string
  readonly deliveries: ReceivedDelivery[]
  /** Resolves when the condition holds, which is checked at each delivery. Fails after a time limit. */
  until(what: string, condition: () => boolean): Promise<void>
  /** Stops listening at the address. */
  leave(): Promise<void>
  comeBack(): Promise<void>
}

export async function startReceiver(
  manner: (count: number, event: CloudEvent) => Manner,
): Promise<TestReceiver> {
  const deliveries: ReceivedDelivery[] = []
  const waiting = new Set<() => void>()
  let server: Server
  let port = 0
  const listen = () =>
    new Promise<void>((resolve) => {
      server = createServer(async (request, response) => {
        let body = ''
        try {
          for await (const piece of request) body += piece
        } catch {
          return
        }
        const event = JSON.parse(body) as CloudEvent
        const chosen = manner(deliveries.length, event)
        const status = typeof chosen === 'object' ? chosen.status : chosen
        const taken = typeof status === 'number' && status >= 200 && status < 300
        deliveries.push({ event, body, headers: request.headers, taken })
        answer(response, chosen)
        for (const each of waiting) each()
      })
      server.listen(port, '127.0.0.1', resolve)
    })
  const leave = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  await listen()
  // biome-ignore lint/style/noNonNullAssertion: the server listens
  port = (server!.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${port}/hook`,
    deliveries,
    until: (what, condition) => {
      const come = new Promise<void>((resolve) => {
        const look = () => {
          if (!condition()) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      })
      const seen = () =>
        deliveries.map(({ event, taken }) => [event.accountnumber, event.sequence, event.type, taken])
      return inTime(what, come, seen)
    },
    leave,
    comeBack: listen,
    [Symbol.asyncDispose]: leave,
  }
}

function answer(response: ServerResponse, manner: Manner): void {
  if (manner === 'hang') return
  if (manner === 'hang-up') {
    response.destroy()
    return
  }
  const {
    status,
    headers = {},
    body = 'thank you',
  } = typeof manner === 'object' ? manner : { status: manner }
  response.writeHead(status, headers).end(body)
}
