import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { unprepared } from '../database/statement.ts'
import { inTransaction } from '../database/transaction.ts'
import { sandboxFirms } from '../identity/sandbox-firms.ts'
import { prepareGround, type TestGround } from '../identity/test-service.ts'
import { writeAuditRow } from './audit.ts'
import { firmTables } from './firm-tables.ts'
import { freezeRows, markMoving, thawRows, unmarkMoving } from './moving-firms.ts'
import { writeRescreening } from './rescreening.ts'

const [alpha, beta] = sandboxFirms.map(({ firmId }) => firmId) as [string, string]
const busy = { name: 'DatabaseUnavailable', reason: 'busy' }

let ground: TestGround
let session: pg.Client

before(async () => {
  ground = await prepareGround()
  session = new pg.Client(ground.database.urls.operations)
  await session.connect()
  await session.query('set role clearing_operations')
})
after(async () => {
  await session.end()
  await ground[Symbol.asyncDispose]()
})

function write(firmId: string): Promise<void> {
  return inTransaction(ground.database.operations, { firm: null }, async (tx) =>
    writeAuditRow(tx, { firmId, at: new Date(), actor: 'test', action: 'write', traceId: '', detail: {} }),
  )
}

function mark(state: 'Frozen' | 'Moved'): Promise<number> {
  return inTransaction(ground.database.owner, { firm: null }, (tx) => markMoving(tx, alpha, state, 'cell-1'))
}

function compareWithList(): Promise<void> {
  const begun = { listName: 'SDN', listVersion: '1', gained: ['1'], by: 'test', at: new Date(), traceId: '' }
  return inTransaction(ground.database.operations, { firm: null }, async (tx) =>
    writeRescreening(tx, { rescreeningId: randomUUID(), ...begun }),
  )
}

async function thaw(): Promise<void> {
  const { owner } = ground.database
  await thawRows(owner, alpha)
  await inTransaction(owner, { firm: null }, (tx) => unmarkMoving(tx, alpha))
}

function freeze(): Promise<void> {
  return freezeRows(ground.database.owner, ground.database.operations, alpha)
}

test('no row of a frozen firm can be written, no day closed and no list compared, and rows of other firms can be written', async () => {
  await mark('Frozen')
  await freeze()
  try {
    await assert.rejects(write(alpha), busy)
    await write(beta)
    await assert.rejects(
      session.query("update clearing.firm set name = 'Other' where firm_id = $1", [alpha]),
      {
        code: '55P03',
      },
    )
    await assert.rejects(
      session.query(
        `insert into clearing.business_day_close (close_date, next_date, marked_at, portions, step, accounts, trace_id, started_at)
         values ('2026-01-05', '2026-01-06', now(), '{}', 'Lines', 0, '', now())`,
      ),
      { code: '55P03' },
    )
    await assert.rejects(compareWithList(), busy)
  } finally {
    await thaw()
  }
  await write(alpha)
  await compareWithList()
})

test('the freeze waits for a transaction that has written, and can be repeated', async () => {
  await mark('Frozen')
  await session.query('begin')
  await session.query("update clearing.firm set settings = '{}' where firm_id = $1", [alpha])
  let frozen = false
  const freezing = freeze().then(() => {
    frozen = true
  })
  try {
    await new Promise((resolve) => setTimeout(resolve, 600))
    assert.equal(frozen, false)
    await session.query('commit')
    await freezing
    await freeze()
    await assert.rejects(write(alpha), busy)
  } finally {
    await thaw()
  }
})

test('the owner can remove rows only of a firm that has left', async () => {
  await write(alpha)
  const { owner } = ground.database
  const remove = () =>
    inTransaction(owner, { firm: null }, (tx) => tx.run(unprepared('delete from clearing.audit')))
  assert.equal(await remove(), 0)
  await mark('Frozen')
  assert.equal(await remove(), 0)
  await mark('Moved')
  await freeze()
  try {
    assert.ok((await remove()) > 0)
    const { rows } = await session.query('select distinct firm_id from clearing.audit')
    assert.ok(rows.length > 0 && rows.every(({ firm_id }) => firm_id !== alpha))
  } finally {
    await thaw()
  }
})

test('each table of firms with row-level security has the policy by which the owner moves the rows of a firm', async () => {
  const { rows } = await session.query<{ name: string; forced: boolean; lets: boolean }>(
    `select relname as name, relforcerowsecurity as forced,
       exists (select from pg_policy where polrelid = c.oid and polname = 'moving_rows') as lets
     from pg_class c where relnamespace = 'clearing'::regnamespace`,
  )
  const kept = firmTables.filter(({ name }) =>
    rows.some((row) => row.name === name && row.forced && !row.lets),
  )
  assert.deepEqual(kept, [])
})
