/** Forms of the token endpoint whose senders wait to be asked, stall or send too slowly, over sockets. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { mountIdentity } from '../../identity/mount-identity.ts'
import {
  alpha,
  askToken,
  prepareGround,
  startInstance,
  type TestGround,
  type TestInstance,
} from '../../identity/test-service.ts'
import { sendRaw, startHttp, type TestHttp } from '../test-service.ts'

let ground: TestGround
let instance: TestInstance
let http: TestHttp
before(async () => {
  ground = await prepareGround()
  instance = await startInstance(ground)
  http = await startHttp(
    {},
    {
      limits: { bodyTimeoutMs: 1_500, bodyIdleTimeoutMs: 300, slowConnectionsCheckMs: 100 },
      mount: (app) => mountIdentity(app, instance.identity),
    },
  )
})
after(async () => {
  await http[Symbol.asyncDispose]()
  await instance[Symbol.asyncDispose]()
  await ground[Symbol.asyncDispose]()
})

const begin =
  'POST /identity/connect/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n'

/** Sends the beginning of a form, and resolves when the service closes the connection, to what it sent. */
function sendSlowly(everyMs: number | undefined): Promise<string> {
  return new Promise((closed) => {
    const socket = connect(http.port, '127.0.0.1', () => socket.write(begin))
    const drops = everyMs === undefined ? undefined : setInterval(() => socket.write('a'), everyMs)
    let received = ''
    socket.on('data', (piece) => {
      received += piece
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(drops)
      closed(received)
    })
  })
}

for (const [how, everyMs] of [
  ['stalls', undefined],
  ['arrives too slowly', 100],
] as const) {
  test(`a token request that ${how} is answered with 408 and loses its connection`, {
    timeout: 20_000,
  }, async () => {
    assert.match(await sendSlowly(everyMs), /^HTTP\/1\.1 408 [\s\S]*did not arrive in time/)
  })
}

test('a token request that waits to be asked for its form is asked', { timeout: 20_000 }, async () => {
  const waiting = begin.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n')
  assert.match(await sendRaw(http.port, waiting, '\r\n\r\n'), /^HTTP\/1\.1 100 Continue\r\n/)
})

test('other token requests are answered', async () => {
  assert.equal((await askToken(http, alpha)).status, 200)
  assert.deepEqual(instance.faults, [])
})
