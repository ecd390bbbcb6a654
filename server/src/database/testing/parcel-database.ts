/** For tests of this folder: the table of parcels, in a database for the duration of one test file. */
import { after, before } from 'node:test'
import type { TestDatabase } from '../test-database.ts'
import { readInFirm } from '../transaction.ts'
import { createParcelDatabase, selectParcels } from './parcels.ts'

export let db: TestDatabase

/** Makes the database before the tests of a file, and drops it after them. */
export function createBeforeTests(): void {
  before(async () => {
    db = await createParcelDatabase()
  })
  after(async () => {
    await db[Symbol.asyncDispose]()
  })
}

export async function numbersOf(firm: string): Promise<string[]> {
  return (await readInFirm(db.operations, firm, selectParcels)).map(({ number }) => number)
}

export async function openThrough(proxy: { through(url: string): string }) {
  const { openPool } = await import('../pool.ts')
  const pool = openPool({ name: 'app', url: proxy.through(db.urls.app), limits: { connectionsMax: 1 } })
  return { pool, [Symbol.asyncDispose]: () => pool.end() }
}
