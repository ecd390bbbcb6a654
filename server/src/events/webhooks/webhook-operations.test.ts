import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { limits } from '@clearing/protocol'
import pg from 'pg'
import { until } from '../../database/test-waiting.ts'
import type { CloudEvent } from '../cloud-event.ts'
import { asListed } from '../test-reader.ts'
import { startTestService } from '../test-service.ts'
import { startReceiver } from './test-receiver.ts'

const service = await startTestService()
after(() => service[Symbol.asyncDispose]())
function alpha(operation: string, request?: object) {
  return service.call('alpha', operation, request)
}
const unknownId = '00000000-0000-7000-8000-000000000000'

test('a webhook is created, gets the events of an opening, is changed and is deleted', async () => {
  await using receiver = await startReceiver(() => 200)
  const made = await alpha('create-webhook', { url: receiver.url, types: ['account.*'], description: 'Desk' })
  assert.equal(made.status, 200, JSON.stringify(made.errors))
  const { secret, ...webhook } = made.data
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.deepEqual(
    [webhook.url, webhook.types, webhook.description, webhook.disabled, webhook.entityNumber],
    [receiver.url, ['account.*'], 'Desk', false, null],
  )
  const accountNumber = await service.openAccount('alpha')
  await receiver.until('account.opened', () => receiver.deliveries.length > 0)
  const [delivery] = receiver.deliveries
  const { data } = await alpha('list-events', { accountNumber, types: ['account.opened'] })
  assert.ok(delivery)
  assert.deepEqual(asListed(delivery.event), data.events[0])
  assert.deepEqual((await alpha('list-webhooks')).data.webhooks, [webhook])
  assert.deepEqual((await service.call('beta', 'list-webhooks')).data.webhooks, [])

  const changed = await alpha('update-webhook', { webhookId: webhook.webhookId, types: '*', disabled: true })
  assert.deepEqual(
    [changed.data.types, changed.data.disabled, changed.data.disabledReason],
    [[], true, 'The firm disabled it.'],
  )
  const before = receiver.deliveries.length
  const other = await service.openAccount('alpha')
  const again = await alpha('update-webhook', { webhookId: webhook.webhookId, disabled: false })
  assert.equal(again.data.disabledReason, null)
  await receiver.until('an event of the other account', () =>
    receiver.deliveries.some(({ event }) => event.accountnumber === other),
  )
  const ofOther = receiver.deliveries.slice(before).find(({ event }) => event.accountnumber === other)
  assert.equal(ofOther?.event.sequence, 1)

  const { deliveries } = (await alpha('list-deliveries', { webhookId: webhook.webhookId })).data
  assert.ok(deliveries.length > 0)
  assert.equal((await alpha('delete-webhook', { webhookId: webhook.webhookId })).status, 200)
  assert.deepEqual((await alpha('list-webhooks')).data.webhooks, [])
  assert.equal((await alpha('list-deliveries', { webhookId: webhook.webhookId })).status, 404)
  const kept = (await alpha('list-deliveries')).data.deliveries
  assert.deepEqual(
    kept.filter(({ webhookId }: { webhookId: string }) => webhookId === webhook.webhookId),
    [],
    'the deliveries are deleted with their webhook',
  )
})

test('a filter of a webhook can be removed', async () => {
  const filters = { entityNumber: '301', repCode: 'JC01', accountNumber: '30100001' }
  const made = await alpha('create-webhook', { url: 'http://127.0.0.1:9/hook', ...filters })
  const { webhookId } = made.data
  const update = async (request: object) => {
    const { status, data, errors } = await alpha('update-webhook', { webhookId, ...request })
    return status === 200
      ? [data.entityNumber, data.repCode, data.accountNumber]
      : errors.map(({ code, field }: { code: string; field: string }) => `${code} ${field}`)
  }
  assert.deepEqual(await update({ removeFilters: ['repcode'] }), ['301', null, '30100001'])
  assert.deepEqual(await update({ removeFilters: 'accountNumber', repCode: 'JC02' }), ['301', 'JC02', null])
  assert.deepEqual(await update({ removeFilters: ['repCode'], repCode: 'JC01' }), ['ERR.1015 repCode'])
  assert.deepEqual(await update({ removeFilters: ['types'] }), ['ERR.1015 removeFilters[0]'])
  assert.deepEqual(await update({ removeFilters: [] }), ['301', 'JC02', null])
  await alpha('delete-webhook', { webhookId })
})

