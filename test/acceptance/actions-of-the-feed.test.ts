/** Which lines of the feed report an announced corporate action, by their dates. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, addMarketDays } from '@clearing/domain/market'
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
  positionsOf,
  service,
  startBeforeTests,
  today,
} from './announced-actions.ts'

startBeforeTests()

async function closeUntil(day: string): Promise<void> {
  while ((await today()) < day) await closeDay()
}
async function stateOf(corporateActionId: string, account: string) {
  const found = (await entitlementsOf(corporateActionId)).find(
    ({ accountNumber }) => accountNumber === account,
  )
  return found?.state
}
/** The first Saturday after a day. */
function saturdayAfter(day: string): string {
  return addDays(day, 6 - new Date(day).getUTCDay())
}
const dividend = { transType: 'Dividend', acctType: '1' }

test('a pay date on which nothing settles is paid on the next business day', async () => {
  const symbol = await newSecurity()
  const [onTime, later, other] = [await newAccount(), await newAccount(), await newAccount()]
  const first = await today()
  const exDate = addMarketDays(first, 1)
  const payDate = saturdayAfter(exDate)
  const [monday, tuesday] = [addMarketDays(payDate, 1), addMarketDays(payDate, 2)]
  await book(...[onTime, later, other].map((account) => buy(account, symbol, '100', first)))
  const id = await announced({ type: 'Dividend', symbol, exDate, payDate, cashPerShare: '0.5' })
  await closeUntil(monday)
  await book({ ...dividend, acctNo: onTime, symbol, netAmount: '50', tradeDate: monday })
  await closeUntil(tuesday)
  await book({ ...dividend, acctNo: later, symbol, netAmount: '7', tradeDate: tuesday })
  await closeUntil(addMarketDays(tuesday, 1))
  assert.deepEqual(await linesInShort(onTime), [`Dividend ${monday} 50.00`])
  assert.equal(await stateOf(id, onTime), 'ByFeed')
  assert.deepEqual((await linesInShort(later)).toSorted(), [
    `Dividend ${payDate} 50.00`,
    `Dividend ${tuesday} 7.00`,
  ])
  assert.deepEqual(await linesInShort(other), [`Dividend ${payDate} 50.00`])
  await booksHold()
})

test('the payment of one action on the ex-date of the next one is not the next one', async () => {
  const symbol = await newSecurity()
  const [byFeed, byService] = [await newAccount(), await newAccount()]
  const first = await today()
  const [exDate, payDate, secondPayDate] = [1, 2, 3].map((count) => addMarketDays(first, count))
  assert.ok(exDate && payDate && secondPayDate)
  await book(...[byFeed, byService].map((account) => buy(account, symbol, '100', first)))
  await closeUntil(payDate)
  await book({ ...dividend, acctNo: byFeed, symbol, netAmount: '50', tradeDate: payDate })
  const one = await announced({ type: 'Dividend', symbol, exDate, payDate, cashPerShare: '0.5' })
  const next = { type: 'Dividend', symbol, exDate: payDate, payDate: secondPayDate }
  const two = await announced({ ...next, cashPerShare: '0.6' })
  await closeUntil(addMarketDays(secondPayDate, 1))
  assert.deepEqual([await stateOf(one, byFeed), await stateOf(two, byFeed)], ['ByFeed', 'Booked'])
  for (const account of [byFeed, byService])
    assert.deepEqual((await linesInShort(account)).toSorted(), [
      `Dividend ${payDate} 50.00`,
      `Dividend ${secondPayDate} 60.00`,
    ])
  await booksHold()
})

test('a line on the ex-date is the action if no other one is paid on that day', async () => {
  const symbol = await newSecurity()
  const account = await newAccount()
  const first = await today()
  const [exDate, payDate] = [addMarketDays(first, 1), addMarketDays(first, 3)]
  await book(buy(account, symbol, '100', first))
  const id = await announced({ type: 'Dividend', symbol, exDate, payDate, cashPerShare: '0.5' })
  await closeUntil(exDate)
  await book({ ...dividend, acctNo: account, symbol, netAmount: '50', tradeDate: exDate })
  await closeUntil(addMarketDays(payDate, 1))
  assert.equal(await stateOf(id, account), 'ByFeed')
  assert.deepEqual(await linesInShort(account), [`Dividend ${exDate} 50.00`])
})

