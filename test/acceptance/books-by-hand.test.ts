/** Lots, costs and cash worked by hand, to the cent, through the sdk. */
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

describe('worked by hand, to the cent', () => {
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
