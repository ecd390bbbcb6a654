/** Payments of the feed that belong to a position in another account type of the holder. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import {
  announced,
  book,
  booksHold,
  buy,
  cancelled,
  closeDay,
  entitlementsOf,
  linesOf,
  newAccount,
  newSecurity,
  service,
  startBeforeTests,
  today,
} from './announced-actions.ts'

startBeforeTests()

async function closeUntil(day: string): Promise<void> {
  while ((await today()) < day) await closeDay()
}
/** State and reason by account type. */
async function statesOf(corporateActionId: string, account: string) {
  return (await entitlementsOf(corporateActionId))
    .filter(({ accountNumber }) => accountNumber === account)
    .map(({ acctType, state, reason }) => `${acctType} ${state} ${reason}`.trim())
}
/** Account type and amount of each dividend that counts. */
async function paidTo(account: string) {
  return (await linesOf(account))
    .filter(({ transType }) => transType === 'Dividend')
    .map(({ acctType, netAmount }) => `${acctType} ${Number(netAmount).toFixed(2)}`)
    .toSorted()
}
async function breaksOf(accountNumber: string) {
  const { data } = await service.operations.operations.listBreaks({ accountNumber, kind: 'ActionPaidTwice' })
  return data.breaks.map(({ externalId, acctType }) => `${acctType} ${externalId}`)
}
/** A dividend of 0.5 a share that is paid on the next business day. */
async function dividendOn(symbol: string) {
  const payDate = addMarketDays(await today(), 1)
  const terms = { type: 'Dividend', symbol, exDate: payDate, payDate, cashPerShare: '0.5' }
  return { id: await announced(terms), payDate }
}
function dividend(acctNo: string, symbol: string, tradeDate: string, fields: Record<string, string>) {
  return { transType: 'Dividend', acctNo, symbol, tradeDate, ...fields }
}
function sellShort(acctNo: string, symbol: string, quantity: string, tradeDate: string) {
  return buy(acctNo, symbol, quantity, tradeDate, { buySell: 'SSL', acctType: '3' })
}

for (const when of ['before', 'after'] as const)
  test(`a dividend in another account type ${when} the lines are booked is paid once`, async () => {
    const [long, short, both] = [await newAccount(), await newAccount(), await newAccount()]
    const symbol = await newSecurity()
    const first = await today()
    await book(
      ...[buy(long, symbol, '100', first, { acctType: '2' }), sellShort(short, symbol, '100', first)],
      ...[buy(both, symbol, '100', first), buy(both, symbol, '40', first, { acctType: '2' })],
    )
    const { id, payDate } = await dividendOn(symbol)
    const ofFeed = [
      dividend(long, symbol, payDate, { acctType: '1', netAmount: '50', quantity: '100' }),
      dividend(short, symbol, payDate, { acctType: '2', netAmount: '-50' }),
      dividend(both, symbol, payDate, { acctType: '1', netAmount: '70' }),
    ]
    if (when === 'after') {
      await closeUntil(payDate)
      assert.deepEqual(await paidTo(long), ['2 50.00'])
      assert.deepEqual(await paidTo(short), ['3 -50.00'])
      assert.deepEqual(await paidTo(both), ['1 50.00', '2 20.00'])
    }
    const [inCash, charge, ofBoth] = await book(...ofFeed)
    for (const _ of [1, 2]) {
      await closeDay()
      assert.deepEqual(await paidTo(long), ['1 50.00'])
      assert.deepEqual(await paidTo(short), ['2 -50.00'])
      assert.deepEqual(await paidTo(both), ['1 70.00'])
      assert.deepEqual(await statesOf(id, long), [`2 ByFeed ${inCash}`])
      assert.deepEqual(await statesOf(id, short), [`3 ByFeed ${charge}`])
      assert.deepEqual(await statesOf(id, both), [`1 ByFeed ${ofBoth}`, `2 ByFeed ${ofBoth}`])
      for (const account of [long, short, both]) assert.deepEqual(await breaksOf(account), [])
    }
    // Without the line of the feed, the announcement pays.
    await book(
      { acctNo: both, cancelType: 'C', tagNo: ofBoth },
      { acctNo: short, cancelType: 'C', tagNo: charge },
    )
    await closeDay()
    assert.deepEqual(await paidTo(both), ['1 50.00', '2 20.00'])
    assert.deepEqual(await paidTo(short), ['3 -50.00'])
    assert.deepEqual(await statesOf(id, both), ['1 Booked', '2 Booked'])
    await booksHold()
  })

test('a payment that belongs to no position is a break until it is cancelled or matches, or a person reviewed it', async () => {
  const accounts = [await newAccount(), await newAccount(), await newAccount(), await newAccount()] as const
  const [withdrawn, corrected, reviewed, ofCancelled] = accounts
  const symbol = await newSecurity()
  const first = await today()
  await book(...accounts.map((account) => buy(account, symbol, '100', first, { acctType: '2' })))
  const { id, payDate } = await dividendOn(symbol)
  await closeUntil(payDate)
  const ids = await book(
    ...accounts.map((account) => dividend(account, symbol, payDate, { acctType: '1', netAmount: '43' })),
  )
  for (const _ of [1, 2]) {
    await closeDay()
    for (const [index, account] of accounts.entries()) {
      assert.deepEqual(await paidTo(account), ['1 43.00', '2 50.00'])
      assert.deepEqual(await statesOf(id, account), [`2 Booked ${ids[index]}`])
      assert.deepEqual(await breaksOf(account), [`2 ${ids[index]}`])
    }
  }
  await book(
    ...[withdrawn, corrected].map((acctNo, at) => ({ acctNo, cancelType: 'C', tagNo: ids[at] })),
    dividend(corrected, symbol, payDate, { acctType: '2', netAmount: '43' }),
  )
  assert.deepEqual(await breaksOf(withdrawn), [])
  await closeDay()
  assert.deepEqual(await paidTo(withdrawn), ['2 50.00'])
  assert.deepEqual(await statesOf(id, withdrawn), ['2 Booked'])
  assert.deepEqual(await paidTo(corrected), ['2 43.00'])
  assert.deepEqual(await breaksOf(corrected), [])

  const { data: work } = await service.operations.operations.listWork({ accountNumber: reviewed })
  const workIds = work.work.filter(({ subject }) => subject === 'ActionPaidTwice').map(({ workId }) => workId)
  await service.operations.operations.settleWork({
    workIds,
    reason: 'Both payments are due.',
  })
  await closeDay()
  assert.deepEqual(await breaksOf(reviewed), [])
  assert.deepEqual(await paidTo(reviewed), ['1 43.00', '2 50.00'])

  assert.deepEqual(await breaksOf(ofCancelled), [`2 ${ids[3]}`])
  await cancelled(id)
  assert.deepEqual(await breaksOf(ofCancelled), [])
  assert.deepEqual(await paidTo(ofCancelled), ['1 43.00'])
  await booksHold()
})
