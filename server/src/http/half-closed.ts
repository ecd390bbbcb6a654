/**
 * Clients that end their side of the connection after a request and wait for the response, such as `socat` and `nc -N`.
 * The service sees no difference to a client that left, until it writes.
 */
import type { Server, ServerResponse } from 'node:http'

/** Answers such requests and then ends the connection. Without the setting, Node ends it without a response. */
export function answerHalfClosed(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true })
}

/**
 * Ends a response without an end when its reader ends the connection. It would otherwise hold its place until the next
 * heartbeat.
 */
export function endWithReader(response: ServerResponse): void {
  const { socket } = response
  if (socket?.readableEnded) response.destroy()
  else socket?.once('end', () => response.destroy())
}
