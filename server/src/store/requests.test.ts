import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { inTransaction } from '../database/transaction.ts'
import { alpha, beta, startLog } from '../events/test-log.ts'
import { newId } from '../ids.ts'
import {
  findRequests,
  insertRequests,
  type LoggedRequest,
  type RequestQuery,
  removeOldRequests,
} from './requests.ts'

const log = await startLog()
after(() => log[Symbol.asyncDispose]())
const { app, operations } = log.database
const dayMs = 86_400_000

function callsOf(firmId: string, statuses: readonly number[], ageMs = 0): LoggedRequest[] {
  return statuses.map((status, index) => {
    const at = new Date(Date.now() - ageMs + index)
    return {
      firmId,
      at,
      requestId: newId(at),
      traceId: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      clientId: 'alpha',
      operation: 'get-account',
      address: '127.0.0.1',
      status,
      errorCodes: status === 200 ? [] : ['ERR.2003', 'ERR.1000'],
      durationMs: 1,
      idempotencyKey: null,
      replayed: false,
      requestBody: '{}',
      answerBody: null,
    }
  })
}
function write(calls: readonly LoggedRequest[], isInDoubt?: boolean) {
  return inTransaction(operations, { firm: null }, async (tx) => insertRequests(tx, calls, isInDoubt))
}
function insert(firmId: string, statuses: readonly number[], ageMs = 0) {
  return write(callsOf(firmId, statuses, ageMs))
}
function find(query: RequestQuery, scannedMax?: number, firmId = alpha) {
  return inTransaction(app, { firm: firmId, readOnly: true }, (tx) =>
    findRequests(tx, firmId, query, scannedMax),
  )
}

test('a page reads a limited number of calls, and the next page continues at its end', async () => {
  await insert(alpha, [404, 200, 200, 200, 200, 200, 500, 200])
  const errors = { statusFrom: 400, statusTo: 599, size: 10 }
  const first = await find(errors, 3)
  assert.deepEqual(
    first.requests.map(({ status, error_codes }) => [status, error_codes]),
    [[500, ['ERR.2003', 'ERR.1000']]],
  )
  const second = await find({ ...errors, before: first.end }, 3)
  assert.deepEqual(second.requests, [])
  const third = await find({ ...errors, before: second.end }, 3)
  assert.deepEqual([third.requests.map(({ status }) => status), third.end], [[404], undefined])
})

test('a full page has a next position, and the last page has none', async () => {
  const first = await find({ size: 5 })
  const second = await find({ size: 5, before: first.end })
  assert.deepEqual([first.requests.length, second.requests.length, second.end], [5, 3, undefined])
  const exact = await find({ size: 8 })
  assert.deepEqual([exact.requests.length, exact.end], [8, undefined])
})

test('old calls of every firm are removed, at most the requested number at a time', async () => {
  await insert(alpha, [200, 200], 31 * dayMs)
  await insert(beta, [200, 200], 32 * dayMs)
  const remove = () => inTransaction(operations, { firm: null }, (tx) => removeOldRequests(tx, 30, 3))
  assert.deepEqual([await remove(), await remove(), await remove()], [3, 1, 0])
  assert.equal((await find({ size: 100 })).requests.length, 8)
  assert.equal((await find({ size: 100 }, undefined, beta)).requests.length, 0)
})

test('a batch that is written again after an unknown outcome adds only the calls that are missing', async () => {
  const [first, second, third] = callsOf(beta, [422, 423, 424])
  assert.ok(first && second && third)
  const found = async () =>
    (await find({ statusFrom: 422, statusTo: 424, size: 10 }, undefined, beta)).requests.map(
      ({ status }) => status,
    )
  await write([first, second])
  await write([first, second, third], true)
  assert.deepEqual(await found(), [424, 423, 422])
})