test('both secrets sign during a rotation, and only the new secret signs after the old one is ended', async () => {
  await using receiver = await startReceiver(() => 200)
  const { data: first } = await alpha('create-webhook', { url: receiver.url, types: ['call.met'] })
  const { webhookId } = first
  const { data: second } = await alpha('rotate-webhook-secret', { webhookId })
  assert.notEqual(second.secret, first.secret)
  assert.deepEqual(
    second.secrets.map(({ expiresOn }: { expiresOn: string | null }) => expiresOn === null),
    [true, false],
  )
  const [fresh, old] = second.secrets
  assert.equal(Date.parse(old.expiresOn) - Date.parse(fresh.createdOn), 24 * 3_600_000)
  const signersOf = async () => {
    const { data } = await alpha('test-webhook', { webhookId })
    assert.equal(data.delivered, true)
    const last = receiver.deliveries.at(-1)
    assert.ok(last)
    const { headers, body } = last
    const given = String(headers['webhook-signature']).split(' ')
    const sign = (secret: string) => {
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
      return `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
        .update(signed)
        .digest('base64')}`
    }
    return given.map((each) => [second.secret, first.secret].findIndex((secret) => sign(secret) === each))
  }
  assert.deepEqual(await signersOf(), [0, 1])
  const { data: third } = await alpha('rotate-webhook-secret', { webhookId, overlapHours: 0 })
  assert.equal(third.secrets.length, 1)
  assert.deepEqual(await signersOf(), [-1])
  await alpha('delete-webhook', { webhookId })
})

test('a test delivery returns the response of the receiver and is listed in the log of deliveries', async () => {
  await using receiver = await startReceiver(() => ({ status: 418, body: 'I am\na teapot' }))
  const { data: webhook } = await alpha('create-webhook', { url: receiver.url, types: ['call.met'] })
  const { webhookId } = webhook
  const tried = await alpha('test-webhook', { webhookId })
  assert.equal(tried.data.delivered, false)
  const { at, durationMs, ...attempt } = tried.data.attempt
  assert.ok(Date.parse(at) > 0 && durationMs >= 0)
  assert.deepEqual(attempt, { status: 418, answer: 'I am a teapot', error: 'The receiver answered 418.' })
  assert.equal(receiver.deliveries[0]?.event.type, 'webhook.test')
  const { data } = await alpha('list-deliveries', { webhookId })
  const [kept] = data.deliveries
  assert.deepEqual(
    [kept.kind, kept.status, kept.eventType, kept.nextAttemptOn],
    ['Test', 'Failed', 'webhook.test', null],
  )
  assert.deepEqual(kept.attempts, [tried.data.attempt])
  await receiver.leave()
  const away = await alpha('test-webhook', { webhookId })
  assert.deepEqual(
    [away.data.attempt.status, away.data.attempt.error],
    [null, 'The connection failed (ECONNREFUSED).'],
  )
  await receiver.comeBack()
  await alpha('delete-webhook', { webhookId })
})

/** Resolves to all events of an account's opening, including the last one. */
function eventsOf(accountNumber: string): Promise<CloudEvent[]> {
  return until(`account.opened of ${accountNumber}`, async () => {
    const { data } = await alpha('list-events', { accountNumber })
    const events: CloudEvent[] = data.events
    return events.some(({ type }) => type === 'account.opened') ? events : undefined
  })
}

test('events are sent again by their ids or by a range of time', async () => {
  await using receiver = await startReceiver(() => 200)
  const asked = { entityNumber: '301', repCode: 'JC01', registrationType: 'Individual' }
  const { accountNumber } = (await alpha('account-number', asked)).data
  const filter = { types: ['application.*'], accountNumber }
  const { webhookId } = (await alpha('create-webhook', { url: receiver.url, ...filter })).data
  const from = new Date().toISOString()
  await service.openAccount('alpha', accountNumber)
  const events = await eventsOf(accountNumber)
  const wanted = events.filter(({ type }) => type.startsWith('application.')).map(({ id }) => id)
  const received = () => receiver.deliveries.map(({ event }) => event.id)
  await receiver.until('its application', () => wanted.every((id) => received().includes(id)))
  assert.deepEqual(received(), wanted)

  const opened = events.at(-1)?.id
  assert.equal((await alpha('resend-events', { webhookId, eventIds: [opened] })).data.queued, 1)
  await receiver.until('the event named', () => received().length > wanted.length)
  const to = new Date(Date.now() + 60_000).toISOString()
  const range = await alpha('resend-events', { webhookId, from, to })
  assert.equal(range.data.queued, wanted.length)
  const other = await alpha('resend-events', { webhookId, from, to, accountNumber: '30100001' })
  assert.deepEqual([other.status, other.errors[0]?.field], [400, 'accountNumber'])
  await receiver.until('its application again', () => received().length > 2 * wanted.length)
  assert.deepEqual(received(), [...wanted, opened, ...wanted])

  const pages = await until('the log of these deliveries', async () => {
    const log = { webhookId, status: 'Delivered' }
    const one = await alpha('list-deliveries', { ...log, size: 5 })
    const two = await alpha('list-deliveries', { ...log, size: 100, cursor: one.data.nextCursor })
    const all = [...one.data.deliveries, ...two.data.deliveries]
    return all.length > 2 * wanted.length ? all : undefined
  })
  assert.equal(new Set(pages.map(({ deliveryId }) => deliveryId)).size, 2 * wanted.length + 1)
  const ofOne = await alpha('list-deliveries', { webhookId, eventId: wanted[0] })
  assert.deepEqual(
    ofOne.data.deliveries.map(({ kind }: { kind: string }) => kind),
    ['Resend', 'Event'],
  )
  await alpha('delete-webhook', { webhookId })
})

