/** Each fault that X-Sandbox-Fault requests: the response to the caller, and whether the call took effect. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationOf } from './applications.ts'
import { openAndFollow, refusalOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

const reservation = { entityNumber: '301', repCode: 'JC01', registrationType: 'Individual' }
async function reserved() {
  return Number(
    (await service.query("select count(*) as reserved from clearing.account where status = 'Reserved'"))
      .rows[0].reserved,
  )
}
function reserve(fault: string, headers: Record<string, string> = {}) {
  return service.post('account-number', reservation, { 'x-sandbox-fault': fault, ...headers })
}

for (const [fault, status, code, retryAfter] of [
  ['500', 500, 'ERR.5000', null],
  ['503', 503, 'ERR.5003', '1'],
  ['429', 429, 'ERR.2007', '1'],
] as const) {
  test(`${fault} returns ${code}, and the call has no effect`, async () => {
    const before = await reserved()
    const answer = await reserve(fault, { 'idempotency-key': `fault-${fault}` })
    assert.equal(answer.status, status)
    assert.equal(answer.json.statusCode, status)
    assert.deepEqual(
      answer.json.errors.map((error: { code: string }) => error.code),
      [code],
    )
    assert.equal(answer.headers.get('retry-after'), retryAfter)
    assert.equal(await reserved(), before)
    // A refused request is not stored: the same key takes effect the next time.
    const again = await service.post('account-number', reservation, { 'idempotency-key': `fault-${fault}` })
    assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, null])
    assert.equal(await reserved(), before + 1)
  })
}

test('timeout returns nothing, and the call has no effect', async () => {
  const before = await reserved()
  const silent = fetch(`${service.address}/account-api/v1/account-number`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await service.token('alpha')}`,
      'content-type': 'application/json',
      'x-sandbox-fault': 'timeout',
    },
    body: JSON.stringify(reservation),
    signal: AbortSignal.timeout(1_500),
  })
  await assert.rejects(silent, { name: 'TimeoutError' })
  assert.equal(await reserved(), before)
})

test('slow waits, then returns the usual response', async () => {
  const startedMs = performance.now()
  const answer = await reserve('slow=700')
  assert.equal(answer.status, 200)
  assert.ok(performance.now() - startedMs >= 690)
})

test('drop-after-commit takes effect and closes the connection; the same key gets the response', async () => {
  const before = await reserved()
  const key = { 'idempotency-key': 'dropped' }
  await assert.rejects(reserve('drop-after-commit', key), TypeError)
  assert.equal(await reserved(), before + 1)
  const again = await service.post('account-number', reservation, key)
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true'])
  assert.equal(await reserved(), before + 1)
})

test('drop-after-commit loses the response to an upload and to a list too', async () => {
  const accountNumber = await openAndFollow(service.alpha, applicationOf({}))
  const document = {
    accountNumber,
    documentTypeName: 'Identity Documents',
    reference: 'PASS',
    displayName: 'Passport',
    file: { name: 'scan.pdf', content: samplePdf() },
  }
  // The client sends the fault only with the first attempt, and the same key with the second.
  const { replayed } = await service.alpha.addDocument(document, { sandboxFault: 'drop-after-commit' })
  assert.equal(replayed, true)
  const { data } = await service.alpha.getDocumentDetails({ accountNumber })
  assert.equal(data.documents.length, 1)
  const day = new Date().toISOString().slice(0, 10)
  const list = service.post(
    'trade-activity',
    { accountNumber, dateFrom: day, dateTo: day },
    { 'x-sandbox-fault': 'drop-after-commit' },
  )
  await assert.rejects(list, TypeError)
})

test('a fault that does not exist is reported, and has no effect', async () => {
  const before = await reserved()
  for (const fault of ['501', 'slow', 'slow=60001', 'slow=-1', 'drop']) {
    const answer = await reserve(fault)
    assert.equal(answer.status, 400, fault)
    assert.match(answer.json.errors[0].reason, /drop-after-commit/)
  }
  assert.equal(await reserved(), before)
})

test('a caller without a token gets no fault, but the error of the missing token', async () => {
  const answer = await service.send('/account-api/v1/account-number', {
    headers: { 'content-type': 'application/json', 'x-sandbox-fault': '503' },
    body: JSON.stringify(reservation),
  })
  assert.equal(answer.status, 401)
})

test('the client’s retries recover from temporary faults', async () => {
  for (const sandboxFault of ['503', '429', 'drop-after-commit', 'slow=100'] as const) {
    const before = await reserved()
    const { data } = await service.alpha.accountNumber(reservation, { sandboxFault })
    assert.ok(data.accountNumber)
    assert.equal(await reserved(), before + 1, sandboxFault)
  }
  const beta = await refusalOf(service.beta.accountNumber(reservation, { sandboxFault: '503' }))
  assert.equal(beta.status, 403)
})
