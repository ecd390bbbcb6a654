import assert from 'node:assert/strict'
import test from 'node:test'
import { failure, startService, traceId } from '../test/scripted-service.ts'
import { createClient } from './client.ts'
import { CallFailed, RequestRejected } from './failures.ts'

const rejections = [
  { code: 'ERR.1000', field: 'primaryOwner.lastName', reason: 'Last name is required.' },
  {
    code: 'ERR.1012',
    field: 'associatedParties[0].birthDate',
    reason: 'Owner must be at least 18 years old.',
  },
  { code: 'ERR.9999', field: '', reason: 'Something new.' },
]

test('the message of a rejection contains every code, field and reason, and the trace id', async () => {
  await using service = await startService({ script: [failure(400, rejections)] })
  const call = createClient(service.settings).getAccount({ accountNumber: '30100001' })
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof RequestRejected && error instanceof CallFailed)
    assert.equal(
      error.message,
      [
        'get-account: Request invalid. (400)',
        '  ERR.1000 primaryOwner.lastName: Last name is required.',
        '  ERR.1012 associatedParties[0].birthDate: Owner must be at least 18 years old.',
        '  ERR.9999: Something new.',
        `  traceId ${traceId}`,
        '  Nothing was changed. Correct the request and send it again.',
      ].join('\n'),
    )
    assert.equal(error.name, 'RequestRejected')
    assert.deepEqual([error.operation, error.status, error.traceId], ['get-account', 400, traceId])
    assert.deepEqual(error.rejections, rejections)
    return true
  })
})

test('rejections are found by code, and by field including its inner fields', () => {
  const rejected = new RequestRejected('x', { operation: 'new-account', traceId, status: 400, rejections })
  assert.equal(rejected.has('ERR.1000'), true)
  assert.equal(rejected.has('ERR.1001'), false)
  const codesAt = (field: string) => rejected.at(field).map((rejection) => rejection.code)
  assert.deepEqual(codesAt('primaryOwner'), ['ERR.1000'])
  assert.deepEqual(codesAt('primaryOwner.lastName'), ['ERR.1000'])
  assert.deepEqual(codesAt('primary'), [])
  assert.deepEqual(codesAt('associatedParties'), ['ERR.1012'])
  assert.deepEqual(codesAt('associatedParties[0]'), ['ERR.1012'])
})

test('the message of a response with many errors is shortened', () => {
  const many = Array.from({ length: 1000 }, () => ({ code: 'ERR.1000', field: 'a', reason: 'b' }))
  const rejected = new RequestRejected('x', {
    operation: 'new-account',
    traceId,
    status: 400,
    rejections: many,
  })
  assert.equal(rejected.message.split('\n').length, 24)
  assert.match(rejected.message, /and 980 more/)
  assert.equal(rejected.rejections.length, 1000)
})
