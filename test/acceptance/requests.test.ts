/** The log of a firm's own calls: its contents, the values that it never contains, and the searches. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Data, Request } from '@clearing/protocol'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { readText } from '../../server/src/store/compressed.ts'
import { applicationFor, fullApplication } from './applications.ts'
import { refusalOf, until } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

type Kept = Data<'list-requests'>['requests'][number]

async function list(filter: Request<'list-requests'>): Promise<readonly Kept[]> {
  return (await service.alpha.listRequests(filter)).data.requests
}
/** The call of a trace, when the log has it. */
async function find(traceId: string): Promise<Kept> {
  const [kept] = await until(
    () => list({ traceId }),
    ({ length }) => length > 0,
  )
  return kept as Kept
}

test('the calls of a firm are counted by operation and credential', async () => {
  const { firms } = (await service.operations.operations.listFirms({})).data
  const { firmId } = firms.find(({ name }) => name === 'Beta Brokerage') ?? {}
  assert.ok(firmId)
  for (const accountNumber of ['30200001', '30200002'])
    await refusalOf(service.beta.getAccount({ accountNumber }))
  await service.beta.codeLists({})
  const usage = async () => (await service.operations.operations.firmUsage({ firmId, days: 2 })).data.firms
  const [beta, ...others] = await until(usage, ([one]) => one?.calls === 3)
  assert.deepEqual(others, [])
  assert.deepEqual([beta?.firmName, beta?.refused, beta?.failed], ['Beta Brokerage', 2, 0])
  assert.deepEqual(
    beta?.operations.map(({ operation, calls, refused }) => [operation, calls, refused]),
    [
      ['get-account', 2, 2],
      ['code-lists', 1, 0],
    ],
  )
  assert.deepEqual(
    beta?.credentials.map(({ clientId, calls }) => [clientId, calls]),
    [['beta', 3]],
  )
})

describe('a call is logged', () => {
  test('with its request and response, its time, status and credential', async () => {
    const application = applicationFor('Individual')
    const answer = await service.post('new-account', application, { 'idempotency-key': 'key-1' })
    assert.equal(answer.status, 200, answer.text)
    const kept = await find(answer.json.traceId)
    assert.deepEqual(
      [kept.operation, kept.clientId, kept.status, kept.errorCodes, kept.idempotencyKey, kept.replayed],
      ['new-account', 'alpha', 200, [], 'key-1', false],
    )
    assert.ok(Math.abs(Date.parse(kept.at) - Date.now()) < 60_000 && kept.durationMs >= 0)
    const sent = JSON.parse(kept.requestBody ?? '')
    assert.equal(sent.primaryOwner.taxIdNumber, '[redacted]')
    assert.deepEqual(sent, {
      ...application,
      primaryOwner: { ...application.primaryOwner, taxIdNumber: '[redacted]', birthDate: '[redacted]' },
    })
    assert.match(kept.answerBody ?? '', /"Request successful."/)
    const again = await service.post('new-account', application, { 'idempotency-key': 'key-1' })
    assert.equal((await find(again.json.traceId)).replayed, true)
  })

  test('of a reading without its response', async () => {
    const { json } = await service.post('code-lists', {})
    const kept = await find(json.traceId)
    assert.deepEqual([kept.requestBody, kept.answerBody], ['{}', null])
  })

  test('of an upload with its fields', async () => {
    const opened = await service.alpha.newAccount(applicationFor('Individual'))
    assert.ok('message' in opened.data)
    const { accountNumber } = opened.data.message
    const { traceId } = await service.alpha.addDocument({
      accountNumber,
      documentTypeName: 'Identity Documents',
      reference: 'PASS',
      file: { name: 'passport.pdf', content: samplePdf() },
    })
    const kept = await find(traceId)
    const { accountNumber: named, reference } = JSON.parse(kept.requestBody ?? '')
    assert.deepEqual([kept.operation, named, reference], ['add-document', accountNumber, 'PASS'])
  })

  const unscoped = async () => ({
    authorization: `Bearer ${await service.token('alpha', undefined, 'events:read')}`,
  })
  const refused: [string, () => Promise<{ status: number; json: { traceId: string } }>, number, string][] = [
    ['400', () => service.post('new-account', { entityNumber: '301' }), 400, 'ERR.1000'],
    ['400 for invalid JSON', () => service.post('get-account', '{"accountNumber":'), 400, 'ERR.2004'],
    [
      '403 for another firm’s entity',
      () =>
        service.post('account-number', {
          entityNumber: '302',
          repCode: 'JC01',
          registrationType: 'Individual',
        }),
      403,
      'ERR.1003',
    ],
    [
      '403 for a missing scope',
      async () => service.post('get-account', {}, await unscoped()),
      403,
      'ERR.3004',
    ],
    ['404', () => service.post('get-account', { accountNumber: '99999999' }), 404, 'ERR.2003'],
    ['415', () => service.post('get-account', 'x', { 'content-type': 'text/plain' }), 415, 'ERR.2005'],
    [
      '422',
      () => service.post('new-account', applicationFor('Individual'), { 'idempotency-key': 'key-1' }),
      422,
      'ERR.2008',
    ],
    ['429', () => service.post('code-lists', {}, { 'x-sandbox-fault': '429' }), 429, 'ERR.2007'],
    ['500', () => service.post('code-lists', {}, { 'x-sandbox-fault': '500' }), 500, 'ERR.5000'],
  ]
  for (const [what, call, status, code] of refused) {
    test(`when it was refused with ${what}`, async () => {
      const answer = await call()
      const kept = await find(answer.json.traceId)
      assert.deepEqual([answer.status, kept.status], [status, status])
      assert.ok(kept.errorCodes.includes(code), String(kept.errorCodes))
      assert.deepEqual(JSON.parse(kept.answerBody ?? ''), answer.json)
    })
  }
})

