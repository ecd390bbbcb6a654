/** Searches by text over many accounts read few blocks, and apostrophes make no difference. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type Statement, unprepared, type Value } from '../database/statement.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { prepareGround, type TestGround } from '../identity/test-service.ts'
import { findAccounts } from './account-list.ts'
import { type AccountSearch, countAllAccounts, searchAllAccounts } from './account-search.ts'

const alpha = '00000000-0000-4000-8000-000000000301'
const accounts = 40_000
/** Every other account has an owner whose name begins with S. */
const few = 40

let ground: TestGround
before(async () => {
  ground = await prepareGround()
  const superuser = new pg.Client({ connectionString: ground.database.urls.superuser })
  await superuser.connect()
  try {
    await superuser.query(`set session_replication_role = replica`)
    await superuser.query(
      `insert into clearing.account (account_number, firm_id, entity_number, rep_code, registration_type, status, account_name,
         version, record, sealed, created_at, updated_at, opened_at)
       select (40000000 + at)::text, $1, '301', 'JC01', 'Individual', 'Open', name_of.last, 1, '{}', '\\x',
         '2026-01-01'::timestamptz + at * interval '1 second', now(), now()
       from generate_series(1, $2) as at
       cross join lateral (select case when at <= $3 then 'O''BRIEN' else 'SMITH ' || at end as last) as name_of`,
      [alpha, accounts, few],
    )
    await superuser.query(`
      insert into clearing.party (account_number, firm_id, customer_id, capacity, name, last_first)
      select account_number, firm_id, '1' || lpad(account_number, 17, '0'), 'PrimaryOwner', 'SEAN ' || account_name, account_name || ' SEAN' from clearing.account`)
    await superuser.query('vacuum analyze clearing.account, clearing.party')
  } finally {
    await superuser.end()
  }
})
after(() => ground?.[Symbol.asyncDispose]())

interface Plan {
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
}

/** Runs the work and counts the blocks that its statements read. */
async function countBlocks<T>(work: (tx: Tx) => Promise<T>): Promise<{ found: T; blocks: number }> {
  return inTransaction(ground.database.operations, { firm: null }, async (tx) => {
    let blocks = 0
    const explained = async (statement: Statement<unknown>, values: readonly Value[] = []) => {
      const explain = unprepared<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `explain (analyze, buffers, format json) ${statement.text}`,
      )
      const [row] = await tx.rows(explain, values)
      const plan = row?.['QUERY PLAN'][0]?.Plan
      assert.ok(plan)
      blocks += plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    }
    const counting = Object.create(tx) as Tx
    Object.assign(counting, {
      rows: async (statement: Statement<never>, values?: readonly Value[]) => {
        await explained(statement, values)
        return tx.rows(statement, values)
      },
    })
    return { found: await work(counting), blocks }
  })
}

const anything: AccountSearch = {
  text: undefined,
  taxIds: undefined,
  firmId: undefined,
  entityNumber: undefined,
  repCode: undefined,
  status: undefined,
  registrationType: undefined,
  createdFrom: undefined,
  createdTo: undefined,
}
const page = { sortBy: 'createdDate', descending: true, after: undefined, most: 51 } as const

for (const [text, found, blocksMax] of [
  ['S', 51, 2_000],
  ['SMITH 3', 51, 2_000],
  ['4', 51, 2_000],
  ['OBRIEN', few, 2_000],
  ["O'BRIEN", few, 2_000],
  ['SEAN OBRIEN', few, 2_000],
  ['NOBODY', 0, 100],
] as const)
  test(`${text} is searched for without reading all accounts`, async () => {
    const searched = await countBlocks((tx) => searchAllAccounts(tx, { ...anything, text }, page))
    assert.equal(searched.found.length, found)
    assert.ok(searched.blocks <= blocksMax, `${searched.blocks} blocks`)
    const dates = searched.found.map(({ created_at }) => created_at)
    assert.deepEqual(dates, dates.toSorted().reverse())
  })

test('the number of accounts that a text finds is counted as far as a list is', async () => {
  const counted = (text: string) => countBlocks((tx) => countAllAccounts(tx, { ...anything, text }))
  const many = await counted('SMITH')
  assert.equal(many.found, 10_001)
  assert.ok(many.blocks <= 2_000, `${many.blocks} blocks`)
  assert.equal((await counted('OBRIEN')).found, few)
})

test('a firm finds its accounts by name with and without the apostrophe, reading them once', async () => {
  const filter = {
    statuses: [],
    registrationTypes: [],
    entityNumber: '',
    repCode: '',
    created: { from: '', to: '' },
    opened: { from: '', to: '' },
    updated: { from: '', to: '' },
  }
  const order = {
    sortBy: 'accountName',
    descending: false,
    backwards: false,
    from: undefined,
    most: 51,
  } as const
  for (const name of ['OBRIEN', "O'BRIEN", "O'BRIEN SEAN"]) {
    const { found } = await countBlocks((tx) => findAccounts(tx, alpha, { ...filter, name }, order))
    assert.equal(found.length, few, name)
  }
  const none = await countBlocks((tx) => findAccounts(tx, alpha, { ...filter, name: 'NOBODY' }, order))
  assert.deepEqual(none.found, [])
  const many = await countBlocks((tx) => findAccounts(tx, alpha, { ...filter, name: 'SMITH' }, order))
  assert.equal(many.found.length, 51)
  assert.ok(many.blocks > 0)
})
