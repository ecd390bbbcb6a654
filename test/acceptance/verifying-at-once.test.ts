/** Verifications of the books take turns, so that they do not keep other calls of operations from the database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type RunningService, startRunningService } from './running-service.ts'
import { untilBehind } from './waiting-behind.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

test('operations are answered while many verify the books', async () => {
  const { verifyBooks, listChanges } = service.operations.operations
  // A verification that begins now waits for this lock.
  await service.query('begin')
  await service.query('lock table clearing.account_books')
  const verifications = Array.from({ length: 5 }, () => verifyBooks({}))
  await untilBehind(service, 2)
  const { data } = await listChanges({})
  assert.deepEqual(data.changes, [])
  await service.query('commit')
  for (const { data: verified } of await Promise.all(verifications)) assert.equal(verified.verified, true)
  assert.doesNotMatch(service.log(), /no database connection/)
})
