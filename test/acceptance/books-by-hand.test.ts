/** Lots, costs and cash computed by hand, to the cent, through the sdk. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  type Line,
  line,
  load,
  newAccount,
  proves,
  service,
  startBeforeTests,
  summaryOf,
} from './booked-lines.ts'

startBeforeTests()

describe('computed by hand, to the cent', () => {
  before(async () => {
    const option = { secTypeName: 'Option', underlying: 'UND', expiration: '2025-03-21' }
    await service.operations.operations.loadSecurities({
      lines: {
        ndjson: [
          { symbol: 'UND', secTypeName: 'Common Stock' },
          { symbol: 'UND C50', ...option, putCall: 'Call', strike: '50' },
          { symbol: 'UND P40', ...option, putCall: 'Put', strike: '40' },
          { symbol: 'MUTF', secTypeName: 'Mutual Fund' },
        ],
      },
    })
  })

  type Trade = [buySell: string, symbol: string, quantity: string, price: string, more?: Line]
  const trade = ([buySell, symbol, quantity, price, more = {}]: Trade): Line => ({
    transType: 'Trade',
    buySell,
    symbol,
    quantity,
    price,
    ...(buySell === 'SEL' || buySell === 'SSL' ? { secFee: '0' } : {}),
    ...more,
  })
  const on = (day: string) => ({ tradeDate: `2025-${day}` })

  const table: [
    what: string,
    acctType: string,
    lines: (Line | Trade)[],
    lots: [symbol: string, quantity: number, cost: number][],
    cash: number,
  ][] = [
    [
      '3:2 on 101 and 6 shares, the half share sold for 4.10: of the first lot, whose 1,010.00 are now 151.5',
      '1',
      [
        ['BUY', 'AAA', '101', '10'],
        ['BUY', 'AAA', '6', '11', on('03-04')],
        { transType: 'Split', symbol: 'AAA', ratio: '3:2', cashInLieu: '4.10', ...on('04-01') },
      ],
      [
        ['AAA', 151, 1006.67],
        ['AAA', 9, 66],
      ],
      -1071.9,
    ],
    [
      'a short through 2:1, 150 of 200 covered, with the fees of its sale in its proceeds',
      '3',
      [
        ['SSL', 'AAA', '100', '20', { secFee: '0.08' }],
        { transType: 'Split', symbol: 'AAA', ratio: '2:1', ...on('03-10') },
        ['BCV', 'AAA', '150', '9', on('03-12')],
      ],
      [['AAA', -50, -499.98]],
      649.92,
    ],
    [
      '1:3 with 1.50 a share and the third of a share for 6.66: 1,000.00 less 150.00, a hundredth of it sold',
      '1',
      [
        ['BUY', 'AAA', '100', '10'],
        {
          transType: 'Merger',
          symbol: 'AAA',
          ratio: '1:3',
          toSymbol: 'BBB',
          cashPerShare: '1.50',
          cashInLieu: '6.66',
          ...on('04-01'),
        },
      ],
      [['BBB', 33, 841.5]],
      -843.34,
    ],
    [
      'a spin-off 1:5 of an eighth of the cost, 0.6 of a share for 9.00',
      '1',
      [
        ['BUY', 'AAA', '103', '10'],
        {
          transType: 'Spinoff',
          symbol: 'AAA',
          toSymbol: 'BBB',
          ratio: '1:5',
          costShare: '0.125',
          cashInLieu: '9',
          ...on('04-01'),
        },
      ],
      [
        ['AAA', 103, 901.25],
        ['BBB', 20, 125],
      ],
      -1021,
    ],
    [
      '2.00 a share of capital on lots that cost 1.00 and 10.00: the first ends at zero',
      '1',
      [
        ['BUY', 'AAA', '100', '1'],
        ['BUY', 'AAA', '100', '10', on('03-04')],
        {
          transType: 'ReturnOfCapital',
          symbol: 'AAA',
          cashPerShare: '2',
          asOfDate: '2025-03-20',
          ...on('04-01'),
        },
      ],
      [
        ['AAA', 100, 0],
        ['AAA', 100, 800],
      ],
      -700,
    ],
    [
      'through zero and back: 100 long, 100 short, 150 long',
      '2',
      [
        ['BUY', 'AAA', '100', '50', { commission: '1' }],
        ['SSL', 'AAA', '200', '60', { commission: '2', ...on('03-10') }],
        ['BUY', 'AAA', '250', '55', on('03-12')],
      ],
      [['AAA', 150, 8250]],
      -6753,
    ],
    [
      'a loss of 6.00 a share, 30 bought 11 days before and 50 on the 30th day after, 50 on the 31st',
      '1',
      [
        ['BUY', 'AAA', '100', '20', on('01-02')],
        ['BUY', 'AAA', '30', '15', on('02-20')],
        ['SEL', 'AAA', '100', '14'],
        ['BUY', 'AAA', '50', '13', on('04-02')],
        ['BUY', 'AAA', '50', '13', on('04-03')],
      ],
      [
        ['AAA', 30, 630],
        ['AAA', 50, 950],
        ['AAA', 50, 650],
      ],
      -2350,
    ],
    [
      'a short closed at a loss of 3.00 and 60 of 100 sold short again: 180.00 come off their proceeds',
      '3',
      [
        ['SSL', 'AAA', '100', '10'],
        ['BCV', 'AAA', '100', '13', on('03-05')],
        ['SSL', 'AAA', '60', '12', on('03-20')],
      ],
      [['AAA', -60, -540]],
      420,
    ],
    [
      'two calls at 3.10 exercised at 50: the premium, its commission and that of the exercise are in the cost',
      '1',
      [
        ['BUY', 'UND C50', '2', '3.10', { commission: '1.30' }],
        {
          transType: 'Exercise',
          symbol: 'UND C50',
          quantity: '2',
          toSymbol: 'UND',
          commission: '5',
          ...on('03-21'),
        },
      ],
      [['UND', 200, 10626.3]],
      -10626.3,
    ],
    [
      'a put written at 1.50 and assigned at 40',
      '2',
      [
        ['SSL', 'UND P40', '1', '1.50'],
        { transType: 'Assignment', symbol: 'UND P40', quantity: '1', toSymbol: 'UND', ...on('03-21') },
      ],
      [['UND', 100, 3850]],
      -3850,
    ],
    [
      'a covered call assigned',
      '2',
      [
        ['BUY', 'UND', '100', '45'],
        ['SSL', 'UND C50', '1', '2'],
        { transType: 'Assignment', symbol: 'UND C50', quantity: '1', toSymbol: 'UND', ...on('03-21') },
      ],
      [],
      700,
    ],
    [
      'a fund at average: 75.123 of 153.333 shares that cost 1,690.00 take 827.99',
      '1',
      [
        ['BUY', 'MUTF', '100', '10'],
        {
          transType: 'Reinvest',
          symbol: 'MUTF',
          quantity: '3.333',
          netAmount: '-40',
          price: '12',
          ...on('03-10'),
        },
        ['BUY', 'MUTF', '50', '13', on('03-11')],
        ['SEL', 'MUTF', '75.123', '14', on('04-10')],
      ],
      [
        ['MUTF', 24.877, 274.19],
        ['MUTF', 3.333, 36.73],
        ['MUTF', 50, 551.09],
      ],
      -638.28,
    ],
    [
      'lots that come with their cost and day, and 30 of them that leave',
      '1',
      [
        { transType: 'TransferIn', symbol: 'AAA', quantity: '100', openDate: '2020-02-03', cost: '512.34' },
        { transType: 'TransferOut', symbol: 'AAA', quantity: '30', ...on('03-10') },
      ],
      [['AAA', 70, 358.64]],
      0,
    ],
  ]
  for (const [what, acctType, lines, lots, cash] of table) {
    test(what, async () => {
      const account = await newAccount()
      await load(
        ...lines.map((one) => line(account, { acctType, ...(Array.isArray(one) ? trade(one) : one) })),
      )
      const { data } = await service.alpha.positionDetail({ accountNumber: account })
      assert.deepEqual(
        data.portfolios.map(({ symbol, quantity, unrealizedGainLoss }) => [
          symbol,
          Number(quantity),
          Number(unrealizedGainLoss.cost),
        ]),
        lots,
      )
      assert.equal(Number((await summaryOf(account)).data.totalCash), cash)
      await proves(account)
    })
  }
})

type Closed = [kind: string, symbol: string, quantity: number, proceeds: number, cost: number, term: string]

describe('realized gains, to the cent', () => {
  before(async () => {
    const option = { secTypeName: 'Option', underlying: 'XYZ', expiration: '2025-03-21' }
    const { loadSecurities, loadFxRates } = service.operations.operations
    const { data } = await loadSecurities({
      lines: {
        ndjson: [
          { symbol: 'XYZ', secTypeName: 'Common Stock' },
          { symbol: 'XYZ C50', ...option, putCall: 'Call', strike: '50' },
          { symbol: 'XYZ P45', ...option, putCall: 'Put', strike: '45' },
          { symbol: 'XYZ C30', ...option, putCall: 'Call', strike: '30' },
          { symbol: 'XYZ P40', ...option, putCall: 'Put', strike: '40' },
          { symbol: 'LONDON', secTypeName: 'Common Stock', currency: 'GBP' },
          { symbol: 'TOKYO', secTypeName: 'Common Stock', currency: 'JPY' },
          {
            symbol: 'PREMIUM',
            secTypeName: 'Corporate Bond',
            couponRate: '5',
            maturityDate: '2025-03-03',
          },
        ],
      },
    })
    assert.deepEqual(data.rejects, [])
    const rates = await loadFxRates({
      lines: {
        ndjson: [
          { currency: 'GBP', rate: '1.25', date: '2025-01-02' },
          { currency: 'GBP', rate: '1.35', date: '2025-06-02' },
          { currency: 'JPY', rate: '0.0064', date: '2025-01-02' },
          { currency: 'JPY', rate: '0.0069', date: '2025-06-02' },
        ],
      },
    })
    assert.deepEqual(rates.data.rejects, [])
  })

  const trade = (buySell: string, symbol: string, tradeDate: string, fields: Line): Line => ({
    transType: 'Trade',
    buySell,
    symbol,
    tradeDate,
    secFee: '0',
    ...fields,
  })
  const delivered = (transType: string, symbol: string, commission: string): Line => ({
    transType,
    symbol,
    quantity: '1',
    toSymbol: 'XYZ',
    tradeDate: '2025-03-21',
    commission,
  })
  const contract = (price: string): Line => ({ quantity: '1', price, commission: '25' })

  // The amounts of options are those of L. McMillan, Options as a Strategic Investment, chapter 41.
  const table: readonly (readonly [what: string, lines: readonly Line[], closings: readonly Closed[]])[] = [
    [
      'a call that was exercised: 5,610.00 of basis for the stock, held from the day of the exercise',
      [
        trade('BUY', 'XYZ C50', '2024-01-02', contract('5')),
        delivered('Exercise', 'XYZ C50', '85'),
        trade('SEL', 'XYZ', '2025-04-10', { quantity: '100', price: '60', commission: '85' }),
      ],
      [
        ['Exercise', 'XYZ C50', 1, 525, 525, 'Long'],
        ['Sale', 'XYZ', 100, 5915, 5610, 'Short'],
      ],
    ],
    [
      'a put that was exercised: 4,190.00 of proceeds',
      [
        trade('BUY', 'XYZ', '2024-01-02', { quantity: '100', price: '44' }),
        trade('BUY', 'XYZ P45', '2025-01-06', contract('2')),
        delivered('Exercise', 'XYZ P45', '85'),
      ],
      [
        ['Exercise', 'XYZ P45', 1, 225, 225, 'Short'],
        ['Sale', 'XYZ', 100, 4190, 4400, 'Long'],
      ],
    ],
    [
      'a written call that was assigned: 3,200.00 of proceeds',
      [
        trade('BUY', 'XYZ', '2024-01-02', { quantity: '100', price: '28' }),
        trade('SSL', 'XYZ C30', '2025-01-06', contract('3')),
        delivered('Assignment', 'XYZ C30', '75'),
      ],
      [
        ['Assignment', 'XYZ C30', -1, -275, -275, 'Short'],
        ['Sale', 'XYZ', 100, 3200, 2800, 'Long'],
      ],
    ],
    [
      'a written put that was assigned: 3,700.00 of basis',
      [
        trade('SSL', 'XYZ P40', '2024-01-02', contract('4')),
        delivered('Assignment', 'XYZ P40', '75'),
        trade('SEL', 'XYZ', '2025-04-10', { quantity: '100', price: '41' }),
      ],
      [
        ['Assignment', 'XYZ P40', -1, -375, -375, 'Short'],
        ['Sale', 'XYZ', 100, 4100, 3700, 'Short'],
      ],
    ],
    [
      'options that expired: the premium paid is a loss, the premium received a short-term gain',
      [
        trade('BUY', 'XYZ P45', '2024-01-02', contract('2')),
        trade('SSL', 'XYZ C50', '2024-01-02', contract('3')),
        { transType: 'Expiration', symbol: 'XYZ P45', tradeDate: '2025-03-21' },
        { transType: 'Expiration', symbol: 'XYZ C50', tradeDate: '2025-03-21' },
      ],
      [
        ['Expiration', 'XYZ P45', 1, 0, 225, 'Long'],
        ['Expiration', 'XYZ C50', -1, 0, -275, 'Short'],
      ],
    ],
    [
      'in pounds at 1.25 and 1.35: of 1,257.50 pounds 60 percent, then the rest',
      [
        trade('BUY', 'LONDON', '2025-01-06', { quantity: '100', price: '12.5', commission: '7.5' }),
        trade('SEL', 'LONDON', '2025-06-03', { quantity: '60', price: '13', commission: '5' }),
        trade('SEL', 'LONDON', '2025-06-03', { quantity: '40', price: '10' }),
      ],
      [
        ['Sale', 'LONDON', 60, 1046.25, 943.13, 'Short'],
        ['Sale', 'LONDON', 40, 540, 628.75, 'Short'],
      ],
    ],
    [
      'in yen at 0.0064 and 0.0069: a short that gained 10,000 yen lost 31.00 dollars',
      [
        trade('SSL', 'TOKYO', '2025-01-06', { acctType: '3', quantity: '100', price: '2000' }),
        trade('BCV', 'TOKYO', '2025-06-03', { acctType: '3', quantity: '100', price: '1900' }),
      ],
      [['Cover', 'TOKYO', -100, -1311, -1280, 'Short']],
    ],
    [
      'of a bond bought at 104, without the interest paid: the premium is not amortized',
      [
        trade('BUY', 'PREMIUM', '2024-03-01', { quantity: '10000', price: '104', interest: '50' }),
        trade('SEL', 'PREMIUM', '2024-09-03', { quantity: '4000', price: '103', interest: '30' }),
        { transType: 'Maturity', symbol: 'PREMIUM', tradeDate: '2025-03-03' },
      ],
      [
        ['Sale', 'PREMIUM', 4000, 4120, 4160, 'Short'],
        ['Maturity', 'PREMIUM', 6000, 6000, 6240, 'Long'],
      ],
    ],
  ]
  for (const [what, lines, closings] of table) {
    test(what, async () => {
      const account = await newAccount()
      await load(...lines.map((one) => line(account, { acctType: '2', ...one })))
      const years = { dateFrom: '2024-01-01', dateTo: '2025-12-31' }
      const { data } = await service.alpha.realizedGains({ accountNumber: account, ...years })
      assert.deepEqual(
        data.closings.map((one) => [
          ...[one.kind, one.symbol, one.quantity, one.proceeds, one.cost, one.term],
        ]),
        closings,
      )
      const gain = closings.reduce((sum, [, , , proceeds, cost]) => sum + proceeds - cost, 0)
      const { shortTerm, longTerm } = data.totals
      assert.equal((shortTerm.gainLoss + longTerm.gainLoss).toFixed(2), gain.toFixed(2))
      const forms = await Promise.all(
        [2024, 2025].map((year) => service.alpha.taxReport({ accountNumber: account, year })),
      )
      const rows = forms.flatMap((form) => form.data.rows)
      assert.equal(rows.reduce((sum, { gainLoss }) => sum + gainLoss, 0).toFixed(2), gain.toFixed(2))
      // The delivered shares are part of the position and have no row of their own.
      const ofShares = closings.filter(([kind]) => kind !== 'Exercise' && kind !== 'Assignment')
      assert.equal(rows.length, ofShares.length)
      await proves(account)
    })
  }
})
