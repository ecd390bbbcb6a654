// A proxy in front of PostgreSQL, for tests. It understands enough of the protocol to break a connection at a chosen
// moment of COMMIT, to fall silent, to be slow, and to count round trips.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { isCommit, MessageReader, StatementReader } from './wire-messages.ts'

/**
 * The fault that is active until another, or none, is injected. `cut`: breaks the connection of the next
 * COMMIT before the server receives it, after it received it, after it responded and the response is
 * withheld, or after the response was passed on. `rollback`: replaces COMMIT by ROLLBACK. `forget-role`: new
 * sessions do not get the requested role. `refuse-options`: refuses new sessions with startup options that
 * poolers do not know. `silence`: passes nothing and closes nothing. `hold`: delays all bytes until the next
 * injection. `refuse`: closes new and existing connections. `delay`: slows both directions.
 */
export type Fault =
  | { kind: 'cut'; at: 'before-commit' | 'after-commit' | 'before-reply' | 'after-reply' }
  | { kind: 'rollback' }
  | { kind: 'forget-role' }
  | { kind: 'refuse-options' }
  | { kind: 'silence' }
  | { kind: 'hold' }
  | { kind: 'refuse' }
  | { kind: 'delay'; delayMs: number }

export interface FaultProxy extends AsyncDisposable {
  /** The address of the same database through the proxy. */
  through(url: string): string
  /** Injects a fault. A cut happens once; other faults last until the next `inject`. */
  inject(fault: Fault | undefined): void
  /** Totals so far. A round trip is a request for a response (Sync, or a simple query). */
  readonly counts: { connections: number; roundTrips: number; commits: number; cuts: number }
}

/** Listens on a port of 127.0.0.1, in front of the server of `url`. */
export async function startFaultProxy(url: string): Promise<FaultProxy> {
  const proxy = new PostgresProxy(url)
  await proxy.listen()
  return proxy
}

class PostgresProxy implements FaultProxy {
  readonly counts = { connections: 0, roundTrips: 0, commits: 0, cuts: 0 }
  readonly #upstream: { path: string } | { host: string; port: number }
  readonly #server: Server
  readonly #links = new Set<Link>()
  #fault: Fault | undefined
  #held = Promise.withResolvers<void>()

  constructor(url: string) {
    const address = new URL(url)
    const host = address.searchParams.get('host') ?? decodeURIComponent(address.hostname)
    const port = Number(address.searchParams.get('port') ?? (address.port || 5432))
    this.#upstream = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
    this.#server = createServer((client) => this.#accept(client))
  }

  get fault(): Fault | undefined {
    return this.#fault
  }

