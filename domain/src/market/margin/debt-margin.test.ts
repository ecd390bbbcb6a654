/** The margin of debt: each row of the table with the day before, the day and the day after. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, ONE, renderDecimal, ZERO } from '../../decimal.ts'
import { debtClass, isExempted } from '../debt-class.ts'
import type { SecurityKind } from '../security-kind.ts'
import type { DebtClass } from '../type-name.ts'
import { DEBT_MARGIN, debtMarginOn, debtRequirement } from './debt-margin.ts'
import { marginFigures } from './figures.ts'
import { debtOf, type MarginPosition } from './position.ts'

const today = '2026-11-20'
function percentOn(of: DebtClass, maturityDate: string | undefined, on = today): string {
  return renderDecimal(debtMarginOn(of, maturityDate, on).percent)
}

describe('the class of debt', () => {
  const table: [SecurityKind, string, DebtClass | undefined, boolean][] = [
    ['Treasury', 'Corporate Bond', 'Treasury', true],
    ['Agency', 'Agency Bond', 'Agency', true],
    ['Bond', 'Agency Bond', 'Agency', true],
    ['Bond', 'Federal Agencies', 'Agency', true],
    ['Bond', 'Government Sponsored Enterprise', 'Agency', true],
    ['Bond', 'GSE Note', 'Agency', true],
    ['Bond', 'Municipal Bond', 'Municipal', true],
    ['Bond', 'Muni', 'Municipal', true],
    ['Bond', 'Highly Rated Sovereign', 'HighlyRatedSovereign', false],
    ['Bond', 'Highly-rated Foreign Government Bond', 'HighlyRatedSovereign', false],
    ['Bond', 'Freddie Mac Note', 'Agency', true],
    ['Bond', 'U.S. Government Agency', 'Agency', true],
    ['Bond', 'Treasury Gilt', 'OtherDebt', false],
    ['Bond', 'Certificate of Deposit', 'OtherDebt', false],
    ['Bond', 'Foreign Government Bond', 'OtherDebt', false],
    ['Bond', 'Investment Grade Corporate Bond', 'InvestmentGrade', false],
    ['Bond', 'Corporate Bond', 'OtherDebt', false],
    ['Bond', '', 'OtherDebt', false],
    ['Bond', 'Convertible Bond', undefined, false],
    ['Bond', 'Exchangeable Note', undefined, false],
    ['Equity', 'Municipal Fund', undefined, false],
    ['Fund', 'Agency Fund', undefined, false],
  ]
  for (const [kind, secTypeName, name, exempted] of table) {
    test(`of a ${kind} with the type "${secTypeName}" is ${name ?? 'none'}`, () => {
      assert.equal(debtClass({ kind, secTypeName }), name)
      assert.equal(isExempted({ kind, secTypeName }), exempted)
    })
  }
})

test('a bond that converts into stock is not of a class, whatever its type says', () => {
  const bond = { kind: 'Bond', secTypeName: 'Corporate Bond' } as const
  assert.equal(debtClass(bond), 'OtherDebt')
  assert.equal(debtClass({ ...bond, converts: { symbol: 'ABC', ratio: ONE } }), undefined)
})

describe('the margin of debt', () => {
  test('of the United States increases with the time to maturity, from the first day of each step', () => {
    for (const name of ['Treasury', 'Agency', 'HighlyRatedSovereign'] as const) {
      for (const [year, shorter, longer] of [
        [2027, '1', '2'],
        [2029, '2', '3'],
        [2031, '3', '4'],
        [2036, '4', '5'],
        [2046, '5', '6'],
      ] as const) {
        assert.equal(percentOn(name, `${year}-11-19`), shorter)
        assert.equal(percentOn(name, `${year}-11-20`), longer)
        assert.equal(percentOn(name, `${year}-11-21`), longer)
      }
      assert.equal(percentOn(name, '2026-11-19'), '1', 'matured debt')
      assert.equal(percentOn(name, undefined), '6', 'debt without a maturity')
    }
  })

  test('of other classes is one percentage', () => {
    assert.equal(percentOn('Municipal', '2027-01-01'), '7')
    assert.equal(percentOn('InvestmentGrade', '2056-01-01'), '10')
    assert.equal(percentOn('OtherDebt', undefined), '20')
    assert.equal(percentOn('OtherDebt', '2020-01-01'), '20')
  })

  test('before the first row is that of the first row', () => {
    assert.equal(percentOn('Treasury', '2011-12-01', '2010-12-01'), '2')
    assert.equal(percentOn('Treasury', '2011-12-02', '2010-12-02'), '2')
  })

  test('has exactly the rows listed in this test', () => {
    const government = (name: DebtClass) =>
      ['i', 'ii', 'iii', 'iv', 'v', 'vi'].flatMap((paragraph, at) => {
        const source = `FINRA Rule 4210(e)(2)(A)(${paragraph}), Regulatory Notice 10-45`
        const years = [0, 1, 3, 5, 10, 20][at] ?? 0
        const of = (principal: number) =>
          `${name} from ${years} years: ${at + 1} and ${principal} percent, ${source}`
        const zeroCoupon = `${of(3)}; zero coupon bonds with five years or more, as brokers quote the paragraph`
        return years < 5 ? [of(0)] : [of(0), zeroCoupon]
      })
    assert.deepEqual(
      DEBT_MARGIN.map(
        (row) =>
          `${row.class} from ${row.years} years: ${renderDecimal(row.percent)} and ${renderDecimal(row.principalPercent)} percent, ${row.source}`,
      ),
      [
        ...government('Treasury'),
        ...government('Agency'),
        ...government('HighlyRatedSovereign'),
        'Municipal from 0 years: 7 and 0 percent, FINRA Rule 4210(e)(2)(B), Regulatory Notice 10-45',
        'InvestmentGrade from 0 years: 10 and 0 percent, FINRA Rule 4210(e)(2)(C)(i), Regulatory Notice 10-45',
        'OtherDebt from 0 years: 20 and 7 percent, FINRA Rule 4210(e)(2)(C)(ii), Regulatory Notice 10-45',
      ],
    )
  })

  test('of zero-coupon bonds with five years or more is at least 3 percent of the principal', () => {
    const required = (maturityDate: string, value: string, zeroCoupon: boolean) => {
      const row = debtMarginOn('Treasury', maturityDate, today, zeroCoupon)
      return renderDecimal(debtRequirement(row, decimal(value), decimal('100000')), 2)
    }
    assert.equal(
      required('2031-11-19', '60000', true),
      '1800.00',
      'one day less than five years: 3 percent of the value',
    )
    assert.equal(required('2031-11-20', '60000', true), '3000.00')
    assert.equal(required('2031-11-20', '75000', true), '3000.00')
    assert.equal(required('2031-11-20', '75001', true), '3000.04')
    assert.equal(required('2031-11-20', '60000', false), '2400.00', 'with coupons 4 percent of value')
    assert.equal(required('2051-11-20', '35000', true), '3000.00')
    assert.equal(required('2051-11-20', '35000', false), '2100.00')
    assert.equal(required('2051-11-20', '-35000', true), '3000.00', 'short too')
  })

  test('of a security has the row of zero-coupon debt unless a coupon is known', () => {
    const facts = {
      kind: 'Treasury',
      secTypeName: '',
      maturityDate: '2036-11-20',
      priceDivisor: decimal('100'),
    } as const
    for (const [couponRate, zeroCoupon] of [
      [undefined, true],
      ['0', true],
      ['0.125', false],
    ] as const) {
      const bond = couponRate === undefined ? undefined : { couponRate: decimal(couponRate) }
      const debt = debtOf({ ...facts, bond } as Parameters<typeof debtOf>[0], ONE, ONE, today)
      assert.equal(debt?.row.zeroCoupon, zeroCoupon, couponRate ?? 'none')
    }
    assert.equal(debtMarginOn('Treasury', '2036-11-20', today).zeroCoupon, false)
  })

  test('of a class without a row is a fault', () => {
    assert.throws(
      () => debtMarginOn('Bill' as DebtClass, undefined, today),
      /no margin for debt of class Bill/,
    )
  })

  test('has a paragraph and a day in each row', () => {
    for (const { source, from } of DEBT_MARGIN) {
      assert.match(source, /^FINRA Rule 4210\(e\)\(2\)\([ABC]\)/)
      assert.equal(from, '2010-12-02')
    }
    assert.match(debtMarginOn('Treasury', '2026-12-01', today).source, /\(A\)\(i\),/)
    assert.match(debtMarginOn('Agency', '2056-12-01', today).source, /\(A\)\(vi\),/)
  })

  test('of other debt is at least 7 percent of the principal', () => {
    const row = debtMarginOn('OtherDebt', undefined, today)
    const required = (value: string) =>
      renderDecimal(debtRequirement(row, decimal(value), decimal('10000')), 2)
    assert.equal(required('3500.00'), '700.00')
    assert.equal(required('3500.10'), '700.02')
    assert.equal(required('3499.90'), '700.00')
    assert.equal(required('-9800.00'), '1960.00')
    assert.equal(renderDecimal(debtRequirement(row, ZERO, decimal('-10000')), 2), '700.00')
  })
})

describe('a position in debt', () => {
  function position(
    secTypeName: string,
    quantity: string,
    price: string,
    more: Partial<MarginPosition> = {},
  ): MarginPosition {
    const unitQuantity = decimal(quantity) / 100n
    const priceDivisor = decimal('100')
    const kind = 'Bond'
    const facts = { kind, secTypeName, maturityDate: '2036-11-20', priceDivisor } as const
    return {
      secNo: '1',
      symbol: 'B',
      description: 'BOND',
      kind,
      quantity: decimal(quantity),
      unitQuantity,
      price: decimal(price),
      marketValue: (unitQuantity * decimal(price)) / decimal('1'),
      multiplier: decimal('1'),
      marginable: true,
      debt: debtOf(facts, unitQuantity, decimal('1'), today),
      ...more,
    }
  }
  function required(of: MarginPosition) {
    const { regTRequirement, maintenanceRequirement, finraRequirement, requirements } = marginFigures({
      marginCash: ZERO,
      positions: [of],
      rates: { longPercent: decimal('40'), shortPercent: decimal('30') },
    })
    const [line] = requirements
    return [
      regTRequirement,
      maintenanceRequirement,
      finraRequirement,
      line?.regTPercent ?? ZERO,
      line?.housePercent ?? ZERO,
    ].map((amount) => renderDecimal(amount, 2))
  }

  test('has the same initial and maintenance requirement, long and short, whatever the rate of the account for stock', () => {
    for (const quantity of ['100000', '-100000']) {
      assert.deepEqual(required(position('Agency', quantity, '98')), [
        '4900.00',
        '4900.00',
        '4900.00',
        '5.00',
        '5.00',
      ])
      assert.deepEqual(required(position('Corporate Bond', quantity, '30')), [
        ...['7000.00', '7000.00', '7000.00', '23.33', '23.33'],
      ])
    }
  })

  test('has the rate of the house for its security if that is higher', () => {
    const houseLongPercent = decimal('15')
    assert.deepEqual(required(position('Investment Grade', '100000', '98', { houseLongPercent })), [
      ...['9800.00', '14700.00', '9800.00', '10.00', '15.00'],
    ])
    const low = position('Investment Grade', '100000', '98', { houseLongPercent: decimal('9.99') })
    assert.equal(required(low)[1], '9800.00')
    const high = position('Investment Grade', '100000', '98', { houseLongPercent: decimal('100.01') })
    assert.equal(required(high)[1], '98000.00')
    const short = position('Investment Grade', '-100000', '98', { houseLongPercent })
    assert.equal(required(short)[1], '9800.00')
  })

  test('has no loan value if the security is not marginable, and that of stock if it is convertible', () => {
    const full = position('Municipal', '100000', '98', { marginable: false })
    assert.deepEqual(required(full).slice(0, 2), ['98000.00', '98000.00'])
    assert.deepEqual(required(position('Convertible Bond', '100000', '98')).slice(0, 3), [
      '49000.00',
      '39200.00',
      '24500.00',
    ])
  })
})