test('of two dividends of one day, a line is the one whose amount it has', async () => {
  const symbol = await newSecurity()
  const [regular, special, both, neither] = await Promise.all([0, 1, 2, 3].map(() => newAccount()))
  assert.ok(regular && special && both && neither)
  const first = await today()
  const payDate = addMarketDays(first, 1)
  await book(...[regular, special, both, neither].map((account) => buy(account, symbol, '100', first)))
  const terms = { type: 'Dividend', symbol, exDate: payDate, payDate }
  const [one, two] = [
    await announced({ ...terms, cashPerShare: '0.25' }),
    await announced({ ...terms, cashPerShare: '1' }),
  ]
  const paid = (acctNo: string, netAmount: string) => {
    return { ...dividend, acctNo, symbol, quantity: '100', netAmount, tradeDate: payDate }
  }
  await book(
    ...[paid(regular, '25'), paid(special, '100')],
    ...[paid(both, '25'), paid(both, '100')],
    // A total that is neither amount is both dividends.
    paid(neither, '125'),
  )
  await closeUntil(addMarketDays(payDate, 1))
  const found = (account: string) => Promise.all([stateOf(one, account), stateOf(two, account)])
  assert.deepEqual(await found(regular), ['ByFeed', 'Booked'])
  assert.deepEqual(await found(special), ['Booked', 'ByFeed'])
  assert.deepEqual(await found(both), ['ByFeed', 'ByFeed'])
  assert.deepEqual(await found(neither), ['ByFeed', 'ByFeed'])
  for (const account of [regular, special, both])
    assert.deepEqual((await linesInShort(account)).toSorted(), [
      `Dividend ${payDate} 100.00`,
      `Dividend ${payDate} 25.00`,
    ])
  assert.deepEqual(await linesInShort(neither), [`Dividend ${payDate} 125.00`])
})

/** The open breaks of actions that an account missed, by the line that raised each. */
async function missedBy(accountNumber: string) {
  const { data } = await service.operations.operations.listBreaks({ accountNumber })
  return data.breaks.filter(({ kind }) => kind === 'ActionMissed').map(({ externalId }) => externalId)
}
/** A dividend of 0.5 a share on the next business day, announced for holders of 100 shares. */
async function dividendFor(accounts: readonly string[]) {
  const symbol = await newSecurity()
  const first = await today()
  const payDate = addMarketDays(first, 1)
  await book(...accounts.map((account) => buy(account, symbol, '100', first)))
  const terms = { type: 'Dividend', symbol, exDate: payDate, payDate, cashPerShare: '0.5' }
  return { id: await announced(terms), symbol, first, payDate, terms }
}
async function entitlementOf(corporateActionId: string, account: string) {
  const found = (await entitlementsOf(corporateActionId)).find(
    ({ accountNumber }) => accountNumber === account,
  )
  return [found?.quantity, found?.state, found?.reason].join(' ')
}

test('a line that the feed cancels after it was booked is reversed, with a break, and is not booked again', async () => {
  const [taken, other] = [await newAccount(), await newAccount()]
  const { id, first, payDate, symbol } = await dividendFor([taken, other])
  await closeUntil(payDate)
  assert.equal(await entitlementOf(id, taken), '100 Booked ')
  const [cancel = ''] = await book({ acctNo: taken, cancelType: 'C', tagNo: `CA-${id}-${taken}-1-1` })
  assert.deepEqual(await missedBy(taken), [])
  for (const _ of [1, 2, 3]) {
    await closeDay()
    assert.deepEqual(await linesInShort(taken), [])
    assert.equal(await entitlementOf(id, taken), `100 Reversed ${cancel}`)
    assert.deepEqual(await missedBy(taken), [cancel])
    assert.equal(await entitlementOf(id, other), '100 Booked ')
  }
  // A trade that arrives late makes another entitlement, whose line has no cancel.
  await book(buy(taken, symbol, '20', first))
  await closeDay()
  assert.equal(await entitlementOf(id, taken), '120 Booked ')
  assert.deepEqual(await linesInShort(taken), [`Dividend ${payDate} 60.00`])
  assert.deepEqual([await missedBy(taken), await missedBy(other)], [[], []])
  await booksHold()
})

