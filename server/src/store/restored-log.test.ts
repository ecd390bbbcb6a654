/** What firms get when the service was restored: an event for each firm, and a delivery for each webhook, once. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { inTransaction } from '../database/transaction.ts'
import { alpha, startLog } from '../events/test-log.ts'
import { newId, newTraceId } from '../ids.ts'
import { followCluster } from './event-lines.ts'
import { type EventFilter, everyEvent, readLogPage, readLowWatermark } from './event-log.ts'
import { notifyOfRestore, restoredType } from './restored-log.ts'
import { claimWebhooks, releaseWebhook, stepWebhook } from './webhook-queue.ts'
import { insertWebhook } from './webhooks.ts'

const log = await startLog()
after(() => log[Symbol.asyncDispose]())
const { app, operations } = log.database
const everybodys = { firm: null }

async function addWebhook(filter: EventFilter): Promise<string> {
  const webhookId = newId(new Date())
  await inTransaction(app, { firm: alpha }, async (tx) => {
    const { end } = await readLowWatermark(tx.rows.bind(tx))
    const hook = { webhookId, firmId: alpha, url: 'https://hooks.example.com', description: '' }
    insertWebhook(tx, { ...hook, filter, place: end, by: 'alpha', at: new Date() })
  })
  return webhookId
}

/** The types and contents of what a sender finds to deliver. */
async function dueOf(webhookIds: readonly string[]) {
  const sender = newId(new Date())
  const free = { webhooks: 9, ofFirm: 9 }
  await inTransaction(operations, everybodys, (tx) => claimWebhooks(tx, sender, free))
  const due: [string, unknown][][] = []
  for (const webhookId of webhookIds) {
    await inTransaction(operations, everybodys, (tx) => stepWebhook(tx, webhookId, sender))
    const step = await inTransaction(operations, everybodys, (tx) => stepWebhook(tx, webhookId, sender))
    due.push((step?.due ?? []).map(({ event_type, content }) => [event_type, content]))
    await inTransaction(operations, everybodys, async (tx) => releaseWebhook(tx, webhookId, sender))
  }
  return due
}

test('each webhook is notified of a restore once, whatever its filter, also after a start that was killed', async () => {
  await log.addAccount('R0000001')
  await log.writeChange('R0000001', ['account.reserved', 'account.opened', 'document.received'])
  await log.caughtUp()
  const filters: readonly EventFilter[] = [
    everyEvent,
    { types: ['log.*'] },
    { types: ['document.approved'] },
    { types: ['account.*'], accountNumber: 'R0000001' },
    { types: ['*'], repCode: 'none' },
  ]
  const webhooks: string[] = []
  for (const filter of filters) webhooks.push(await addWebhook(filter))
  const page = await inTransaction(app, { firm: alpha }, (tx) =>
    readLogPage(tx.rows.bind(tx), alpha, undefined, everyEvent, { size: 100 }),
  )
  assert.ok(typeof page !== 'string')
  const last = page.events.at(-1)
  const superuser = await log.database.superuser()
  await followCluster(operations)
  await superuser.query("update clearing.event_line set cluster = 'restored'")
  const cause = { at: new Date(), traceId: newTraceId() }
  const killed = followCluster(operations, async (tx) => {
    await notifyOfRestore(tx, cause)
    throw new Error('killed')
  })
  await assert.rejects(killed, /killed/)
  const starts = [0, 1].map(() => followCluster(operations, (tx) => notifyOfRestore(tx, cause)))
  assert.deepEqual((await Promise.all(starts)).toSorted(), [false, true])
  await log.caughtUp()

  assert.ok(last)
  const content = { lastEventId: last.eventId, lastEventAt: last.at }
  assert.deepEqual(
    await dueOf(webhooks),
    filters.map(() => [[restoredType, content]]),
  )
  const counted = await superuser.query(
    'select count(*)::integer as count, count(distinct firm_id)::integer as firms from clearing.event_row where type = $1',
    [restoredType],
  )
  const firms = await superuser.query('select count(*)::integer as firms from clearing.firm')
  assert.deepEqual(counted.rows, [{ count: firms.rows[0].firms, firms: firms.rows[0].firms }])
})
