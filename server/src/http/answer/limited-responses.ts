/**
 * Bounds the end of a response in the two ways in which a client can hold it: by not reading it, and by sending a body
 * that the service does not need.
 */
import { type IncomingMessage, ServerResponse } from 'node:http'
import { lingerOverBody } from '../body/read-body.ts'

interface Times {
  /** How long a complete response waits for a client that does not read it. */
  readonly slowReaderTimeoutMs: number
  /** How long the rest of an unneeded body is read after the response. */
  readonly lingerMs: number
}

/** The class of responses of a server. It costs less than a listener for each response. */
export function limitedResponses({ slowReaderTimeoutMs, lingerMs }: Times): typeof ServerResponse {
  return class<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    #waits = false

    // biome-ignore lint/suspicious/noExplicitAny: the parameters of the overloads are passed on
    override end(...parameters: any[]): this {
      if (this.#waits) return this
      const { req } = this
      if (req.complete || req.destroyed || this.chunkedEncoding) {
        Reflect.apply(super.end, this, parameters)
        // The whole response has been passed to the socket, which sends most responses at once.
        limitReading(this, slowReaderTimeoutMs)
        return this
      }
      if (this.shouldKeepAlive || !this.headersSent) Reflect.apply(super.end, this, parameters)
      else {
        // Node.js would close the connection with the end of the response. A client that still sends its body would
        // then lose the response (RFC 9112, 9.6). The client needs no end to have the whole response: it knows the
        // length.
        this.#waits = true
        const [content, encoding] = parameters
        if (content) super.write(content, encoding)
        else this.flushHeaders()
        req.once('end', () => super.end())
      }
      lingerOverBody(req, lingerMs)
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
