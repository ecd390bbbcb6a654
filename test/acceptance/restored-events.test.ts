/** What streams send after a snapshot was restored: the restored log, also to readers that connect beside others. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { createClient } from '@clearing/sdk'
import { refusalOf, until } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

interface Stream extends AsyncDisposable {
  /** Resolves to the next block of the stream that has one of these fields. */
  next(field: 'id' | 'data'): Promise<string>
}

async function openStream(lastEventId?: string): Promise<Stream> {
  const controller = new AbortController()
  const answer = await fetch(`${service.address}/account-api/v1/events`, {
    headers: {
      authorization: `Bearer ${await service.token('alpha')}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: AbortSignal.any([controller.signal, AbortSignal.timeout(60_000)]),
  })
  assert.equal(answer.status, 200)
  assert.ok(answer.body)
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const nextBlock = async (): Promise<string> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const block = text.slice(0, end)
        text = text.slice(end + 2)
        return block
      }
      const { value, done } = await reader.read()
      assert.ok(!done, 'the stream goes on')
      text += value
    }
  }
  return {
    async next(field) {
      for (;;) {
        const block = await nextBlock()
        if (block.split('\n').some((row) => row.startsWith(`${field}: `))) return block
      }
    },
    async [Symbol.asyncDispose]() {
      controller.abort()
    },
  }
}

function fieldOf(block: string, field: string): string {
  return (
    block
      .split('\n')
      .find((row) => row.startsWith(`${field}: `))
      ?.slice(field.length + 2) ?? ''
  )
}
async function nextNote(stream: Stream): Promise<string> {
  for (;;) {
    const { type, data } = JSON.parse(fieldOf(await stream.next('data'), 'data'))
    if (type !== 'log.restored') return data.note
  }
}
async function emit(note: string): Promise<void> {
  await service.alpha.sandbox.emitEvent({ type: 'business_day.closed', note })
}

async function readReset(stream: Stream): Promise<{ cursor: string; reason: string }> {
  const block = await stream.next('data')
  assert.equal(fieldOf(block, 'event'), 'reset', block)
  return JSON.parse(fieldOf(block, 'data'))
}
async function notesAfter(after: string): Promise<unknown[]> {
  await service.eventsReported()
  const { data } = await service.alpha.listEvents({ after, types: ['business_day.closed'] })
  return data.events.map((event) => (event.data as { note?: unknown }).note)
}

test('a reader that resumes beside an open stream gets no events that the restore removed', async () => {
  await using open = await openStream()
  const cursor = fieldOf(await open.next('id'), 'id')
  await emit('kept')
  assert.equal(await nextNote(open), 'kept')
  await service.alpha.sandbox.saveSnapshot({ name: 'streams' })
  await emit('removed')
  assert.equal(await nextNote(open), 'removed')
  await service.alpha.sandbox.restoreSnapshot({ name: 'streams' })
  await using resumed = await openStream(cursor)
  assert.equal(await nextNote(resumed), 'kept')
  await emit('added')
  assert.equal(await nextNote(resumed), 'added')
  assert.match((await readReset(open)).reason, /restored/)
  assert.equal(await nextNote(open), 'added')
})

test('a cursor of the time that a restore has lost is refused, and names the cursor to continue with', async () => {
  const { alpha } = service
  const newest = async () => {
    await service.eventsReported()
    return (await alpha.listEvents({})).data.nextCursor
  }
  // A snapshot that is saved while a transaction older than an event is open begins its line before the event.
  const save = async (name: string) => {
    await service.eventsReported()
    await alpha.sandbox.saveSnapshot({ name })
  }
  await emit('first')
  const before = await newest()
  await save('earlier')
  await emit('second')
  await save('later')
  await emit('removed')
  const lost = await newest()
  await alpha.sandbox.restoreSnapshot({ name: 'earlier' })
  const lostToo = await newest()
  await alpha.sandbox.restoreSnapshot({ name: 'later' })
  await emit('third')
  assert.deepEqual(await notesAfter(before), ['second', 'third'])
  const credentials = { clientId: 'alpha', clientSecret: 'alpha-sandbox-secret' }
  const reader = createClient({ baseUrl: service.address, ...credentials })
  for (const after of [lost, lostToo]) {
    const refused = await refusalOf(alpha.listEvents({ after }))
    const [{ code, field, reason } = {}] = refused.rejections
    assert.deepEqual([code, field], ['ERR.1015', 'after'])
    const continued = /continue with the cursor ([\w-]+)\.$/.exec(reason ?? '')?.[1] ?? ''
    assert.deepEqual(await notesAfter(continued), ['third'])
    const hook = await refusalOf(alpha.createWebhook({ url: 'http://127.0.0.1:9/events', cursor: after }))
    assert.deepEqual(hook.rejections, [{ code, field: 'cursor', reason }])
    await using stream = await openStream(after)
    assert.equal((await readReset(stream)).cursor, continued)
    assert.equal(await nextNote(stream), 'third')
    for (const follow of [true, false])
      await assert.rejects(reader.events({ cursor: after }, { follow }).next(), {
        name: 'EventsMissed',
        cursor: continued,
      })
  }
  assert.deepEqual(await notesAfter(await newest()), [])
})

test('each webhook gets one event that names the last event that remains, whatever its filter', async () => {
  const { alpha } = service
  const received: { path: string | undefined; type: string; data: unknown }[] = []
  const receiver = createServer(async (request, response) => {
    const { type, data } = JSON.parse(await text(request))
    received.push({ path: request.url, type, data })
    response.end()
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  const { port } = receiver.address() as AddressInfo
  const restored = () => received.filter(({ type }) => type === 'log.restored')
  try {
    for (const [path, types] of [
      ['all', []],
      ['documents', ['document.*']],
    ] as const)
      await alpha.createWebhook({ url: `http://127.0.0.1:${port}/${path}`, types: [...types] })
    await emit('kept')
    await service.eventsReported()
    const { id, time } = (await alpha.listEvents({ types: ['business_day.closed'] })).data.events.at(-1) ?? {}
    await alpha.sandbox.saveSnapshot({ name: 'hooks' })
    await emit('removed')
    await alpha.sandbox.restoreSnapshot({ name: 'hooks' })
    await until(
      async () => restored(),
      (found) => found.length >= 2,
    )
    await emit('after the restore')
    await until(
      async () => received.filter(({ path, type }) => path === '/all' && type === 'business_day.closed'),
      (found) => found.some(({ data }) => (data as { note?: string }).note === 'after the restore'),
    )
    const data = { lastEventId: id, lastEventAt: time }
    assert.deepEqual(
      restored().toSorted((one, other) => String(one.path).localeCompare(String(other.path))),
      ['/all', '/documents'].map((path) => ({ path, type: 'log.restored', data })),
    )
  } finally {
    receiver.close()
  }
})

test('the id of an event that a restore has removed is answered as a lost cursor; the id of a kept event is not', async () => {
  const { alpha } = service
  const newest = async () => {
    await service.eventsReported()
    const { events } = (await alpha.listEvents({ types: ['business_day.closed'] })).data
    return events.at(-1)?.id ?? ''
  }
  // An account's event, and an event of the whole firm, have ids of different versions.
  const request = { entityNumber: '301', repCode: 'JC01', registrationType: 'Individual' } as const
  await emit('before the snapshot')
  const kept = await newest()
  await alpha.sandbox.saveSnapshot({ name: 'ids' })
  const { accountNumber } = (await alpha.accountNumber(request)).data
  await emit('removed')
  const lost = await newest()
  const [ofAccount] = (await alpha.listEvents({ accountNumber })).data.events
  await alpha.sandbox.restoreSnapshot({ name: 'ids' })
  await emit('after the restore')
  assert.deepEqual(await notesAfter(kept), ['after the restore'])
  const refused = await refusalOf(alpha.listEvents({ after: lost }))
  const [{ code, field, reason = '' } = {}] = refused.rejections
  assert.deepEqual([code, field], ['ERR.1015', 'after'])
  assert.match(reason, /^No event in the log has this id\. If the service was restored/)
  const continued = /continue with the cursor ([\w-]+)\.$/.exec(reason)?.[1] ?? ''
  assert.deepEqual(await notesAfter(continued), ['after the restore'])
  const refusedToo = await refusalOf(alpha.listEvents({ after: ofAccount?.id ?? '' }))
  assert.deepEqual(refusedToo.rejections, refused.rejections)
  await using stream = await openStream(lost)
  // A reader that gets only the first block reconnects with its id, and learns of the loss as well.
  const first = fieldOf(await stream.next('id'), 'id')
  const reset = await readReset(stream)
  assert.match(reset.reason, /^No event in the log has the id of your cursor/)
  assert.equal(reset.cursor, continued)
  assert.equal(await nextNote(stream), 'after the restore')
  await using again = await openStream(first)
  assert.equal((await readReset(again)).cursor, continued)
  const credentials = { clientId: 'alpha', clientSecret: 'alpha-sandbox-secret' }
  const reader = createClient({ baseUrl: service.address, ...credentials })
  for (const follow of [true, false])
    await assert.rejects(reader.events({ cursor: lost }, { follow }).next(), {
      name: 'EventsMissed',
      cursor: continued,
    })
})