test('an empty filter counts as absent', async () => {
  const empty = await list({ traceId: '', operation: '', clientId: '', status: '', size: 1 })
  assert.equal(empty.length, 1)
})

test('no tax id, government id, birth date, secret or token is in the log, wherever it was sent', async () => {
  const application = fullApplication()
  const made = await service.alpha.newAccount(application)
  const misplaced = await service.post('new-account', {
    ...application,
    primaryOwner: { ...application.primaryOwner, ssn: '219-09-9999', jobTitle: 'My number is 219099999' },
  })
  assert.equal(misplaced.status, 400)
  const { data: webhook } = await service.alpha.createWebhook({ url: 'http://127.0.0.1:9/hook' })
  const rotated = await service.alpha.rotateWebhookSecret({ webhookId: webhook.webhookId })
  await find(made.traceId)
  const last = await find(rotated.traceId)
  assert.match(last.answerBody ?? '', /"secret":"\[redacted\]"/)
  const { rows } = await service.query('select request::text as row, bodies from clearing.request')
  const text = rows.map(({ row, bodies }) => row + (bodies === null ? '' : readText(bodies))).join('\n')
  assert.match(text, /primaryOwner/)
  const personal = [
    ...JSON.stringify(application).matchAll(/"(taxIdNumber|taxId|idNumber|birthDate)":"([^"]+)"/g),
  ]
  assert.ok(personal.length > 3)
  const secrets = [
    webhook.secret,
    rotated.data.secret,
    await service.token('alpha'),
    '219-09-9999',
    '219099999',
  ]
  for (const secret of [...personal.map(([, , value]) => value as string), ...secrets]) {
    assert.ok(!text.includes(secret), `${secret} is in the log of calls`)
  }
})

