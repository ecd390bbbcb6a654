/**
 * Ends a connection whose client has stopped reading a response that is complete. Otherwise the response would stay in
 * memory, and the connection open, for as long as the client likes. Responses in parts have the same limit while
 * they are written (`drained`).
 */
import type { Server, ServerResponse } from 'node:http'

export function endSlowReaders(server: Server, timeoutMs: number): void {
  // Before the listener that may send the whole response at once.
  server.prependListener('request', (_request, response) => {
    // The whole response has been passed to the socket, which sends most responses at once.
    response.once('prefinish', () => limitReading(response, timeoutMs))
  })
}

/** Node.js destroys the socket after this time without progress of its writes. */
function limitReading(response: ServerResponse, timeoutMs: number): void {
  const { socket } = response
  if (socket === null || socket.writableLength === 0) return
  socket.setTimeout(timeoutMs)
  response.once('finish', () => {
    // After the last response, Node.js has set the time for the next request.
    if (socket.timeout === timeoutMs) socket.setTimeout(0)
  })
}
