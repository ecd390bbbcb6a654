/** A login that lacks the rights of the owner is refused with the setting or the statements that help. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrate, readMissing } from './migrate.ts'
import { openPool } from './pool.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

/** Logs in as a new login and expects the refusal from a start and from `doctor`, which changes nothing. */
async function refuses(db: TestDatabase, name: string, message: RegExp): Promise<void> {
  const login = openPool({
    name: 'owner',
    url: db.urls.owner.replace('clearing_owner', name),
    limits: { connectionsMax: 2 },
  })
  try {
    for (const act of [readMissing, migrate]) await assert.rejects(act(login), message)
  } finally {
    await login.end()
  }
}

test('a login that may not create tables in a new database is refused with the setting and the owner', async () => {
  await using db = await createTestDatabase({ migrations: [] })
  const name = `service_of_${db.name}`
  await (await db.superuser()).query(`create role ${name} login`)
  const words = `DATABASE_OWNER_URL must name the login that owns the database ${db.name}, clearing_owner; it is absent or names ${name}`
  await refuses(db, name, new RegExp(words))
})

test('a login of the service is refused for the owner of a migrated database', async () => {
  await using db = await createTestDatabase()
  const name = `service_of_${db.name}`
  const session = await db.superuser()
  await session.query(`create role ${name} login`)
  await session.query(`grant clearing_app, clearing_operations to ${name}`)
  const words = `DATABASE_OWNER_URL must name the login that owns the tables of the service, clearing_owner; it is absent or names ${name}`
  await refuses(db, name, new RegExp(words))
})

test('an owner that may not grant the roles of the service is refused until they are granted to it', async () => {
  // Its migrations made the roles.
  await using _ = await createTestDatabase()
  await using db = await createTestDatabase({ migrations: [] })
  const name = `owner_of_${db.name}`
  const session = await db.superuser()
  await session.query(`create role ${name} login`)
  await session.query(`alter database ${db.name} owner to ${name}`)
  const statements = `grant clearing_app to ${name}; grant clearing_operations to ${name}`
  await refuses(db, name, new RegExp(`have an administrator run: ${statements}$`))
  await session.query(statements)
  const owner = openPool({ name: 'owner', url: db.urls.owner.replace('clearing_owner', name) })
  try {
    assert.ok((await readMissing(owner)).length > 0)
  } finally {
    await owner.end()
  }
})
