/** An account is not closed while it is entitled to a corporate action whose lines are not booked. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import {
  announced,
  book,
  buy,
  cancelled,
  closeDay,
  entitlementsOf,
  type Line,
  linesInShort,
  newAccount,
  newSecurity,
  service,
  startBeforeTests,
  today,
} from './announced-actions.ts'

startBeforeTests()

function moves(
  acctNo: string,
  transType: 'Deposit' | 'Withdrawal',
  netAmount: string,
  tradeDate: string,
): Line {
  return { acctNo, transType, netAmount, tradeDate }
}

/** The reason why the account is not closed; `closed` if it was. */
function close(accountNumber: string): Promise<string> {
  return service.operations.operations.closeAccount({ accountNumber, reason: 'The customer left.' }).then(
    () => 'closed',
    (error) => String(error.message),
  )
}

async function isExpected(action: string, accountNumber: string) {
  return (await entitlementsOf(action)).some(
    (one) => one.accountNumber === accountNumber && one.state === 'Expected',
  )
}

test('a holder who sold on the ex-date stays a customer until the dividend is booked', async () => {
  const symbol = await newSecurity()
  const [before, holder] = [await newAccount(), await newAccount()]
  const first = await today()
  const exDate = addMarketDays(first, 1)
  const payDate = addMarketDays(first, 4)
  await book(
    ...[before, holder].flatMap((account) => [
      moves(account, 'Deposit', '1000', first),
      buy(account, symbol, '100', first),
    ]),
    buy(before, symbol, '100', first, { buySell: 'SEL', secFee: '0' }),
  )
  const action = await announced({
    type: 'Dividend',
    symbol,
    exDate,
    recordDate: exDate,
    payDate,
    cashPerShare: '0.25',
  })
  const dropped = await announced({
    type: 'Dividend',
    symbol,
    exDate,
    recordDate: exDate,
    payDate,
    cashPerShare: '0.01',
  })
  await closeDay()
  await book(buy(holder, symbol, '100', exDate, { buySell: 'SEL', secFee: '0' }))
  await closeDay()
  await closeDay()
  const day = await today()
  await book(...[before, holder].map((account) => moves(account, 'Withdrawal', '-1000', day)))
  assert.equal(await isExpected(action, holder), true)
  // Who sold before the ex-date is entitled to nothing.
  assert.equal(await close(before), 'closed')
  const waits = new RegExp(
    `ERR\\.2011.*entitled to the corporate action (${action}|${dropped}).*lines of ${payDate} are not booked`,
    's',
  )
  assert.match(await close(holder), waits)
  await cancelled(dropped)
  assert.match(await close(holder), new RegExp(`corporate action ${action},`))
  await closeDay()
  assert.equal(await today(), payDate)
  assert.deepEqual(
    await linesInShort(holder).then((lines) => lines.filter((line) => /^Dividend/.test(line))),
    [`Dividend ${payDate} 25.00`],
  )
  assert.match(await close(holder), /holds positions, cash or activity/)
  await book(moves(holder, 'Withdrawal', '-25', payDate))
  assert.equal(await close(holder), 'closed')
})

test('the lines of an action that is announced after the closing are refused once', async () => {
  const symbol = await newSecurity()
  const holder = await newAccount()
  const first = await today()
  const exDate = addMarketDays(first, 1)
  await book(moves(holder, 'Deposit', '1000', first), buy(holder, symbol, '100', first))
  await closeDay()
  await book(buy(holder, symbol, '100', exDate, { buySell: 'SEL', secFee: '0' }))
  await closeDay()
  await closeDay()
  const day = await today()
  await book(moves(holder, 'Withdrawal', '-1000', day))
  assert.equal(await close(holder), 'closed')
  const action = await announced({
    type: 'Dividend',
    symbol,
    exDate,
    recordDate: exDate,
    payDate: exDate,
    cashPerShare: '0.25',
  })
  const refusals = async () => {
    const { data } = await service.operations.operations.listLoads({ kind: 'load-activity', size: 100 })
    return data.loads
      .filter(({ source }) => source === `Corporate action ${action}`)
      .map(({ rejected }) => rejected)
  }
  const [entitlement] = await entitlementsOf(action)
  assert.deepEqual([entitlement?.state, entitlement?.reason], ['Refused', 'The account is Closed.'])
  assert.deepEqual(await refusals(), [1])
  await closeDay()
  await closeDay()
  assert.deepEqual(await refusals(), [1])
})
