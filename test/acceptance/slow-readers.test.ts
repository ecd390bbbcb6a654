/** Slow readers of long responses do not keep other calls from the database. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService({ withAccounts: true })
})
after(() => service?.stop())

/** Asks for nine megabytes of activity. Nothing of the response is read. */
function askForActivity(token: string): ClientRequest {
  const asked = request(`${service.address}/account-api/v1/trade-activity`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })
  asked.on('error', () => {})
  asked.end(JSON.stringify({ accountNumber: '30100009', dateFrom: '2020-01-01', dateTo: '2029-12-31' }))
  return asked
}

test('firms are answered while the readers of activity are slow', async () => {
  const token = await service.token('alpha')
  const slow = Array.from({ length: 5 }, () => askForActivity(token))
  const [answer] = (await Promise.race(slow.map((asked) => once(asked, 'response')))) as [IncomingMessage]
  assert.equal(answer.statusCode, 200)
  // More would have begun in this time.
  await pause(500)
  const { data } = await service.alpha.listAccounts({})
  assert.ok(data.accounts.length > 0)
  await service.beta.listAccounts({})
  assert.doesNotMatch(service.log(), /no database connection/)
  for (const asked of slow) asked.destroy()
})
