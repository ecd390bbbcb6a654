import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Webhook as StandardWebhook, WebhookVerificationError } from 'standardwebhooks'
import { statement } from '../../database/statement.ts'
import { until } from '../../database/test-waiting.ts'
import { inTransaction } from '../../database/transaction.ts'
import { createKeyring } from '../../encryption/keyring.ts'
import { type EventsSettings, openEvents } from '../../http/streams/open-events.ts'
import { newId } from '../../ids.ts'
import { createLog } from '../../observe/log.ts'
import { type EventFilter, everyEvent, readLowWatermark } from '../../store/event-log.ts'
import { loadFirmKeys } from '../../store/firms.ts'
import { claimWebhooks, stepWebhook } from '../../store/webhook-queue.ts'
import {
  changeWebhook,
  type DeliveryRow,
  filterOf,
  findDeliveries,
  insertWebhook,
  insertWebhookSecret,
  readWebhook,
  type Webhook,
} from '../../store/webhooks.ts'
import { alpha, beta, startLog } from '../test-log.ts'
import { newWebhookSecret, signDelivery } from './sign.ts'
import { startReceiver, type TestReceiver } from './test-receiver.ts'

const log = await startLog()
after(() => log[Symbol.asyncDispose]())
const { database, ground } = log
const keyring = createKeyring({
  masterKeys: ground.masterKeys,
  loadFirmKeys: (firmId) => loadFirmKeys(database.app, firmId),
})

const quickly = { delaysMs: Array(60).fill(20), timeoutMs: 250 }
/** Far longer than a receiver takes on a busy machine: a delivery that it takes is sent once. */
const patientMs = 60_000
const patiently = { ...quickly, timeoutMs: patientMs }
function open(delivery: EventsSettings['delivery'] & object = quickly, sandbox = true) {
  return openEvents({
    app: database.app,
    operations: database.operations,
    keyring,
    source: 'https://clearing.example',
    sandbox,
    logger: createLog('silent'),
    delivery,
  })
}

const endLeases = statement(
  'test-end-leases',
  "update clearing.webhook set sender_until = clock_timestamp() - interval '1 ms' where sender is not null",
)

let accounts = 0
async function newAccount(firmId = alpha) {
  const accountNumber = `W${String(++accounts).padStart(7, '0')}`
  await log.addAccount(accountNumber, firmId)
  return accountNumber
}

async function subscribe(url: string, filter: EventFilter = everyEvent, firmId = alpha) {
  const webhookId = newId(new Date())
  const secret = newWebhookSecret()
  const keys = await keyring.load(firmId)
  const at = new Date()
  await log.caughtUp()
  await inTransaction(database.app, { firm: firmId }, async (tx) => {
    const { end } = await readLowWatermark(tx.rows.bind(tx))
    insertWebhook(tx, { webhookId, firmId, url, description: '', filter, place: end, by: 'alpha', at })
    insertWebhookSecret(tx, { secretId: newId(at), webhookId, firmId, text: secret, at }, keys)
  })
  return { webhookId, secret }
}
function unsubscribe(webhookId: string, firmId = alpha) {
  return inTransaction(database.app, { firm: firmId }, async (tx) => {
    const webhook = (await readWebhook(tx, webhookId)) as Webhook
    await changeWebhook(tx, webhookId, {
      ...webhook,
      filter: filterOf(webhook),
      disabledReason: 'over',
      by: 'alpha',
      at: new Date(),
    })
  })
}
function look(webhookId: string) {
  return inTransaction(database.app, { firm: alpha, readOnly: true }, (tx) => readWebhook(tx, webhookId))
}
function deliveriesOf(webhookId: string): Promise<DeliveryRow[]> {
  return inTransaction(database.app, { firm: alpha, readOnly: true }, (tx) =>
    findDeliveries(tx, alpha, { webhookId, size: 100 }),
  )
}
function taken({ deliveries }: TestReceiver, accountNumber: string) {
  return [
    ...new Set(
      deliveries
        .filter((each) => each.taken && each.event.accountnumber === accountNumber)
        .map(({ event }) => event.sequence),
    ),
  ]
}
function numbers(count: number) {
  return Array.from({ length: count }, (_, at) => at + 1)
}

