/** A payment of a security that the account has not held is a break at the close, with few false ones. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, addMarketDays } from '@clearing/domain/market'
import {
  book,
  buy,
  type Line,
  newAccount,
  newSecurity,
  service,
  startBeforeTests,
  today,
} from './announced-actions.ts'

startBeforeTests()

function operations() {
  return service.operations.operations
}
function closeDay() {
  return service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'Of a test.' } })
}
async function breaksOf(accountNumber: string) {
  const { data } = await operations().listBreaks({ accountNumber })
  return data.breaks.filter(({ kind }) => kind === 'NeverHeld')
}

test('a dividend, interest and a distribution of a security that was never held are breaks from the close on', async () => {
  const day = await today()
  const before = addMarketDays(addDays(day, -14), 1)
  const paid = (account: string, symbol: string, fields: Line = {}): Line => ({
    ...{ acctNo: account, transType: 'Dividend', symbol, netAmount: '50', tradeDate: day, ...fields },
  })
  const position = (account: string, symbol: string, fields: Line = {}) =>
    buy(account, symbol, '10', before, fields)
  const kinds: readonly [
    what: string,
    lines: (account: string, symbol: string, other: string) => Line[],
    raised: number,
  ][] = [
    ['a dividend', (a, s) => [paid(a, s)], 1],
    ['interest, charged', (a, s) => [paid(a, s, { transType: 'Interest', netAmount: '-5' })], 1],
    ['a distribution', (a, s) => [paid(a, s, { transType: 'CapitalGain' })], 1],
    ['with its tax', (a, s) => [paid(a, s), paid(a, s, { transType: 'Tax', netAmount: '-15' })], 1],
    ['of another security', (a, s, o) => [position(a, o), paid(a, s)], 1],
    ['bought the day after', (a, s) => [paid(a, s, { tradeDate: before }), buy(a, s, '10', day)], 1],
    ['bought that day', (a, s) => [paid(a, s), buy(a, s, '10', day)], 0],
    ['held', (a, s) => [paid(a, s), position(a, s)], 0],
    ['held in another account type', (a, s) => [position(a, s, { acctType: '2' }), paid(a, s)], 0],
    ['sold', (a, s) => [position(a, s), position(a, s, { buySell: 'SEL' }), paid(a, s)], 0],
    [
      'sold short',
      (a, s) => [position(a, s, { buySell: 'SSL', acctType: '3' }), paid(a, s, { netAmount: '-50' })],
      0,
    ],
    [
      'transferred in later',
      (a, s) => [
        paid(a, s, { tradeDate: before }),
        position(a, s, { transType: 'TransferIn', buySell: '', price: '', tradeDate: day }),
      ],
      0,
    ],
    [
      'received',
      (a, s, o) => [
        position(a, o),
        paid(a, o, { transType: 'Spinoff', netAmount: '', toSymbol: s, ratio: '1:2', costShare: '0.1' }),
        paid(a, s),
      ],
      0,
    ],
    ['without a security', (a) => [paid(a, '', { transType: 'Interest' })], 0],
  ]
  const accounts = []
  for (const [what, lines, raised] of kinds) {
    const [account, symbol, other] = [await newAccount(), await newSecurity(), await newSecurity()]
    await book(...lines(account, symbol, other))
    accounts.push({ what, account, symbol, raised })
    assert.deepEqual(await breaksOf(account), [], `${what}, before the close`)
  }
  await closeDay()
  for (const { what, account, symbol, raised } of accounts) {
    const breaks = await breaksOf(account)
    assert.equal(breaks.length, raised, what)
    if (raised > 0)
      assert.match(breaks[0]?.reason ?? '', new RegExp(`^The account has not held ${symbol}, of which`))
  }
  const [{ account = '', symbol = '' } = {}] = accounts
  await closeDay()
  assert.equal((await breaksOf(account)).length, 1, 'once')
  await book(buy(account, symbol, '10', await today()))
  assert.equal((await breaksOf(account)).length, 1, 'a purchase after the payment')
  await book(position(account, symbol))
  assert.deepEqual(await breaksOf(account), [], 'the late trade has arrived')
})

test('the break ends with the cancel of the line, and a cancelled purchase is none', async () => {
  const day = await today()
  const [account, symbol] = [await newAccount(), await newSecurity()]
  const dividend = { acctNo: account, transType: 'Dividend', symbol, netAmount: '50', tradeDate: day }
  const [bought = '', paid = ''] = await book(buy(account, symbol, '10', day), dividend)
  await book({ acctNo: account, cancelType: 'C', tagNo: bought, tradeDate: day })
  await closeDay()
  assert.deepEqual(
    (await breaksOf(account)).map(({ externalId }) => externalId),
    [paid],
  )
  await book({ acctNo: account, cancelType: 'C', tagNo: paid, tradeDate: day })
  assert.deepEqual(await breaksOf(account), [])
  const [again] = [await newAccount()]
  const [mistaken = ''] = await book({ ...dividend, acctNo: again, tradeDate: await today() })
  await book({ acctNo: again, cancelType: 'C', tagNo: mistaken, tradeDate: await today() })
  await closeDay()
  assert.deepEqual(await breaksOf(again), [])
})
