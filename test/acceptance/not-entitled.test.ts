/** Activity that an account is not entitled to is booked, with a break that names the remedy. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { applicationFor, applicationOf } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
  await operations().loadSecurities({ lines: { ndjson: [{ symbol: 'NENT', secTypeName: 'Common Stock' }] } })
})
after(() => service?.stop())

function operations() {
  return service.operations.operations
}
async function load(...ndjson: object[]) {
  const { data } = await operations().loadActivity({ lines: { ndjson } } as never)
  assert.deepEqual(data.rejects, [])
  return data
}
async function breaksOf(accountNumber: string) {
  return (await operations().listBreaks({ accountNumber })).data.breaks.filter(
    ({ kind }) => kind === 'NotEntitled',
  )
}
let id = 0
function trade(acctNo: string, more: object) {
  return {
    externalId: `NE-${++id}`,
    acctNo,
    acctType: '1',
    transType: 'Trade',
    buySell: 'BUY',
    symbol: 'NENT',
    quantity: '10',
    price: '20',
    tradeDate: '2026-11-02',
    ...more,
  }
}
function money(acctNo: string, transType: string, netAmount: string) {
  return { externalId: `NE-${++id}`, acctNo, acctType: '1', transType, netAmount, tradeDate: '2026-11-02' }
}

test('margin and short lines of accounts without margin are booked with a break; those of margin accounts have none', async () => {
  const cash = await openAndFollow(service.alpha, applicationOf({}))
  const margin = await openAndFollow(
    service.alpha,
    applicationOf({}, { main: { repCode: 'JC01', marginIndicator: 'true' } }),
  )
  const ira = await openAndFollow(service.alpha, applicationFor('IraRoth'))
  const lines = [cash, margin, ira].flatMap((acctNo) => [
    money(acctNo, 'Deposit', '400'),
    trade(acctNo, {}),
    trade(acctNo, { acctType: '2' }),
    trade(acctNo, { acctType: '3', buySell: 'SSL', secFee: '0' }),
  ])
  const { accepted, rejected } = await load(...lines)
  assert.deepEqual([accepted, rejected], [12, 0])
  assert.deepEqual(await breaksOf(margin), [])
  const found = await breaksOf(cash)
  assert.deepEqual(found.map(({ reason }) => reason.split(',')[0]).sort(), [
    'A purchase in account type 2',
    'A short sale',
  ])
  for (const { reason } of found) assert.match(reason, /Have it cancelled and booked in account type 1/)
  assert.equal((await breaksOf(ira)).length, 2)
  for (const { reason } of await breaksOf(ira)) assert.match(reason, /never borrows nor goes short/)
})

test('a break ends when a person has reviewed it, and a line cancelled in the same load raises none', async () => {
  const cash = await openAndFollow(service.alpha, applicationOf({}))
  const wrong = trade(cash, { acctType: '2' })
  await load(wrong, { ...wrong, externalId: `NE-${++id}`, cancelType: 'C', tagNo: wrong.externalId })
  assert.deepEqual(await breaksOf(cash), [])
  await load(trade(cash, { acctType: '2' }))
  assert.equal((await breaksOf(cash)).length, 1)
  const { data } = await operations().listWork({ queues: ['Break'] })
  const work = data.work.find(({ accountNumber }) => accountNumber === cash)
  await operations().settleWork({ workIds: [work?.workId ?? ''], reason: 'The agreement is there.' })
  assert.deepEqual(await breaksOf(cash), [])
})

test('cash below zero in accounts that never borrow is a separate break, until it is covered', async () => {
  for (const type of ['IraTraditional', 'CustodialUtma', 'Estate', 'Individual'] as const) {
    const accountNumber = await openAndFollow(service.alpha, applicationFor(type))
    const reasons = async () => (await breaksOf(accountNumber)).map(({ reason }) => reason.split(',')[0])
    const owed = type === 'Individual' ? [] : ['The cash in USD is below zero']
    await load(money(accountNumber, 'Deposit', '150'), trade(accountNumber, {}))
    assert.deepEqual(await reasons(), owed, type)
    await load(money(accountNumber, 'Fee', '-1'))
    assert.deepEqual(await reasons(), owed, `${type}: once, however many lines come`)
    await load(money(accountNumber, 'Deposit', '51'))
    assert.deepEqual(await reasons(), [], type)
    const withdrawal = money(accountNumber, 'Withdrawal', '-0.01')
    await load(withdrawal)
    assert.deepEqual(await reasons(), owed, type)
    await load({ ...withdrawal, externalId: `NE-${++id}`, cancelType: 'C', tagNo: withdrawal.externalId })
    assert.deepEqual(await reasons(), [], `${type}: the withdrawal was cancelled`)
    await load(money(accountNumber, 'Withdrawal', '-500'), money(accountNumber, 'Deposit', '500'))
    assert.deepEqual(await reasons(), [], `${type}: one load, in the end covered`)
  }
})

test('a money-market fund of an account that never borrows covers a purchase until its redemption is reported', async () => {
  const symbol = 'NEFUND'
  const fund = { symbol, secTypeName: 'Money Market Fund', moneyMarket: true }
  await operations().loadSecurities({ lines: { ndjson: [fund] } })
  const accountNumber = await openAndFollow(service.alpha, applicationFor('IraRollover'))
  const reasons = async () => (await breaksOf(accountNumber)).map(({ reason }) => reason.split(',')[0])
  const shares = { symbol, price: '1', quantity: '200' }
  await load(money(accountNumber, 'Deposit', '200'), trade(accountNumber, shares))
  // 200, as much as the fund is worth.
  await load(trade(accountNumber, {}))
  assert.deepEqual(await reasons(), [])
  await load(money(accountNumber, 'Fee', '-0.01'))
  assert.deepEqual(await reasons(), ['The cash in USD is below zero'])
  await load(money(accountNumber, 'Deposit', '0.01'))
  await load(trade(accountNumber, { ...shares, buySell: 'SEL', secFee: '0' }))
  assert.deepEqual(await reasons(), [])
})

test('a settled break of cash below zero is not raised again until the cash was positive and falls below zero again', async () => {
  const accountNumber = await openAndFollow(service.alpha, applicationFor('IraSep'))
  const settle = async () => {
    const { data } = await operations().listWork({ queues: ['Break'], size: 100 })
    const work = data.work.find((one) => one.accountNumber === accountNumber)
    await operations().settleWork({ workIds: [work?.workId ?? ''], reason: 'The deposit is on its way.' })
  }
  await load(money(accountNumber, 'Fee', '-5'))
  assert.equal((await breaksOf(accountNumber)).length, 1)
  await settle()
  assert.deepEqual(await breaksOf(accountNumber), [])
  for (const amount of ['-1', '2', '-3']) {
    await load(money(accountNumber, amount.startsWith('-') ? 'Fee' : 'Deposit', amount))
    assert.deepEqual(await breaksOf(accountNumber), [], `settled, and still below zero after ${amount}`)
  }
  await load(money(accountNumber, 'Deposit', '7'))
  assert.deepEqual(await breaksOf(accountNumber), [])
  await load(money(accountNumber, 'Fee', '-0.01'))
  assert.equal((await breaksOf(accountNumber)).length, 1, 'below zero anew')
})

function openWithOptions(optionTradingLevel: string, main: object = {}) {
  const options = { repCode: 'JC01', optionTradingIndicator: 'true', optionTradingLevel, ...main }
  const profile = { investmentProfile: 'Moderate', investmentExperience: { options: 'Limited' } }
  return openAndFollow(service.alpha, applicationOf({}, { main: options, financialProfile: profile }))
}

test('a written option without the cover of its level is a break, until it is covered or closed', async () => {
  await operations().loadSecurities({
    lines: {
      ndjson: [
        {
          symbol: 'NENTC25',
          secTypeName: 'Option',
          underlying: 'NENT',
          putCall: 'Call',
          strike: '25',
          expiration: '2037-12-18',
          multiplier: '100',
        },
      ],
    },
  })
  const accountNumber = await openWithOptions('1')
  const reasons = async () => (await breaksOf(accountNumber)).map(({ reason }) => reason.split(' are')[0])
  const write = { symbol: 'NENTC25', buySell: 'SSL', quantity: '2', price: '1', secFee: '0' }
  await load(trade(accountNumber, { quantity: '200' }), trade(accountNumber, write))
  assert.deepEqual(await reasons(), [])
  await load(trade(accountNumber, { buySell: 'SEL', quantity: '1', secFee: '0' }))
  assert.deepEqual(await reasons(), ['1 written calls on NENT'])
  await load(trade(accountNumber, { ...write, quantity: '1' }))
  assert.deepEqual(await reasons(), ['2 written calls on NENT'])
  const { data } = await operations().listWork({ queues: ['Break'], size: 100 })
  const work = data.work.find((one) => one.accountNumber === accountNumber)
  await operations().settleWork({ workIds: [work?.workId ?? ''], reason: 'The customer covers it today.' })
  await load(money(accountNumber, 'Deposit', '1'))
  assert.deepEqual(await reasons(), [], 'settled, and the same contracts are not covered')
  await load(trade(accountNumber, { ...write, quantity: '1' }))
  assert.deepEqual(await reasons(), ['3 written calls on NENT'], 'more contracts are not covered')
  await load(trade(accountNumber, { ...write, quantity: '1', buySell: 'BCV' }))
  assert.deepEqual(await reasons(), ['2 written calls on NENT'], 'settled once, then gone')
  await load(trade(accountNumber, { ...write, buySell: 'BCV' }))
  assert.deepEqual(await reasons(), [])
})

test('a written option of the cash account must be covered there, whatever the level', async () => {
  const accountNumber = await openWithOptions('4', { marginIndicator: 'true' })
  const reasons = async () => (await breaksOf(accountNumber)).map(({ reason }) => reason)
  const write = { symbol: 'NENTC25', buySell: 'SSL', quantity: '1', price: '1', secFee: '0' }
  await load(trade(accountNumber, { ...write, acctType: '2' }))
  assert.deepEqual(await reasons(), [], 'level 4 asks for no cover in the margin account')
  await load(trade(accountNumber, { quantity: '100', acctType: '2' }), trade(accountNumber, write))
  assert.deepEqual(await reasons(), [
    '1 written calls on NENT are not covered by shares of NENT, and the cash account asks for it. Have them closed out or covered.',
  ])
  await load(trade(accountNumber, { quantity: '100' }))
  assert.deepEqual(await reasons(), [])
})

test('a spread of index options in the cash account needs its amount at risk there', async () => {
  const accountNumber = await openWithOptions('3')
  const ofSpread = { secTypeName: 'Index Option', underlying: 'SPX', putCall: 'Call', multiplier: '100' }
  const options = ['1460', '5000'].map((strike) => ({
    ...{ symbol: `NESPX${strike}`, strike, expiration: '2027-04-16' },
    ...ofSpread,
  }))
  await operations().loadSecurities({ lines: { ndjson: options } })
  const reasons = async () => (await breaksOf(accountNumber)).map(({ reason }) => reason)
  const free = async () => {
    const { data } = await service.alpha.positionSummary({ accountNumber })
    return [data.freeCash, data.fundsAvailable, data.buyingPower].map(Number)
  }
  const written = {
    symbol: 'NESPX1460',
    buySell: 'SSL',
    quantity: '1',
    price: '21.66',
    secFee: '0',
    netAmount: '2166',
  }
  await load(
    money(accountNumber, 'Deposit', '352000'),
    trade(accountNumber, { symbol: 'NESPX5000', quantity: '1', price: '0.05', netAmount: '-5' }),
    trade(accountNumber, written),
  )
  assert.deepEqual(await reasons(), [])
  assert.deepEqual(await free(), [161, 161, 161])
  await load(money(accountNumber, 'Withdrawal', '-161'))
  assert.deepEqual(await reasons(), [])
  await load(money(accountNumber, 'Withdrawal', '-0.01'))
  assert.deepEqual(await reasons(), [
    '1 written calls on SPX are not covered by shares of SPX or a long option of the same expiration and cash for the amount at risk, and the cash account asks for it. Have them closed out or covered.',
  ])
  assert.deepEqual(await free(), [0, 0, 0])
})

test('a Treasury bill covers a written put, and a convertible a written call', async () => {
  const option = { secTypeName: 'Option', underlying: 'NENT', strike: '50', expiration: '2027-04-16' }
  await operations().loadSecurities({
    lines: {
      ndjson: [
        {
          symbol: 'NEBILL',
          secTypeName: 'US Treasury Bill',
          maturityDate: '2027-06-03',
          priceDivisor: '100',
        },
        {
          ...{
            symbol: 'NECONV',
            secTypeName: 'Convertible Bond',
            maturityDate: '2036-06-02',
            priceDivisor: '100',
          },
          ...{ couponRate: '3', convertsTo: 'NENT', conversionRatio: '20' },
        },
        { symbol: 'NEPUT', putCall: 'Put', multiplier: '100', ...option },
        { symbol: 'NECALL', putCall: 'Call', multiplier: '100', ...option },
      ],
    },
  } as never)
  await operations().loadPrices({
    lines: {
      ndjson: [
        { symbol: 'NEBILL', price: '99.5', priceType: 'LastClose', priceDate: '2026-11-02T21:00:00Z' },
      ],
    },
  } as never)
  const accountNumber = await openWithOptions('2')
  const reasons = async () =>
    (await breaksOf(accountNumber)).map(({ reason }) => reason.split(' are')[0]).sort()
  const write = { buySell: 'SSL', quantity: '1', price: '2', secFee: '0', netAmount: '200' }
  const buy = (symbol: string, quantity: string, netAmount: string) =>
    trade(accountNumber, { symbol, quantity, price: undefined, netAmount })
  await load(
    money(accountNumber, 'Deposit', '10000'),
    trade(accountNumber, { ...write, symbol: 'NEPUT' }),
    trade(accountNumber, { ...write, symbol: 'NECALL' }),
    buy('NECONV', '4000', '-4000'),
    buy('NEBILL', '5000', '-4975'),
  )
  assert.deepEqual(await reasons(), ['1 written calls on NENT'])
  await load(buy('NECONV', '1000', '-1000'))
  assert.deepEqual(await reasons(), [])
  // 425 of cash and 4,975.00 of the bill secure 5,000 of the put.
  const { data } = await service.alpha.positionSummary({ accountNumber })
  assert.deepEqual([data.totalCash, data.freeCash].map(Number), [425, 400])
  await load(money(accountNumber, 'Withdrawal', '-400'))
  assert.deepEqual(await reasons(), [])
  await load(money(accountNumber, 'Withdrawal', '-0.01'))
  assert.deepEqual(await reasons(), ['1 written puts on NENT'])
})

test('an account that never borrows has no margin figures, whatever its lines', async () => {
  const figures = async (accountNumber: string) => {
    const { data } = await service.alpha.positionSummary({ accountNumber })
    return [data.marginCashAvailable, data.fedCallAmount, data.accumFedAmount, data.maintCallAmount].map(
      Number,
    )
  }
  const ira = await openAndFollow(service.alpha, applicationFor('IraRoth'))
  const margin = await openAndFollow(
    service.alpha,
    applicationOf({}, { main: { repCode: 'JC01', marginIndicator: 'true' } }),
  )
  for (const acctNo of [ira, margin])
    await load(money(acctNo, 'Deposit', '400'), trade(acctNo, { acctType: '2', quantity: '1000' }))
  assert.deepEqual(await figures(ira), [0, 0, 0, 0])
  assert.ok((await figures(margin)).some((figure) => figure > 0))
  const { data } = await service.alpha.balanceSummary({ accountNumber: ira })
  assert.deepEqual([data.marginRequirements, Number(data.openCall.maintenanceCall)], [[], 0])
})

test('the close issues no margin call and charges no interest to an account that never borrows', async () => {
  const ira = await openAndFollow(service.alpha, applicationFor('IraRollover'))
  const margin = await openAndFollow(
    service.alpha,
    applicationOf({}, { main: { repCode: 'JC01', marginIndicator: 'true' } }),
  )
  for (const acctNo of [ira, margin])
    await load(money(acctNo, 'Deposit', '400'), trade(acctNo, { acctType: '2', quantity: '1000' }))
  await operations().loadPrices({
    lines: {
      ndjson: [{ symbol: 'NENT', price: '5', priceType: 'LastClose', priceDate: '2026-11-02T21:00:00Z' }],
    },
  } as never)
  await service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'As tests close days.' } })
  const callsOf = async (accountNumber: string) =>
    (await service.alpha.listCalls({ accountNumber })).data.calls.map(({ kind }) => kind)
  assert.ok((await callsOf(margin)).length > 0)
  assert.deepEqual(await callsOf(ira), [])
  const { data } = await service.alpha.balanceSummary({ accountNumber: ira })
  assert.deepEqual([data.marginRequirements, Number(data.openCall.maintenanceCall)], [[], 0])
})
