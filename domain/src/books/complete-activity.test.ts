import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Decimal, decimal, ONE, renderDecimal, ZERO } from '../decimal.ts'
import { type ActivityDraft, completeActivity } from './complete-activity.ts'
import { exampleSecurity } from './example-lines.ts'

const xyz = exampleSecurity('XYZ')
const other = exampleSecurity('OTHER')
const tokyo = exampleSecurity('TOKYO', { currency: 'JPY', moneyPlaces: 0 })
const bond = exampleSecurity('BOND', { priceDivisor: '100' })
const option = exampleSecurity('CALL', {
  multiplier: '100',
  option: { putCall: 'Call', strike: decimal('50') },
})
const d = decimal

function draft(fields: Partial<ActivityDraft>): ActivityDraft {
  return {
    externalId: 'L1',
    sequence: 1,
    acctType: 1,
    transType: 'Trade',
    currency: 'USD',
    tradeDate: '2024-06-03',
    security: xyz,
    ...fields,
  }
}

function lineOf(fields: Partial<ActivityDraft>) {
  const completed = completeActivity(draft(fields))
  if (!('line' in completed)) throw new Error(completed.rejections[0]?.reason)
  return completed.line
}

function rejected(fields: Partial<ActivityDraft>): string[] {
  const completed = completeActivity(draft(fields))
  assert.ok('rejections' in completed)
  return completed.rejections.map(({ code, field }) => `${code} ${field}`)
}

function shown(amount: Decimal | undefined) {
  return amount === undefined ? undefined : renderDecimal(amount)
}