test('a receiver that fails, hangs and restarts gets every event at least once, in the order of each account', async () => {
  let events = open()
  const own = [await newAccount(), await newAccount(), await newAccount(), await newAccount()]
  const manners = [200, 500, 204, 'hang-up', 429, 200, 404, 200, 503] as const
  let hangs = 3
  await using receiver = await startReceiver((count) => {
    if (count > 8 && hangs > 0) {
      hangs -= 1
      return 'hang'
    }
    return count < 60 ? (manners[count % manners.length] ?? 200) : 200
  })
  const { webhookId } = await subscribe(receiver.url)
  const each = 12
  for (let count = 0; count < each; count++) {
    for (const account of own) await log.write(account)
    if (count === 4) {
      await receiver.leave()
      await log.write(own[0] as string)
      await receiver.comeBack()
    }
    if (count === 8) {
      // Another process continues to send.
      await events[Symbol.asyncDispose]()
      events = open()
    }
  }
  await receiver.until('all events of all accounts', () =>
    own.every((account, at) => taken(receiver, account).length === each + (at === 0 ? 1 : 0)),
  )
  for (const [at, account] of own.entries()) {
    assert.deepEqual(taken(receiver, account), numbers(each + (at === 0 ? 1 : 0)))
  }
  await unsubscribe(webhookId)
  await events[Symbol.asyncDispose]()
})

test('another process continues when the lease of a killed process has expired', async () => {
  await using receiver = await startReceiver(() => 200)
  const { webhookId } = await subscribe(receiver.url)
  const account = await newAccount()
  await log.write(account)
  await log.write(account)
  await log.caughtUp()
  const killed = 'a process that has ended'
  await inTransaction(database.operations, { firm: null }, async (tx) => {
    assert.ok(
      (await claimWebhooks(tx, killed, { webhooks: 50, ofFirm: 50 })).some(
        ({ webhook_id }) => webhook_id === webhookId,
      ),
    )
    // The process had queued both deliveries and sent none.
    assert.equal((await stepWebhook(tx, webhookId, killed))?.due.length, 2)
  })
  await using events = open()
  events.webhooks.wake()
  await until('the other process to have looked', async () => {
    const free = await inTransaction(database.operations, { firm: null }, (tx) =>
      claimWebhooks(tx, 'x', { webhooks: 50, ofFirm: 50 }),
    )
    return free.length === 0 ? true : undefined
  })
  assert.deepEqual(receiver.deliveries, [])
  await inTransaction(database.operations, { firm: null }, (tx) => tx.run(endLeases))
  await receiver.until('both events', () => taken(receiver, account).length === 2)
  assert.deepEqual(taken(receiver, account), [1, 2])
  await unsubscribe(webhookId)
})

test('a delivery contains the event from the log and a signature that the receiver can verify', async () => {
  await using events = open(patiently)
  await using receiver = await startReceiver(() => 200)
  const { webhookId, secret } = await subscribe(receiver.url, { types: ['document.*'] })
  const account = await newAccount()
  await log.write(account, 'account.updated')
  await log.write(account, 'document.received')
  await receiver.until('the delivery', () => receiver.deliveries.length === 1)
  const [delivery] = receiver.deliveries
  assert.ok(delivery)
  const { headers, body, event } = delivery
  assert.equal(event.type, 'document.received')
  assert.equal(event.sequence, 2)
  assert.equal(headers['content-type'], 'application/cloudevents+json; charset=utf-8')
  assert.equal(headers['webhook-id'], event.id)
  assert.ok(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1_000) < 60)
  // A receiver verifies in this way with the library of the Standard Webhooks specification.
  assert.deepEqual(new StandardWebhook(secret).verify(body, headers as Record<string, string>), event)
  assert.throws(
    () => new StandardWebhook(newWebhookSecret()).verify(body, headers as Record<string, string>),
    WebhookVerificationError,
  )
  const [kept] = await until('the delivery in the log', async () => {
    const found = await deliveriesOf(webhookId)
    return found[0]?.status === 'Delivered' ? found : undefined
  })
  assert.deepEqual([kept?.kind, kept?.event_id, kept?.attempts.length], ['Event', event.id, 1])
  assert.deepEqual([kept?.attempts[0]?.status, kept?.attempts[0]?.answer], [200, 'thank you'])
  await unsubscribe(webhookId)
  void events
})