test('a cancel of the feed that arrives before the line of the action reverses it when it is booked', async () => {
  const account = await newAccount()
  const { id, payDate, symbol } = await dividendFor([account])
  const [cancel = ''] = await book({
    ...{ ...dividend, acctNo: account, symbol, tradeDate: payDate, netAmount: '-50', quantity: '-100' },
    ...{ cancelType: 'C', tagNo: `CA-${id}-${account}-1-1` },
  })
  assert.equal(await entitlementOf(id, account), '100 Expected ')
  for (const _ of [1, 2]) {
    await closeDay()
    assert.deepEqual(await linesInShort(account), [])
    assert.equal(await entitlementOf(id, account), `100 Reversed ${cancel}`)
    assert.deepEqual(await missedBy(account), [cancel])
  }
  await booksHold()
})

test('a cancelled line is replaced by a line of the feed, an amendment or nothing, and its break ends', async () => {
  const accounts = [await newAccount(), await newAccount()] as const
  const [replaced, plain] = accounts
  const { id, payDate, symbol, terms } = await dividendFor(accounts)
  await closeUntil(payDate)
  await book(...accounts.map((acctNo) => ({ acctNo, cancelType: 'C', tagNo: `CA-${id}-${acctNo}-1-1` })))
  await closeDay()
  const [paid] = await book({ ...dividend, acctNo: replaced, symbol, netAmount: '49', tradeDate: payDate })
  await closeDay()
  assert.equal(await entitlementOf(id, replaced), `100 ByFeed ${paid}`)
  assert.deepEqual(await linesInShort(replaced), [`Dividend ${payDate} 49.00`])
  assert.equal((await missedBy(replaced)).length, 0)
  assert.equal((await missedBy(plain)).length, 1)

  await amended(id, { ...terms, cashPerShare: '0.6' })
  assert.equal(await entitlementOf(id, plain), '100 Booked ')
  assert.deepEqual(await linesInShort(plain), [`Dividend ${payDate} 60.00`])
  assert.deepEqual(await missedBy(plain), [])

  const [second = ''] = await book({ acctNo: plain, cancelType: 'C', tagNo: `CA-${id}-${plain}-1-3` })
  await closeDay()
  assert.equal(await entitlementOf(id, plain), `100 Reversed ${second}`)
  await cancelled(id)
  assert.equal(await entitlementOf(id, plain), '100 Reversed ')
  assert.deepEqual(await missedBy(plain), [])
  const { data } = await service.operations.operations.listBreaks({ accountNumber: plain })
  assert.deepEqual(
    data.breaks.map(({ kind }) => kind),
    [],
    'no line was cancelled twice',
  )
  await booksHold()
})

test('a split whose line the feed cancels is one break, and the shares are those before it', async () => {
  const [taken, other] = [await newAccount(), await newAccount()]
  const symbol = await newSecurity()
  const first = await today()
  const exDate = addMarketDays(first, 1)
  await book(buy(taken, symbol, '100', first), buy(other, symbol, '100', first))
  const id = await announced({ type: 'Split', symbol, exDate, payDate: exDate, ratio: '6:5' })
  await closeUntil(exDate)
  const [cancel = ''] = await book({ acctNo: taken, cancelType: 'C', tagNo: `CA-${id}-${taken}-1-1` })
  for (const _ of [1, 2]) {
    await closeDay()
    assert.equal(await entitlementOf(id, taken), `100 Reversed ${cancel}`)
    assert.deepEqual(await missedBy(taken), [cancel])
  }
  assert.deepEqual(await positionsOf(taken), [`${symbol} 100 for 1000.00`])
  assert.deepEqual(await positionsOf(other), [`${symbol} 120 for 1000.00`])
  await booksHold()
})
