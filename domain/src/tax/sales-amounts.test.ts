import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exampleFeed, exampleSecurity } from '../books/example-lines.ts'
import type { TaxedSecurity } from './covered.ts'
import { formOf, stock } from './test-form.ts'

const call: TaxedSecurity = { ...stock, kind: 'Option', description: 'XYZ CALL' }
function writer() {
  return exampleFeed(exampleSecurity('XYZC', { multiplier: '100' }))
}

describe('the proceeds of a written option', () => {
  // Instructions for Form 1099-B, box 1d: a loss from a closing transaction is a negative amount.
  for (const [result, paid, amounts] of [
    ['a gain', 116, '414.00;0.00;;;414.00'],
    ['nothing', 530, '0.00;0.00;;;0.00'],
    ['a loss, which is negative', 700, '-170.00;0.00;;;-170.00'],
  ] as const) {
    test(`are the premium less what closes it: ${result}`, () => {
      const feed = writer()
      const lines = [
        feed.sellShort({ date: '2024-05-02', quantity: 1, netAmount: 530, acctType: 3 }),
        feed.cover({ date: '2024-06-03', quantity: 1, netAmount: paid, acctType: 3 }),
      ]
      assert.deepEqual(formOf(lines, [call]).rows, [
        `A;1 XYZ CALL (short sale);06/03/2024;06/03/2024;${amounts}`,
      ])
    })
  }

  test('are not known if the premium is not', () => {
    const feed = writer()
    const lines = [
      feed.line('TransferIn', { date: '2024-05-02', quantity: -1, acctType: 3 }),
      feed.cover({ date: '2024-06-03', quantity: 1, netAmount: 116, acctType: 3 }),
    ]
    assert.deepEqual(formOf(lines, [call]).rows, ['B;1 XYZ CALL (short sale);06/03/2024;06/03/2024;0.00;;;;'])
  })

  test('are without a loss that an earlier option could not deduct, which is the cost', () => {
    const feed = writer()
    const lines = [
      feed.sellShort({ date: '2024-05-02', quantity: 1, netAmount: 200, acctType: 3 }),
      feed.cover({ date: '2024-05-09', quantity: 1, netAmount: 300, acctType: 3 }),
      feed.sellShort({ date: '2024-05-10', quantity: 1, netAmount: 310, acctType: 3 }),
      feed.cover({ date: '2024-05-16', quantity: 1, netAmount: 60, acctType: 3 }),
    ]
    assert.deepEqual(formOf(lines, [call]).rows, [
      'A;1 XYZ CALL (short sale);05/09/2024;05/09/2024;-100.00;0.00;W;100.00;0.00',
      'A;1 XYZ CALL (short sale);05/16/2024;05/16/2024;250.00;100.00;;;150.00',
    ])
  })
})

describe('the proceeds of a short sale', () => {
  test('are the cash of the sale, and a loss that it took over from another short sale is part of the cost', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const lines = [
      feed.sellShort({ date: '2024-05-01', quantity: 10, netAmount: 100, acctType: 3 }),
      feed.cover({ date: '2024-05-08', quantity: 10, netAmount: 130, acctType: 3 }),
      feed.sellShort({ date: '2024-05-15', quantity: 10, netAmount: 120, acctType: 3 }),
      feed.cover({ date: '2024-07-15', quantity: 10, netAmount: 70, acctType: 3 }),
    ]
    assert.deepEqual(formOf(lines).rows, [
      'A;10 sh. XYZ CO (short sale);05/08/2024;05/08/2024;100.00;130.00;W;30.00;0.00',
      'A;10 sh. XYZ CO (short sale);07/15/2024;07/15/2024;120.00;100.00;;;20.00',
    ])
  })

  test('are known if the cost of the shares that close it is not', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const lines = [
      feed.sellShort({ date: '2024-05-01', quantity: 10, netAmount: 100, acctType: 3 }),
      feed.line('TransferIn', { date: '2024-05-08', quantity: 10, acctType: 3 }),
    ]
    assert.deepEqual(formOf(lines).rows, ['B;10 sh. XYZ CO (short sale);05/08/2024;05/08/2024;100.00;;;;'])
  })
})

