/**
 * Ends a connection whose client has stopped reading a response that is complete. Otherwise the response would stay in
 * memory, and the connection open, for as long as the client likes. Responses in parts have the same limit while
 * they are written (`drained`).
 */
import { type IncomingMessage, ServerResponse } from 'node:http'

/** The class of responses of a server. It costs less than a listener for each response. */
export function limitedResponses(timeoutMs: number): typeof ServerResponse {
  return class<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    // biome-ignore lint/suspicious/noExplicitAny: the parameters of the overloads are passed on
    override end(...parameters: any[]): this {
      Reflect.apply(super.end, this, parameters)
      // The whole response has been passed to the socket, which sends most responses at once.
      limitReading(this, timeoutMs)
      return this
    }
  }
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
