import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exampleFeed, exampleSecurity } from '../books/example-lines.ts'
import { type ActivityLine, foldAccount, joinWashes } from '../books/index.ts'
import { decimal, renderDecimal, ZERO } from '../decimal.ts'
import type { TaxedSecurity } from './covered.ts'
import { exemptRecipientOf } from './exempt-recipients.ts'
import { dateSold, TaxYear } from './form-8949.ts'
import { describeSale, FORM_8949_COLUMNS } from './form-8949-csv.ts'
import { type RealizedGain, realizedGain } from './realized-gain.ts'
import { formOf, stock } from './test-form.ts'

describe('rows of Form 8949', () => {
  test('a sale has one row for each box of its lots, with the date of acquisition or VARIOUS', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const { rows, year } = formOf([
      feed.buy({ date: '2009-05-04', quantity: 1, netAmount: 10 }),
      feed.buy({ date: '2009-05-04', quantity: 1, netAmount: 11 }),
      feed.buy({ date: '2020-05-04', quantity: 1, netAmount: 12 }),
      feed.buy({ date: '2024-05-02', quantity: 1, netAmount: 13 }),
      feed.buy({ date: '2024-05-03', quantity: 1, netAmount: 14 }),
      feed.sell({ date: '2024-08-05', quantity: 5, netAmount: 100 }),
      feed.buy({ date: '2024-09-03', quantity: 2, netAmount: 60 }),
      feed.sell({ date: '2024-09-10', quantity: 2, netAmount: 40 }),
      feed.buy({ date: '2024-09-11', quantity: 1, netAmount: 20 }),
    ])
    assert.deepEqual(rows, [
      'E;2 sh. XYZ CO;05/04/2009;08/05/2024;40.00;21.00;;;19.00',
      'D;1 sh. XYZ CO;05/04/2020;08/05/2024;20.00;12.00;;;8.00',
      'A;2 sh. XYZ CO;VARIOUS;08/05/2024;40.00;27.00;;;13.00',
      'A;2 sh. XYZ CO;09/03/2024;09/10/2024;40.00;60.00;W;10.00;-10.00',
    ])
    const totals = year.totals().map(({ box, count, proceeds, cost, washDisallowedAmt, gainLoss }) => {
      return [
        box,
        count,
        ...[proceeds, cost, washDisallowedAmt, gainLoss].map((amount) => renderDecimal(amount)),
      ]
    })
    assert.deepEqual(totals, [
      ['A', 2, '80', '87', '10', '3'],
      ['D', 1, '20', '12', '0', '8'],
      ['E', 1, '40', '21', '0', '19'],
    ])
    assert.equal(year.section1256, ZERO)
  })

  test('a row combines lots of one box with and without a disallowed loss, with the sum of the disallowed amounts', () => {
    const rowsOf = (first: number, second: number) => {
      const feed = exampleFeed(exampleSecurity('XYZ'))
      return formOf([
        feed.buy({ date: '2024-05-02', quantity: 1, netAmount: first }),
        feed.buy({ date: '2024-05-02', quantity: 1, netAmount: second }),
        feed.sell({ date: '2024-08-05', quantity: 2, netAmount: 40 }),
        feed.buy({ date: '2024-08-06', quantity: 2, netAmount: 40 }),
      ]).rows
    }
    assert.deepEqual(rowsOf(30, 15), ['A;2 sh. XYZ CO;05/02/2024;08/05/2024;40.00;45.00;W;10.00;5.00'])
    assert.deepEqual(rowsOf(15, 30), ['A;2 sh. XYZ CO;05/02/2024;08/05/2024;40.00;45.00;W;10.00;5.00'])
    assert.deepEqual(rowsOf(30, 22), ['A;2 sh. XYZ CO;05/02/2024;08/05/2024;40.00;52.00;W;12.00;0.00'])
  })

  test('a sale at cost and a sale with fees above its proceeds are rows too', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    assert.deepEqual(
      formOf([
        feed.buy({ date: '2024-05-02', quantity: 2, netAmount: 20 }),
        feed.sell({ date: '2024-08-05', quantity: 1, netAmount: 10 }),
        feed.sell({ date: '2024-08-06', quantity: 1, price: '0.5', commission: 3 }),
      ]).rows,
      [
        'A;1 sh. XYZ CO;05/02/2024;08/05/2024;10.00;10.00;;;0.00',
        'A;1 sh. XYZ CO;05/02/2024;08/06/2024;-2.50;10.00;;;-12.50',
      ],
    )
  })

  test('a row has the day of the purchase, even if the holding period of a lot begins earlier after a wash sale', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    assert.deepEqual(
      formOf([
        feed.buy({ date: '2010-12-20', quantity: 1, netAmount: 30 }),
        feed.sell({ date: '2011-01-03', quantity: 1, netAmount: 20 }),
        feed.buy({ date: '2011-01-04', quantity: 1, netAmount: 20 }),
        feed.sell({ date: '2011-05-02', quantity: 1, netAmount: 50 }),
      ]).rows,
      [
        'B;1 sh. XYZ CO;12/20/2010;01/03/2011;20.00;30.00;W;10.00;0.00',
        'A;1 sh. XYZ CO;01/04/2011;05/02/2011;50.00;30.00;;;20.00',
      ],
    )
  })

  test('two sales of one day are two rows', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const { rows } = formOf([
      feed.buy({ date: '2024-05-02', quantity: 2, netAmount: 20 }),
      feed.sell({ date: '2024-08-05', quantity: 1, netAmount: 11 }),
      feed.sell({ date: '2024-08-05', quantity: 1, netAmount: 12 }),
    ])
    assert.equal(rows.length, 2)
  })

  test('a short sale is acquired when it is covered and sold when the shares are delivered, and its proceeds are those of the sale', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const { rows } = formOf([
      feed.sellShort({ date: '2023-01-03', quantity: 5, netAmount: 100, acctType: 3 }),
      feed.cover({ date: '2024-08-05', settleDate: '2024-08-06', quantity: 5, netAmount: 130, acctType: 3 }),
      feed.sellShort({ date: '2024-08-06', quantity: 1, netAmount: 27, acctType: 3 }),
    ])
    assert.deepEqual(rows, ['A;5 sh. XYZ CO (short sale);08/05/2024;08/06/2024;100.00;130.00;W;6.00;-24.00'])
  })

  test('a written option that is bought back is sold on the trade date, because nothing is delivered', () => {
    const feed = exampleFeed(exampleSecurity('XYZC', { multiplier: '100' }))
    const { rows } = formOf(
      [
        feed.sellShort({ date: '2024-05-02', quantity: 1, netAmount: 200, acctType: 3 }),
        feed.cover({ date: '2024-12-31', settleDate: '2025-01-02', quantity: 1, netAmount: 50, acctType: 3 }),
      ],
      [{ ...stock, kind: 'Option', description: 'XYZ CALL' }],
    )
    assert.deepEqual(rows, ['A;1 XYZ CALL (short sale);12/31/2024;12/31/2024;150.00;0.00;;;150.00'])
  })

  test('a return of capital beyond the cost is in a box without Form 1099-B, and a short that pays one has a loss', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const held = [
      feed.buy({ date: '2022-05-02', quantity: 2, netAmount: 20 }),
      feed.line('ReturnOfCapital', { date: '2024-08-05', netAmount: 25 }),
    ]
    assert.deepEqual(formOf(held).rows, ['F;XYZ CO;05/02/2022;08/05/2024;5.00;0.00;;;5.00'])
    const short = exampleFeed(exampleSecurity('XYZ'))
    const paid = [
      short.sellShort({ date: '2024-05-02', quantity: 2, netAmount: 20, acctType: 3 }),
      short.line('ReturnOfCapital', { date: '2024-08-05', netAmount: -25, acctType: 3 }),
    ]
    assert.deepEqual(formOf(paid).rows, ['C;XYZ CO (short sale);08/05/2024;08/05/2024;0.00;5.00;;;-5.00'])
  })

  test('a row of unknown cost has no cost and gain, and is of a security that is not covered', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const lines = [
      feed.line('TransferIn', { date: '2024-01-03', quantity: 5 }),
      feed.buy({ date: '2024-01-03', quantity: 1, netAmount: 10 }),
      feed.sell({ date: '2024-08-05', quantity: 6, netAmount: 120 }),
    ]
    assert.deepEqual(formOf(lines).rows, [
      'B;5 sh. XYZ CO;01/03/2024;08/05/2024;100.00;;;;',
      'A;1 sh. XYZ CO;01/03/2024;08/05/2024;20.00;10.00;;;10.00',
    ])
  })

  test('lots of unknown cost have a row of their own in their box', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    assert.deepEqual(
      formOf([
        feed.line('TransferIn', { date: '2009-01-05', quantity: 5 }),
        feed.buy({ date: '2009-01-05', quantity: 1, netAmount: 10 }),
        feed.sell({ date: '2024-08-05', quantity: 6, netAmount: 120 }),
      ]).rows,
      [
        'E;5 sh. XYZ CO;01/05/2009;08/05/2024;100.00;;;;',
        'E;1 sh. XYZ CO;01/05/2009;08/05/2024;20.00;10.00;;;10.00',
      ],
    )
  })

  test('rows of a money-market fund are in a box without Form 1099-B, and exist only for a gain or loss', () => {
    const feed = exampleFeed(exampleSecurity('MMF'))
    const fund: TaxedSecurity = { ...stock, kind: 'Fund', moneyMarket: true, description: 'CASH FUND' }
    const lines = [
      feed.buy({ date: '2024-05-02', quantity: 3, netAmount: 3 }),
      feed.sell({ date: '2024-08-05', quantity: 1, netAmount: 1 }),
      feed.sell({ date: '2024-08-06', quantity: 1, netAmount: '1.01' }),
      feed.sell({ date: '2024-08-07', quantity: 1, netAmount: '0.99' }),
    ]
    assert.deepEqual(formOf(lines, [fund]).rows, [
      'C;1 sh. CASH FUND;05/02/2024;08/06/2024;1.01;1.00;;;0.01',
      'C;1 sh. CASH FUND;05/02/2024;08/07/2024;0.99;1.00;;;-0.01',
    ])
  })

  test('an exercised option has no row, an expired option has a row, and an index option is in the sum of its kind', () => {
    const call = (key: string) =>
      exampleSecurity(key, { multiplier: '100', option: { putCall: 'Call', strike: decimal('10') } })
    const option: TaxedSecurity = { ...stock, kind: 'Option', description: 'XYZ CALL' }
    const feed = exampleFeed(call('XYZC'))
    const bought = feed.buy({ date: '2024-05-02', quantity: 1, netAmount: 200 })
    const exercised = feed.line('Exercise', {
      date: '2024-06-03',
      quantity: 1,
      toSecurity: exampleSecurity('XYZ'),
    })
    assert.deepEqual(formOf([bought, exercised], [option]).rows, [])
    const settled = feed.line('Exercise', { date: '2024-06-03', quantity: 1, netAmount: 450 })
    assert.deepEqual(formOf([bought, settled], [option]).rows, [
      'A;1 XYZ CALL;05/02/2024;06/03/2024;450.00;200.00;;;250.00',
    ])
    const evened = feed.line('Exercise', { date: '2024-06-03', quantity: 1, netAmount: 200 })
    assert.deepEqual(formOf([bought, evened], [option]).rows, [
      'A;1 XYZ CALL;05/02/2024;06/03/2024;200.00;200.00;;;0.00',
    ])
    const writer = exampleFeed(call('XYZC'))
    const written = writer.sellShort({ date: '2024-05-02', quantity: 1, netAmount: 200, acctType: 3 })
    const assigned = writer.line('Assignment', {
      date: '2024-06-03',
      quantity: 1,
      toSecurity: exampleSecurity('XYZ'),
      acctType: 3,
    })
    assert.deepEqual(formOf([written, assigned], [option]).rows, [])
    // According to the instructions of filing software (freetaxusa.com, What if I have expired options?): acquired
    // and sold on the day of expiration.
    const lapsed = writer.line('Expiration', { date: '2024-06-21', acctType: 3 })
    assert.deepEqual(formOf([written, lapsed], [option]).rows, [
      'A;1 XYZ CALL (short sale);06/21/2024;06/21/2024;200.00;0.00;;;200.00',
    ])
    const expired = [bought, feed.line('Expiration', { date: '2024-06-21' })]
    assert.deepEqual(formOf(expired, [option]).rows, [
      'A;1 XYZ CALL;05/02/2024;06/21/2024;0.00;200.00;;;-200.00',
    ])
    const index = formOf(expired, [{ ...option, kind: 'IndexOption' }])
    assert.deepEqual(
      [index.rows, index.year.totals(), renderDecimal(index.year.section1256)],
      [[], [], '-200'],
    )
  })

  test('shares that a merger pays in cash have a row, although the line delivers another security', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const { rows } = formOf([
      feed.buy({ date: '2024-05-02', quantity: 5, netAmount: 50 }),
      feed.line('Merger', {
        date: '2024-08-05',
        toSecurity: exampleSecurity('NEW'),
        ratio: '1:2',
        cashInLieu: 9,
      }),
    ])
    assert.deepEqual(rows, ['A;0.5 sh. XYZ CO;05/02/2024;08/05/2024;9.00;10.00;;;-1.00'])
  })

  test('the sum of options on broad indexes counts each loss once, because wash sales do not exist for them', () => {
    const index: TaxedSecurity = { ...stock, kind: 'IndexOption', description: 'INDEX CALL' }
    const sumOf = (lines: readonly ActivityLine[]) => renderDecimal(formOf(lines, [index]).year.section1256)
    const feed = exampleFeed(exampleSecurity('IDXC', { multiplier: '100' }))
    assert.equal(
      sumOf([
        feed.buy({ date: '2024-05-02', quantity: 1, netAmount: 300 }),
        feed.sell({ date: '2024-05-09', quantity: 1, netAmount: 200 }),
        feed.buy({ date: '2024-05-10', quantity: 1, netAmount: 200 }),
        feed.sell({ date: '2024-05-16', quantity: 1, netAmount: 250 }),
      ]),
      '-50',
    )
    const writer = exampleFeed(exampleSecurity('IDXC', { multiplier: '100' }))
    assert.equal(
      sumOf([
        writer.sellShort({ date: '2024-05-02', quantity: 1, netAmount: 200, acctType: 3 }),
        writer.cover({ date: '2024-05-09', quantity: 1, netAmount: 300, acctType: 3 }),
        writer.sellShort({ date: '2024-05-10', quantity: 1, netAmount: 300, acctType: 3 }),
        writer.cover({ date: '2024-05-16', quantity: 1, netAmount: 250, acctType: 3 }),
      ]),
      '-50',
    )
  })
})

