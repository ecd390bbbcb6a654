/** The waiting callers of several firms share the connections of a pool. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DatabaseUnavailable } from './faults.ts'
import type { Client, Pool } from './pool.ts'
import type { TestDatabase } from './test-database.ts'
import { until } from './test-waiting.ts'
import { createParcelDatabase, firmA, firmB } from './testing/parcels.ts'

let db: TestDatabase
before(async () => {
  db = await createParcelDatabase()
})
after(async () => {
  await db[Symbol.asyncDispose]()
})

function isBusy(fault: unknown): boolean {
  return fault instanceof DatabaseUnavailable && fault.reason === 'busy'
}

/** Takes connections for a firm. They are noted when the firm gets them. */
function take(pool: Pool, firm: string, count: number): { held: Client[]; all: Promise<unknown> } {
  const held: Client[] = []
  const one = async () => {
    held.push(await pool.acquire(firm))
  }
  return { held, all: Promise.all(Array.from({ length: count }, one)) }
}

test('firms take turns, so that one caller does not wait for all callers of another firm', async () => {
  const pool = db.open('app', { connectionsMax: 1 })
  const first = await pool.acquire()
  const order: string[] = []
  const wait = async (firm: string, name: string) => {
    const client = await pool.acquire(firm)
    order.push(name)
    client.release()
  }
  const all = [wait(firmA, 'A1'), wait(firmA, 'A2'), wait(firmA, 'A3'), wait(firmB, 'B1')]
  first.release()
  await Promise.all(all)
  assert.deepEqual(order, ['A1', 'B1', 'A2', 'A3'])
})

test('one firm holds at most four fifths of the connections, and gets one more for each that it returns', async () => {
  const pool = db.open('app', { connectionsMax: 5 })
  const opened = await Promise.all([1, 2, 3, 4, 5].map(() => pool.acquire()))
  for (const client of opened) client.release()
  const ofA = take(pool, firmA, 6)
  await until('four connections', () => ofA.held.length >= 4)
  const ofB = await pool.acquire(firmB)
  ofB.release()
  assert.equal(ofA.held.length, 4)
  for (let at = 0; at < 6; at++) {
    await until('one more connection', () => ofA.held.length > at)
    ofA.held[at]?.release()
  }
  await ofA.all
  assert.deepEqual(pool.figures().waiting, 0)
})

test('a free connection goes to the firm that holds the fewest', async () => {
  const pool = db.open('app', { connectionsMax: 4 })
  const ofA = take(pool, firmA, 3)
  await ofA.all
  const ofB = take(pool, firmB, 1)
  await ofB.all
  const [moreOfA, moreOfB] = [take(pool, firmA, 1), take(pool, firmB, 1)]
  ofA.held[0]?.release()
  await moreOfB.all
  assert.equal(moreOfA.held.length, 0)
  ofA.held[1]?.release()
  await moreOfA.all
  for (const client of [ofA.held[2], ...ofB.held, ...moreOfA.held, ...moreOfB.held]) client?.release()
})

test('when too many callers wait, the newest of the firm with the most is refused', async () => {
  const pool = db.open('app', { connectionsMax: 1, waitersMax: 3 })
  const first = await pool.acquire()
  const ofA = [1, 2, 3].map(() => pool.acquire(firmA))
  const refused = assert.rejects(ofA[2] as Promise<Client>, isBusy)
  const ofB = pool.acquire(firmB)
  await refused
  await assert.rejects(pool.acquire(firmA), isBusy)
  first.release()
  for (const waiting of [ofA[0], ofB, ofA[1]]) (await waiting)?.release()
})

test('a firm alone gets the only connection', async () => {
  const pool = db.open('app', { connectionsMax: 1 })
  for (let round = 0; round < 3; round++) (await pool.acquire(firmA)).release()
  const lost = await pool.acquire(firmA)
  lost.release(true)
  ;(await pool.acquire(firmA)).release()
})
