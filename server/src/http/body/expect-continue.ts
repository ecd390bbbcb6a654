/**
 * `Expect: 100-continue`: 100 Continue is sent only when the service is about to read the body, after it has
 * checked token and scope.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

const waiting = new WeakSet<IncomingMessage>()

/** Replaces Node's default, which would ask for every body at once. */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (raw: IncomingMessage, response: ServerResponse) => {
    waiting.add(raw)
    server.emit('request', raw, response)
  })
  // Unknown expectations are ignored (RFC 9110, 10.1.1); Node would answer 417 without a body.
  server.on('checkExpectation', (raw: IncomingMessage, response: ServerResponse) => {
    server.emit('request', raw, response)
  })
}

/**
 * Node closes the connection with the response when the body was not requested, so that a late body is not
 * read as a request.
 */
export function askForBody(raw: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(raw)) response.writeContinue()
}
