/** The verbs of the command line that run until they are stopped: forwarding of webhooks, and the tail of the log. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyWebhook } from '@clearing/sdk'
import { until } from './calling.ts'
import { clearing, rowsOf, service, startBeforeTests } from './command-line-with-profiles.ts'

startBeforeTests()

function reserveNumber() {
  return service.alpha.accountNumber({ entityNumber: '301', repCode: 'JC01', registrationType: 'Individual' })
}

describe('listen', () => {
  test('forwards events as signed webhooks, shows the responses of the receiver, and ends cleanly on Ctrl-C', async () => {
    for (const _ of [1, 2]) await reserveNumber()
    const received: { body: string; headers: IncomingMessage['headers'] }[] = []
    const receiver = createServer(async (request, response) => {
      let body = ''
      for await (const piece of request) body += piece
      received.push({ body, headers: request.headers })
      response.writeHead(received.length === 1 ? 200 : 500).end(received.length === 1 ? 'thanks' : 'broken')
    })
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
    try {
      const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
      const listening = clearing.start([
        'listen',
        '--forward-to',
        target,
        '--types',
        'account.*',
        '--from-start',
      ])
      const [, secret = ''] = await listening.until(/Signing with (whsec_\S+)/)
      await listening.until(/→ 200 \(\d+ ms\) {2}thanks[\s\S]*→ the receiver returned 500/)
      listening.interrupt()
      const { exitCode } = await listening.ended
      assert.equal(exitCode, 0)
      for (const { body, headers } of received) {
        const event = await verifyWebhook({ body, headers }, secret)
        assert.match(event.type, /^account\./)
        assert.equal(headers['webhook-id'], event.id)
      }
      const [first] = received
      await assert.rejects(
        verifyWebhook({ body: `${first?.body} `, headers: first?.headers ?? {} }, secret),
        /signature/,
      )
    } finally {
      receiver.closeAllConnections()
      receiver.close()
    }
  })

  test('says that the firm has no account with the number', async () => {
    const listening = clearing.start(['listen', '--account-number', 'NOSUCHNO'])
    await listening.until(/Your firm has no account with this number/)
    listening.interrupt()
    assert.equal((await listening.ended).exitCode, 0)
  })

  test('says that a snapshot was restored, and goes on', async () => {
    const { sandbox } = service.alpha
    await sandbox.saveSnapshot({ name: 'listening' })
    const listening = clearing.start(['listen', '--types', 'account.*,business_day.*'])
    const heard = listening.until(/business_day\.closed/).then(() => true)
    // The stream opens a moment later.
    do await sandbox.emitEvent({ type: 'business_day.closed' })
    while (!(await Promise.race([heard, sleep(200, false)])))
    await sandbox.restoreSnapshot({ name: 'listening' })
    await listening.until(/restored to a moment before/)
    await reserveNumber()
    await listening.until(/account\.reserved/)
    listening.interrupt()
    assert.equal((await listening.ended).exitCode, 0)
  })

  test('shows events as they happen, as JSON, and continues when the receiver is unavailable', async () => {
    const listening = clearing.start(['listen', '--json', '--forward-to', 'http://127.0.0.1:9/'], {
      environment: { CLEARING_WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    })
    await listening.until(/Signing with CLEARING_WEBHOOK_SECRET/)
    // The stream opens a moment later. Numbers are reserved until an event arrives.
    const heard = listening.until(/"type":"account\.reserved"/)
    let isHeard = false
    heard
      .finally(() => {
        isHeard = true
      })
      .catch(() => undefined)
    while (!isHeard) {
      await reserveNumber()
      await Promise.race([heard, new Promise((resolve) => setTimeout(resolve, 200))])
    }
    await heard
    listening.interrupt()
    const { stdout, exitCode } = await listening.ended
    assert.equal(exitCode, 0)
    const { event, delivery } = rowsOf(stdout)[0]
    assert.equal(event.specversion, '1.0')
    assert.equal(delivery.status, null)
    assert.match(delivery.error, /\S/)
  })
})

describe('logs tail', () => {
  test('shows earlier calls, then new ones, and ends cleanly on Ctrl-C', async () => {
    const tail = clearing.start(['logs', 'tail', '--last', '3', '--json'])
    await tail.until(/("requestId"[\s\S]*){3}/)
    await assert.rejects(service.alpha.getAccount({ accountNumber: '99999999' }))
    await tail.until(/"operation":"get-account"[^\n]*"status":404/)
    tail.interrupt()
    const { stdout, exitCode } = await tail.ended
    assert.equal(exitCode, 0)
    const calls = rowsOf(stdout)
    assert.equal(calls.filter(({ operation }) => operation === 'list-requests').length, 0)
    assert.equal(new Set(calls.map(({ requestId }) => requestId)).size, calls.length)
  })

  test('shows as many earlier calls as requested, and never an older one after them', async () => {
    const unknown = ['99999991', '99999992', '99999993', '99999994']
    for (const accountNumber of unknown) await assert.rejects(service.alpha.getAccount({ accountNumber }))
    const known = async () => (await service.alpha.listRequests({ status: '404', size: 100 } as never)).data
    await until(known, ({ requests }) => requests.length >= unknown.length)
    const tail = clearing.start(['logs', 'tail', '--status', '404', '--last', '2', '--json'])
    await tail.until(/("requestId"[\s\S]*){2}/)
    // Two more reads of the log.
    await sleep(2_500)
    await assert.rejects(service.alpha.getAccount({ accountNumber: '99999995' }))
    await tail.until(/("requestId"[\s\S]*){3}/)
    tail.interrupt()
    const times = rowsOf((await tail.ended).stdout).map(({ at }) => String(at))
    assert.equal(times.length, 3)
    assert.deepEqual(times, times.toSorted())
  })

  test('shows only refused calls, in one line for people', async () => {
    const tail = clearing.start(['logs', 'tail', '--status', '4xx'])
    await tail.until(/ 404 {2}get-account {2}\d+ ms {2}alpha {2}ERR\.2003 {2}00-/)
    tail.interrupt()
    const { stdout } = await tail.ended
    assert.doesNotMatch(stdout, / {2}200 {2}/)
  })
})
