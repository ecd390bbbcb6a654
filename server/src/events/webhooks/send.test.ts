/** An attempt ends, whatever the receiver sends. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { openDispatcher } from './send.ts'

const earlyHints = 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'
const silent = /No answer within 300 ms/
const answers: readonly [what: string, text: string, error: RegExp][] = [
  [
    'switches protocols',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    /answered 101/,
  ],
  ['sends no HTTP', 'hello\r\n\r\n', /connection failed/],
  ['breaks off its response', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx', silent],
  ['sends only preliminary responses', earlyHints.repeat(50), silent],
  [
    'has a header of a megabyte',
    `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(1_000_000)}\r\n\r\n`,
    /connection failed/,
  ],
]

for (const [what, text, error] of answers) {
  test(`an attempt fails if the receiver ${what}`, async () => {
    const receiver = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.write(text))
    })
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const { port } = receiver.address() as AddressInfo
    const dispatcher = openDispatcher({ sandbox: true })
    try {
      const { signal } = new AbortController()
      const url = `http://127.0.0.1:${port}/`
      const timeoutMs = error === silent ? 300 : 60_000
      const attempt = await dispatcher.send({ url, headers: {}, body: '{}', timeoutMs, signal })
      assert.equal(attempt.outcome, 'failed')
      assert.match(attempt.error, error)
    } finally {
      dispatcher.close()
      receiver.close()
    }
  })
}
