/**
 * The port of the service. It is checked before anything else starts, and opened when everything is ready.
 */
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

export interface Address {
  readonly host: string
  /** 0 means any free port. */
  readonly port: number
}

/** The service cannot open its port. */
class CannotListen extends Error {
  override readonly name = 'CannotListen'
}

/** How long an ending service may still hold the port. */
const handoverTimeoutMs = 2_000
const lookAgainMs = 50

/**
 * Throws CannotListen when the port is not available. `setting` is the environment variable that selects another port.
 * Returns the port, for 0 one that is free now.
 */
export async function checkPort(address: Address, setting: 'PORT' | 'METRICS_PORT'): Promise<number> {
  const endMs = performance.now() + handoverTimeoutMs
  for (;;) {
    const port = await tryPort(address)
    if (typeof port === 'number') return port
    const fault = port
    if (fault.code !== 'EADDRINUSE' || performance.now() > endMs)
      throw new CannotListen(wordsOf(fault, address, setting), { cause: fault })
    await pause(lookAgainMs)
  }
}

async function tryPort({ host, port }: Address): Promise<number | NodeJS.ErrnoException> {
  const server = createServer()
  try {
    server.listen({ host, port, exclusive: true })
    await once(server, 'listening')
    const taken = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    return taken.port
  } catch (fault) {
    return fault as NodeJS.ErrnoException
  }
}

function wordsOf(fault: NodeJS.ErrnoException, { host, port }: Address, setting: string): string {
  const place = `Port ${port} on ${host}`
  if (fault.code === 'EADDRINUSE')
    return `${place} is in use: end the program that uses it, or set ${setting} to another.`
  if (fault.code === 'EACCES')
    return `${place} may not be opened by this user: set ${setting} to one above 1023.`
  return `${place} cannot be opened (${fault.code}): HOST must be an address of this machine.`
}

/** Opens the port. Returns the address with the actual port. */
export async function listen(app: FastifyInstance, { host, port }: Address): Promise<string> {
  await app.listen({ host, port }).catch((fault: NodeJS.ErrnoException) => {
    throw fault.syscall === 'listen'
      ? new CannotListen(wordsOf(fault, { host, port }, 'PORT'), { cause: fault })
      : fault
  })
  const taken = app.server.address()
  const takenPort = typeof taken === 'object' && taken !== null ? taken.port : port
  return `http://${host.includes(':') ? `[${host}]` : host}:${takenPort}`
}

/** Opens another port of this machine that no other process shares. */
export async function listenAlone(
  app: FastifyInstance,
): Promise<{ readonly address: string; close(): void }> {
  const server = createHttpServer((request, response) => app.routing(request, response))
  server.listen({ host: '127.0.0.1', port: 0, exclusive: true })
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
