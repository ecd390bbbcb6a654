import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StatementFailed } from './faults.ts'
import { lookUp, statement } from './statement.ts'
import { createBeforeTests, db } from './testing/parcel-database.ts'
import { firmA, firmB, insertParcel, selectFirms, selectParcels } from './testing/parcels.ts'
import { inTransaction, readInFirm } from './transaction.ts'

createBeforeTests()

const lookUpFirms = lookUp<{ firm: string }>(
  'look-up-firms',
  'select distinct firm_id as firm from clearing.parcel',
)

test('a transaction without a firm can neither see nor write rows', async () => {
  await inTransaction(db.app, { firm: firmA }, (tx) => tx.run(insertParcel, ['of-a', 1]))
  assert.deepEqual(await readInFirm(db.app, null, selectParcels), [])
  const forged = statement(
    'forged',
    "insert into clearing.parcel (firm_id, number, weight) values ($1, 'forged', 1)",
  )
  const denied = (fault: unknown) => fault instanceof StatementFailed && fault.code === '42501'
  await assert.rejects(
    inTransaction(db.app, { firm: null }, (tx) => tx.run(forged, [firmA])),
    denied,
  )
  await assert.rejects(
    inTransaction(db.app, { firm: firmB }, (tx) => tx.run(forged, [firmA])),
    denied,
  )
})

test('the operations role sees the rows of all firms', async () => {
  await inTransaction(db.app, { firm: firmA }, (tx) => tx.run(insertParcel, ['also-of-a', 1]))
  await inTransaction(db.app, { firm: firmB }, (tx) => tx.run(insertParcel, ['of-b', 1]))
  const firms = await readInFirm(db.operations, null, selectFirms)
  assert.deepEqual(firms.map(({ firm }) => firm).sort(), [firmA, firmB])
})

test('5,000 interleaved calls of two firms on one connection never see the other firm, however the earlier calls ended', async () => {
  const narrow = db.open('app', { connectionsMax: 1, acquireTimeoutMs: 60_000 })
  for (const firm of [firmA, firmB]) {
    await inTransaction(narrow, { firm }, (tx) => tx.run(insertParcel, [`marker of ${firm}`, 1]))
  }
  const seen = { right: 0, wrong: 0 }
  const see = (firm: string | null, rows: { firm: string }[]) => {
    const expected = firm === null ? [] : [firm]
    seen[JSON.stringify(rows.map((row) => row.firm)) === JSON.stringify(expected) ? 'right' : 'wrong']++
  }
  const call = async (at: number) => {
    const firm = at % 2 === 0 ? firmA : firmB
    switch (at % 7) {
      case 0:
      case 1:
        return see(firm, await readInFirm(narrow, firm, selectFirms))
      case 2:
        return inTransaction(narrow, { firm }, async (tx) => see(firm, await tx.rows(selectFirms)))
      case 3:
        return inTransaction(narrow, { firm, readOnly: true }, async (tx) =>
          see(firm, await tx.rows(at % 4 < 2 ? lookUpFirms : selectFirms)),
        )
      case 4:
        return inTransaction(narrow, { firm }, async (tx) => {
          see(firm, await tx.rows(selectFirms))
          throw new Error('aborted by the body')
        }).catch(() => {})
      case 5:
        return inTransaction(narrow, { firm }, (tx) => tx.run(insertParcel, ['negative', -1])).catch(() => {})
      default:
        return see(null, await readInFirm(narrow, null, selectFirms))
    }
  }
  let next = 0
  const caller = async () => {
    while (next < 5_000) await call(next++)
  }
  await Promise.all(Array.from({ length: 50 }, caller))
  assert.deepEqual(seen, { right: 4_286, wrong: 0 })
  assert.equal(narrow.figures().open, 1)
})

test('a session no longer has the firm after its transaction ends', async () => {
  const narrow = db.open('app', { connectionsMax: 1 })
  const scopes = [
    { firm: firmA },
    { firm: firmA, readOnly: true },
    { firm: firmA, isolation: 'repeatable read', readOnly: true },
  ] as const
  for (const scope of scopes) {
    await inTransaction(narrow, scope, (tx) => tx.rows(selectParcels))
    const client = await narrow.acquire()
    const { rows } = await client.query(
      "select current_setting('clearing.firm', true) as firm, current_setting('transaction_read_only') as locked",
    )
    assert.deepEqual(rows, [{ firm: '', locked: 'off' }])
    client.release()
  }
})
