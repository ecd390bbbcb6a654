/** The smallest limit of connections, which `doctor` compares with what the processes open. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConnectionsMax } from './durability.ts'
import { createTestDatabase } from './test-database.ts'

test('the limits of the database and of its login count when they are below that of the server', async () => {
  await using database = await createTestDatabase()
  const superuser = await database.superuser()
  const read = () => readConnectionsMax(database.owner)
  const server = await read()
  assert.match(server.by, /^max_connections less/)
  await superuser.query(`alter database ${database.name} connection limit ${server.most + 1}`)
  assert.deepEqual(await read(), server)
  await superuser.query(`alter database ${database.name} connection limit 12`)
  assert.deepEqual(await read(), { most: 12, by: `CONNECTION LIMIT of the database ${database.name}` })
})
