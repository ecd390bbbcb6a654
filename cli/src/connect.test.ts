import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { connect } from './connect.ts'
import { makeTestTerminal } from './test-terminal.ts'

const given = { arguments: [], flags: new Map(), profile: undefined, json: false }

/** A service that is not available for two calls. */
function startService() {
  let calls = 0
  const server = createServer((request, response) => {
    const isToken = request.url?.includes('token') === true
    if (!isToken) calls += 1
    const status = isToken || calls > 2 ? 200 : 503
    const answer = isToken
      ? { access_token: 'token', expires_in: 36_000, token_type: 'Bearer' }
      : { statusCode: status, message: '', errors: [], traceId: '', hasErrors: status !== 200, data: {} }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  return new Promise<{ address: string; [Symbol.dispose](): void }>((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      resolve({
        address: `http://127.0.0.1:${port}`,
        [Symbol.dispose]() {
          server.close()
          server.closeAllConnections()
        },
      })
    }),
  )
}

for (const [json, noted] of [
  [false, /^code-lists: .*; trying again for up to a minute$/],
  [true, /^\{"waiting":"code-lists: .*; trying again for up to a minute"\}$/],
] as const) {
  test(`a script learns once why the command waits${json ? ', as a line of JSON' : ''}`, async () => {
    using service = await startService()
    const environment = {
      CLEARING_URL: service.address,
      CLEARING_CLIENT_ID: 'alpha',
      CLEARING_CLIENT_SECRET: 'secret',
    }
    const terminal = makeTestTerminal({ environment })
    const client = await connect({ ...given, json }, terminal)
    await client.codeLists()
    assert.equal(terminal.noted.length, 1)
    assert.match(terminal.noted[0] ?? '', noted)
  })
}