describe('a merger for shares and cash', () => {
  // Instructions for Form 1099-B, box 1e: 800 of cash with shares worth 4,700 for shares that cost 5,000.
  test('has the cash as proceeds, and the reduction of the basis as cost', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const lines = [
      feed.buy({ date: '2024-02-05', quantity: 100, netAmount: 5000 }),
      feed.line('Merger', {
        date: '2024-12-02',
        toSecurity: exampleSecurity('NEW'),
        ratio: '1:1',
        price: '47',
        netAmount: 800,
      }),
    ]
    assert.deepEqual(formOf(lines).rows, ['A;XYZ CO;02/05/2024;12/02/2024;800.00;300.00;;;500.00'])
  })

  test('has a row for the cash of the shares surrendered, and one for the fraction of the shares received', () => {
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const lines = [
      feed.buy({ date: '2024-02-05', quantity: 101, netAmount: 1010 }),
      feed.line('Merger', {
        date: '2024-12-02',
        toSecurity: exampleSecurity('NEW'),
        ratio: '1:2',
        price: '40',
        cashPerShare: '2',
        cashInLieu: 20,
      }),
    ]
    const received: TaxedSecurity = { ...stock, secNo: 'NEW', description: 'NEW CO' }
    // 50.5 shares are worth 2,020. With 202 of cash, 1,212 is realized and 202 recognized, so the basis stays 1,010.
    assert.deepEqual(formOf(lines, [stock, received]).rows, [
      'A;XYZ CO;02/05/2024;12/02/2024;202.00;0.00;;;202.00',
      'A;0.5 sh. NEW CO;02/05/2024;12/02/2024;20.00;10.00;;;10.00',
    ])
  })
})

describe('a short-term obligation', () => {
  const bill: TaxedSecurity = {
    ...stock,
    kind: 'Treasury',
    secTypeName: 'U.S. Treasury Bill',
    description: 'T-BILL',
    issueDate: '2024-01-11',
    maturityDate: '2025-01-09',
  }
  const feed = exampleFeed(exampleSecurity('XYZ', { priceDivisor: '100' }))
  const bought = feed.buy({ date: '2024-06-03', quantity: 10_000, netAmount: 9700 })
  const matured = feed.line('Maturity', { date: '2025-01-09' })
  const row = (box: string, name = 'T-BILL') =>
    `${box};10000 ${name};06/03/2024;01/09/2025;10000.00;9700.00;;;300.00`
  const rowsOf = (facts: Partial<TaxedSecurity>) => formOf([bought, matured], [{ ...bill, ...facts }]).rows

  test('that matures has no row: its discount is interest', () => {
    assert.deepEqual(rowsOf({}), [])
    assert.deepEqual(rowsOf({ issueDate: null }), [])
    assert.deepEqual(rowsOf({ kind: 'Bond', secTypeName: 'Commercial Paper', issueDate: null }), [])
    assert.deepEqual(rowsOf({ kind: 'Agency', secTypeName: 'Discount Note' }), [])
    const atPar = feed.buy({ date: '2024-06-03', quantity: 10_000, netAmount: 10_000 })
    assert.deepEqual(formOf([atPar, matured], [bill]).rows, [])
    assert.deepEqual(
      formOf([bought, feed.line('Redemption', { date: '2025-01-09', netAmount: 10_000 })], [bill]).rows,
      [],
    )
  })
  test('runs for no more than a year, or is a row like other debt', () => {
    assert.deepEqual(rowsOf({ issueDate: '2024-01-09' }), [])
    for (const facts of [
      { issueDate: '2024-01-08' },
      { issueDate: null, secTypeName: 'U.S. Treasury Note', description: 'NOTE' },
      { issueDate: null, kind: 'Bond', secTypeName: 'Corporate Bond' },
    ] as const)
      assert.deepEqual(rowsOf(facts), [row('A', facts.description)])
  })
  test('is debt: preferred stock that is redeemed within a year is a row', () => {
    assert.deepEqual(rowsOf({ kind: 'Equity', secTypeName: 'Preferred Stock', description: 'PREFERRED' }), [
      row('A', 'sh. PREFERRED'),
    ])
  })
  test('of a municipality is a row when it matures', () => {
    assert.deepEqual(rowsOf({ kind: 'Bond', secTypeName: 'Municipal Note' }), [row('B')])
  })
  test('that was bought above its face has a loss without a Form 1099-B', () => {
    const premium = feed.buy({ date: '2024-06-03', quantity: 10_000, netAmount: 10_010 })
    assert.deepEqual(formOf([premium, matured], [bill]).rows, [
      'C;10000 T-BILL;06/03/2024;01/09/2025;10000.00;10010.00;;;-10.00',
    ])
  })
  test('that is sold before its maturity has a row', () => {
    const sold = feed.sell({ date: '2024-12-02', quantity: 10_000, netAmount: 9980 })
    assert.deepEqual(formOf([bought, sold], [bill]).rows, [
      'B;10000 T-BILL;06/03/2024;12/02/2024;9980.00;9700.00;;;280.00',
    ])
  })
})
