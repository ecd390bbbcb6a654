/** Lines of the event log at the start of a process: by the cluster of the database, and by the word of an operator. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../database/test-database.ts'
import { followCluster } from './event-lines.ts'

test('a line begins in another cluster, or at the word of an operator, and only once', async () => {
  await using database = await createTestDatabase()
  const { operations } = database
  const superuser = await database.superuser()
  const marks = async () =>
    (await superuser.query('select mark from clearing.event_line order by number')).rows.map(
      ({ mark }) => mark,
    )
  assert.equal(await followCluster(operations), false)
  assert.deepEqual(await marks(), [0])
  for (const cluster of ['7000000000000000001/00000001', 'restored']) {
    await superuser.query('update clearing.event_line set cluster = $1', [cluster])
    const begun = await Promise.all([followCluster(operations), followCluster(operations)])
    assert.deepEqual(begun.toSorted(), [false, true])
    assert.equal(await followCluster(operations), false)
  }
  assert.equal(new Set(await marks()).size, 3)
})

test('a database that does not name its cluster begins a line at the word of an operator alone', async () => {
  await using database = await createTestDatabase()
  const { operations } = database
  const superuser = await database.superuser()
  await superuser.query('revoke execute on function pg_control_system() from public')
  assert.equal(await followCluster(operations), false)
  assert.equal(await followCluster(operations), false)
  await superuser.query("update clearing.event_line set cluster = 'restored'")
  assert.equal(await followCluster(operations), true)
  assert.equal(await followCluster(operations), false)
})