describe('calls are found', () => {
  test('by trace, time, status, operation and credential, page by page', async () => {
    const trace = '0af7651916cd43dd8448eb211c80319c'
    const traceparent = (span: number) => `00-${trace}-00f067aa0ba902b${span}-01`
    const from = new Date().toISOString()
    const traceIds: string[] = []
    for (let span = 1; span <= 5; span++) {
      const accountNumber = span % 2 === 0 ? 'x' : '99999999'
      const { json } = await service.post(
        'get-account',
        { accountNumber },
        { traceparent: traceparent(span) },
      )
      traceIds.push(json.traceId)
      // The log orders calls by the millisecond at which they began.
      await pause(5)
    }
    await find(traceIds[4] as string)
    const idsOf = (kept: readonly Kept[]) => kept.map(({ traceId }) => traceId).reverse()
    assert.deepEqual(idsOf(await list({ traceId: trace })), traceIds)
    assert.deepEqual(
      idsOf(await list({ traceId: trace, status: 404 })),
      [0, 2, 4].map((at) => traceIds[at]),
    )
    assert.deepEqual(idsOf(await list({ from, status: '4xx', operation: 'get-account' })), traceIds)
    assert.deepEqual(
      idsOf(await list({ from, status: '400', clientId: 'alpha' })),
      [1, 3].map((at) => traceIds[at]),
    )
    assert.deepEqual(await list({ from, clientId: 'nobody' }), [])
    assert.deepEqual(await list({ to: '2020-01-01T00:00:00Z' }), [])
    const paged: Kept[] = []
    let cursor: string | undefined
    do {
      const { data } = await service.alpha.listRequests({
        traceId: trace,
        size: 2,
        ...(cursor ? { cursor } : {}),
      })
      paged.push(...data.requests)
      cursor = data.nextCursor ?? undefined
    } while (cursor !== undefined)
    assert.deepEqual(idsOf(paged), traceIds)
  })

  test('only by the firm that made them', async () => {
    const { json } = await service.post('code-lists', {})
    await find(json.traceId)
    assert.deepEqual((await service.beta.listRequests({ traceId: json.traceId })).data.requests, [])
    const own = await service.beta.codeLists({})
    await until(
      async () => (await service.beta.listRequests({ traceId: own.traceId })).data.requests.length,
      (count) => count === 1,
    )
    const { data } = await service.beta.listRequests({})
    assert.ok(data.requests.length > 0)
    assert.ok(data.requests.every(({ clientId }) => clientId === 'beta'))
  })

  const bad: [string, Request<'list-requests'>, string, string][] = [
    ['a trace id of another form', { traceId: '42' }, 'ERR.1016', 'traceId'],
    ['a status that is none', { status: '4x' }, 'ERR.1015', 'status'],
    ['a status out of range', { status: 99 }, 'ERR.1015', 'status'],
    ['an unknown operation', { operation: 'delete-account' }, 'ERR.1015', 'operation'],
    ['a malformed cursor', { cursor: 'yesterday' }, 'ERR.1015', 'cursor'],
    ['a malformed time', { from: 'yesterday' }, 'ERR.1024', 'from'],
    ['a time on a day that no calendar has', { to: '2026-02-29T00:00:00Z' }, 'ERR.1024', 'to'],
    ['a time before the year 1', { from: '0001-01-01T00:00:00+14:00' }, 'ERR.1024', 'from'],
    ['a time after the year 9999', { to: '9999-12-31T23:59:59-12:00' }, 'ERR.1024', 'to'],
    [
      'a range that ends first',
      { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' },
      'ERR.1025',
      'from',
    ],
  ]
  for (const [what, request, code, field] of bad) {
    test(`not by ${what}: ${code}`, async () => {
      const [rejection] = (await refusalOf(service.alpha.listRequests(request))).rejections
      assert.deepEqual([rejection?.code, rejection?.field], [code, field])
    })
  }
})

test('the rejection of an unknown operation names the nearest one', async () => {
  const { rejections } = await refusalOf(service.alpha.listRequests({ operation: 'new-acount' }))
  assert.equal(rejections[0]?.reason, 'There is no operation of this name; nearest: new-account.')
  const far = await refusalOf(service.alpha.listRequests({ operation: 'constructor' }))
  assert.equal(far.rejections[0]?.reason, 'There is no operation of this name.')
})

test('no client firm can read the calls of the clearing firm', async () => {
  const { traceId } = await service.operations.operations.listFirms({})
  const later = await service.post('code-lists', {})
  await find(later.json.traceId)
  const { rows } = await service.query('select from clearing.request where trace_id = $1', [traceId])
  assert.equal(rows.length, 0)
})