describe('the signs of quantity and netAmount', () => {
  const rows: [Partial<ActivityDraft>, quantity: string, netAmount: string | undefined][] = [
    [{ buySell: 'BUY', quantity: d('10'), price: d('5') }, '10', '-50'],
    [{ buySell: 'BCV', quantity: d('10'), price: d('5') }, '10', '-50'],
    [{ buySell: 'SEL', quantity: d('10'), price: d('5') }, '-10', '50'],
    [{ buySell: 'SEL', quantity: d('-10'), price: d('5') }, '-10', '50'],
    [{ buySell: 'SSL', quantity: d('10'), price: d('5') }, '-10', '50'],
    [{ buySell: 'BUY', quantity: d('10'), netAmount: d('-51') }, '10', '-51'],
    [{ buySell: 'SEL', quantity: d('10'), netAmount: d('51') }, '-10', '51'],
    [{ buySell: 'BUY', quantity: d('10'), price: ZERO, netAmount: d('-0.01') }, '10', '-0.01'],
    [{ buySell: 'SEL', quantity: d('1'), price: d('0.01'), commission: d('5') }, '-1', '-4.99'],
    [
      { buySell: 'SEL', quantity: d('1'), price: d('0.01'), commission: d('5'), netAmount: d('-4.99') },
      '-1',
      '-4.99',
    ],
    [{ transType: 'Deposit', netAmount: d('5') }, '0', '5'],
    [{ transType: 'Deposit', netAmount: ZERO }, '0', '0'],
    [{ transType: 'DepositReturn', netAmount: d('-5') }, '0', '-5'],
    [{ transType: 'Withdrawal', netAmount: d('-5') }, '0', '-5'],
    [{ transType: 'WithdrawalReturn', netAmount: d('5') }, '0', '5'],
    [{ transType: 'Fee', netAmount: d('-5') }, '0', '-5'],
    [{ transType: 'FeeRefund', netAmount: d('5') }, '0', '5'],
    [{ transType: 'Tax', netAmount: d('-5') }, '0', '-5'],
    [{ transType: 'TaxRefund', netAmount: d('5') }, '0', '5'],
    [{ transType: 'Dividend', netAmount: d('5') }, '0', '5'],
    [{ transType: 'Interest', netAmount: d('-5') }, '0', '-5'],
    [{ transType: 'CapitalGain', cashPerShare: d('0.125'), quantity: d('3') }, '3', '0.38'],
    [{ transType: 'Dividend', cashPerShare: d('0.125'), quantity: d('3'), security: undefined }, '3', '0.38'],
    [
      { transType: 'Dividend', cashPerShare: ONE, quantity: d('10'), commission: d('3'), secFee: d('0.5') },
      '10',
      '6.5',
    ],
    [{ transType: 'Dividend', cashPerShare: ONE, quantity: d('-10'), commission: d('3') }, '-10', '-13'],
    [{ transType: 'Dividend', netAmount: d('7'), commission: d('3') }, '0', '7'],
    [{ transType: 'Dividend', security: tokyo, netAmount: d('12.34') }, '0', '12.34'],
    [{ transType: 'Dividend', security: tokyo, cashPerShare: d('0.125'), quantity: d('3') }, '3', '0.38'],
    [{ transType: 'Dividend', currency: 'JPY', cashPerShare: d('0.5'), quantity: d('3') }, '3', '2'],
    [{ transType: 'Dividend', currency: 'KWD', netAmount: d('1.234') }, '0', '1.234'],
    [{ transType: 'Dividend', currency: 'QQQ', netAmount: d('1.235') }, '0', '1.24'],
    [{ transType: 'Fee', security: tokyo, netAmount: d('-0.15') }, '0', '-0.15'],
    [{ transType: 'Journal', netAmount: d('-5'), security: undefined }, '0', '-5'],
    [{ transType: 'Journal', quantity: d('-5') }, '-5', '0'],
    [{ transType: 'Journal', buySell: 'BUY', quantity: d('-5') }, '-5', '0'],
    [{ transType: 'TransferIn', quantity: d('5') }, '5', '0'],
    [{ transType: 'TransferIn', netAmount: d('5'), security: undefined }, '0', '5'],
    [{ transType: 'TransferOut', quantity: d('5') }, '5', '0'],
    [{ transType: 'TransferOut', quantity: d('-5'), netAmount: d('-7') }, '5', '-7'],
    [{ transType: 'Reinvest', quantity: d('5'), price: d('3') }, '5', '-15'],
    [{ transType: 'Reinvest', quantity: d('5'), price: d('3'), netAmount: d('-15.05') }, '5', '-15.05'],
    [{ transType: 'Split', ratio: { received: ONE, held: d('10') }, quantity: d('-90') }, '-90', undefined],
    [{ transType: 'Maturity', security: bond, quantity: d('-5') }, '5', undefined],
    [{ transType: 'Redemption', quantity: d('-5'), price: d('3') }, '5', undefined],
    [{ transType: 'Expiration', security: option, quantity: d('-5') }, '5', undefined],
    [{ transType: 'Exercise', security: option, toSecurity: xyz, quantity: d('-1') }, '1', undefined],
    [
      { transType: 'Exercise', security: option, toSecurity: xyz, quantity: d('1'), netAmount: d('-5000') },
      '1',
      '-5000',
    ],
    [
      {
        transType: 'Exercise',
        security: option,
        toSecurity: xyz,
        quantity: d('1'),
        commission: d('1'),
        netAmount: d('-5001'),
      },
      '1',
      '-5001',
    ],
    [
      {
        transType: 'Assignment',
        security: option,
        toSecurity: xyz,
        quantity: d('1'),
        commission: d('1'),
        netAmount: d('4999'),
      },
      '1',
      '4999',
    ],
    [{ transType: 'Exercise', security: option, quantity: d('1'), netAmount: d('5') }, '1', '5'],
    [{ transType: 'Assignment', security: option, quantity: d('1'), netAmount: d('-5') }, '1', '-5'],
    [{ transType: 'ReturnOfCapital', netAmount: d('5') }, '0', '5'],
    [
      {
        transType: 'Split',
        ratio: { received: d('3'), held: d('2') },
        netAmount: d('2'),
        cashInLieu: d('2'),
      },
      '0',
      '2',
    ],
  ]
  const shortSplit = { transType: 'Split', ratio: { received: d('3'), held: d('2') } } as const
  rows.push(
    [{ ...shortSplit, netAmount: d('-2'), cashInLieu: d('2') }, '0', '-2'],
    [{ buySell: 'SEL', quantity: d('10'), netAmount: ZERO }, '-10', '0'],
    [{ transType: 'Exercise', security: option, quantity: d('1'), netAmount: ZERO }, '1', '0'],
    [
      { transType: 'Exercise', security: option, toSecurity: xyz, quantity: d('-1'), netAmount: d('-5000') },
      '1',
      '-5000',
    ],
    [
      { transType: 'Exercise', security: option, toSecurity: bond, quantity: d('1'), netAmount: d('-50') },
      '1',
      '-50',
    ],
  )
  for (const [fields, quantity, netAmount] of rows) {
    const { transType = 'Trade', buySell = '' } = fields
    test(`${transType} ${buySell} ${shown(fields.quantity)} for ${shown(fields.netAmount)} is booked as ${quantity} for ${netAmount}`, () => {
      const line = lineOf(fields)
      assert.deepEqual([shown(line.quantity), shown(line.netAmount)], [quantity, netAmount])
    })
  }

  const contradicting: [Partial<ActivityDraft>, reason: RegExp][] = [
    [
      { transType: 'Deposit', netAmount: d('-100') },
      /brings money into the account.* must not be negative.* cancel or a DepositReturn\.$/,
    ],
    [
      { transType: 'DepositReturn', netAmount: d('100') },
      /takes money out of the account.* must not be positive.* a Deposit\.$/,
    ],
    [{ transType: 'Withdrawal', netAmount: d('100') }, /a WithdrawalReturn\.$/],
    [{ transType: 'WithdrawalReturn', netAmount: d('-100') }, /a Withdrawal\.$/],
    [{ transType: 'Fee', netAmount: d('5') }, /Fee takes money out of the account.* a FeeRefund\.$/],
    [{ transType: 'FeeRefund', netAmount: d('-5') }, /a Fee\.$/],
    [{ transType: 'Tax', netAmount: d('0.01') }, /a TaxRefund\.$/],
    [{ transType: 'TaxRefund', netAmount: d('-5') }, /a Tax\.$/],
    [{ transType: 'TransferIn', netAmount: d('-5'), security: undefined }, /a TransferOut\.$/],
    [{ transType: 'TransferOut', netAmount: d('5'), security: undefined }, /a TransferIn\.$/],
    [
      { buySell: 'BUY', quantity: d('10'), price: d('5'), netAmount: d('50') },
      /A purchase comes to -50\.00:/,
    ],
    [
      { buySell: 'BCV', quantity: d('10'), price: d('5'), netAmount: d('50.01') },
      /A purchase comes to -50\.00/,
    ],
    [{ buySell: 'SEL', quantity: d('10'), price: d('5'), netAmount: d('-50') }, /A sale comes to 50\.00/],
    [
      { buySell: 'BUY', quantity: d('10'), netAmount: d('50') },
      /A purchase takes money out of .* must not be positive\.$/,
    ],
    [{ buySell: 'SSL', quantity: d('10'), netAmount: d('-50') }, /A sale brings money into/],
    [
      { transType: 'Reinvest', quantity: d('5'), price: d('3'), netAmount: d('15.05') },
      /A reinvestment takes money out/,
    ],
    [
      { transType: 'Exercise', security: option, quantity: d('1'), netAmount: d('-5') },
      /Exercise in cash brings/,
    ],
    [
      { transType: 'Assignment', security: option, quantity: d('1'), netAmount: d('5') },
      /Assignment in cash takes/,
    ],
    [
      { transType: 'Exercise', security: option, toSecurity: xyz, quantity: d('1'), netAmount: d('5000') },
      /The Exercise comes to -5000\.00/,
    ],
    [
      { transType: 'Split', ratio: { received: d('3'), held: d('2') }, netAmount: d('2') },
      /no cash except cashInLieu/,
    ],
    [{ transType: 'NameChange', toSecurity: other, netAmount: d('2') }, /no cash except cashInLieu/],
    [{ transType: 'Expiration', security: option, netAmount: d('-2') }, /no cash except cashInLieu/],
  ]
  for (const [fields, reason] of contradicting) {
    const { transType = 'Trade', buySell = '' } = fields
    test(`${transType} ${buySell} for ${shown(fields.netAmount)} is rejected, because the sign contradicts the kind`, () => {
      const completed = completeActivity(draft(fields))
      assert.ok('rejections' in completed)
      const [rejection, ...more] = completed.rejections
      assert.deepEqual([rejection?.code, rejection?.field, more], ['ERR.1015', 'netAmount', []])
      assert.match(rejection?.reason ?? '', reason)
    })
  }

  test('the cost of a transfer has the sign of its quantity', () => {
    const cost = (quantity: string, given: string) =>
      shown(lineOf({ transType: 'TransferIn', quantity: d(quantity), cost: d(given) }).cost)
    assert.deepEqual([cost('5', '-10'), cost('-5', '10'), cost('5', '10')], ['10', '-10', '10'])
    assert.equal(cost('-5', '-10'), '-10')
  })
})

