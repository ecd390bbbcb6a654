/**
 * Mergers and spin-offs that are taxable: by lines of the feed, and by announcements that are amended or cancelled.
 * Inherited shares, whose gains are long.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addMarketDays } from '@clearing/domain/market'
import {
  amended,
  announce,
  announced,
  book,
  booksHold,
  buy,
  cancelled,
  closeDay,
  gainsOf,
  newAccount,
  newSecurity,
  positionsOf,
  service,
  startBeforeTests,
  stateOf,
  today,
} from './announced-actions.ts'

startBeforeTests()

/** The lots of an account: security, quantity, cost and the date of acquisition. */
async function lotsOf(accountNumber: string): Promise<string[]> {
  const { data } = await service.alpha.positionDetail({ accountNumber })
  return data.portfolios
    .map(({ symbol, quantity, unrealizedGainLoss: { cost, openDate } }) => {
      return `${symbol} ${quantity} for ${cost} since ${openDate.slice(0, 10)}`
    })
    .sort()
}

function load(lines: { ndjson: Record<string, unknown>[] } | { csv: string }) {
  return service.operations.operations.loadActivity({ lines })
}

describe('a taxable merger of the feed', () => {
  test('is reported with its whole value, and the new shares are acquired on its day', async () => {
    const [given, received, right] = [await newSecurity(), await newSecurity(), await newSecurity()]
    const holder = await newAccount()
    const at = { acctNo: holder, tradeDate: '2019-11-21' }
    await book(
      {
        ...{ acctNo: holder, transType: 'Trade', buySell: 'BUY', symbol: given, quantity: '320' },
        ...{ netAmount: '-4117.85', tradeDate: '2012-02-06' },
      },
      {
        ...{ ...at, transType: 'Merger', symbol: given, toSymbol: received, ratio: '1:1' },
        ...{ cashPerShare: '51.77', price: '56.94', taxable: 'Y' },
      },
      { ...at, transType: 'Reinvest', symbol: right, quantity: '320', netAmount: '-566.40' },
    )
    const { data } = await service.alpha.taxReport({ accountNumber: holder, year: 2019 })
    assert.deepEqual(
      data.rows.map(({ box, proceeds, cost, gainLoss, dateAcquired, dateSold }) => {
        return [box, proceeds, cost, gainLoss, dateAcquired, dateSold]
      }),
      [['D', 34_787.2, 4117.85, 30_669.35, '2012-02-06', '2019-11-21']],
    )
    assert.deepEqual(
      await lotsOf(holder),
      [`${received} 320 for 18220.8 since 2019-11-21`, `${right} 320 for 566.4 since 2019-11-21`].sort(),
    )
    await booksHold()
  })

  test('recognizes a loss, and without taxable none', async () => {
    const [given, received] = [await newSecurity(), await newSecurity()]
    const [taxed, deferred] = [await newAccount(), await newAccount()]
    const merger = {
      ...{ tradeDate: '2021-11-22', transType: 'Merger', symbol: given, toSymbol: received },
      ...{ ratio: '1:1', cashPerShare: '50', price: '56.94' },
    }
    await book(
      buy(taxed, given, '100', '2018-02-05', { price: '140' }),
      buy(deferred, given, '100', '2018-02-05', { price: '140' }),
      { ...merger, acctNo: taxed, taxable: true },
      { ...merger, acctNo: deferred, taxable: 'N' },
    )
    assert.deepEqual(
      [await gainsOf(taxed), await lotsOf(taxed)],
      [['100 for 10694, cost 14000, gain -3306'], [`${received} 100 for 5694 since 2021-11-22`]],
    )
    assert.deepEqual(
      [await gainsOf(deferred), await lotsOf(deferred)],
      [[], [`${received} 100 for 9000 since 2018-02-05`]],
    )
    await booksHold()
  })

  test('is a duplicate when it is sent again, and a conflict without taxable', async () => {
    const [given, received] = [await newSecurity(), await newSecurity()]
    const holder = await newAccount()
    const names = 'externalId,acctNo,transType,symbol,toSymbol,ratio,price,taxable,tradeDate'
    const line = (taxable: string) =>
      `TM-${given},${holder},Merger,${given},${received},1:1,20,${taxable},2024-06-03`
    await book(buy(holder, given, '10', '2024-01-03'))
    const counts = async (...lines: string[]) => {
      const { data } = await load({ csv: [names, ...lines].join('\n') })
      return [data.accepted, data.duplicates, data.rejects.map(({ code, field }) => `${code} ${field}`)]
    }
    assert.deepEqual(await counts(line('Y')), [1, 0, []])
    assert.deepEqual(await counts(line('Y')), [0, 1, []])
    assert.deepEqual(await counts(line('')), [0, 0, ['ERR.2018 taxable']])
    const spun = `TS-${given},${holder},Spinoff,${received},${given},1:1,,Y,2024-06-04`
    assert.deepEqual(await counts(spun), [0, 0, ['ERR.1000 price']])
    const correction = { acctNo: holder, tagNo: `TM-${given}` }
    await book({ ...correction, externalId: `TX-${given}`, cancelType: 'C' })
    assert.deepEqual(
      [await gainsOf(holder), await lotsOf(holder)],
      [[], [`${given} 10 for 100 since 2024-01-03`]],
    )
    await booksHold()
  })
})

