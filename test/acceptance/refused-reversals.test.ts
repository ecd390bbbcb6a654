/** Lines of a corporate action that cannot be reversed, because the account was closed meanwhile. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import {
  amended,
  announced,
  book,
  booksHold,
  buy,
  cancelled,
  closeDay,
  entitlementsOf,
  linesInShort,
  newAccount,
  newSecurity,
  service,
  startBeforeTests,
  today,
} from './announced-actions.ts'

startBeforeTests()

async function breaksOf(accountNumber: string) {
  const { data } = await service.operations.operations.listBreaks({ accountNumber })
  return data.breaks.map(({ kind, externalId, reason }) => `${kind} ${externalId}: ${reason}`)
}
async function entitlementOf(id: string, account: string) {
  const found = (await entitlementsOf(id)).find(({ accountNumber }) => accountNumber === account)
  return [found?.state, found?.reason, ...(found?.lines.map(({ externalId }) => externalId) ?? [])].join(' ')
}
/** Loads with rejects of the action. */
async function rejectedLoads(id: string): Promise<number> {
  const { rows } = await service.query(
    `select count(*)::int as count from clearing.load where source = 'Corporate action ${id}' and rejected > 0`,
  )
  return rows[0].count
}

test('a line that a closed account keeps is refused and a break with the amount, until it is reversed or settled', async () => {
  const accounts = [await newAccount(), await newAccount(), await newAccount()] as const
  const [open, reopened, settled] = accounts
  const symbol = await newSecurity()
  const first = await today()
  const payDate = addMarketDays(first, 1)
  await book(
    ...accounts.flatMap((account) => [
      { acctNo: account, transType: 'Deposit', netAmount: '1000', tradeDate: first },
      buy(account, symbol, '100', first),
    ]),
  )
  const terms = { type: 'Dividend', symbol, exDate: payDate, payDate }
  const id = await announced({ ...terms, cashPerShare: '0.25' })
  while ((await today()) < payDate) await closeDay()
  await book(
    ...[reopened, settled].flatMap((acctNo) => [
      { ...buy(acctNo, symbol, '100', payDate), buySell: 'SEL', secFee: '0' },
      { acctNo, transType: 'Withdrawal', netAmount: '-1025', tradeDate: payDate },
    ]),
  )
  for (const _ of [1, 2]) await closeDay()
  for (const accountNumber of [reopened, settled])
    await service.operations.operations.closeAccount({ accountNumber, reason: 'The customer asked for it.' })

  await amended(id, { ...terms, cashPerShare: '0.26' })
  const closed = 'The account is Closed.'
  const line = (account: string) => `CA-${id}-${account}-1-1`
  const refused = (account: string) => `Refused ${closed} ${line(account)}`
  const broken = (account: string, rest: string) => [
    `NotReversed ${line(account)}: The corporate action ${id} was cancelled or amended, and the line ${line(account)} was not reversed: ${closed} ${rest}`,
  ]
  const difference = 'The line paid 25.00 and 26.00 is due. Settle the difference with the owner.'
  const recover = 'Recover 25.00 from the owner.'
  assert.deepEqual(await linesInShort(open), [`Deposit ${first} 1000.00`, `Dividend ${payDate} 26.00`])
  for (const account of [reopened, settled]) {
    assert.equal(await entitlementOf(id, account), refused(account))
    assert.deepEqual(await breaksOf(account), broken(account, difference))
  }
  await closeDay()
  await cancelled(id)
  assert.deepEqual(await breaksOf(open), [])
  for (const _ of [1, 2]) {
    for (const account of [reopened, settled]) {
      assert.equal(await entitlementOf(id, account), refused(account))
      assert.deepEqual(await breaksOf(account), broken(account, recover))
    }
    await closeDay()
  }
  assert.equal(await rejectedLoads(id), 1)

  const { data } = await service.operations.operations.listWork({ accountNumber: settled })
  const workIds = data.work.filter(({ subject }) => subject === 'NotReversed').map(({ workId }) => workId)
  await service.operations.operations.settleWork({ workIds, reason: 'The owner paid it back.' })
  await service.query(`update clearing.account set status = 'Open' where account_number = '${reopened}'`)
  await closeDay()
  assert.deepEqual(await breaksOf(settled), [])
  assert.equal(await entitlementOf(id, settled), refused(settled))
  assert.deepEqual(await breaksOf(reopened), [])
  assert.equal(await entitlementOf(id, reopened), 'Reversed ')
  assert.ok(!(await linesInShort(reopened)).some((one) => one.startsWith('Dividend')))
  await booksHold()
})