describe('a line is marked', () => {
  const ratio = { received: ONE, held: d('10') }
  const rows: [Partial<ActivityDraft>, marks: string][] = [
    [{ transType: 'Split', ratio, quantity: d('-9') }, 'signedByRatio'],
    [{ transType: 'StockDividend', ratio, quantity: d('9') }, 'signedByRatio'],
    [
      { transType: 'Spinoff', ratio, quantity: d('9'), toSecurity: other, costShare: d('0.1') },
      'signedByRatio',
    ],
    [{ transType: 'Merger', ratio, quantity: d('9'), toSecurity: other }, ''],
    [{ transType: 'Split', ratio }, ''],
    [{ transType: 'Split', ratio, quantity: ZERO }, ''],
    [{ transType: 'StockDividend', quantity: d('9') }, ''],
    [{ transType: 'Journal', quantity: d('5') }, 'pairs,soldShort'],
    [{ transType: 'Journal', netAmount: d('5'), security: undefined }, ''],
    [{ transType: 'Dividend', netAmount: d('5') }, ''],
  ]
  for (const [fields, marks] of rows) {
    const what = `${fields.transType} ${fields.ratio ? 'with' : 'without'} a ratio, of ${shown(fields.quantity)}`
    test(`${what}: ${marks || 'not'}`, () => {
      const found = Object.keys(lineOf(fields)).filter((name) =>
        ['signedByRatio', 'pairs', 'soldShort'].includes(name),
      )
      assert.equal(found.join(), marks)
    })
  }
})