describe('the date of a sale is that of', () => {
  for (const [kind, of, date] of [
    ['Cover', 'Equity', 'delivery'],
    ['Cover', 'Bond', 'delivery'],
    ['Cover', 'Option', 'trade'],
    ['Cover', 'IndexOption', 'trade'],
    ['Sale', 'Equity', 'trade'],
    ['Sale', 'Option', 'trade'],
  ] as const) {
    test(`the ${date} for a ${kind.toLowerCase()} of the kind ${of}`, () => {
      const closing = { kind, closeDate: 'trade', settleDate: 'delivery' } as RealizedGain['closing']
      assert.equal(dateSold({ closing }, { kind: of }), date)
    })
  }
})

test('sales of a corporation are in the boxes without a form, except of covered stock acquired since 2012', () => {
  const feed = exampleFeed(exampleSecurity('XYZ'))
  const lines = [
    feed.buy({ date: '2011-12-30', quantity: 1, netAmount: 10 }),
    feed.buy({ date: '2012-01-03', quantity: 1, netAmount: 11 }),
    feed.buy({ date: '2024-05-02', quantity: 1, netAmount: 12 }),
    feed.sell({ date: '2024-08-05', quantity: 3, netAmount: 60 }),
  ]
  const boxesOf = (registrationType: string) =>
    formOf(lines, [stock], { registrationType }).rows.map((row) => row.slice(0, 1))
  assert.deepEqual(boxesOf('Corporation').sort(), ['A', 'D', 'F'])
  assert.deepEqual(boxesOf('Individual').sort(), ['A', 'D'])
})