const url = 'http://127.0.0.1:9/hook'
const bad: [string, string, object, number, string, string][] = [
  ['a private address', 'create-webhook', { url: 'http://10.0.0.1/x' }, 400, 'ERR.1015', 'url'],
  [
    'the address of a cloud’s metadata',
    'create-webhook',
    { url: 'http://169.254.169.254/' },
    400,
    'ERR.1015',
    'url',
  ],
  ['no address', 'create-webhook', { url: 'hook' }, 400, 'ERR.1015', 'url'],
  ['port 0', 'create-webhook', { url: 'https://example.com:0/' }, 400, 'ERR.1015', 'url'],
  ['a missing address', 'create-webhook', {}, 400, 'ERR.1000', 'url'],
  ['an unknown type', 'create-webhook', { url, types: ['nothing.*'] }, 400, 'ERR.1015', 'types[0]'],
  ['another firm’s rep code', 'create-webhook', { url, repCode: 'BB01' }, 403, 'ERR.1003', 'repCode'],
  ['a malformed cursor', 'create-webhook', { url, cursor: 'x' }, 400, 'ERR.1015', 'cursor'],
  ['an unknown webhook', 'update-webhook', { webhookId: unknownId }, 404, 'ERR.2013', 'webhookId'],
  ['an unknown webhook', 'delete-webhook', { webhookId: 'x' }, 404, 'ERR.2013', 'webhookId'],
  ['an unknown webhook', 'rotate-webhook-secret', { webhookId: unknownId }, 404, 'ERR.2013', 'webhookId'],
  ['an unknown webhook', 'test-webhook', { webhookId: unknownId }, 404, 'ERR.2013', 'webhookId'],
  ['an unknown webhook', 'list-deliveries', { webhookId: unknownId }, 404, 'ERR.2013', 'webhookId'],
  [
    'an unknown webhook',
    'resend-events',
    { webhookId: unknownId, eventIds: [unknownId] },
    404,
    'ERR.2013',
    'webhookId',
  ],
]
for (const [what, operation, request, status, code, field] of bad) {
  test(`${operation} refuses ${what} with ${code}`, async () => {
    const { status: answered, errors } = await alpha(operation, request)
    assert.deepEqual([answered, errors[0]?.code, errors[0]?.field], [status, code, field])
  })
}

const noAccount = 'Your firm has no account with this number.'
const noSuchType = 'The webhook will receive no events: your firm has none of these types.'
const ofNoAccount =
  'The webhook will receive no events: those of these types belong to no account. Remove the other filters.'
const usual = 'Request successful.'
const filters: [object, string][] = [
  [{ accountNumber: '99999999', types: ['account.*'] }, noAccount],
  [{ accountNumber: '99999999', types: ['business_day.closed'] }, ofNoAccount],
  [{ repCode: 'JC01', types: ['incident.*', 'audit.head.signed'] }, ofNoAccount],
  [{ repCode: 'JC01', types: ['incident.*', 'call.met'] }, usual],
  [{ types: ['business_day.closed'] }, usual],
  [{ types: ['staff.notified'] }, noSuchType],
  [{ types: ['webhook.test', 'staff.*'] }, noSuchType],
  [{}, usual],
]
for (const [filter, message] of filters) {
  test(`the message about a webhook with the filter ${JSON.stringify(filter)} is: ${message}`, async () => {
    const created = await alpha('create-webhook', { url, ...filter })
    assert.equal(created.message, message)
    const { webhookId } = created.data
    assert.equal((await alpha('update-webhook', { webhookId, url: `${url}/2` })).message, message)
    await alpha('delete-webhook', { webhookId })
  })
}

