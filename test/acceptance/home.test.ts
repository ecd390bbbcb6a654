/**
 * The data of the console's home screen: late work, failures by cause, closes, and the changes of queues since the
 * day before.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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
