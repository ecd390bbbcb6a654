/** A TCP address that leads to one server at a time, like a load balancer in front of a cluster. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface SwitchProxy extends AsyncDisposable {
  readonly port: number
  /**
   * Leads new connections to the socket at a path, to a port of this machine, or nowhere. Existing connections stay.
   */
  leadTo(to: string | number | undefined): void
  /** Closes existing connections. */
  cut(): void
}

export async function startSwitchProxy(first?: string | number): Promise<SwitchProxy> {
  let leadsTo = first
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    if (leadsTo === undefined) return client.destroy()
    const upstream = typeof leadsTo === 'number' ? connect(leadsTo, '127.0.0.1') : connect(leadsTo)
    const pair = [client, upstream] as const
    for (const [one, other] of [pair, [upstream, client] as const]) {
      sockets.add(one)
      one.on('error', () => {})
      one.once('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (to) => {
      leadsTo = to
    },
    cut,
    async [Symbol.asyncDispose]() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