test('the message about a webhook for one account is usual for an account, also if it is only reserved', async () => {
  const reservation = { entityNumber: '301', repCode: 'JC01', registrationType: 'Individual' }
  const reserved: string = (await alpha('account-number', reservation)).data.accountNumber
  await until(
    'its event',
    async () => (await alpha('list-events', { accountNumber: reserved })).data.events[0],
  )
  for (const accountNumber of [reserved, await service.openAccount('alpha')]) {
    const { message, data } = await alpha('create-webhook', { url, accountNumber })
    assert.equal(message, usual)
    await alpha('delete-webhook', { webhookId: data.webhookId })
  }
})

test('a cursor of another list is rejected as such, whatever its length', async () => {
  for (const after of ['a'.repeat(100), 'a'.repeat(106)]) {
    const { errors } = await alpha('list-events', { after })
    assert.deepEqual(errors, [
      {
        code: 'ERR.1015',
        field: 'after',
        reason: 'This is neither a cursor of the event log nor the id of an event in it.',
      },
    ])
  }
})

test('an event that cannot be sent again is refused', async () => {
  const { data } = await alpha('create-webhook', { url, types: ['call.met'] })
  const { webhookId } = data
  const again: [object, string, string][] = [
    [{}, 'ERR.1000', 'eventIds'],
    [{ eventIds: ['x'] }, 'ERR.1016', 'eventIds[0]'],
    [{ eventIds: [unknownId] }, 'ERR.1015', 'eventIds'],
    [{ from: 'yesterday' }, 'ERR.1024', 'from'],
    [{ from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 'ERR.1025', 'from'],
  ]
  for (const [request, code, field] of again) {
    const { status, errors } = await alpha('resend-events', { webhookId, ...request })
    assert.deepEqual([status, errors[0]?.code, errors[0]?.field], [400, code, field])
  }
  assert.equal((await service.call('beta', 'update-webhook', { webhookId, disabled: true })).status, 404)
  assert.equal((await service.call('beta', 'test-webhook', { webhookId })).status, 404)
  await alpha('update-webhook', { webhookId, disabled: true })
  const disabled = await alpha('resend-events', { webhookId, from: '2026-01-02T00:00:00Z' })
  assert.deepEqual([disabled.status, disabled.errors[0]?.field], [400, 'webhookId'])
})

test('events are not sent again while too many deliveries of the webhook wait', async () => {
  const accountNumber = await service.openAccount('alpha')
  const from = new Date(Date.now() - 60_000).toISOString()
  await eventsOf(accountNumber)
  const { webhookId } = (await alpha('create-webhook', { url, types: ['account.*'] })).data
  const query = new pg.Client({ connectionString: service.database.urls.superuser })
  await query.connect()
  await query.query(
    `insert into clearing.webhook_delivery (delivery_id, webhook_id, firm_id, kind, event_id, event_type, account_number,
       transaction_id, position, status, next_attempt_at)
     select gen_random_uuid(), webhook_id, firm_id, 'Resend', gen_random_uuid(), 'account.opened', '', '0', 0, 'Waiting',
       now() + interval '1 day'
     from clearing.webhook, generate_series(1, $2) where webhook_id = $1`,
    [webhookId, limits.webhookWaitingMax],
  )
  const refused = await alpha('resend-events', { webhookId, from, accountNumber })
  assert.deepEqual(
    [refused.status, refused.errors[0]?.code, refused.errors[0]?.field],
    [400, 'ERR.1015', 'webhookId'],
  )
  await query.query('delete from clearing.webhook_delivery where webhook_id = $1', [webhookId])
  await query.end()
  assert.equal((await alpha('resend-events', { webhookId, from, accountNumber })).status, 200)
  await alpha('delete-webhook', { webhookId })
})

test('a service that was killed during a delivery sends it after its next start', async () => {
  await using receiver = await startReceiver(() => 200)
  await alpha('create-webhook', { url: receiver.url, types: ['account.opened'] })
  await receiver.leave()
  const accountNumber = await service.openAccount('alpha')
  await eventsOf(accountNumber)
  await service.restart()
  await receiver.comeBack()
  await receiver.until('account.opened', () =>
    receiver.deliveries.some(({ event }) => event.accountnumber === accountNumber),
  )
})

test('a new secret is listed before the old one also after the clock of the sandbox was moved', async () => {
  const moved = await fetch(`${service.address}/sandbox-api/v1/advance-clock`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await service.tokenOf('alpha')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ duration: 'PT10M' }),
  })
  assert.equal(moved.status, 200)
  const { data: first } = await alpha('create-webhook', { url: 'http://127.0.0.1:9/', types: ['call.met'] })
  const { webhookId } = first
  const { data: second } = await alpha('rotate-webhook-secret', { webhookId })
  assert.deepEqual(
    second.secrets.map(({ expiresOn }: { expiresOn: string | null }) => expiresOn === null),
    [true, false],
  )
  await alpha('delete-webhook', { webhookId })
})
