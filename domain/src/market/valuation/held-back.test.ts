/** The cash that short positions withhold from withdrawals and purchases, by account type and custody. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CodeOf } from '@clearing/protocol'
import { type Decimal, decimal, renderDecimal, ZERO } from '../../decimal.ts'
import type { AcctTypeCode } from './record.ts'
import { aLot, aPrice, aSecurity, SAMPLE_NOW, valueSample } from './sample-positions.ts'
import { type AccountInput, type CashBalance, type MarginAmounts, summarizeAccount } from './summarize.ts'

function written(putCall: 'Put' | 'Call') {
  return {
    kind: 'Option' as const,
    multiplier: decimal('100'),
    option: { putCall, strike: decimal('20'), expiration: '2026-12-18', underlying: 'ABC' },
  }
}
const securities = [
  aSecurity({ secNo: 'stock' }),
  aSecurity({ secNo: 'put', ...written('Put') }),
  aSecurity({ secNo: 'call', ...written('Call') }),
  aSecurity({ secNo: 'fund', kind: 'Fund', moneyMarket: true }),
]
const prices = { stock: aPrice('10'), put: aPrice('1'), call: aPrice('1'), fund: aPrice('1') }
const margin: MarginAmounts = {
  marginCashAvailable: decimal('2500'),
  buyingPower: ZERO,
  fedCallAmount: ZERO,
  accumFedAmount: ZERO,
  maintCallAmount: ZERO,
}

interface Holding {
  readonly secNo: 'stock' | 'put' | 'call' | 'fund'
  readonly quantity: string
  readonly acctTypeCode: AcctTypeCode
  readonly heldAway?: true
}
type Cash = readonly [acctTypeCode: AcctTypeCode, settled: string, pendingShortSales?: string]

function summaryOf(
  holdings: readonly Holding[],
  cash: readonly Cash[],
  hasMargin: boolean,
  changes: Partial<AccountInput> = {},
) {
  const lots = holdings.map(({ secNo, quantity, acctTypeCode, heldAway }) =>
    aLot(secNo, quantity, quantity, { acctTypeCode, heldAway: heldAway === true }),
  )
  const balances = cash.map(
    ([acctTypeCode, settled, pendingShortSales = '0']): CashBalance => ({
      acctTypeCode,
      currency: 'USD',
      tradeDate: decimal(settled) + decimal(pendingShortSales),
      settled: decimal(settled),
      pendingDebits: ZERO,
      pendingSales: decimal(pendingShortSales),
      pendingShortSales: decimal(pendingShortSales),
    }),
  )
  return summarizeAccount({
    acctNo: '30100001',
    now: SAMPLE_NOW,
    lines: valueSample(lots, securities, prices),
    cash: balances,
    fxRates: new Map(),
    margin: hasMargin ? margin : null,
    marginInterestAccrued: ZERO,
    ...changes,
  }).summary
}

function money(value: Decimal) {
  return renderDecimal(value, 2)
}

describe('free cash of an account with margin', () => {
  const table: [string, Holding[], Cash[], string][] = [
    ['no short position', [], [[2, '1000']], '1000.00'],
    [
      'the gain of short positions that are closed, in type 3',
      [],
      [
        [2, '1000'],
        [3, '400'],
      ],
      '1400.00',
    ],
    [
      'a debit in type 3 without a short position',
      [],
      [
        [2, '1000'],
        [3, '-400'],
      ],
      '600.00',
    ],
    [
      'the gain of short positions that are closed, beside a short sale and its cover that have not settled',
      [],
      [
        [2, '1000'],
        [3, '400', '300'],
      ],
      '1000.00',
    ],
    ['a short in type 3', [{ secNo: 'stock', quantity: '-30', acctTypeCode: 3 }], [[2, '1000']], '700.00'],
    ['a short in type 2', [{ secNo: 'stock', quantity: '-30', acctTypeCode: 2 }], [[2, '1000']], '700.00'],
    [
      'an unsettled short sale of the cash account, which covers no short of the margin account',
      [{ secNo: 'stock', quantity: '-30', acctTypeCode: 3 }],
      [
        [1, '0', '100'],
        [2, '1000'],
      ],
      '700.00',
    ],
    ['a long in type 2', [{ secNo: 'stock', quantity: '30', acctTypeCode: 2 }], [[2, '1000']], '1000.00'],
    [
      'a short with another custodian',
      [{ secNo: 'stock', quantity: '-30', acctTypeCode: 3, heldAway: true }],
      [[2, '1000']],
      '1000.00',
    ],
    [
      'a short in the cash account',
      [{ secNo: 'stock', quantity: '-30', acctTypeCode: 1 }],
      [[2, '1000']],
      '1000.00',
    ],
    [
      'proceeds of the short that cover its value',
      [{ secNo: 'stock', quantity: '-30', acctTypeCode: 3 }],
      [
        [2, '1000'],
        [3, '300'],
      ],
      '1000.00',
    ],
    [
      'proceeds above the value of the short',
      [{ secNo: 'stock', quantity: '-30', acctTypeCode: 3 }],
      [
        [2, '1000'],
        [3, '400'],
      ],
      '1000.00',
    ],
    [
      'proceeds below the value of the short',
      [{ secNo: 'stock', quantity: '-30', acctTypeCode: 3 }],
      [
        [2, '1000'],
        [3, '100'],
      ],
      '800.00',
    ],
    [
      'proceeds of the short that have not settled',
      [{ secNo: 'stock', quantity: '-30', acctTypeCode: 3 }],
      [
        [2, '1000'],
        [3, '0', '300'],
      ],
      '1000.00',
    ],
    [
      'proceeds of a short in type 2 that have not settled and are below its value',
      [{ secNo: 'stock', quantity: '-30', acctTypeCode: 2 }],
      [[2, '1000', '250']],
      '950.00',
    ],
    [
      'unsettled proceeds above the value of the short',
      [{ secNo: 'stock', quantity: '-30', acctTypeCode: 3 }],
      [
        [2, '1000'],
        [3, '0', '400'],
      ],
      '1000.00',
    ],
    [
      'a debit in type 3 and cash and long positions in type 2',
      [{ secNo: 'stock', quantity: '30', acctTypeCode: 2 }],
      [
        [2, '1000'],
        [3, '-100'],
      ],
      '900.00',
    ],
    ['one cent less than the cash that margin releases', [], [[2, '2499.99']], '2499.99'],
    ['the cash that margin releases', [], [[2, '2500']], '2500.00'],
    ['one cent more than the cash that margin releases', [], [[2, '2500.01']], '2500.00'],
  ]
  for (const [why, holdings, cash, expected] of table) {
    test(`with ${why} is ${expected}`, () => {
      assert.equal(money(summaryOf(holdings, cash, true).freeCash), expected)
    })
  }
})

describe('a margin account that owes more than it has', () => {
  const table: [
    why: string,
    deficit: string,
    holdings: Holding[],
    cash: Cash[],
    free: string,
    available: string,
  ][] = [
    [
      'nothing is owed beyond its assets',
      '0',
      [],
      [
        [1, '100'],
        [2, '-300'],
      ],
      '100.00',
      '100.00',
    ],
    [
      'its deficit is paid from the cash of type 1',
      '0.01',
      [{ secNo: 'stock', quantity: '29.999', acctTypeCode: 2 }],
      [
        [1, '1000'],
        [2, '-300'],
      ],
      '999.99',
      '999.99',
    ],
    [
      'a short position in type 3 has risen',
      '300',
      [{ secNo: 'stock', quantity: '-80', acctTypeCode: 3 }],
      [
        [1, '1000'],
        [3, '500'],
      ],
      '700.00',
      '700.00',
    ],
    [
      'the rest of its deficit is paid from money-market funds',
      '300',
      [
        { secNo: 'fund', quantity: '500', acctTypeCode: 1 },
        { secNo: 'stock', quantity: '40', acctTypeCode: 1 },
      ],
      [
        [1, '100'],
        [2, '-300'],
      ],
      '0.00',
      '300.00',
    ],
    [
      'its own money-market funds are part of what it has',
      '300',
      [{ secNo: 'fund', quantity: '500', acctTypeCode: 2 }],
      [
        [1, '1000'],
        [2, '-800'],
      ],
      '700.00',
      '700.00',
    ],
    [
      'its deficit is more than all other money',
      '300',
      [],
      [
        [1, '100'],
        [2, '-300'],
      ],
      '0.00',
      '0.00',
    ],
  ]
  for (const [why, deficit, holdings, cash, free, available] of table) {
    test(`gives ${free} and ${available} if ${why}`, () => {
      const owed = { ...margin, marginCashAvailable: ZERO, deficit: decimal(deficit) }
      const { freeCash, fundsAvailable } = summaryOf(holdings, cash, true, { margin: owed })
      assert.deepEqual([money(freeCash), money(fundsAvailable)], [free, available])
    })
  }
})

describe('what restrictions suspend', () => {
  const figures = (margins: AccountInput['margin'], ...suspended: CodeOf<'entitlement'>[]) => {
    const summary = summaryOf(
      [{ secNo: 'fund', quantity: '40', acctTypeCode: 1 }],
      [[margins === null ? 1 : 2, '1000']],
      true,
      { margin: margins, suspended: new Set(suspended) },
    )
    const { buyingPower, marginCashAvailable, freeCash, fundsAvailable, fedCallAmount } = summary
    assert.equal(money(summary.totalCash), '1000.00')
    return [buyingPower, marginCashAvailable, freeCash, fundsAvailable, fedCallAmount].map(money).join(' ')
  }
  const owed = { ...margin, buyingPower: decimal('5000'), fedCallAmount: decimal('7') }
  test('is not offered by a margin account, and calls stay', () => {
    const all = '5000.00 2500.00 1000.00 2540.00 7.00'
    assert.equal(figures(owed), all)
    assert.equal(figures(owed, 'Selling', 'Options', 'TransfersOut', 'Changes'), all)
    assert.equal(figures(owed, 'Margin'), '1040.00 0.00 1000.00 1040.00 7.00')
    assert.equal(figures(owed, 'Buying'), '0.00 2500.00 1000.00 2540.00 7.00')
    assert.equal(figures(owed, 'Withdrawals'), '5000.00 0.00 0.00 0.00 7.00')
    assert.equal(figures(owed, 'Buying', 'Margin'), '0.00 0.00 1000.00 1040.00 7.00')
  })
  test('is not offered by a cash account', () => {
    assert.equal(figures(null, 'Margin', 'Options'), '1040.00 0.00 1000.00 1040.00 0.00')
    assert.equal(figures(null, 'Buying'), '0.00 0.00 1000.00 1040.00 0.00')
    assert.equal(figures(null, 'Withdrawals'), '1040.00 0.00 0.00 0.00 0.00')
  })
})

describe('an account without margin to which credit was extended', () => {
  const credit = (buyingPower: string, cash: readonly Cash[], marginAgreed?: boolean) => {
    const amounts = { ...margin, buyingPower: decimal(buyingPower), fedCallAmount: decimal('7') }
    const changes = { margin: amounts, ...(marginAgreed !== undefined && { marginAgreed }) }
    const { fundsAvailable, marginCashAvailable, fedCallAmount, ...summary } = summaryOf(
      [{ secNo: 'stock', quantity: '30', acctTypeCode: 2 }],
      cash,
      true,
      changes,
    )
    return [summary.buyingPower, marginCashAvailable, fundsAvailable, fedCallAmount].map(money)
  }
  test('can buy and withdraw what it has, and nothing on further credit', () => {
    assert.deepEqual(credit('5000', [[2, '1000']]), ['5000.00', '2500.00', '2500.00', '7.00'])
    assert.deepEqual(credit('5000', [[2, '1000']], true), ['5000.00', '2500.00', '2500.00', '7.00'])
    assert.deepEqual(credit('5000', [[2, '1000']], false), ['1000.00', '0.00', '1000.00', '7.00'])
  })
  test('can buy no more than a margin account could', () => {
    assert.deepEqual(credit('999.99', [[2, '1000']], false)[0], '999.99')
    assert.deepEqual(credit('1000.01', [[2, '1000']], false)[0], '1000.00')
    assert.deepEqual(credit('5000', [[2, '-1']], false)[0], '0.00')
  })
})

describe('free cash and buying power of an account without margin', () => {
  const table: [string, Holding[], Cash[], free: string, buyingPower: string][] = [
    ['no short position', [], [[1, '3000']], '3000.00', '3000.00'],
    [
      'a written put with an exercise price of 2,000',
      [{ secNo: 'put', quantity: '-1', acctTypeCode: 1 }],
      [[1, '3000']],
      '1000.00',
      '1000.00',
    ],
    [
      'a written call and the stock',
      [{ secNo: 'call', quantity: '-1', acctTypeCode: 1 }],
      [[1, '3000']],
      '3000.00',
      '3000.00',
    ],
    ['a bought put', [{ secNo: 'put', quantity: '1', acctTypeCode: 1 }], [[1, '3000']], '3000.00', '3000.00'],
    [
      'a written put with another custodian',
      [{ secNo: 'put', quantity: '-1', acctTypeCode: 1, heldAway: true }],
      [[1, '3000']],
      '3000.00',
      '3000.00',
    ],
    [
      'a written put in account type 2',
      [{ secNo: 'put', quantity: '-1', acctTypeCode: 2 }],
      [[1, '3000']],
      '1000.00',
      '1000.00',
    ],
    [
      'stock sold beyond the holding',
      [{ secNo: 'stock', quantity: '-100', acctTypeCode: 1 }],
      [[1, '3000']],
      '2000.00',
      '2000.00',
    ],
    [
      'a written put above the cash',
      [{ secNo: 'put', quantity: '-2', acctTypeCode: 1 }],
      [[1, '3000']],
      '0.00',
      '0.00',
    ],
    [
      'puts secured by cash and a money-market fund',
      [
        { secNo: 'put', quantity: '-2', acctTypeCode: 1 },
        { secNo: 'fund', quantity: '2500', acctTypeCode: 1 },
      ],
      [[1, '3000']],
      '0.00',
      '1500.00',
    ],
    ['money in another account type', [], [[2, '500']], '500.00', '500.00'],
    [
      'a debit in another account type',
      [],
      [
        [1, '3000'],
        [2, '-999.99'],
      ],
      '2000.01',
      '2000.01',
    ],
    [
      'a debit above the money',
      [],
      [
        [1, '3000'],
        [3, '-3000.01'],
      ],
      '0.00',
      '0.00',
    ],
    [
      'a short sale in account type 3, whose proceeds of 300 have settled',
      [{ secNo: 'stock', quantity: '-30', acctTypeCode: 3 }],
      [
        [1, '1000'],
        [3, '300'],
      ],
      '1000.00',
      '1000.00',
    ],
  ]
  for (const [why, holdings, cash, free, buyingPower] of table) {
    test(`with ${why} are ${free} and ${buyingPower}`, () => {
      const summary = summaryOf(holdings, cash, false)
      assert.deepEqual([money(summary.freeCash), money(summary.buyingPower)], [free, buyingPower])
    })
  }
})
