/** The books contain the rows that an older release stored. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Security } from '@clearing/domain/books'
import { decimal } from '@clearing/domain/decimal'
import { migrate, readMigrations } from '../../database/migrate.ts'
import { statement } from '../../database/statement.ts'
import { createTestDatabase } from '../../database/test-database.ts'
import { inTransaction } from '../../database/transaction.ts'
import { readAccountHoldings } from './holdings.ts'

const account = 'H0000001'
const firmId = '00000000-0000-7000-8000-00000000000a'
const asLeft = [
  `insert into clearing.firm (firm_id, name, created_at) values ('${firmId}', 'Firm', '2020-01-01')`,
  `insert into clearing.entity (entity_number, firm_id, created_at) values ('301', '${firmId}', '2020-01-01')`,
  `insert into clearing.rep_code (rep_code, firm_id, created_at) values ('JC01', '${firmId}', '2020-01-01')`,
  `insert into clearing.account (account_number, firm_id, entity_number, rep_code, registration_type, status, account_name, record,
     created_at, updated_at, opened_at)
   values ('${account}', '${firmId}', '301', 'JC01', 'Individual', 'Open', 'JANE DOE', '{}', '2020-01-01', '2020-01-01', '2020-01-01')`,
  `insert into clearing.account_books (account_number, firm_id) values ('${account}', '${firmId}')`,
  `insert into clearing.security (sec_no, symbol, created_at, updated_at) values (7, 'AAA', now(), now()), (8, 'BBB', now(), now())`,
  `insert into clearing.holding (account_number, sec_no, firm_id, quantity_cash, quantity_margin, quantity_short, last_date, last_at_day_end)
   values ('${account}', 7, '${firmId}', 30.5, 0, -4, '2026-11-02', false), ('${account}', 8, '${firmId}', 0, 0, 0, '2026-11-02', false)`,
  `insert into clearing.lot (account_number, sec_no, lot_id, firm_id, acct_type, opened_by, via, order_id, quantity, cost, cost_known,
     open_date, holding_start, entry, place, can_replace, wash_added, fx_rate)
   values
     ('${account}', 7, 'L2', '${firmId}', 1, 'L2', null, 'L2', 20.50, 410.10, true, '2026-11-02', '2026-11-02', 5, 0, true, 0, null),
     ('${account}', 7, 'L1"\\', '${firmId}', 1, 'L0', 'V', 'O1', 10, 100, false, '2026-10-01', '2026-09-01', 3, 0, false, 1.25, 1.1),
     ('${account}', 7, 'S1', '${firmId}', 3, 'S1', null, 'S1', -4, -80, true, '2026-11-02', '2026-11-02', 6, 0, true, 0, null)`,
]

const security = { key: '7' } as Security

test('lots that were stored as rows are in their holdings after the migration, and unchanged in the view', async () => {
  const all = await readMigrations()
  await using database = await createTestDatabase({ migrations: all.filter(({ name }) => name < '076') })
  const query = (text: string) =>
    inTransaction(database.operations, { firm: null }, (tx) => tx.rows(statement('lots-test', text)))
  for (const [at, text] of asLeft.entries()) {
    await inTransaction(database.owner, { firm: null }, async (tx) => {
      await tx.run(statement(`role-${at}`, 'set local role clearing_operations'))
      await tx.run(statement(`as-left-${at}`, text))
    })
  }
  const lots = `select lot_id, acct_type, opened_by, via, order_id, trim_scale(quantity) as quantity, trim_scale(cost) as cost, cost_known, open_date,
    holding_start, entry, can_replace, trim_scale(wash_added) as wash_added, trim_scale(fx_rate) as fx_rate, firm_id
    from clearing.lot order by acct_type, open_date, entry, place`
  const before = await query(lots)
  assert.equal(before.length, 3)
  await migrate(database.owner, all)
  assert.deepEqual(await query(lots), before)
  const kept = await inTransaction(database.operations, { firm: null }, (tx) =>
    readAccountHoldings(
      tx,
      account,
      async () => {},
      () => security,
    ),
  )
  const [cash, margin, short] = kept.get('7')?.state.lots ?? []
  assert.deepEqual(
    cash?.map(({ id }) => id),
    ['L1"\\', 'L2'],
  )
  assert.deepEqual(cash?.[0], {
    ...{
      id: 'L1"\\',
      openedBy: 'L0',
      via: 'V',
      order: 'O1',
      acctType: 1,
      quantity: decimal('10'),
      cost: decimal('100'),
    },
    costKnown: false,
    openDate: '2026-10-01',
    holdingStart: '2026-09-01',
    entry: 3,
    canReplace: false,
    washAdded: decimal('1.25'),
    fxRate: decimal('1.1'),
  })
  assert.deepEqual([margin, short?.length, short?.[0]?.quantity], [[], 1, decimal('-4')])
  assert.deepEqual(kept.get('8')?.state.lots, [[], [], []])
})