describe('the computed netAmount', () => {
  test('uses percentages of par for bonds, the multiplier for options and the factor for pools', () => {
    const net = (fields: Partial<ActivityDraft>) => shown(lineOf({ buySell: 'BUY', ...fields }).netAmount)
    assert.equal(
      net({ security: bond, quantity: d('10000'), price: d('98.765'), interest: d('1.5') }),
      '-9878',
    )
    assert.equal(net({ security: option, quantity: d('2'), price: d('1.25') }), '-250')
    const pool = { ...bond, factor: d('0.5') }
    assert.equal(net({ security: pool, quantity: d('10000'), price: d('100') }), '-5000')
  })

  test('is rounded to the minor unit of the currency, half away from zero', () => {
    const line = lineOf({ buySell: 'BUY', quantity: d('3'), price: d('1.115'), commission: d('0.005') })
    assert.deepEqual([shown(line.netAmount), shown(line.commission)], ['-3.36', '0.01'])
    const yen = { ...xyz, currency: 'JPY', moneyPlaces: 0 }
    assert.equal(
      shown(
        lineOf({ buySell: 'BUY', security: yen, currency: 'JPY', quantity: d('3'), price: d('1.5') })
          .netAmount,
      ),
      '-5',
    )
  })

  test('is replaced by a given netAmount within one minor unit, and a larger difference is rejected', () => {
    const given = (netAmount: string) => ({
      buySell: 'BUY' as const,
      quantity: d('3'),
      price: d('10'),
      netAmount: d(netAmount),
    })
    assert.equal(shown(lineOf(given('-30.01')).netAmount), '-30.01')
    assert.equal(shown(lineOf(given('-29.99')).netAmount), '-29.99')
    assert.deepEqual(rejected(given('-30.02')), ['ERR.1015 netAmount'])
    const exercise = { transType: 'Exercise' as const, security: option, toSecurity: xyz, quantity: ONE }
    assert.deepEqual(rejected({ ...exercise, netAmount: d('-5100') }), ['ERR.1015 netAmount'])
  })

  test('the price of a redeemed pool is converted from current face to original face by its factor', () => {
    const pool = { ...bond, factor: d('0.8') }
    const redeemed = { transType: 'Redemption', security: pool, quantity: d('10000') } as const
    assert.equal(shown(lineOf(redeemed).price), '80')
    assert.equal(shown(lineOf({ ...redeemed, price: d('101') }).price), '80.8')
    assert.equal(lineOf({ ...redeemed, security: bond }).price, undefined)
    assert.equal(shown(lineOf({ ...redeemed, transType: 'Maturity' }).price), '80')
    const nearlyPaid = { ...bond, factor: d('0.00000001') }
    assert.equal(shown(lineOf({ ...redeemed, security: nearlyPaid, price: d('80.5') }).price), '0.00000081')
    const traded = lineOf({ buySell: 'BUY', security: pool, quantity: d('10000'), price: d('101') })
    assert.equal(shown(traded.price), '101')
  })

  test('of a pool uses the factor of the trade date, and any given netAmount is accepted if the factor is unknown', () => {
    const pool = { ...bond, factor: d('0.5') }
    const bought = { buySell: 'BUY' as const, security: pool, quantity: d('10000'), price: d('100') }
    assert.equal(shown(lineOf({ ...bought, netAmount: d('-8000') }).netAmount), '-8000')
    assert.equal(shown(lineOf({ ...bought, factor: d('0.8') }).netAmount), '-8000')
    assert.deepEqual(rejected({ ...bought, factor: d('0.7'), netAmount: d('-8000') }), ['ERR.1015 netAmount'])
  })

  test('a quantity may have 18 digits before the point, and the next larger quantity is rejected', () => {
    const bought = { buySell: 'BUY', price: ZERO } as const
    const largest = 10n ** 18n * ONE - 1n
    assert.equal(lineOf({ ...bought, quantity: largest }).quantity, largest)
    assert.deepEqual(rejected({ ...bought, quantity: largest + 1n }), ['ERR.1015 quantity'])
  })

  test('is in the reason for a rejected netAmount', () => {
    const completed = completeActivity(
      draft({ buySell: 'SEL', quantity: d('3'), price: d('10'), netAmount: d('31') }),
    )
    assert.ok('rejections' in completed)
    assert.match(completed.rejections[0]?.reason ?? '', /they come to 30\.00\.$/)
  })
})

