import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { statement } from '../../database/statement.ts'
import { inTransaction } from '../../database/transaction.ts'
import { awaitElections, findEntitlements, putElections } from '../../store/books/announced-entitlements.ts'
import { readAnnouncement } from '../../store/books/announcements.ts'
import { announcementsLoader } from '../loads/announcements.ts'
import {
  bodyOf,
  loadActivityLines,
  ndjsonOf,
  openTestBooks,
  runTestLoad,
  testNow,
} from '../testing/books-database.ts'
import { noteEntitlement } from './note-entitlement.ts'

const account = 'A0000001'
const insertSecurity = statement(
  'test-insert-announced-security',
  `insert into clearing.security (symbol, sec_type_name, created_at, updated_at)
   values ('HELD', 'Common Stock', '2020-01-01', '2020-01-01')`,
)
const purchase = {
  externalId: 'buy',
  acctNo: account,
  transType: 'Trade',
  buySell: 'BUY',
  symbol: 'HELD',
  quantity: '10',
  price: '5',
  tradeDate: '2026-11-19',
}
const cash = { option: 'Cash', cashPerShare: '1' }
const action = {
  externalId: 'D1',
  type: 'Dividend',
  symbol: 'HELD',
  exDate: '2026-11-30',
  payDate: '2026-12-02',
  deadline: '2026-11-27',
  options: [cash, { option: 'Nothing', type: 'None' }],
  defaultOption: 'Cash',
}

test('an amendment waits for an election that notes its position, and makes it void', async () => {
  await using books = await openTestBooks([account])
  const { operations } = books.database
  const load = (line: Record<string, unknown>) =>
    runTestLoad(books, 'load-corporate-actions', announcementsLoader, bodyOf(ndjsonOf([line])))
  await inTransaction(operations, { firm: null }, (tx) => tx.run(insertSecurity))
  await loadActivityLines(books, [purchase])
  await load(action)

  const elected = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const electing = inTransaction(operations, { firm: null }, async (tx) => {
    awaitElections(tx, 'D1')
    const announcement = await readAnnouncement(tx, 'D1')
    assert.ok(announcement)
    const noted = await noteEntitlement(tx, announcement, account, 1)
    assert.equal(noted?.state, 'Expected')
    const position = { externalId: 'D1', accountNumber: account, acctType: 1 } as const
    putElections(tx, position, [{ option: 'Nothing' }], { by: 'alpha', at: testNow })
    elected.resolve()
    await end.promise
  })
  await elected.promise
  const amending = load({
    ...action,
    externalId: 'A1',
    amends: 'D1',
    options: [cash, { option: 'Half', cashPerShare: '0.5' }],
  })
  // The amendment reads the elections within this time, unless it waits.
  await pause(500)
  end.resolve()
  await electing
  assert.equal((await amending).accepted, 1)
  const found = await inTransaction(operations, { firm: null }, (tx) =>
    findEntitlements(tx, { externalId: 'D1', accountNumber: account }, undefined, 10),
  )
  assert.deepEqual(
    found.map(({ elections }) => elections),
    [[{ option: 'Nothing', void: 'The amended corporate action has no option Nothing.' }]],
  )
})