describe('an announced merger that is taxable', () => {
  test('closes the lots of every holder at the value, and a cancel restores them', async () => {
    const [given, received] = [await newSecurity(), await newSecurity()]
    const [holder, other] = [await newAccount(), await newAccount()]
    const first = await today()
    const payDate = addMarketDays(first, 1)
    await book(buy(holder, given, '105', '2020-01-06'), buy(other, given, '8', first, { acctType: '2' }))
    const before = [await lotsOf(holder), await lotsOf(other)]
    const terms = { type: 'Merger', symbol: given, payDate, toSymbol: received, ratio: '1:10' }
    const rejected = await announce({ externalId: `TU-${given}`, ...terms, taxable: 'Y' })
    assert.deepEqual(
      rejected.rejects.map(({ code, field }) => `${code} ${field}`),
      ['ERR.1000 price'],
    )
    const line = { ...terms, taxable: 'Y', price: '120', cashInLieuPrice: '120', cashPerShare: '2' }
    const id = await announced(line)
    const again = await announce({ externalId: id, ...line })
    assert.deepEqual([again.accepted, again.duplicates, again.rejects], [0, 1, []])
    const same = await announce({ externalId: `${id}-2`, ...line })
    assert.deepEqual(
      same.rejects.map(({ code }) => code),
      ['ERR.2050'],
    )
    const { data } = await service.alpha.listCorporateActions({ corporateActionId: id })
    const [option] = data.corporateActions[0]?.options ?? []
    assert.deepEqual([option?.taxable, option?.price], ['Y', '120'])
    assert.deepEqual([await lotsOf(holder), await lotsOf(other)], before)
    await closeDay()
    assert.deepEqual(await gainsOf(holder), ['105 for 1470, cost 1050, gain 420'])
    assert.deepEqual(await lotsOf(holder), [`${received} 10 for 1200 since ${payDate}`])
    assert.deepEqual(await gainsOf(other), ['8 for 112, cost 80, gain 32'])
    assert.deepEqual(await lotsOf(other), [])
    await booksHold()
    await cancelled(id)
    assert.deepEqual([await lotsOf(holder), await lotsOf(other)], before)
    assert.deepEqual(await gainsOf(holder), [])
    await booksHold()
  })

  test('counts for all holders when an amendment states it after the booking', async () => {
    const [given, received] = [await newSecurity(), await newSecurity()]
    const holder = await newAccount()
    const payDate = await today()
    await book(buy(holder, given, '100', '2020-01-06'))
    const line = { type: 'Merger', symbol: given, payDate, toSymbol: received, ratio: '1:2', price: '30' }
    const id = await announced(line)
    assert.deepEqual(await lotsOf(holder), [`${received} 50 for 1000 since 2020-01-06`])
    await amended(id, { ...line, taxable: 'Y' })
    assert.equal(await stateOf(id), 'Booked')
    assert.deepEqual(await lotsOf(holder), [`${received} 50 for 1500 since ${payDate}`])
    assert.deepEqual(await gainsOf(holder), ['100 for 1500, cost 1000, gain 500'])
    const { data } = await service.alpha.listCorporateActions({ corporateActionId: id })
    assert.deepEqual(data.corporateActions[0]?.amendments[0]?.changes, [
      { option: 'Mandatory', field: 'taxable', from: '', to: 'Y' },
    ])
    await booksHold()
  })
})

test('an announced spin-off that is taxable opens lots at its value on the ex-date', async () => {
  const [parent, spun] = [await newSecurity(), await newSecurity()]
  const [holder, late] = [await newAccount(), await newAccount()]
  const first = await today()
  const [exDate, payDate] = [addMarketDays(first, 1), addMarketDays(first, 2)]
  await book(buy(holder, parent, '100', '2020-01-06'))
  const terms = { type: 'Spinoff', symbol: parent, toSymbol: spun, ratio: '1:20', exDate, payDate }
  await announced({ ...terms, taxable: 'Y', price: '7.5', cashInLieuPrice: '7.5' })
  assert.deepEqual(await positionsOf(holder), [`${parent} 100 for 1000.00`])
  await closeDay()
  await book(buy(late, parent, '10', exDate))
  const due = [`${parent} 100 for 1000 since 2020-01-06`, `${spun} 5 for 37.5 since ${exDate}`].sort()
  assert.deepEqual(await lotsOf(holder), due)
  await closeDay()
  assert.deepEqual(await lotsOf(holder), due)
  assert.deepEqual(await positionsOf(late), [`${parent} 10 for 100.00`])
  assert.deepEqual([await gainsOf(holder), await gainsOf(late)], [[], []])
  await booksHold()
})

test('inherited shares are reported as long, also if they are sold in a later load', async () => {
  const symbol = await newSecurity()
  const holder = await newAccount()
  const received = { transType: 'TransferIn', quantity: '100', cost: '8000', inherited: 'Y' }
  await book({
    ...{ acctNo: holder, symbol, tradeDate: '2024-05-03', openDate: '2024-03-01' },
    ...received,
  })
  await book({
    ...{ acctNo: holder, symbol, transType: 'Trade', buySell: 'SEL', secFee: '0' },
    ...{ quantity: '100', price: '76', tradeDate: '2024-06-03' },
  })
  const { data } = await service.alpha.taxReport({ accountNumber: holder, year: 2024 })
  assert.deepEqual(
    data.rows.map(({ box, gainLoss, dateAcquired }) => [box, gainLoss, dateAcquired]),
    [['D', -400, '2024-03-01']],
  )
  await booksHold()
})