describe('an absent field', () => {
  test('gets its default value', () => {
    const line = lineOf({ buySell: 'BUY', quantity: ONE, price: ONE })
    assert.deepEqual(
      [
        line.settleDate,
        line.order,
        line.cancels,
        line.rebills,
        line.commission,
        line.secFee,
        line.interest,
        line.fxRate,
      ],
      ['2024-06-03', 'L1', false, false, ZERO, ZERO, ZERO, ONE],
    )
  })

  const rows: [Partial<ActivityDraft>, string[]][] = [
    [{ security: undefined }, ['security', 'buySell', 'quantity', 'price']],
    [{ transType: 'Reinvest', security: undefined }, ['security', 'quantity', 'price']],
    ...(['Deposit', 'Withdrawal', 'Fee', 'Tax'] as const).map(
      (transType): [Partial<ActivityDraft>, string[]] => [{ transType }, ['netAmount']],
    ),
    [{ transType: 'Dividend' }, ['netAmount']],
    [{ transType: 'Interest', cashPerShare: ONE }, ['quantity']],
    [{ transType: 'Journal', security: undefined }, ['security']],
    [{ transType: 'TransferIn' }, ['quantity']],
    [{ transType: 'TransferOut' }, ['quantity']],
    [{ transType: 'Journal' }, ['quantity']],
    [{ transType: 'Split' }, ['ratio']],
    [{ transType: 'StockDividend' }, ['ratio']],
    [{ transType: 'Merger' }, ['ratio']],
    [{ transType: 'Spinoff' }, ['toSecurity', 'ratio', 'costShare']],
    [{ transType: 'ReturnOfCapital' }, ['netAmount']],
    [{ transType: 'Maturity', security: undefined }, ['security']],
    [{ transType: 'Exercise', security: option }, ['quantity', 'toSecurity']],
    [{ transType: 'FactorChange' }, ['ratio']],
    [{ transType: 'NameChange' }, ['toSecurity']],
  ]
  for (const [fields, missing] of rows) {
    test(`${fields.transType ?? 'Trade'} requires ${missing.join(', ')}`, () => {
      assert.deepEqual(
        rejected(fields),
        missing.map((field) => `ERR.1000 ${field}`),
      )
    })
  }

  test('of a cancel is accepted, except the tag of its original, which a rebill requires too', () => {
    assert.equal(lineOf({ cancels: true, tagNo: 'X', security: undefined }).netAmount, undefined)
    assert.deepEqual(rejected({ cancels: true }), ['ERR.1000 tagNo'])
    assert.deepEqual(rejected({ rebills: true, buySell: 'BUY', quantity: ONE, price: ONE }), [
      'ERR.1000 tagNo',
    ])
  })
})

