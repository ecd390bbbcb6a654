/** `Expect: 100-continue`: the client is told to send its body only when the body is about to be read, so after token and scope. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

const waiting = new WeakSet<IncomingMessage>()

/** Takes the decision from Node, which would ask for every body at once. */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (raw: IncomingMessage, response: ServerResponse) => {
    waiting.add(raw)
    server.emit('request', raw, response)
  })
  // An expectation that nobody knows: Node would answer 417 without a body (RFC 9110, 10.1.1 lets us pass it over).
  server.on('checkExpectation', (raw: IncomingMessage, response: ServerResponse) => {
    server.emit('request', raw, response)
  })
}

/** When nobody asks, Node ends the connection with the answer: a body that comes later must not be read as a request. */
export function askForBody(raw: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(raw)) response.writeContinue()
}
