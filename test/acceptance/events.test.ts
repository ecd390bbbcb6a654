/** Provokes every event of accounts. Polling, stream and webhook deliver each as the same event. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { codeLists, eventDataShapes } from '@clearing/protocol'
import type { CloudEvent } from '@clearing/sdk'
import Value from 'typebox/value'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { asListed, readStream, type StreamReader } from '../../server/src/events/test-reader.ts'
import { startReceiver, type TestReceiver } from '../../server/src/events/webhooks/test-receiver.ts'
import { applicationFor, applicationOf } from './applications.ts'
import { follow, open, openAndFollow, until } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
let receiver: TestReceiver
let stream: StreamReader
let start: string
before(async () => {
  service = await startRunningService({ withAccounts: true })
  receiver = await startReceiver(() => 200)
  start = (await pull()).cursor
  const authorization = `Bearer ${await service.token('alpha')}`
  stream = await readStream(service.address, `?cursor=${start}`, { authorization })
  await service.alpha.createWebhook({ url: receiver.url, cursor: start })
})
after(async () => {
  await stream?.leave()
  await service?.stop()
  await receiver?.[Symbol.asyncDispose]()
})

async function pull(cursor?: string): Promise<{ events: CloudEvent[]; cursor: string }> {
  const events: CloudEvent[] = []
  await service.eventsReported()
  for (let from = cursor; ; ) {
    const { data } = await service.alpha.listEvents({
      size: 50,
      ...(from === undefined ? {} : { cursor: from }),
    })
    events.push(...data.events)
    from = data.nextCursor
    if (!data.more) return { events, cursor: from }
  }
}

async function submit(taxIdNumber: string): Promise<string> {
  const { accountNumber } = await open(service.alpha, applicationOf({ taxIdNumber }))
  await follow(service.alpha, accountNumber)
  return accountNumber
}
async function addDocument(accountNumber: string) {
  const file = { name: 'passport.pdf', content: samplePdf() }
  const document = { accountNumber, documentTypeName: 'Identity Documents', reference: 'PASS', file }
  return (await service.alpha.addDocument(document)).data
}

const happenings: Record<string, () => Promise<void>> = {
  'an application that must prove an identity, with a document that does not do and one that does':
    async () => {
      const accountNumber = await submit('000000003')
      const { decideDocument } = service.operations.operations
      const first = await addDocument(accountNumber)
      await decideDocument({
        accountNumber,
        documentId: first.documentId,
        decision: 'Rejected',
        rejectionCode: 'BLURRY',
        reason: 'It cannot be read.',
      })
      const second = await addDocument(accountNumber)
      await decideDocument({ accountNumber, documentId: second.documentId, decision: 'Approved' })
      const { currentState } = await follow(service.alpha, accountNumber)
      assert.equal(currentState, 'CreationComplete')
      await service.alpha.updateAccount({ accountNumber, primaryOwner: { jobTitle: 'Pilot' } })
    },
  'an application that is rejected': async () => {
    await submit('000000001')
  },
  'a number that is reserved': async () => {
    await service.alpha.accountNumber({
      entityNumber: '301',
      repCode: 'JC01',
      registrationType: 'Individual',
    })
  },
  'a restriction, and the end of an account': async () => {
    const { placeRestriction, endRestriction, closeAccount } = service.operations.operations
    const accountNumber = await openAndFollow(service.alpha, applicationFor('Individual'))
    const reason = 'Asked for by its owner.'
    const { data } = await placeRestriction({ accountNumber, restrictionCode: 'LegalHold', reason })
    const restrictionId = data.restriction?.restrictionId ?? ''
    await endRestriction({ accountNumber, restrictionId, reason })
    await closeAccount({ accountNumber, reason })
  },
  'activity and its correction': async () => {
    const line = {
      externalId: 'events-1',
      acctNo: '30100008',
      acctType: '2',
      transType: 'Deposit',
      netAmount: '100',
    }
    const load = async (one: object) => {
      const { data } = await service.operations.operations.loadActivity({ lines: { ndjson: [one] } })
      assert.deepEqual([data.accepted, data.rejects], [1, []])
    }
    await load({ ...line, tradeDate: '2026-01-05' })
    await load({
      ...line,
      externalId: 'events-2',
      tradeDate: '2026-01-05',
      tagNo: 'events-1',
      cancelType: 'C',
    })
  },
  'a margin call that prices make and unmake': async () => {
    const { sandbox } = service.alpha
    await sandbox.movePrices({ percent: 300, symbols: ['QUAY', 'MOOR'] })
    await sandbox.advanceClock({ days: 4 })
    await sandbox.movePrices({ percent: -75, symbols: ['QUAY', 'MOOR'] })
    await sandbox.advanceClock({ days: 4 })
  },
}

const issued = [
  ...[
    'account.reserved',
    'application.submitted',
    'application.stage.completed',
    'application.action_required',
  ],
  ...[
    'application.approved',
    'application.rejected',
    'account.opened',
    'account.updated',
    'account.restricted',
  ],
  ...['account.closed', 'document.received', 'document.approved', 'document.rejected', 'followup.opened'],
  ...[
    'followup.answered',
    'activity.posted',
    'activity.corrected',
    'call.issued',
    'call.met',
    'business_day.closed',
  ],
]

for (const [what, happen] of Object.entries(happenings)) test(`${what} can happen`, happen)

test('every promised type of event was sent', async () => {
  const missing = ({ events }: { events: readonly CloudEvent[] }) =>
    issued.filter((type) => !events.some((event) => event.type === type))
  assert.deepEqual(
    missing(
      await until(
        () => pull(start),
        (pulled) => missing(pulled).length === 0,
      ),
    ),
    [],
  )
  const known = codeLists.eventType.map(({ value }) => value as string)
  assert.deepEqual(
    issued.filter((type) => !known.includes(type)),
    [],
  )
})

test('polling, stream and webhooks deliver the same events with the same ids and cursors', async () => {
  const { events: pulled } = await pull(start)
  // The clock was moved while the stream was open, and the stream continues. Another stream begins after an event in
  // the middle.
  await stream.until('all that was pulled', () => stream.events.length >= pulled.length)
  assert.deepEqual(stream.events.map(asListed), pulled)
  const half = Math.floor(pulled.length / 2)
  const authorization = `Bearer ${await service.token('alpha', undefined, 'events:read')}`
  await using second = await readStream(service.address, '', {
    authorization,
    'last-event-id': pulled[half - 1]?.cursor ?? '',
  })
  await second.until('the second half', () => second.events.length >= pulled.length - half)
  assert.deepEqual(second.events.map(asListed), pulled.slice(half))
  const received = () => new Map(receiver.deliveries.map(({ event }) => [event.id, asListed(event)]))
  await receiver.until('all that was pulled', () => pulled.every(({ id }) => received().has(id)))
  const delivered = received()
  assert.deepEqual(
    pulled.map(({ id }) => delivered.get(id)),
    pulled,
  )
  assert.equal(delivered.size, pulled.length)
  // Events of an account are in order, whichever way they come.
  for (const sent of [stream.events, [...delivered.values()]]) {
    for (const ofAccount of Map.groupBy(sent, ({ accountnumber }) => accountnumber).values()) {
      const sequences = ofAccount.map(({ sequence = 0 }) => sequence)
      assert.deepEqual(
        sequences,
        sequences.toSorted((one, other) => one - other),
      )
    }
  }
  // A cursor of one way is a cursor of the others.
  const middle = pulled[Math.floor(pulled.length / 2)] as CloudEvent
  const rest = pulled.slice(pulled.indexOf(middle) + 1)
  assert.deepEqual((await pull(delivered.get(middle.id)?.cursor)).events, rest)
  await using again = await readStream(service.address, '', { authorization, 'last-event-id': middle.id })
  await again.until('the rest', ({ events }) => events.length >= rest.length)
  assert.deepEqual(again.events.map(asListed), rest)
})

test('each event is a CloudEvent with the data shape of its type, numbered without gaps, without personal numbers', async () => {
  const { events } = await pull()
  assert.ok(events.length > 50)
  for (const event of events) {
    assert.equal(event.specversion, '1.0')
    assert.ok(event.id !== '' && event.source !== '' && event.type !== '')
    assert.match(event.traceparent, /^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/)
    const shape = eventDataShapes[event.type as keyof typeof eventDataShapes]
    const data: Record<string, unknown> = event.data
    assert.ok(Value.Check(shape, event.data), `${event.type}: ${JSON.stringify(data)}`)
    const undeclared = Object.keys(data).filter((name) => !Object.hasOwn(shape.properties, name))
    assert.deepEqual(undeclared, [], event.type)
    const inAccount = Object.hasOwn(shape.properties, 'accountNumber')
    assert.deepEqual([event.subject, data.accountNumber], [event.accountnumber, event.accountnumber])
    assert.equal(event.accountnumber !== undefined, inAccount, event.type)
    for (const name of Object.keys(event)) assert.match(name, /^[a-z0-9]{1,20}$/)
  }
  const ofAccounts = Map.groupBy(
    events.filter(({ accountnumber }) => accountnumber !== undefined),
    ({ accountnumber }) => accountnumber,
  )
  for (const [account, sent] of ofAccounts) {
    assert.deepEqual(
      sent.map(({ sequence }) => sequence),
      sent.map((_, at) => at + 1),
      String(account),
    )
  }
  assert.doesNotMatch(JSON.stringify(events), /00000000[13](?!\d)|birthDate":"|1986-04-17/)
})