  /** Resolves when the held bytes may continue. */
  get held(): Promise<void> {
    return this.#held.promise
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  through(url: string): string {
    const address = new URL(url)
    address.searchParams.delete('host')
    address.searchParams.delete('port')
    address.hostname = '127.0.0.1'
    address.port = String((this.#server.address() as AddressInfo).port)
    return address.href
  }

  inject(fault: Fault | undefined): void {
    this.#fault = fault
    this.#held.resolve()
    this.#held = Promise.withResolvers()
    for (const link of this.#links) if (fault?.kind === 'refuse' || link.lossy) link.cut()
  }

  /** Ends a cut after it has happened. */
  cutDone(): void {
    this.counts.cuts++
    this.#fault = undefined
  }

  #accept(client: Socket): void {
    if (this.#fault?.kind === 'refuse') {
      client.destroy()
      return
    }
    this.counts.connections++
    const link = new Link(this, client, connect(this.#upstream))
    this.#links.add(link)
    client.once('close', () => this.#links.delete(link))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const link of this.#links) link.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

/** One connection: a client, and the server connection for it. */
class Link {
  /** True if bytes were dropped, so that the connection cannot be used any more. */
  lossy = false
  readonly #proxy: PostgresProxy
  readonly #client: Socket
  readonly #server: Socket
  readonly #requests = new MessageReader({ greeting: true })
  readonly #answers = new MessageReader({ greeting: false })
  readonly #statements = new StatementReader()
  /**
   * True while the proxy waits for the server to read the sent data, so that the server notices the end of the
   * connection.
   */
  #finishing = false
  #awaitsReply: 'before-reply' | 'after-reply' | undefined
  #toServer: Promise<void> = Promise.resolve()
  #toClient: Promise<void> = Promise.resolve()

  constructor(proxy: PostgresProxy, client: Socket, server: Socket) {
    this.#proxy = proxy
    this.#client = client
    this.#server = server
    client.setNoDelay(true)
    client.on('data', (bytes: Buffer) => this.#request(bytes))
    server.on('data', (bytes: Buffer) => this.#answer(bytes))
    for (const socket of [client, server]) {
      socket.on('error', () => {})
      socket.once('close', () => this.cut())
    }
  }

  cut(): void {
    this.#client.destroy()
    if (!this.#finishing) this.#server.destroy()
  }

  #request(bytes: Buffer): void {
    for (const message of this.#requests.read(bytes)) {
      const executed = this.#statements.read(message)
      const fault = this.#proxy.fault
      if (message.type === 'S' || message.type === 'Q') this.#proxy.counts.roundTrips++
      if (executed !== undefined && isCommit(executed)) {
        this.#proxy.counts.commits++
        if (fault?.kind === 'cut' && this.#cutAtCommit(fault.at, message.bytes)) return
      }
      if (fault?.kind === 'rollback' && message.type === 'P') replaceCommit(message.bytes)
      if (fault?.kind === 'forget-role' && message.type === 'Q') forgetRole(message.bytes)
      if (fault?.kind === 'refuse-options' && message.type === '') {
        const option = unknownOptionOf(message.bytes)
        if (option !== undefined) {
          this.#client.end(renderRefusal(`unsupported startup parameter: ${option}`))
          return
        }
      }
      this.#toServer = this.#pass(this.#toServer, this.#server, message.bytes)
    }
  }

  /** Returns true when the connection is broken now. */
  #cutAtCommit(
    at: 'before-commit' | 'after-commit' | 'before-reply' | 'after-reply',
    bytes: Buffer,
  ): boolean {
    switch (at) {
      case 'before-commit':
        this.#proxy.cutDone()
        this.cut()
        return true
      case 'after-commit':
        this.#proxy.cutDone()
        this.#finishing = true
        this.#client.destroy()
        // Sync is sent too, so that the server does not wait; the connection is closed after the bytes.
        this.#server.end(Buffer.concat([bytes, Buffer.from([0x53, 0, 0, 0, 4])]))
        return true
      case 'before-reply':
      case 'after-reply':
        this.#awaitsReply = at
        return false
    }
  }

  #answer(bytes: Buffer): void {
    for (const message of this.#answers.read(bytes)) {
      const committed = message.type === 'C' && message.bytes.toString('latin1', 5).startsWith('COMMIT')
      if (this.#awaitsReply === 'before-reply' && committed) {
        this.#proxy.cutDone()
        this.cut()
        return
      }
      this.#toClient = this.#pass(this.#toClient, this.#client, message.bytes)
      if (this.#awaitsReply === 'after-reply' && message.type === 'Z') {
        this.#proxy.cutDone()
        this.#awaitsReply = undefined
        this.#client.end()
        this.#server.destroy()
        return
      }
    }
  }

  #pass(before: Promise<void>, to: Socket, bytes: Buffer): Promise<void> {
    const fault = this.#proxy.fault
    if (fault?.kind === 'silence') {
      this.lossy = true
      return before
    }
    if (fault?.kind !== 'delay' && fault?.kind !== 'hold') {
      to.write(bytes)
      return before
    }
    const due = fault.kind === 'hold' ? this.#proxy.held : pause(fault.delayMs)
    return before.then(() => due).then(() => void to.write(bytes))
  }
}

/** Replaces a word in a Parse message by a word of the same length, so that the rest of the message is unchanged. */
function replaceCommit(bytes: Buffer): void {
  const at = bytes.toString('latin1').lastIndexOf('\0commit\0')
  if (at >= 0) bytes.write('abort ', at + 1, 'latin1')
}

/** Does the same in the statement that prepares a session. */
function forgetRole(bytes: Buffer): void {
  const [setting = ''] = /'role', 'clearing_\w+'/.exec(bytes.toString('latin1')) ?? []
  const at = bytes.indexOf(setting, 0, 'latin1')
  if (setting !== '') bytes.write("'role', 'none'".padEnd(setting.length), at, 'latin1')
}

/** The parameters that pgbouncer accepts in its default configuration. */
const knownOptions = new Set([
  ...['user', 'database', 'client_encoding', 'application_name', 'datestyle', 'timezone'],
  ...['standard_conforming_strings'],
])

function unknownOptionOf(startup: Buffer): string | undefined {
  const words = startup.toString('utf8', 8).split('\0')
  return words.find((word, at) => at % 2 === 0 && word !== '' && !knownOptions.has(word.toLowerCase()))
}

function renderRefusal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${message}\0\0`)
  const head = Buffer.from('E\0\0\0\0', 'latin1')
  head.writeInt32BE(4 + fields.length, 1)
  return Buffer.concat([head, fields])
}