describe('a line with impossible values', () => {
  const trade = { buySell: 'BUY', quantity: ONE, price: ONE } as const
  const rows: [string, Partial<ActivityDraft>, string[]][] = [
    [
      'negative amounts',
      { ...trade, price: -1n, commission: -1n, secFee: -1n, interest: -1n },
      ['price', 'commission', 'secFee', 'interest'],
    ],
    [
      'a negative cash per share and cash in lieu',
      { transType: 'Merger', cashPerShare: -1n, cashInLieu: -1n },
      ['cashPerShare', 'cashInLieu'],
    ],
    ['a rate of exchange of zero', { ...trade, fxRate: ZERO }, ['fxRate']],
    ['a currency that is not the security’s', { ...trade, currency: 'EUR' }, ['currency']],
    [
      'a security received in another currency',
      { transType: 'NameChange', toSecurity: { ...other, currency: 'EUR' } },
      ['toCusip'],
    ],
    [
      'a split into another security without a ratio',
      { transType: 'Split', toSecurity: other, quantity: ONE },
      ['ratio'],
    ],
    ['a security that is exchanged for itself', { transType: 'NameChange', toSecurity: xyz }, ['toCusip']],
    ['a quantity of zero', { ...trade, quantity: ZERO }, ['quantity']],
    ['a purchase of a negative quantity', { ...trade, quantity: -1n }, ['quantity']],
    [
      'a reinvestment of a negative quantity',
      { transType: 'Reinvest', quantity: -1n, price: ONE },
      ['quantity'],
    ],
    ['a ratio that contains zero', { transType: 'Split', ratio: { received: ONE, held: ZERO } }, ['ratio']],
    [
      'a merger into a security without a ratio',
      { transType: 'Merger', toSecurity: other, netAmount: ONE },
      ['ratio'],
    ],
    ['a split to zero shares', { transType: 'Split', ratio: { received: ZERO, held: ONE } }, ['ratio']],
    [
      'a factor above one',
      { transType: 'FactorChange', ratio: { received: 2n * ONE, held: ONE } },
      ['ratio'],
    ],
    [
      'an old factor above one',
      { transType: 'FactorChange', ratio: { received: ONE, held: 2n * ONE } },
      ['ratio'],
    ],
    ['a cost share below zero', { transType: 'Merger', netAmount: ONE, costShare: -1n }, ['costShare']],
    ['a cost share above one', { transType: 'Merger', netAmount: ONE, costShare: ONE + 1n }, ['costShare']],
    [
      'an exercise of what is not an option',
      { transType: 'Exercise', quantity: ONE, toSecurity: other },
      ['security'],
    ],
    ['a redemption of shares without a price', { transType: 'Redemption', quantity: ONE }, ['price']],
    [
      'a lot opened after its transfer',
      { transType: 'TransferIn', quantity: ONE, openDate: '2024-06-04' },
      ['openDate'],
    ],
  ]
  for (const [name, fields, fieldsRejected] of rows) {
    test(`${name} is rejected`, () => {
      assert.deepEqual(
        rejected(fields),
        fieldsRejected.map((field) => `ERR.1015 ${field}`),
      )
    })
  }

  test('a dividend in a currency other than that of the security is accepted, and so is a factor of zero', () => {
    assert.equal(lineOf({ transType: 'Dividend', currency: 'CAD', netAmount: ONE }).currency, 'CAD')
    assert.ok(lineOf({ transType: 'FactorChange', ratio: { received: ZERO, held: ONE } }))
    assert.ok(lineOf({ transType: 'TransferIn', quantity: ONE, openDate: '2024-06-03' }))
  })
})