test('a delivery that fails too often is abandoned, and later deliveries are sent', async () => {
  await using events = open({ delaysMs: [1, 1], timeoutMs: patientMs })
  await using receiver = await startReceiver((_, event) => (event.sequence === 1 ? 500 : 200))
  const { webhookId } = await subscribe(receiver.url)
  const account = await newAccount()
  await log.write(account)
  await log.write(account)
  await receiver.until('the deliveries after the abandoned one', () => taken(receiver, account).length === 1)
  assert.deepEqual(
    receiver.deliveries.map(({ event }) => event.sequence),
    [1, 1, 1, 2],
  )
  const found = await until('the end of both deliveries', async () => {
    const rows = await deliveriesOf(webhookId)
    return rows.every(({ status }) => status !== 'Waiting') ? rows : undefined
  })
  assert.deepEqual(found.map(({ status }) => status).sort(), ['Delivered', 'Failed'])
  await unsubscribe(webhookId)
  void events
})

test('failed deliveries of one account do not delay other accounts', async () => {
  await using events = open({ delaysMs: [3_600_000], timeoutMs: patientMs })
  const [bad, good] = [await newAccount(), await newAccount()]
  await using receiver = await startReceiver((_, event) => (event.accountnumber === bad ? 500 : 200))
  const { webhookId } = await subscribe(receiver.url)
  await log.write(bad)
  for (let count = 0; count < 5; count++) {
    await log.write(bad)
    await log.write(good)
  }
  await receiver.until('5 events of the good account', () => taken(receiver, good).length === 5)
  assert.equal(receiver.deliveries.filter(({ event }) => event.accountnumber === bad).length, 1)
  await unsubscribe(webhookId)
  void events
})

test('fifty receivers of one firm that hang do not delay the webhooks of another firm', async () => {
  await using events = open({ timeoutMs: 3_600_000 })
  await using hanging = await startReceiver(() => 'hang')
  await using receiver = await startReceiver(() => 200)
  const ofAlpha: string[] = []
  while (ofAlpha.length < 50) ofAlpha.push((await subscribe(hanging.url)).webhookId)
  const { webhookId } = await subscribe(receiver.url, everyEvent, beta)
  await log.write(await newAccount())
  await hanging.until('several deliveries at once', () => hanging.deliveries.length >= 10)
  const account = await newAccount(beta)
  await log.write(account, 'account.updated', beta)
  await receiver.until('the event of the other firm', () => taken(receiver, account).length === 1)
  for (const each of ofAlpha) await unsubscribe(each)
  await unsubscribe(webhookId, beta)
  void events
})

test('a receiver that always has work and never responds does not keep others waiting', async () => {
  await using hanging = await startReceiver(() => 'hang')
  await using receiver = await startReceiver(() => 200)
  const { webhookId: busy } = await subscribe(hanging.url)
  const { webhookId } = await subscribe(receiver.url, everyEvent, beta)
  for (let count = 0; count < 32; count++) await log.write(await newAccount())
  await using events = open({ ...quickly, atOnce: { webhooks: 1, ofFirm: 1 } })
  await hanging.until('the first deliveries', () => hanging.deliveries.length > 0)
  const account = await newAccount(beta)
  await log.write(account, 'account.updated', beta)
  await receiver.until('the event of the other firm', () => taken(receiver, account).length === 1)
  await unsubscribe(busy)
  await unsubscribe(webhookId, beta)
  void events
})

test('a response of 410 disables the webhook, which continues at the same position when it is enabled', async () => {
  await using events = open(patiently)
  let gone = true
  await using receiver = await startReceiver(() => (gone ? 410 : 200))
  const { webhookId } = await subscribe(receiver.url)
  const subscribed = await look(webhookId)
  assert.ok(subscribed)
  const { attempt } = await events.webhooks.fire(subscribed, [newWebhookSecret()], new Date(), '')
  assert.match(attempt.error, /410 .* A test changes nothing/)
  assert.equal((await look(webhookId))?.disabled_at, null)
  const account = await newAccount()
  await log.write(account)
  const disabled = await until('the webhook to be disabled', async () => {
    const webhook = await look(webhookId)
    return webhook?.disabled_at == null ? undefined : webhook
  })
  assert.match(disabled.disabled_reason ?? '', /410/)
  await log.write(account)
  gone = false
  await inTransaction(database.app, { firm: alpha }, (tx) =>
    changeWebhook(tx, webhookId, {
      ...disabled,
      filter: filterOf(disabled),
      disabledReason: null,
      by: 'alpha',
      at: new Date(),
    }),
  )
  events.webhooks.wake()
  await receiver.until('both events', () => taken(receiver, account).length === 2)
  assert.deepEqual(taken(receiver, account), [1, 2])
  await unsubscribe(webhookId)
})

