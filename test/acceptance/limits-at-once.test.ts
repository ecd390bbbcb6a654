/** Limits of counts hold for calls that come at once. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '@clearing/protocol'
import { RequestRejected } from '@clearing/sdk'
import { type RunningService, startRunningService } from './running-service.ts'
import { untilBehind } from './waiting-behind.ts'

const together = 3

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

/** Calls one after another until one call fits below the limit, then several at once. */
async function fillBeyond(most: number, table: string, call: (index: number) => Promise<unknown>) {
  for (let index = 0; index < most - 1; index += 1) await call(index)
  // Lets calls read the table, and holds their writes back.
  await service.query(`begin; lock table ${table} in share mode`)
  const calls = Promise.allSettled(Array.from({ length: together }, (_, index) => call(most + index)))
  await untilBehind(service, together)
  await service.query('commit')
  const outcomes = await calls
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  assert.equal(refused.length, together - 1)
  for (const one of refused)
    assert.ok(one instanceof RequestRejected && /is the limit/.test(one.message), one)
}

test('a firm cannot have more webhooks than the limit', async () => {
  const most = limits.webhooksPerFirmMax
  const call = (index: number) => service.alpha.createWebhook({ url: `http://127.0.0.1:9101/${index}` })
  await fillBeyond(most, 'clearing.webhook', call)
  assert.equal((await service.alpha.listWebhooks({})).data.webhooks.length, most)
})

test('a person cannot have more saved views than the limit', async () => {
  const { saveView, listViews } = service.operations.operations
  const most = limits.viewsPerPersonMax
  const call = (index: number) => saveView({ screen: '/work', name: `View ${index}`, search: 'queue=Match' })
  await fillBeyond(most, 'clearing.list_view', call)
  assert.equal((await listViews({})).data.views.length, most)
})
