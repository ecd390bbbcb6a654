/** Tables of the rules of announced corporate actions: ex-dates, elections, and the lines of a position. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { reject } from '@clearing/protocol/values'
import { decimal, renderDecimal } from '../../decimal.ts'
import type { Announcement, Election } from './announcement.ts'
import { bookingDay, isDistribution } from './announcement.ts'
import { divideElections } from './divide-elections.ts'
import { linesOfHolder } from './lines-of-holder.ts'
import { isLargeDistribution, largeExDate, usualExDate } from './usual-ex-date.ts'
import { whyNotElected } from './why-not-elected.ts'

describe('the ex-date of a record date', () => {
  const rows: [recordDate: string, exDate: string, why: string][] = [
    ['2024-05-28', '2024-05-24', 'a trade of 24 May, the last in the cycle of two days, settles on 29 May'],
    ['2024-05-29', '2024-05-29', 'trades of 24 and 28 May settle on 29 May'],
    ['2024-05-30', '2024-05-30', 'the cycle of one day'],
    ['2024-05-24', '2024-05-23', 'the cycle of two days'],
    ['2017-09-01', '2017-08-30', 'the cycle of three days'],
    ['2026-02-15', '2026-02-13', 'a Sunday'],
    ['2026-10-12', '2026-10-09', 'Columbus Day: the market is open, and nothing settles'],
    ['2026-11-26', '2026-11-25', 'Thanksgiving'],
    ['2026-11-25', '2026-11-25', 'the day before Thanksgiving'],
  ]
  for (const [recordDate, exDate, why] of rows)
    test(`${recordDate} is ${exDate}: ${why}`, () => assert.equal(usualExDate(recordDate), exDate))
})

describe('the ex-date of a large distribution', () => {
  const rows: [payDate: string, exDate: string, why: string][] = [
    ['2024-06-07', '2024-06-10', 'the split of NVIDIA: a Friday, and the Monday after it'],
    ['2026-12-03', '2026-12-04', 'a Thursday'],
    ['2026-12-05', '2026-12-07', 'a Saturday'],
    ['2026-11-25', '2026-11-27', 'the day before Thanksgiving'],
    ['2000-08-31', '2000-09-01', 'the example of the NASD'],
    ['2017-09-01', '2017-09-06', 'nothing went ex on the first day of the cycle of two days'],
    ['2024-05-24', '2024-05-29', 'nothing went ex on the first day of the cycle of one day'],
    ['2024-05-28', '2024-05-29', 'the day after it'],
  ]
  for (const [payDate, exDate, why] of rows)
    test(`paid on ${payDate} is ${exDate}: ${why}`, () => assert.equal(largeExDate(payDate), exDate))

  const sizes: [type: 'Split' | 'StockDividend' | 'Spinoff', ratio: [string, string], isLarge: boolean][] = [
    ['Split', ['2', '1'], true],
    ['Split', ['5', '4'], true],
    ['Split', ['1.2499', '1'], false],
    ['Split', ['1', '10'], false],
    ['StockDividend', ['1', '4'], true],
    ['StockDividend', ['0.2499', '1'], false],
    ['StockDividend', ['1', '20'], false],
    ['Spinoff', ['1', '1'], false],
  ]
  for (const [type, [received, held], isLarge] of sizes)
    test(`a ${type} of ${received}:${held} is ${isLarge ? '' : 'not '}one`, () => {
      const ratio = { received: decimal(received), held: decimal(held) }
      assert.equal(isLargeDistribution({ type, ratio }), isLarge)
    })
  test('cash alone is not one', () => assert.equal(isLargeDistribution({ type: 'Dividend' }), false))
})

test('a distribution has an ex-date before its pay date, and an exchange does not', () => {
  const types = [
    'Dividend',
    'CapitalGain',
    'Interest',
    'ReturnOfCapital',
    'StockDividend',
    'Split',
    'Spinoff',
  ] as const
  assert.ok(types.every((type) => isDistribution(type)))
  assert.ok(
    !(['Merger', 'NameChange', 'Redemption', 'Maturity'] as const).some((type) => isDistribution(type)),
  )
})

describe('the day on which lines are booked', () => {
  const one = decimal('1')
  const ratio = { received: one, held: one }
  const rows: [
    what: string,
    options: Announcement['options'],
    deadline: string | undefined,
    isExDate: boolean,
  ][] = [
    ...(['StockDividend', 'Split', 'Spinoff', 'NameChange', 'Merger'] as const).map(
      (type): (typeof rows)[number] => [type, [{ option: 'A', type, ratio }], undefined, true],
    ),
    [
      'shares and cash for fractions',
      [{ option: 'A', type: 'Split', ratio, cashInLieuPrice: one }],
      undefined,
      true,
    ],
    [
      'a merger that pays cash',
      [{ option: 'A', type: 'Merger', ratio, cashPerShare: one }],
      undefined,
      false,
    ],
    ...(['Dividend', 'CapitalGain', 'Interest', 'ReturnOfCapital', 'Redemption', 'Maturity'] as const).map(
      (type): (typeof rows)[number] => [type, [{ option: 'A', type }], undefined, false],
    ),
    ['a choice of shares', [{ option: 'A', type: 'StockDividend', ratio }], '2026-02-12', false],
  ]
  for (const [what, options, deadline, isExDate] of rows)
    test(`${what}: ${isExDate ? 'the ex-date' : 'the later of the ex-date and the pay date'}`, () => {
      const of = (exDate: string, payDate: string) => bookingDay({ exDate, payDate, options, deadline })
      assert.equal(of('2026-02-13', '2026-02-27'), isExDate ? '2026-02-13' : '2026-02-27')
      assert.equal(of('2026-02-27', '2026-02-27'), '2026-02-27')
      assert.equal(of('2026-02-28', '2026-02-27'), '2026-02-28')
    })
})

describe('elections', () => {
  const rows: [what: string, quantity: string, elections: [string, string?][], shares: [string, string][]][] =
    [
      ['none', '100', [], [['D', '100']]],
      ['all', '100', [['A']], [['A', '100']]],
      [
        'a part',
        '100',
        [['A', '40']],
        [
          ['A', '40'],
          ['D', '60'],
        ],
      ],
      [
        'two parts and the rest',
        '100',
        [
          ['A', '40'],
          ['B', '60'],
        ],
        [
          ['A', '40'],
          ['B', '60'],
        ],
      ],
      [
        'more than is held now',
        '30',
        [
          ['A', '40'],
          ['B', '60'],
        ],
        [['A', '30']],
      ],
      [
        'for a short position',
        '-100',
        [['A', '40']],
        [
          ['A', '-40'],
          ['D', '-60'],
        ],
      ],
      ['for nothing', '0', [['A', '40']], []],
      ['the default by name', '100', [['D', '40']], [['D', '100']]],
      [
        'a part for a position of nothing but a fraction',
        '0.5',
        [['A', '0.25']],
        [
          ['A', '0.25'],
          ['D', '0.25'],
        ],
      ],
      ['after all are gone', '100', [['A'], ['B', '1']], [['A', '100']]],
    ]
  for (const [what, quantity, given, expected] of rows) {
    test(`divide the shares: ${what}`, () => {
      const elections = given.map(([option, count]) => ({
        option,
        ...(count !== undefined && { quantity: decimal(count) }),
      }))
      const shares = divideElections(decimal(quantity), elections, 'D')
      assert.deepEqual(
        [...shares].map(([option, count]) => [option, renderDecimal(count)]),
        expected,
      )
    })
  }

  test('that are void give their shares to the default, and leave those of later elections as they were', () => {
    const elections = [
      { option: 'A', quantity: decimal('40'), void: 'The option is gone.' },
      { option: 'B', quantity: decimal('30') },
      { option: 'D', quantity: decimal('10') },
    ]
    const divide = (quantity: string, last: readonly Election[] = []) =>
      [...divideElections(decimal(quantity), [...elections, ...last], 'D')].map(
        ([option, count]) => `${renderDecimal(count)} ${option}`,
      )
    assert.deepEqual(divide('100'), ['70 D', '30 B'])
    assert.deepEqual(divide('50'), ['40 D', '10 B'])
    assert.deepEqual(divide('-100', [{ option: 'B', void: 'The option is gone.' }]), ['-70 D', '-30 B'])
  })

  test('name an option, and no more shares than are held', () => {
    const refused = (held: string, option: string, quantity: string) =>
      whyNotElected(announcement({ type: 'Dividend' }), decimal(held), [
        { option, quantity: decimal(quantity) },
      ]).map(({ field }) => field)
    assert.deepEqual(refused('10', 'Mandatory', '10'), [])
    assert.deepEqual(refused('-10', 'Mandatory', '10'), [])
    assert.deepEqual(refused('10', 'Mandatory', '10.00000001'), ['elections'])
    assert.deepEqual(refused('-10', 'Mandatory', '10.00000001'), ['elections'])
    assert.deepEqual(refused('10', 'mandatory', '1'), ['elections[0].option'])
    assert.deepEqual(
      whyNotElected(announcement({ type: 'Dividend' }), decimal('-10'), [
        { option: 'X', quantity: decimal('11') },
      ]),
      [
        reject('ERR.1015', 'elections[0].option', 'option must be one of Mandatory.'),
        reject('ERR.1015', 'elections', 'The elections are for 11 shares, and the position has 10.'),
      ],
    )
  })
})

type Terms = Partial<Announcement['options'][number]> & { readonly type: Announcement['type'] }

function announcement({ type, ...terms }: Terms): Announcement {
  return {
    externalId: 'CA1',
    type,
    security: '1',
    recordDate: undefined,
    exDate: '2026-02-13',
    payDate: '2026-02-27',
    options: [{ option: 'Mandatory', type, ...terms }],
    defaultOption: 'Mandatory',
    deadline: undefined,
  }
}

describe('the line of a position', () => {
  const ratio = (received: string, held: string) => ({ received: decimal(received), held: decimal(held) })
  const inLieu = decimal('10')
  const rows: [what: string, terms: Terms, quantity: string, line: Record<string, unknown>][] = [
    [
      'a dividend is rounded half away from zero',
      { type: 'Dividend', cashPerShare: decimal('0.005') },
      '101',
      { quantity: '101', netAmount: '0.51', tradeDate: '2026-02-27', asOfDate: '2026-02-12' },
    ],
    [
      'a short position pays it',
      { type: 'Dividend', cashPerShare: decimal('0.005') },
      '-101',
      { netAmount: '-0.51' },
    ],
    [
      'a split leaves the shares to the books',
      { type: 'Split', ratio: ratio('3', '2') },
      '101',
      {
        ratio: '3:2',
        quantity: undefined,
        cashInLieu: undefined,
        startOfDay: true,
        tradeDate: '2026-02-13',
        settleDate: '2026-02-27',
      },
    ],
    [
      'its fraction is paid',
      { type: 'Split', ratio: ratio('3', '2'), cashInLieuPrice: inLieu },
      '101',
      { cashInLieu: '5' },
    ],
    [
      'a whole number of shares has no fraction',
      { type: 'Split', ratio: ratio('3', '2'), cashInLieuPrice: inLieu },
      '102',
      { cashInLieu: undefined },
    ],
    [
      'a fraction of a short position',
      { type: 'Split', ratio: ratio('1', '8'), cashInLieuPrice: inLieu },
      '-12',
      { cashInLieu: '5' },
    ],
    [
      'a fraction that is worth less than half a cent stays',
      { type: 'Split', ratio: ratio('1', '8'), cashInLieuPrice: decimal('0.039') },
      '1',
      { cashInLieu: undefined },
    ],
    [
      'and of half a cent is paid',
      { type: 'Split', ratio: ratio('1', '8'), cashInLieuPrice: decimal('0.04') },
      '1',
      { cashInLieu: '0.01' },
    ],
    [
      'a stock dividend adds to the fraction held',
      { type: 'StockDividend', ratio: ratio('1', '20'), cashInLieuPrice: inLieu },
      '10.3',
      { cashInLieu: '8.15' },
    ],
    [
      'a spin-off',
      {
        type: 'Spinoff',
        ratio: ratio('1', '4'),
        toSecurity: '2',
        costShare: decimal('0.2'),
        cashInLieuPrice: inLieu,
      },
      '6',
      { cashInLieu: '5', toSecNo: '2', costShare: '0.2', ratio: '1:4' },
    ],
    [
      'a taxable spin-off',
      {
        type: 'Spinoff',
        ratio: ratio('1', '4'),
        toSecurity: '2',
        taxable: true,
        price: decimal('8'),
        cashInLieuPrice: inLieu,
      },
      '6',
      { cashInLieu: '5', toSecNo: '2', taxable: true, price: '8', ratio: '1:4' },
    ],
    [
      'a spin-off from a fraction of a share',
      {
        type: 'Spinoff',
        ratio: ratio('1', '4'),
        toSecurity: '2',
        costShare: decimal('0.2'),
        cashInLieuPrice: inLieu,
      },
      '6.5',
      { cashInLieu: '6.25' },
    ],
    [
      'a return of capital is divided by the books',
      { type: 'ReturnOfCapital', cashPerShare: decimal('1.5') },
      '6',
      { cashPerShare: '1.5', netAmount: undefined, asOfDate: '2026-02-12' },
    ],
    [
      'a redemption',
      { type: 'Redemption', price: decimal('101.5') },
      '6',
      { price: '101.5', quantity: undefined },
    ],
  ]
  for (const [what, terms, quantity, expected] of rows) {
    test(what, () => {
      const position = { acctType: 1, quantity: decimal(quantity) } as const
      const [line, ...more] = linesOfHolder(announcement(terms), { moneyPlaces: 2 }, position, [])
      assert.deepEqual(more, [])
      const found = Object.fromEntries(
        Object.keys(expected).map((name) => [name, line?.[name as keyof typeof line]]),
      )
      assert.deepEqual(found, expected)
    })
  }

  test('a part of a stock dividend has the ratio of the shares added to the position, and its fraction is paid', () => {
    const options = [
      { option: 'Cash', type: 'Dividend', cashPerShare: decimal('1') },
      { option: 'Shares', type: 'StockDividend', ratio: ratio('1', '20'), cashInLieuPrice: inLieu },
    ] as const
    const choice = { ...announcement({ type: 'Dividend' }), options, defaultOption: 'Cash' }
    const position = { acctType: 1, quantity: decimal('105') } as const
    const elections = (quantity: string) => [{ option: 'Shares', quantity: decimal(quantity) }]
    const [, ofFraction] = linesOfHolder(choice, { moneyPlaces: 2 }, position, elections('50.5'))
    assert.equal(ofFraction?.cashInLieu, '5.25')
    const lines = linesOfHolder(choice, { moneyPlaces: 2 }, position, elections('50'))
    assert.deepEqual(
      lines.map(({ transType, quantity, netAmount, cashInLieu, ratio: terms }) => [
        transType,
        quantity,
        netAmount,
        cashInLieu,
        terms,
      ]),
      [
        ['Dividend', '55', '55', undefined, undefined],
        ['StockDividend', undefined, undefined, '5', '2.5:105'],
      ],
    )
  })

  test('a part of a stock dividend adds to the fraction held, less what another option gives up', () => {
    const options = [
      { option: 'Tender', type: 'Redemption', price: decimal('11') },
      { option: 'Shares', type: 'StockDividend', ratio: ratio('1', '20'), cashInLieuPrice: inLieu },
      { option: 'More', type: 'StockDividend', ratio: ratio('1', '10'), cashInLieuPrice: inLieu },
      { option: 'Nothing', type: 'None' },
    ] as const
    const choice = { ...announcement({ type: 'Dividend' }), options, defaultOption: 'Nothing' }
    const elections = ['Tender', 'Shares', 'More'].map((option) => ({ option, quantity: decimal('30') }))
    for (const acctType of [1, 3] as const) {
      const quantity = decimal(acctType === 3 ? '-105.3' : '105.3')
      const lines = linesOfHolder(choice, { moneyPlaces: 2 }, { acctType, quantity }, elections)
      assert.deepEqual(
        lines.map((line) => [line.transType, line.quantity, line.ratio, line.cashInLieu]),
        [
          ['Redemption', '30', undefined, undefined],
          ['StockDividend', undefined, '1.5:75.3', '8'],
          ['StockDividend', undefined, '3:76', undefined],
        ],
      )
    }
  })

  test('a part that is tendered names the shares given up, without a sign', () => {
    const options = [
      { option: 'Shares', type: 'Merger', toSecurity: '2', ratio: ratio('1', '4'), cashInLieuPrice: inLieu },
      { option: 'Cash', type: 'Merger', cashPerShare: decimal('3') },
    ] as const
    const tender = { ...announcement({ type: 'Merger' }), options, defaultOption: 'Cash' }
    const lines = (quantity: string) =>
      linesOfHolder(tender, { moneyPlaces: 2 }, { acctType: 3, quantity: decimal(quantity) }, [
        { option: 'Shares', quantity: decimal('10') },
      ]).map(({ acctType, quantity: named, cashInLieu, cashPerShare, toSecNo }) => [
        ...[acctType, named, cashInLieu, cashPerShare, toSecNo],
      ])
    assert.deepEqual(lines('-30'), [
      ['3', '10', '5', undefined, '2'],
      ['3', '20', undefined, '3', undefined],
    ])
    assert.deepEqual(lines('10'), [['3', undefined, '5', undefined, '2']])
  })

  test('a part of a stock dividend without cash for fractions has its fraction', () => {
    const options = [
      { option: 'Shares', type: 'StockDividend', ratio: ratio('1', '20') },
      { option: 'Nothing', type: 'None' },
    ] as const
    const choice = { ...announcement({ type: 'StockDividend' }), options, defaultOption: 'Nothing' }
    const position = { acctType: 1, quantity: decimal('105') } as const
    const elections = [{ option: 'Shares', quantity: decimal('50') }]
    const [line] = linesOfHolder(choice, { moneyPlaces: 2 }, position, elections)
    assert.deepEqual([line?.quantity, line?.cashInLieu, line?.ratio], ['2.5', undefined, undefined])
  })

  test('a line with an ex-date after the pay date settles on the ex-date', () => {
    const late = { ...announcement({ type: 'Split', ratio: ratio('2', '1') }), payDate: '2026-02-12' }
    const [line] = linesOfHolder(late, { moneyPlaces: 2 }, { acctType: 1, quantity: decimal('1') }, [])
    assert.deepEqual([line?.tradeDate, line?.settleDate], ['2026-02-13', '2026-02-13'])
  })

  test('there is none for a position of zero, and none for an option that changes nothing', () => {
    const terms = { type: 'Dividend', cashPerShare: decimal('1') } as const
    const none = { ...announcement(terms), options: [{ option: 'Mandatory', type: 'None' } as const] }
    const lines = (of: Announcement, quantity: string) =>
      linesOfHolder(of, { moneyPlaces: 2 }, { acctType: 1, quantity: decimal(quantity) }, [])
    assert.deepEqual([lines(announcement(terms), '0'), lines(none, '10')], [[], []])
  })
})