test('redirects are not followed', async () => {
  await using events = open({ delaysMs: [3_600_000], timeoutMs: patientMs })
  await using elsewhere = await startReceiver(() => 200)
  await using receiver = await startReceiver(() => ({ status: 307, headers: { location: elsewhere.url } }))
  const { webhookId } = await subscribe(receiver.url)
  await log.write(await newAccount())
  const [kept] = await until('the attempt in the log', async () => {
    const found = await deliveriesOf(webhookId)
    return (found[0]?.attempts.length ?? 0) > 0 ? found : undefined
  })
  assert.deepEqual(
    [kept?.attempts[0]?.status, kept?.attempts[0]?.error],
    [307, 'Redirects are not followed.'],
  )
  assert.equal(elsewhere.deliveries.length, 0)
  await unsubscribe(webhookId)
  void events
})

test('outside the sandbox, no delivery is sent to the local machine, by address or by name', async () => {
  await using events = open({ delaysMs: [3_600_000], timeoutMs: patientMs }, false)
  await using receiver = await startReceiver(() => 200)
  const byNumber = await subscribe(receiver.url.replace('http:', 'https:'))
  const byName = await subscribe(receiver.url.replace('http:', 'https:').replace('127.0.0.1', 'localhost'))
  await log.write(await newAccount())
  for (const { webhookId } of [byNumber, byName]) {
    const [kept] = await until('the attempt in the log', async () => {
      const found = await deliveriesOf(webhookId)
      return (found[0]?.attempts.length ?? 0) > 0 ? found : undefined
    })
    assert.match(kept?.attempts[0]?.error ?? '', /private/)
    assert.equal(kept?.attempts[0]?.status, null)
    await unsubscribe(webhookId)
  }
  assert.equal(receiver.deliveries.length, 0)
  void events
})

test('a webhook gets only the events of its own firm', async () => {
  await using events = open(patiently)
  await using receiver = await startReceiver(() => 200)
  const { webhookId } = await subscribe(receiver.url)
  const [ours, theirs] = [await newAccount(alpha), await newAccount(beta)]
  await log.write(theirs, 'account.updated', beta)
  await log.write(ours)
  await receiver.until('the event', () => taken(receiver, ours).length === 1)
  assert.deepEqual(
    receiver.deliveries.map(({ event }) => event.accountnumber),
    [ours],
  )
  await unsubscribe(webhookId)
  void events
})

test('a signature equals the example of the Standard Webhooks specification', () => {
  const headers = signDelivery(
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    new Date(1_614_265_330_000),
    '{"test": 2432232314}',
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  )
  assert.equal(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  assert.equal(headers['webhook-timestamp'], '1614265330')
})

test('a thousand events that the receiver refuses hold back only the events of their accounts', async () => {
  const events = open({ delaysMs: Array(12).fill(600_000), timeoutMs: patientMs })
  await using receiver = await startReceiver((_count, { type }) => (type === 'account.updated' ? 500 : 200))
  const refused = [await newAccount(), await newAccount(), await newAccount()]
  const other = await newAccount()
  const { webhookId } = await subscribe(receiver.url)
  for (const account of refused) await log.writeChange(account, Array(400).fill('account.updated'))
  await receiver.until('the first event of each account', () => receiver.deliveries.length >= refused.length)
  await log.write(other, 'account.closed')
  await receiver.until('the event of the other account', () => taken(receiver, other).length === 1)
  assert.equal(receiver.deliveries.length, refused.length + 1)
  await unsubscribe(webhookId)
  await events[Symbol.asyncDispose]()
})
