import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { statement } from '../database/statement.ts'
import { inTime, until } from '../database/test-waiting.ts'
import { inTransaction } from '../database/transaction.ts'
import { alpha, startLog } from '../events/test-log.ts'
import { newId } from '../ids.ts'
import { everyEvent, readLowWatermark } from './event-log.ts'
import { claimWebhooks, releaseWebhook, stepWebhook, writeAttempts } from './webhook-queue.ts'
import { findDeliveries, insertWebhook, lockWebhookRow, queueResends } from './webhooks.ts'

const log = await startLog()
after(() => log[Symbol.asyncDispose]())
const { app, operations } = log.database
const ours = { firm: alpha }
const everybodys = { firm: null }

const countWaiting = statement<{ waiting: bigint }>(
  'test-count-lock-waiters',
  'select count(*) as waiting from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()',
)
const removeFirstEvent = statement(
  'test-remove-first-event',
  'delete from clearing.event_row where account_number = $1 and sequence = 1',
)

const placeWebhook = statement(
  'test-place-webhook',
  'update clearing.webhook set transaction_id = $2::xid8, position = $3 where webhook_id = $1',
)
const selectPosition = statement<{ transaction: bigint; position: bigint }>(
  'test-select-webhook-place',
  'select transaction_id::text::bigint as transaction, position from clearing.webhook where webhook_id = $1',
)

test('a delivery that is queued while its webhook is released is due at once', async () => {
  const webhookId = newId(new Date())
  const queued = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  await log.addAccount('Q0000001')
  await log.write('Q0000001')
  await log.caughtUp()
  await inTransaction(app, ours, async (tx) => {
    const { end } = await readLowWatermark(tx.rows.bind(tx))
    const url = 'https://hooks.example.com'
    const filter = everyEvent
    const at = new Date()
    insertWebhook(tx, { webhookId, firmId: alpha, url, description: '', filter, place: end, by: 'alpha', at })
  })
  await log.write('Q0000001')
  await log.caughtUp()
  const sender = 'one'
  assert.equal(
    (
      await inTransaction(operations, everybodys, (tx) =>
        claimWebhooks(tx, sender, { webhooks: 9, ofFirm: 9 }),
      )
    ).length,
    1,
  )
  await inTransaction(operations, everybodys, async (tx) => {
    const step = await stepWebhook(tx, webhookId, sender)
    const due = step?.due ?? []
    writeAttempts(
      tx,
      due.map(({ delivery_id: deliveryId }) => ({
        deliveryId,
        attempt: {},
        status: 'Delivered',
        delayMs: 0,
      })),
    )
  })
  const resend = inTransaction(app, ours, async (tx) => {
    const webhook = await lockWebhookRow(tx, webhookId)
    assert.ok(webhook)
    assert.equal(await queueResends(tx, webhook, { filter: everyEvent, max: 10 }), 2)
    queued.resolve()
    await mayCommit.promise
  })
  await inTime('the events to be queued', Promise.race([queued.promise, resend]))
  const release = inTransaction(operations, everybodys, async (tx) => releaseWebhook(tx, webhookId, sender))
  await until('the release to wait for the lock', async () => {
    const [found] = await inTransaction(operations, everybodys, (tx) => tx.rows(countWaiting))
    return found?.waiting === 1n ? found : undefined
  })
  mayCommit.resolve()
  await inTime('both transactions', Promise.all([resend, release]))

  const claimed = await inTransaction(operations, everybodys, (tx) =>
    claimWebhooks(tx, 'two', { webhooks: 9, ofFirm: 9 }),
  )
  assert.equal(claimed.length, 1)
  const step = await inTransaction(operations, everybodys, (tx) => stepWebhook(tx, webhookId, 'two'))
  assert.equal(step?.due.length, 2)
})

test('a delivery whose event is no longer stored ends, and the later ones of its account are sent', async () => {
  const webhookId = newId(new Date())
  const account = 'Q0000002'
  await log.addAccount(account)
  await log.caughtUp()
  await inTransaction(app, ours, async (tx) => {
    const { end } = await readLowWatermark(tx.rows.bind(tx))
    const url = 'https://hooks.example.com'
    const filter = { ...everyEvent, accountNumber: account }
    insertWebhook(tx, {
      webhookId,
      firmId: alpha,
      url,
      description: '',
      filter,
      place: end,
      by: 'alpha',
      at: new Date(),
    })
  })
  await log.write(account)
  await log.write(account)
  await log.caughtUp()
  const sender = 'three'
  const take = () =>
    inTransaction(operations, everybodys, async (tx) => {
      const claimed = await claimWebhooks(tx, sender, { webhooks: 9, ofFirm: 9 })
      if (!claimed.some(({ webhook_id }) => webhook_id === webhookId)) return undefined
      const step = await stepWebhook(tx, webhookId, sender)
      return step?.due ?? []
    })
  assert.equal((await take())?.length, 2)
  await inTransaction(operations, everybodys, (tx) => tx.run(removeFirstEvent, [account]))
  await inTransaction(operations, everybodys, async (tx) => {
    const step = await stepWebhook(tx, webhookId, sender)
    const due = step?.due ?? []
    assert.deepEqual(
      due.map(({ sequence }) => Number(sequence)),
      [2],
    )
    writeAttempts(
      tx,
      due.map(({ delivery_id: deliveryId }) => ({
        deliveryId,
        attempt: {},
        status: 'Delivered',
        delayMs: 0,
      })),
    )
  })
  await inTransaction(operations, everybodys, async (tx) => releaseWebhook(tx, webhookId, sender))
  const found = await inTransaction(app, ours, (tx) => findDeliveries(tx, alpha, { webhookId, size: 9 }))
  assert.deepEqual(found.map(({ status }) => status).sort(), ['Delivered', 'Failed'])
  assert.equal(await take(), undefined, 'nothing is due')
})

test('a webhook of a firm that has moved, at an event that waits for an open transaction, stays there', async () => {
  const webhookId = newId(new Date())
  const sender = 'moved'
  await log.addAccount('Q0000009')
  await log.write('Q0000009')
  await log.caughtUp()
  const waiting = { transaction: 2n ** 40n, position: 7n }
  await inTransaction(app, ours, async (tx) => {
    const at = new Date()
    const place = { transaction: 0n, position: 0n, line: 0 }
    const hook = { webhookId, firmId: alpha, url: 'https://hooks.example.com', description: '' }
    insertWebhook(tx, { ...hook, filter: everyEvent, place, by: 'alpha', at })
  })
  await inTransaction(operations, everybodys, (tx) => claimWebhooks(tx, sender, { webhooks: 9, ofFirm: 9 }))
  await inTransaction(operations, everybodys, (tx) =>
    tx.run(placeWebhook, [webhookId, String(waiting.transaction), waiting.position]),
  )
  const superuser = await log.database.superuser()
  await superuser.query(
    `insert into clearing.event_log_before (firm_id, moves, removed_transaction, removed_position, transaction_id, position)
       values ($1, 0, '0', 0, '0', 0)`,
    [alpha],
  )

  const step = await inTransaction(operations, everybodys, (tx) => stepWebhook(tx, webhookId, sender))
  assert.deepEqual([step?.due, step?.more], [[], false])
  const [place] = await inTransaction(operations, everybodys, (tx) => tx.rows(selectPosition, [webhookId]))
  assert.deepEqual(place, waiting)
})
