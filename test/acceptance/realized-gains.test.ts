/**
 * Realized gains through the sdk: the proceeds, cost and gain of closed lots, now and as they were known, and the forms
 * of a tax year.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { applicationFor } from './applications.ts'
import { openAndFollow, refusalOf, rejectionsOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

type Line = Record<string, unknown>

let service: RunningService
before(async () => {
  service = await startRunningService()
  const { data } = await service.operations.operations.loadSecurities({
    lines: {
      ndjson: [
        { symbol: 'AAA', cusip: '037833100', secTypeName: 'Common Stock', description: 'AAA CORP' },
        { symbol: 'BBB', cusip: '594918104', secTypeName: 'Common Stock', description: 'BBB CORP' },
        { symbol: 'NEW', secTypeName: 'Common Stock', description: 'NEW CORP' },
        { symbol: 'EUR1', currency: 'EUR', secTypeName: 'Common Stock', description: 'MILLS' },
        { symbol: 'MMF', secTypeName: 'Money Market Fund', moneyMarket: true },
        {
          symbol: 'CALL',
          ...{
            putCall: 'Call',
            strike: '10',
            expiration: '2037-12-18',
            underlying: 'AAA',
            multiplier: '100',
          },
        },
        {
          symbol: 'SPXC',
          ...{
            putCall: 'Call',
            strike: '4000',
            expiration: '2037-12-18',
            underlying: 'SPX',
            multiplier: '100',
          },
        },
      ],
    },
  })
  assert.deepEqual(data.rejects, [])
  const { data: rates } = await service.operations.operations.loadFxRates({
    lines: {
      ndjson: [
        { currency: 'EUR', rate: '1.1', date: '2025-01-02' },
        { currency: 'EUR', rate: '1.2', date: '2025-06-02' },
      ],
    },
  })
  assert.deepEqual(rates.rejects, [])
})
after(() => service?.stop())

function newAccount() {
  return openAndFollow(service.alpha, applicationFor('Individual'))
}
let ids = 0
function line(acctNo: string, fields: Line): Line & { externalId: string } {
  ids += 1
  return { externalId: `G${ids}`, acctNo, ...fields }
}
interface Traded {
  readonly symbol: string
  readonly tradeDate: string
  readonly quantity: string
  readonly price: string
}
function trade(acctNo: string, buySell: string, traded: Traded) {
  return line(acctNo, { transType: 'Trade', buySell, secFee: '0', ...traded })
}
async function load(...lines: Line[]) {
  const { data } = await service.operations.operations.loadActivity({ lines: { ndjson: lines } })
  assert.deepEqual(data.rejects, [])
}
const everything = { dateFrom: '2020-01-01', dateTo: '2029-12-31' }
async function gainsOf(accountNumber: string, more: Line = {}) {
  return (await service.alpha.realizedGains({ accountNumber, ...everything, ...more })).data
}
async function amountsOf(accountNumber: string) {
  return (await gainsOf(accountNumber)).closings.map(
    ({ quantity, proceeds, cost, gainLoss, washDisallowedAmt }) => [
      ...[quantity, proceeds, cost, gainLoss, washDisallowedAmt],
    ],
  )
}

describe('realized-gains', () => {
  test('lists each part of a lot that a sale closed, and totals by term and year', async () => {
    const account = await newAccount()
    const [first, second] = [
      trade(account, 'BUY', { symbol: 'AAA', tradeDate: '2024-01-08', quantity: '100', price: '50' }),
      trade(account, 'BUY', { symbol: 'AAA', tradeDate: '2025-02-10', quantity: '100', price: '60' }),
    ]
    const [sold, rest] = [
      trade(account, 'SEL', { symbol: 'AAA', tradeDate: '2025-03-20', quantity: '150', price: '65' }),
      trade(account, 'SEL', { symbol: 'AAA', tradeDate: '2026-03-20', quantity: '50', price: '55' }),
    ]
    await load(first, second, sold, rest)
    const { closings, totals } = await gainsOf(account)
    const ofAaa = {
      kind: 'Sale',
      cusip: '037833100',
      symbol: 'AAA',
      description: 'AAA CORP',
      currency: 'USD',
    }
    assert.deepEqual(
      closings.map(({ secNo, ...closing }) => closing),
      [
        {
          ...{ closingId: `${sold.externalId}:1`, ...ofAaa, acctType: 'Cash', quantity: 100 },
          ...{ openDate: '2024-01-08', holdingStart: '2024-01-08', closeDate: '2025-03-20' },
          ...{ proceeds: 6500, cost: 5000, costWithoutWash: 5000, gainLoss: 1500 },
          ...{ washDisallowedAmt: 0, gainLossAllowed: 1500, term: 'Long', covered: true, noCost: 'N' },
          ...{ openedBy: first.externalId, closedBy: sold.externalId },
        },
        {
          ...{ closingId: `${sold.externalId}:2`, ...ofAaa, acctType: 'Cash', quantity: 50 },
          ...{ openDate: '2025-02-10', holdingStart: '2025-02-10', closeDate: '2025-03-20' },
          ...{ proceeds: 3250, cost: 3000, costWithoutWash: 3000, gainLoss: 250 },
          ...{ washDisallowedAmt: 0, gainLossAllowed: 250, term: 'Short', covered: true, noCost: 'N' },
          ...{ openedBy: second.externalId, closedBy: sold.externalId },
        },
        {
          ...{ closingId: `${rest.externalId}:1`, ...ofAaa, acctType: 'Cash', quantity: 50 },
          ...{ openDate: '2025-02-10', holdingStart: '2025-02-10', closeDate: '2026-03-20' },
          ...{ proceeds: 2750, cost: 3000, costWithoutWash: 3000, gainLoss: -250 },
          ...{ washDisallowedAmt: 0, gainLossAllowed: -250, term: 'Long', covered: true, noCost: 'N' },
          ...{ openedBy: second.externalId, closedBy: rest.externalId },
        },
      ],
    )
    const sums = (proceeds: number, cost: number) => ({
      ...{ proceeds, cost, gainLoss: proceeds - cost, washDisallowedAmt: 0 },
      gainLossAllowed: proceeds - cost,
    })
    assert.deepEqual(totals, {
      shortTerm: sums(3250, 3000),
      longTerm: sums(9250, 8000),
      years: [
        { year: 2025, shortTerm: sums(3250, 3000), longTerm: sums(6500, 5000) },
        { year: 2026, shortTerm: sums(0, 0), longTerm: sums(2750, 3000) },
      ],
    })
    assert.deepEqual((await gainsOf(account, { dateTo: '2025-03-19' })).closings, [])
    assert.equal(
      (await gainsOf(account, { dateFrom: '2025-03-20', dateTo: '2025-03-20' })).closings.length,
      2,
    )
    assert.equal((await gainsOf(account, { cusip: '037833100' })).closings.length, 3)
    assert.deepEqual(await gainsOf(account, { cusip: '' }), await gainsOf(account, {}))
    const others = await gainsOf(account, { cusip: '594918104' })
    assert.deepEqual([others.closings, others.totals.longTerm.proceeds], [[], 0])
    const { data } = await service.alpha.tradeActivity({ accountNumber: account, ...everything })
    assert.deepEqual(
      data.activity.map(({ tagNo, closings: named }) => [tagNo, named]),
      [
        [first.externalId, []],
        [second.externalId, []],
        [sold.externalId, [`${sold.externalId}:1`, `${sold.externalId}:2`]],
        [rest.externalId, [`${rest.externalId}:1`]],
      ],
    )
  })

  test('shows the loss that a wash sale disallows, and the cost and holding period that it moves', async () => {
    const account = await newAccount()
    await load(
      trade(account, 'BUY', { symbol: 'AAA', tradeDate: '2025-01-06', quantity: '100', price: '50' }),
      trade(account, 'SEL', { symbol: 'AAA', tradeDate: '2025-05-06', quantity: '100', price: '40' }),
      trade(account, 'BUY', { symbol: 'AAA', tradeDate: '2025-05-20', quantity: '40', price: '41' }),
      trade(account, 'SEL', { symbol: 'AAA', tradeDate: '2026-02-03', quantity: '40', price: '60' }),
    )
    const { closings } = await gainsOf(account)
    assert.deepEqual(
      closings.map((closing) => [
        ...[closing.cost, closing.costWithoutWash, closing.gainLoss, closing.washDisallowedAmt],
        ...[closing.gainLossAllowed, closing.openDate, closing.holdingStart, closing.term],
      ]),
      [
        [5000, 5000, -1000, 400, -600, '2025-01-06', '2025-01-06', 'Short'],
        [2040, 1640, 360, 0, 360, '2025-05-20', '2025-01-20', 'Long'],
      ],
    )
  })

  test('of a short has negative amounts and a gain when the price falls', async () => {
    const account = await newAccount()
    await load(
      trade(account, 'SSL', { symbol: 'AAA', tradeDate: '2025-01-06', quantity: '100', price: '50' }),
      trade(account, 'BCV', { symbol: 'AAA', tradeDate: '2025-05-06', quantity: '60', price: '40' }),
    )
    assert.deepEqual(await amountsOf(account), [[-60, -2400, -3000, 600, 0]])
    const { data } = await service.alpha.taxReport({ accountNumber: account, year: 2025 })
    assert.deepEqual(
      data.rows.map((row) => [row.box, row.description, row.quantity, row.proceeds, row.cost, row.gainLoss]),
      [['A', '60 sh. AAA CORP (short sale)', 60, 3000, 2400, 600]],
    )
  })

  test('includes the cash of mergers, cash in lieu, and returns of capital beyond the cost', async () => {
    const account = await newAccount()
    const at = (transType: string, tradeDate: string, fields: Line) =>
      line(account, { transType, symbol: 'AAA', tradeDate, ...fields })
    await load(
      trade(account, 'BUY', { symbol: 'AAA', tradeDate: '2025-01-06', quantity: '10', price: '2' }),
      at('ReturnOfCapital', '2025-02-03', { netAmount: '35' }),
      trade(account, 'BUY', { symbol: 'AAA', tradeDate: '2025-02-10', quantity: '1', price: '9' }),
      at('Split', '2025-03-03', { ratio: '3:2', cashInLieu: '4' }),
      at('Merger', '2025-04-01', { toSymbol: 'NEW', ratio: '1:1', cashPerShare: '1', netAmount: '18.6' }),
    )
    // 16 shares at 1 each: the line is booked.
    const { data } = await service.operations.operations.listBreaks({ accountNumber: account })
    assert.deepEqual(
      data.breaks.map(({ kind, tradeDate }) => [kind, tradeDate]),
      [['CashDisagrees', '2025-04-01']],
    )
    const { closings } = await gainsOf(account)
    assert.deepEqual(
      closings.map(({ kind, quantity, proceeds, cost, gainLoss }) => [
        kind,
        quantity,
        proceeds,
        cost,
        gainLoss,
      ]),
      [
        ['ReturnOfCapital', 0, 15, 0, 15],
        ['CashInLieu', 0.5, 4, 0, 4],
        ['Merger', 0, 14.5, 0, 14.5],
      ],
    )
  })

  test('is in US dollars: proceeds at the rate of the sale, cost at that of the purchase', async () => {
    const account = await newAccount()
    await load(
      trade(account, 'BUY', { symbol: 'EUR1', tradeDate: '2025-01-06', quantity: '10', price: '100' }),
      trade(account, 'SEL', { symbol: 'EUR1', tradeDate: '2025-06-03', quantity: '10', price: '90' }),
      trade(account, 'BUY', { symbol: 'EUR1', tradeDate: '2025-06-10', quantity: '5', price: '90' }),
    )
    // A loss of 100 EUR is one of 20 USD, half of which is disallowed.
    assert.deepEqual(await amountsOf(account), [[10, 1080, 1100, -20, 10]])
  })

  test('leaves lots of unknown cost out of gains', async () => {
    const account = await newAccount()
    await load(
      line(account, { transType: 'TransferIn', symbol: 'AAA', quantity: '10', tradeDate: '2025-01-06' }),
      trade(account, 'SEL', { symbol: 'AAA', tradeDate: '2025-06-03', quantity: '10', price: '90' }),
    )
    const [closing] = (await gainsOf(account)).closings
    assert.deepEqual(
      [closing?.proceeds, closing?.cost, closing?.gainLoss, closing?.noCost, closing?.covered],
      [900, 0, 0, 'Y', false],
    )
  })

  test('is correct after late lines, cancels and rebills', async () => {
    const account = await newAccount()
    const sold = trade(account, 'SEL', {
      symbol: 'AAA',
      tradeDate: '2025-05-06',
      quantity: '10',
      price: '40',
    })
    await load(
      trade(account, 'BUY', { symbol: 'AAA', tradeDate: '2025-02-06', quantity: '20', price: '50' }),
      sold,
    )
    assert.deepEqual(await amountsOf(account), [[10, 400, 500, -100, 0]])
    await load(trade(account, 'BUY', { symbol: 'AAA', tradeDate: '2025-01-06', quantity: '4', price: '30' }))
    assert.deepEqual(await amountsOf(account), [
      [4, 160, 120, 40, 0],
      [6, 240, 300, -60, 0],
    ])
    const cancel = line(account, { cancelType: 'C', tagNo: sold.externalId })
    await load(cancel)
    assert.deepEqual(await amountsOf(account), [])
    const rebill = {
      ...sold,
      externalId: `${sold.externalId}R`,
      rebill: 'Y',
      tagNo: sold.externalId,
      quantity: '4',
    }
    await load(rebill)
    assert.deepEqual(await amountsOf(account), [[4, 160, 120, 40, 0]])
    const { data } = await service.alpha.tradeActivity({ accountNumber: account, ...everything })
    const named = data.activity.map(({ closings }) => closings)
    assert.deepEqual(named.flat(), [`${rebill.externalId}:1`])
    const { data: proof } = await service.operations.operations.verifyBooks({ accountNumber: account })
    assert.deepEqual(proof.breaks, [])
  })

  test('asOf a past day has the sales until that day', async () => {
    const account = await newAccount()
    await load(
      trade(account, 'BUY', { symbol: 'AAA', tradeDate: '2025-01-06', quantity: '10', price: '50' }),
      trade(account, 'SEL', { symbol: 'AAA', tradeDate: '2025-05-06', quantity: '4', price: '40' }),
      trade(account, 'BUY', { symbol: 'AAA', tradeDate: '2025-05-20', quantity: '4', price: '41' }),
      trade(account, 'SEL', { symbol: 'AAA', tradeDate: '2025-07-07', quantity: '3', price: '70' }),
    )
    const before = await gainsOf(account, { asOf: '2025-05-19' })
    assert.deepEqual(
      before.closings.map(({ gainLoss, washDisallowedAmt }) => [gainLoss, washDisallowedAmt]),
      [[-40, 0]],
      'the purchase that makes the wash sale was still to come',
    )
    const washed = await gainsOf(account, { asOf: '2025-05-20' })
    assert.deepEqual(
      washed.closings.map(({ gainLoss, washDisallowedAmt }) => [gainLoss, washDisallowedAmt]),
      [[-40, 40]],
    )
    const now = await gainsOf(account)
    assert.equal(now.closings.length, 2)
    assert.deepEqual(await gainsOf(account, { knownAt: 'now', asOf: '2026-01-02' }), now)
  })

  test('refuses impossible requests', async () => {
    const accountNumber = await newAccount()
    const asked = (more: object) => service.alpha.realizedGains({ accountNumber, ...everything, ...more })
    assert.deepEqual(await rejectionsOf(asked({ dateFrom: '2030-01-01' })), ['ERR.1025 dateFrom'])
    assert.deepEqual(await rejectionsOf(asked({ dateTo: '2031-01-02' })), ['ERR.1025 dateTo'])
    assert.deepEqual(await rejectionsOf(asked({ cusip: '037833101' })), ['ERR.1015 cusip'])
    assert.deepEqual(await rejectionsOf(asked({ knownAt: '2020-01-02' })), ['ERR.1015 knownAt'])
    const foreign = await refusalOf(service.beta.realizedGains({ accountNumber, ...everything }))
    const unknown = await refusalOf(service.alpha.realizedGains({ accountNumber: 'NOSUCH01', ...everything }))
    assert.deepEqual(foreign.rejections, unknown.rejections)
    for (const year of [1899, 2025.5, 'x'])
      assert.equal((await service.post('tax-report', { accountNumber, year })).status, 400)
    const noForm = await refusalOf(service.beta.taxReport({ accountNumber, year: 2025 }))
    assert.deepEqual(noForm.rejections, unknown.rejections)
    await refusalOf(service.beta.form8949({ accountNumber, year: 2025 }))
  })
})

describe('tax-report and form-8949', () => {
  test('report a short sale in the year in which the shares that close it are delivered, with a gain as with a loss', async () => {
    const account = await newAccount()
    const short = (buySell: string, tradeDate: string, price: string, quantity = '10', symbol = 'AAA') =>
      trade(account, buySell, { symbol, tradeDate, quantity, price })
    await load(
      short('SSL', '2025-06-02', '50', '40'),
      short('SSL', '2025-06-02', '2', '2', 'CALL'),
      short('BUY', '2025-06-02', '20', '1', 'BBB'),
      // Delivered on 31 December; on 2 January with a gain, and with a loss; and on 5 January.
      short('BCV', '2025-12-30', '48'),
      short('BCV', '2025-12-31', '40'),
      short('BCV', '2025-12-31', '60'),
      short('BCV', '2026-01-02', '45'),
      // A written option, and a sale of the day on which a cover was traded.
      short('BCV', '2025-12-31', '1', '1', 'CALL'),
      short('BCV', '2026-01-02', '1', '1', 'CALL'),
      short('SEL', '2025-12-30', '25', '1', 'BBB'),
    )
    const rowsOf = async (year: number, view: Line = {}) => {
      const { data } = await service.alpha.taxReport({ accountNumber: account, year, ...view })
      assert.equal(
        data.boxes.reduce((sum, { gainLoss }) => sum + gainLoss, 0),
        data.rows.reduce((sum, { gainLoss }) => sum + gainLoss, 0),
      )
      return data.rows.map(({ symbol, dateAcquired, dateSold, gainLoss }) => [
        ...[symbol, dateAcquired, dateSold, gainLoss],
      ])
    }
    const years = new Map([
      [
        2025,
        [
          ['BBB', '2025-06-02', '2025-12-30', 5],
          ['AAA', '2025-12-30', '2025-12-31', 20],
          ['CALL', '2025-12-31', '2025-12-31', 100],
        ],
      ],
      [
        2026,
        [
          ['AAA', '2025-12-31', '2026-01-02', 100],
          ['AAA', '2025-12-31', '2026-01-02', -100],
          ['CALL', '2026-01-02', '2026-01-02', 100],
          ['AAA', '2026-01-02', '2026-01-05', 50],
        ],
      ],
    ])
    for (const [year, rows] of years) {
      assert.deepEqual(await rowsOf(year), rows)
      assert.deepEqual(await rowsOf(year, { knownAt: 'now', asOf: '2026-01-05' }), rows)
    }
    const file = await service.alpha.form8949({ accountNumber: account, year: 2026 })
    assert.match(
      Buffer.from(await file.bytes()).toString(),
      /10 sh\. AAA CORP \(short sale\),12\/31\/2025,01\/02\/2026,500\.00,600\.00/,
    )
    const inDecember = { dateFrom: '2025-12-31', dateTo: '2025-12-31' }
    assert.equal(
      (await gainsOf(account, inDecember)).closings.length,
      3,
      'realized-gains goes by the trade date',
    )
  })

  test('put each sale into its box, with one row for the lots of a line, and VARIOUS if they were bought on several days', async () => {
    const account = await newAccount()
    await load(
      trade(account, 'BUY', { symbol: 'AAA', tradeDate: '2010-12-31', quantity: '10', price: '5' }),
      trade(account, 'BUY', { symbol: 'AAA', tradeDate: '2011-01-03', quantity: '10', price: '6' }),
      trade(account, 'BUY', { symbol: 'AAA', tradeDate: '2012-01-03', quantity: '10', price: '7' }),
      trade(account, 'BUY', { symbol: 'BBB', tradeDate: '2025-01-06', quantity: '10', price: '20' }),
      trade(account, 'BUY', { symbol: 'MMF', tradeDate: '2025-01-06', quantity: '500', price: '1' }),
      trade(account, 'SEL', { symbol: 'MMF', tradeDate: '2025-02-06', quantity: '500', price: '1' }),
      trade(account, 'SEL', { symbol: 'AAA', tradeDate: '2025-03-03', quantity: '30', price: '10' }),
      trade(account, 'SEL', { symbol: 'BBB', tradeDate: '2025-04-03', quantity: '10', price: '12.5' }),
      trade(account, 'BUY', { symbol: 'BBB', tradeDate: '2025-04-10', quantity: '4', price: '13' }),
      line(account, {
        transType: 'ReturnOfCapital',
        symbol: 'BBB',
        tradeDate: '2025-05-05',
        netAmount: '100',
      }),
      trade(account, 'BUY', { symbol: 'CALL', tradeDate: '2025-06-02', quantity: '1', price: '2' }),
      line(account, {
        ...{ transType: 'Exercise', symbol: 'CALL', toSymbol: 'AAA', tradeDate: '2025-06-03', quantity: '1' },
      }),
      trade(account, 'BUY', { symbol: 'CALL', tradeDate: '2025-06-02', quantity: '1', price: '2' }),
      // Settled in cash for its cost of 200.00.
      line(account, {
        ...{
          transType: 'Exercise',
          symbol: 'CALL',
          tradeDate: '2025-07-07',
          quantity: '1',
          netAmount: '200',
        },
      }),
      trade(account, 'BUY', { symbol: 'SPXC', tradeDate: '2025-06-02', quantity: '1', price: '2' }),
      trade(account, 'SEL', { symbol: 'SPXC', tradeDate: '2025-06-09', quantity: '1', price: '5' }),
      trade(account, 'SEL', { symbol: 'AAA', tradeDate: '2026-01-05', quantity: '1', price: '10' }),
    )
    const { data } = await service.alpha.taxReport({ accountNumber: account, year: 2025 })
    assert.deepEqual(
      data.rows.map((row) => [
        ...[row.box, row.description, row.dateAcquired, row.dateSold, row.proceeds, row.cost],
        ...[row.code, row.washDisallowedAmt, row.gainLoss, row.covered],
      ]),
      [
        ['E', '10 sh. AAA CORP', '2010-12-31', '2025-03-03', 100, 50, '', 0, 50, false],
        ['D', '20 sh. AAA CORP', 'VARIOUS', '2025-03-03', 200, 130, '', 0, 70, true],
        ['A', '10 sh. BBB CORP', '2025-01-06', '2025-04-03', 125, 200, 'W', 30, -45, true],
        ['C', 'BBB CORP', '2025-04-10', '2025-05-05', 18, 0, '', 0, 18, true],
        ['A', '1 CALL', '2025-06-02', '2025-07-07', 200, 200, '', 0, 0, true],
      ],
    )
    assert.deepEqual(
      [data.year, data.section1256, data.boxes],
      [
        2025,
        300,
        [
          { box: 'A', count: 2, proceeds: 325, cost: 400, washDisallowedAmt: 30, gainLoss: -45 },
          { box: 'C', count: 1, proceeds: 18, cost: 0, washDisallowedAmt: 0, gainLoss: 18 },
          { box: 'D', count: 1, proceeds: 200, cost: 130, washDisallowedAmt: 0, gainLoss: 70 },
          { box: 'E', count: 1, proceeds: 100, cost: 50, washDisallowedAmt: 0, gainLoss: 50 },
        ],
      ],
    )
    const known = await service.alpha.taxReport({
      accountNumber: account,
      year: 2025,
      knownAt: 'now',
      asOf: '2026-01-02',
    })
    assert.deepEqual(known.data, data)
    const file = await service.alpha.form8949({ accountNumber: account, year: 2025 })
    assert.deepEqual(
      Buffer.from(await file.bytes())
        .toString()
        .split('\r\n'),
      [
        'Box,Description of property,Date acquired,Date sold or disposed of,Proceeds,Cost or other basis,Code,Amount of adjustment,Gain or loss',
        'E,10 sh. AAA CORP,12/31/2010,03/03/2025,100.00,50.00,,,50.00',
        'D,20 sh. AAA CORP,VARIOUS,03/03/2025,200.00,130.00,,,70.00',
        'A,10 sh. BBB CORP,01/06/2025,04/03/2025,125.00,200.00,W,30.00,-45.00',
        'C,BBB CORP,04/10/2025,05/05/2025,18.00,0.00,,,18.00',
        'A,1 CALL,06/02/2025,07/07/2025,200.00,200.00,,,0.00',
        '',
      ],
    )
  })
})
