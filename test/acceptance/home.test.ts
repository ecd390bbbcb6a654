/**
 * The data of the console's home screen: late work, failures by cause, closes, and the changes of queues since the
 * day before.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../server/src/database/test-waiting.ts'
import { startReceiver } from '../../server/src/events/webhooks/test-receiver.ts'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import { closeDays } from '../console/close-days.ts'
import { waitingApplication } from '../console/waiting-work.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

async function lateWork() {
  const { data } = await service.operations.operations.listWork({ late: true, counted: true })
  return data
}

test('an item is late when it has waited for more than a market day, a call when it is past its due day', async () => {
  const accountNumber = await waitingApplication(service.alpha)
  assert.deepEqual(await lateWork(), { work: [], total: 0, next: '' })
  const { now } = (await service.alpha.sandbox.getClock()).data
  // A weekend and an adjacent holiday have no market days.
  await service.alpha.sandbox.setClock({ now: new Date(Date.parse(now) + 5 * 86_400_000).toISOString() })
  const { work, total } = await lateWork()
  assert.deepEqual(
    work.map(({ workId }) => workId),
    [`Application.${accountNumber}`],
  )
  assert.equal(total, 1)
})

test('a queue is compared with its last count on an earlier day', async () => {
  const { operations } = service.operations
  const countBefore = async () =>
    (await operations.getOverview({})).data.queues.find(({ queue }) => queue === 'Application')?.countBefore
  assert.equal(await countBefore(), null)
  const { now } = (await service.alpha.sandbox.getClock()).data
  const today = easternDay(new Date(now))
  await service.query(
    `insert into clearing.queue_day values ($1::date - 5, 'Application', 4), ($1::date - 1, 'Application', 7), ($1, 'Application', 9)`,
    [today],
  )
  assert.equal(await countBefore(), 7)
  const { firms } = (await operations.listFirms({})).data
  const { queues } = (await operations.getOverview({ firmId: firms[0]?.firmId ?? '' })).data
  assert.ok(queues.length > 0)
  assert.ok(queues.every((queue) => queue.countBefore === null))
})

test('failures are grouped by cause, and a load that was reviewed leaves them', async () => {
  const { operations } = service.operations
  assert.deepEqual((await operations.listFailures({})).data.failures, [])
  const { data: load } = await operations.loadPrices({
    lines: { ndjson: [{ symbol: 'NOSUCH' }, { symbol: 'NOSUCH' }] },
  })
  const code = load.rejects[0]?.code
  const { failures } = (await operations.listFailures({})).data
  const found = failures.find(({ source, cause }) => source === 'Reject' && cause === code)
  assert.equal(found?.count, load.rejects.filter((one) => one.code === code).length)
  assert.equal(found?.target, load.loadId)
  assert.equal(found?.example, load.rejects.find((one) => one.code === code)?.reason)
  await operations.reviewLoad({ loadId: load.loadId })
  assert.deepEqual((await operations.listFailures({})).data.failures, [])
})

async function webhookFailures() {
  const { failures } = (await service.operations.operations.listFailures({})).data
  return failures.filter(({ source }) => source !== 'Webhook' && source.startsWith('Webhook'))
}

test('a webhook whose deliveries fail is a failure from the fourth attempt, since the first', async () => {
  await using receiver = await startReceiver(() => 503)
  // A webhook begins at the events that are reported, so it would also send older ones.
  await service.eventsReported()
  const { webhookId } = (
    await service.alpha.createWebhook({ url: receiver.url, types: ['application.submitted'] })
  ).data
  const accountNumber = await waitingApplication(service.alpha)
  const tried = `from clearing.webhook_delivery where webhook_id = '${webhookId}' and attempt_count > 0`
  await until('the first attempt', async () => (await service.query(`select ${tried}`)).rowCount === 1)
  // The later attempts come after minutes and hours.
  const attempt = (count: number) =>
    service.query(
      `update clearing.webhook_delivery set attempt_count = $1, next_attempt_at = now() + interval '1 hour'
       where webhook_id = '${webhookId}' and attempt_count > 0`,
      [count],
    )
  await attempt(3)
  assert.deepEqual(await webhookFailures(), [])
  await attempt(4)
  const [found, ...others] = await webhookFailures()
  assert.deepEqual(others, [])
  const { deliveries } = (await service.alpha.listDeliveries({ webhookId })).data
  const failing = deliveries.find(({ attempts }) => attempts.length > 0)
  const { firms } = (await service.operations.operations.listFirms({})).data
  const alpha = firms.find(({ entityNumbers }) => entityNumbers.includes('301'))
  assert.equal(failing?.accountNumber, accountNumber)
  assert.equal(Date.parse(found?.oldestOn ?? ''), Date.parse(failing?.attempts[0]?.at ?? ''))
  assert.deepEqual(found, {
    ...found,
    source: 'WebhookFailing',
    cause: alpha?.name,
    target: alpha?.firmId,
    webhookId,
    count: 1,
    example: failing?.attempts[0]?.error,
  })
  await service.alpha.updateWebhook({ webhookId, disabled: true })
  assert.deepEqual(await webhookFailures(), [], 'the firm knows of a webhook that it disabled')
  await service.alpha.deleteWebhook({ webhookId })
})

test('a webhook that the service disabled is a failure until its firm enables it, or for 30 days', async () => {
  let answer = 410
  await using receiver = await startReceiver(() => answer)
  const { webhookId } = (await service.alpha.createWebhook({ url: receiver.url, types: '*' })).data
  await waitingApplication(service.alpha)
  await until('the webhook is disabled', async () => (await webhookFailures()).length === 1)
  const [found] = await webhookFailures()
  const { webhooks } = (await service.alpha.listWebhooks({})).data
  const webhook = webhooks.find((one) => one.webhookId === webhookId)
  assert.deepEqual(
    [found?.source, found?.webhookId, found?.count, found?.oldestOn, found?.example],
    ['WebhookDisabled', webhookId, 1, webhook?.lastUpdated, webhook?.disabledReason],
  )
  const disabledBefore = (minutes: number) =>
    service.query(
      `update clearing.webhook set disabled_at = now() - interval '30 days' + $2::int * interval '1 minute' where webhook_id = $1`,
      [webhookId, minutes],
    )
  await disabledBefore(-1)
  assert.deepEqual(await webhookFailures(), [])
  await disabledBefore(1)
  assert.equal((await webhookFailures()).length, 1)
  answer = 200
  await service.alpha.updateWebhook({ webhookId, disabled: false })
  assert.deepEqual(await webhookFailures(), [])
  await service.alpha.deleteWebhook({ webhookId })
})

test('closes are listed the newest first, page by page, with the openings of their day', async () => {
  const { operations } = service.operations
  await closeDays(service, 2)
  const all = (await operations.listCloses({})).data
  assert.ok(all.closes.length >= 2)
  assert.equal(all.next, '')
  const [last, before] = all.closes
  assert.ok((last?.tookMs ?? 0) > 0)
  assert.ok((last?.closedDate ?? '') > (before?.closedDate ?? ''))
  const { lastClose } = (await operations.getOverview({})).data
  assert.equal(last?.closedOn, lastClose?.closedOn)
  const first = (await operations.listCloses({ size: 1 })).data
  const second = (await operations.listCloses({ size: 1, after: first.next })).data
  assert.deepEqual([...first.closes, ...second.closes], all.closes.slice(0, 2))
  const rest = (await operations.listCloses({ after: second.next })).data
  assert.deepEqual(rest.closes, all.closes.slice(2))
  assert.equal(rest.next, '')
})
