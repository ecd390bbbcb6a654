// Cancels the running statement of a session, over a separate connection, as PostgreSQL's protocol defines.
import pg from 'pg'
import type { Client } from './pool.ts'

const cancelTimeoutMs = 5_000

/** The part of `pg`'s client that names its session and how to reach the server. */
interface Session {
  readonly processID: number
  readonly secretKey: number
  readonly host: string
  readonly port: number
  readonly ssl: boolean | object
}

interface CancelConnection {
  readonly stream: { setTimeout(ms: number, ended: () => void): void; destroy(): void }
  connect(port: number | string, host?: string): void
  requestSsl(): void
  cancel(processID: number, secretKey: number): void
  on(event: 'connect' | 'sslconnect' | 'error', listener: () => void): void
}

/** Returns at once. Nothing confirms that the request arrives. */
export function cancelRunning(client: Client): void {
  const { processID, secretKey, host, port, ssl } = client as unknown as Session
  const connection = new (pg.Connection as unknown as new (settings: object) => CancelConnection)({ ssl })
  const cancel = () => connection.cancel(processID, secretKey)
  connection.on('error', () => {})
  connection.on('connect', () => (ssl ? connection.requestSsl() : cancel()))
  connection.on('sslconnect', cancel)
  connection.stream.setTimeout(cancelTimeoutMs, () => connection.stream.destroy())
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
  else connection.connect(port, host)
}