describe('the file of Form 8949', () => {
  test('has the box and the columns (a) to (h) of the form', () => {
    assert.equal(
      FORM_8949_COLUMNS.join(';'),
      'Box;Description of property;Date acquired;Date sold or disposed of;Proceeds;Cost or other basis;Code;Amount of adjustment;Gain or loss',
    )
  })

  test('describes the property by its description, its symbol or its CUSIP, with the number of shares for stocks and funds', () => {
    const describeOf = (facts: Partial<TaxedSecurity>) =>
      describeSale({ quantity: decimal('100'), security: { ...stock, ...facts }, short: false })
    assert.equal(describeOf({}), '100 sh. XYZ CO')
    assert.equal(describeOf({ kind: 'Fund' }), '100 sh. XYZ CO')
    assert.equal(describeOf({ kind: 'Bond' }), '100 XYZ CO')
    assert.equal(describeOf({ description: '' }), '100 sh. XYZ')
    assert.equal(describeOf({ description: '', symbol: '', cusip: '037833100' }), '100 sh. 037833100')
  })

  test('has its totals in the order of the boxes, whatever the order of the rows', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const { closings, washes } = foldAccount([
      feed.buy({ date: '2009-05-04', quantity: 1, netAmount: 10 }),
      feed.buy({ date: '2020-05-04', quantity: 1, netAmount: 12 }),
      feed.buy({ date: '2024-05-02', quantity: 1, netAmount: 13 }),
      feed.sell({ date: '2024-08-05', quantity: 3, netAmount: 60 }),
    ])
    const gains = joinWashes(closings, washes).map((closing) =>
      realizedGain(closing, 'USD', { open: ZERO, close: ZERO }),
    )
    const boxesOf = (...order: readonly number[]) => {
      const year = new TaxYear(exemptRecipientOf('Individual'))
      for (const at of order) year.add(gains[at] as RealizedGain, stock, false)
      year.end()
      return year.totals().map(({ box }) => box)
    }
    for (const order of [
      [0, 1, 2],
      [1, 2, 0],
      [2, 1, 0],
      [2, 0, 1],
    ]) {
      assert.deepEqual(boxesOf(...order), ['A', 'D', 'E'])
    }
  })
})
