/** A process with another document store than the other processes of its database is found. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestDatabase } from '../database/test-database.ts'
import { makeTestFolder } from '../database/test-folder.ts'
import { readStoreId } from '../store/document-store.ts'
import { openFolderStore } from './folder-store.ts'
import { checkStore, OtherStore } from './store-of-database.ts'

test('only the store of the first process belongs to the database', async () => {
  await using database = await createTestDatabase()
  const { operations } = database
  const folder = await makeTestFolder('stores-')
  const check = async (name: string) =>
    checkStore({ operations, marks: await openFolderStore(join(folder, name)), setting: 'DOCUMENTS_DIR' })
  await check('shared')
  const id = await readStoreId(operations)
  await check('shared')
  await assert.rejects(check('own'), OtherStore)
  await assert.rejects(check('own'), new RegExp(`^OtherStore: DOCUMENTS_DIR is not .* store-id/${id}:`))
  await check('shared')

  // Restored to a time before the id was noted.
  await database.owner.pg.query('delete from clearing.document_store')
  await check('shared')
  assert.equal(await readStoreId(operations), id)

  // The documents are in a new store, which the owner has announced.
  await database.owner.pg.query('delete from clearing.document_store')
  await check('own')
  await assert.rejects(check('shared'), OtherStore)
})

test('of two processes that start at once with different stores, one is refused', async () => {
  await using database = await createTestDatabase()
  const { operations } = database
  const folder = await makeTestFolder('stores-')
  const outcomes = await Promise.allSettled(
    ['one', 'other'].map(async (name) =>
      checkStore({ operations, marks: await openFolderStore(join(folder, name)), setting: 'DOCUMENTS_DIR' }),
    ),
  )
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})
