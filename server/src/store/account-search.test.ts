/** Searches by text in many accounts read few blocks, and apostrophes make no difference. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Statement, unprepared, type Value } from '../database/statement.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { prepareGround, type TestGround } from '../identity/test-service.ts'
import { findAccounts } from './account-list.ts'
import { countAllAccounts, searchAllAccounts } from './account-search.ts'
import { fillParties } from './parties.ts'
import { anyAccount, anyOfFirm } from './testing/no-filter.ts'

const alpha = '00000000-0000-4000-8000-000000000301'
const accounts = 40_000
/** Every second account has an owner whose name begins with S. */
const few = 40

let ground: TestGround
before(async () => {
  ground = await prepareGround()
  const superuser = await ground.database.superuser()
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
    insert into clearing.party (account_number, firm_id, customer_id, capacity, name, last_first, account_name, account_created_at)
    select account_number, firm_id, '1' || lpad(account_number, 17, '0'), 'PrimaryOwner', 'SEAN ' || account_name, account_name || ' SEAN',
      case when account_name not like 'SMITH 39%' then account_name end, created_at from clearing.account`)
  await superuser.query('vacuum analyze clearing.account, clearing.party')
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
  test(`the text ${text} is found without reading all accounts`, async () => {
    const searched = await countBlocks((tx) => searchAllAccounts(tx, { ...anyAccount, text }, page))
    assert.equal(searched.found.length, found)
    assert.ok(searched.blocks <= blocksMax, `${searched.blocks} blocks`)
    const dates = searched.found.map(({ created_at }) => created_at)
    assert.deepEqual(dates, dates.toSorted().reverse())
  })

test('the matches of a text are counted up to the limit of lists', async () => {
  const counted = (text: string) => countBlocks((tx) => countAllAccounts(tx, { ...anyAccount, text }))
  const many = await counted('SMITH')
  assert.equal(many.found, 10_001)
  assert.ok(many.blocks <= 2_000, `${many.blocks} blocks`)
  assert.equal((await counted('OBRIEN')).found, few)
})

test('a firm finds its accounts by name with and without the apostrophe or a comma, and reads them once', async () => {
  const order = {
    sortBy: 'accountName',
    descending: false,
    backwards: false,
    from: undefined,
    most: 51,
  } as const
  for (const name of [
    'OBRIEN',
    "O'BRIEN",
    "O'BRIEN SEAN",
    "O'BRIEN, S",
    'OBRIEN,SEAN',
    'O\u02bcBRIEN,',
    'SEAN OBRIEN',
  ]) {
    const { found } = await countBlocks((tx) => findAccounts(tx, alpha, { ...anyOfFirm, name }, order))
    assert.equal(found.length, few, name)
  }
  for (const name of ['NOBODY', "'", '’', ',', "',"]) {
    const { found } = await countBlocks((tx) => findAccounts(tx, alpha, { ...anyOfFirm, name }, order))
    assert.deepEqual(found, [], name)
  }
  const many = await countBlocks((tx) => findAccounts(tx, alpha, { ...anyOfFirm, name: 'SMITH' }, order))
  assert.equal(many.found.length, 51)
  assert.ok(many.blocks > 0)
})

test('a firm finds few accounts by name with the indexes of names and of accounts', async () => {
  for (const sortBy of ['createdDate', 'accountName'] as const) {
    const order = { sortBy, descending: true, backwards: false, from: undefined, most: 51 } as const
    const { found, blocks } = await countBlocks((tx) =>
      findAccounts(tx, alpha, { ...anyOfFirm, name: 'SMITH 39' }, order),
    )
    assert.equal(found.length, 51)
    // With 1,111 accounts, four blocks each would exceed the limit.
    assert.ok(blocks <= 4_000, `${blocks} blocks`)
  }
})

const orders = {
  createdDate: 'created_at',
  accountName: 'account_name collate "C"',
  accountNumber: 'account_number',
} as const

/** The page by its definition, which checks every account. */
function pageByDefinition(
  tx: Tx,
  name: string,
  condition: string,
  order: string,
): Promise<{ account_number: string }[]> {
  return tx.rows(
    unprepared<{ account_number: string }>(
      `select account_number from clearing.account where firm_id = $1 and ${condition} and exists (
         select from clearing.party where party.account_number = account.account_number and (starts_with(name, $2) or starts_with(last_first, $2)))
       order by ${order}, account_number desc limit 51`,
    ),
    [alpha, name],
  )
}

test('a search by name finds the accounts of the definition, in every order and with other filters', () =>
  inTransaction(ground.database.operations, { firm: null }, async (tx) => {
    tx.abandon()
    // Two persons match in each of these accounts.
    await tx.run(
      unprepared(
        `insert into clearing.party (account_number, firm_id, customer_id, capacity, name, last_first)
         select account_number, firm_id, '2' || substr(customer_id, 2), 'Beneficiary', last_first, name
         from clearing.party where last_first like any ('{SMITH 38%,SMITH 39%}')`,
      ),
    )
    // A changed title moves to its new position under every name.
    await tx.run(
      unprepared(
        "update clearing.account set account_name = 'TITLE ' || account_number where account_number like '%33'",
      ),
    )
    await tx.run(unprepared("update clearing.account set status = 'Closed' where account_number like '%77'"))
    // More than 10,000 persons begin with SEAN and SMITH 3. 2,222 begin with SMITH 38, and 2,222 with SMITH 39 in
    // rows of earlier releases.
    for (const name of ['SEAN', 'SMITH 3', 'SMITH 38', 'SMITH 39', 'SMITH 39977', 'NOBODY'])
      for (const [sortBy, column] of Object.entries(orders) as [keyof typeof orders, string][])
        for (const statuses of [[], ['Closed']]) {
          const order = { sortBy, descending: true, backwards: false, from: undefined, most: 51 } as const
          const found = await findAccounts(tx, alpha, { ...anyOfFirm, name, statuses }, order)
          const condition = statuses.length > 0 ? "status = 'Closed'" : "status <> 'Reserved'"
          const defined = await pageByDefinition(tx, name, condition, `${column} desc`)
          assert.deepEqual(
            found.map(({ account_number }) => account_number),
            defined.map(({ account_number }) => account_number),
            `${name} ${sortBy} ${statuses}`,
          )
        }
  }))

test('a page of accounts by name reads only the accounts of the page after the titles are stored with the names', async () => {
  const { operations } = ground.database
  const countPage = () =>
    countBlocks((tx) =>
      findAccounts(
        tx,
        alpha,
        { ...anyOfFirm, name: 'SMITH 39' },
        { sortBy: 'accountName', descending: false, backwards: false, from: undefined, most: 51 },
      ),
    )
  const before = await countPage()
  while (await inTransaction(operations, { firm: null }, fillParties));
  // Autovacuum soon does the same. Until then, PostgreSQL checks whether each row is visible.
  const superuser = await ground.database.superuser()
  await superuser.query('vacuum analyze clearing.party')
  const after = await countPage()
  const numbersOf = ({ found }: typeof after) => found.map(({ account_number }) => account_number)
  assert.deepEqual(numbersOf(after), numbersOf(before))
  // Some pages of the index, and three or four blocks for each account.
  assert.ok(after.blocks < 400, `${after.blocks} blocks, before ${before.blocks}`)
  assert.ok(before.blocks > after.blocks, `${after.blocks} blocks, before ${before.blocks}`)
})
