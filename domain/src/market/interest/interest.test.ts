import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Decimal, decimal, renderDecimal, wholeDecimal, ZERO } from '../../decimal.ts'
import {
  addDays,
  addMonths,
  type CalendarDate,
  dateOfDay,
  dayNumber,
  daysBetween,
  joinDate,
} from '../calendar/day.ts'
import { settlementDate } from '../calendar/settlement.ts'
import { publishedCase } from '../test-published-case.ts'
import {
  accruedFraction,
  accruedInterest,
  type BondTerms,
  currentYield,
  dailyDebitInterest,
  interestFor,
} from './accrued.ts'
import { couponPeriod } from './coupon-dates.ts'
import { type DayCount, days30360, daysBondBasis, yearFraction } from './day-count.ts'
import { fundInterest } from './fund-interest.ts'
import oracles from './oracles.json' with { type: 'json' }

type Pairs = { pairs: [CalendarDate, CalendarDate][] }
function money(value: Decimal) {
  return renderDecimal(value, 2)
}
function percent(rate: string) {
  return decimal(rate) * 100n
}

const dates = fc
  .integer({ min: dayNumber('1990-01-01'), max: dayNumber('2040-12-31') })
  .map((day) => dateOfDay(day))
const frequencies = fc.constantFrom(1 as const, 2 as const, 4 as const, 12 as const)
const dayCounts = fc.constantFrom<DayCount>(
  ...(['30/360', '30/360 Bond Basis', 'ActAct', 'ActActISDA', 'Act360', 'Act365'] as const),
)

describe('day counts', () => {
  test('30/360 US counts the published 27 pairs, with the end of February as the 30th (BOND-30360-USA)', () => {
    const { given, expected } = publishedCase<Pairs, { days: string[] }>(oracles, 'BOND-30360-USA')
    assert.deepEqual(
      given.pairs.map(([from, to]) => String(days30360(from, to))),
      expected.days,
    )
  })

  test('30/360 Bond Basis counts the published 27 pairs, with February unchanged (BOND-30360-BondBasis)', () => {
    const { given, expected } = publishedCase<Pairs, { days: string[] }>(oracles, 'BOND-30360-BondBasis')
    assert.deepEqual(
      given.pairs.map(([from, to]) => String(daysBondBasis(from, to))),
      expected.days,
    )
  })

  const monthEnds: [CalendarDate, CalendarDate, us: number, bondBasis: number][] = [
    ['2023-02-27', '2023-03-31', 34, 34],
    ['2023-02-28', '2023-03-31', 30, 33],
    ['2023-01-28', '2023-03-31', 63, 63],
    ['2024-02-28', '2024-03-31', 33, 33],
    ['2024-02-29', '2024-03-31', 30, 32],
    ['2023-01-30', '2023-03-31', 60, 60],
    ['2023-01-29', '2023-03-31', 62, 62],
    ['2023-02-28', '2024-02-28', 358, 360],
    ['2023-02-28', '2024-02-29', 360, 361],
    ['2023-01-31', '2023-02-28', 28, 28],
  ]
  for (const [from, to, us, bondBasis] of monthEnds) {
    test(`${from} to ${to} is ${us} days in 30/360 US and ${bondBasis} in Bond Basis`, () => {
      assert.deepEqual([days30360(from, to), daysBondBasis(from, to)], [us, bondBasis])
    })
  }

  test('actual/actual ISDA gives the year fractions of the memo (BOND-ACTACT-ISDA)', () => {
    const { given, expected } = publishedCase<Pairs, { yf: string[] }>(oracles, 'BOND-ACTACT-ISDA')
    given.pairs.forEach(([from, to], index) => {
      const { days, basis } = yearFraction('ActActISDA', from, to)
      assert.ok(Math.abs(days / basis - Number(expected.yf[index])) < 1e-11, `${from} ${to}`)
    })
  })

  test('actual/360 and actual/365 count actual days', () => {
    assert.deepEqual(yearFraction('Act360', '2024-01-01', '2024-07-01'), { days: 182, basis: 360 })
    assert.deepEqual(yearFraction('Act365', '2024-01-01', '2025-01-01'), { days: 366, basis: 365 })
  })

  test('actual/actual counts over the coupon period, and is refused without one', () => {
    const period = { start: '2014-01-01', end: '2014-07-01', couponsPerYear: 2 }
    assert.deepEqual(yearFraction('ActAct', '2014-01-01', '2014-02-07', period), { days: 37, basis: 362 })
    assert.throws(() => yearFraction('ActAct', '2014-01-01', '2014-02-07'), RangeError)
  })

  test('the actual days of adjacent periods add up', () => {
    fc.assert(
      fc.property(fc.array(dates, { minLength: 3, maxLength: 3 }), (three) => {
        const [a = '', b = '', c = ''] = three.sort()
        for (const dayCount of ['Act360', 'Act365', 'ActActISDA'] as const) {
          const { days } = yearFraction(dayCount, a, c)
          assert.equal(
            yearFraction(dayCount, a, b).days + yearFraction(dayCount, b, c).days,
            days,
            `${dayCount} ${a} ${b} ${c}`,
          )
        }
      }),
    )
  })
})

describe('coupon dates', () => {
  const table: [string, CalendarDate, CalendarDate, 1 | 2 | 4 | 12, CalendarDate, CalendarDate][] = [
    ['in mid-period', '2024-03-01', '2030-05-15', 2, '2023-11-15', '2024-05-15'],
    ['the new period begins on a coupon date', '2024-05-15', '2030-05-15', 2, '2024-05-15', '2024-11-15'],
    ['month ends remain month ends', '2024-03-01', '2030-08-31', 2, '2024-02-29', '2024-08-31'],
    ['a maturity at the end of February', '2024-09-01', '2031-02-28', 2, '2024-08-31', '2025-02-28'],
    ['the 30th falls back to the end of February', '2023-03-01', '2030-08-30', 2, '2023-02-28', '2023-08-30'],
    ['yearly', '2024-08-10', '2030-05-15', 1, '2024-05-15', '2025-05-15'],
    ['quarterly', '2024-02-14', '2030-05-15', 4, '2023-11-15', '2024-02-15'],
    ['monthly', '2024-02-14', '2030-05-15', 12, '2024-01-15', '2024-02-15'],
  ]
  for (const [why, date, maturity, frequency, start, end] of table) {
    test(`${why}: ${date} of a bond of ${maturity} is in ${start} to ${end}`, () => {
      assert.deepEqual(couponPeriod(date, maturity, frequency), { start, end, couponsPerYear: frequency })
    })
  }

  test('every date is in one period, and the periods of a bond have no gaps', () => {
    fc.assert(
      fc.property(dates, dates, frequencies, (date, maturity, frequency) => {
        const period = couponPeriod(date, maturity, frequency)
        assert.ok(period.start <= date && date < period.end)
        assert.equal(couponPeriod(period.start, maturity, frequency).end, period.end)
        assert.equal(couponPeriod(addDays(period.start, -1), maturity, frequency).end, period.start)
        assert.ok(daysBetween(period.start, period.end) <= 366 / frequency + 3)
      }),
    )
  })
})

describe('accrued interest', () => {
  test('100 days on a thousand at 7% are 19.44 (BOND-INVESTOPEDIA)', () => {
    const { given, expected } = publishedCase<
      { par: string; rate: string; days: string },
      { accrued: string }
    >(oracles, 'BOND-INVESTOPEDIA')
    const fraction = { days: Number(given.days), basis: 360 }
    assert.equal(money(interestFor(decimal(given.par), percent(given.rate), fraction)), expected.accrued)
  })

  test('the same bond accrues 9.44 with 30/360 and 9.53 with actual days (BOND-CFA)', () => {
    const { given, expected } = publishedCase<
      { par: string; coupon: string; lastCoupon: string; settlement: string },
      { days30360: string; accrued30360: string; daysActual: string; accruedActual: string }
    >(oracles, 'BOND-CFA')
    const settlement = `2010-${given.settlement}`
    assert.equal(String(days30360(`2010-${given.lastCoupon}`, settlement)), expected.days30360)
    assert.equal(String(daysBetween(`2010-${given.lastCoupon}`, settlement)), expected.daysActual)
    const accrued = (dayCount: DayCount) =>
      accruedInterest(
        decimal(given.par),
        {
          couponRate: percent(given.coupon),
          couponFrequency: 1,
          dayCount,
          maturityDate: `2020-${given.lastCoupon}`,
        },
        settlement,
      )
    assert.equal(money(accrued('30/360')), expected.accrued30360)
    assert.equal(money(accrued('ActAct')), expected.accruedActual)
    assert.equal(money(accrued('Act365')), expected.accruedActual)
  })

  test('a Treasury traded on February 6 accrues 37 days until the settlement on the next day (BOND-TBOND-DAYS)', () => {
    const { given, expected } = publishedCase<{ coupon: string; tradeDate: string }, { days: string }>(
      oracles,
      'BOND-TBOND-DAYS',
    )
    const settlement = settlementDate(given.tradeDate, 'Treasury')
    assert.equal(String(daysBetween('2014-01-01', settlement)), expected.days)
    const terms: BondTerms = {
      couponRate: percent(given.coupon),
      couponFrequency: 2,
      dayCount: 'ActAct',
      maturityDate: '2024-07-01',
    }
    assert.equal(money(accruedInterest(wholeDecimal(1000), terms, settlement)), '4.60')
  })

  test('a regular half-year coupon of 8% on 1,000 is 40, whatever the number of days (BOND-31CFR-COUPON)', () => {
    const { given, expected } = publishedCase<{ par: string; rate: string }, { payment: string }>(
      oracles,
      'BOND-31CFR-COUPON',
    )
    const half = { days: 1, basis: 2 }
    assert.equal(interestFor(decimal(given.par), percent(given.rate), half), decimal(expected.payment))
  })

  test('in the first coupon period, the days since the issue count (BOND-ACCRINT)', () => {
    const { given, expected } = publishedCase<
      { par: string; rate: string; settlement: string; issues: string[] },
      { accrued: string[] }
    >(oracles, 'BOND-ACCRINT')
    const terms: BondTerms = {
      couponRate: percent(given.rate),
      couponFrequency: 2,
      dayCount: '30/360',
      maturityDate: '2018-08-31',
    }
    const accrued = given.issues.map((issueDate) =>
      money(accruedInterest(decimal(given.par), { ...terms, issueDate }, given.settlement)),
    )
    assert.deepEqual(accrued, expected.accrued)
  })

  test('interest that is paid at maturity accrues from the issue date, which must be known (BOND-ACCRINTM)', () => {
    const { given, expected } = publishedCase<
      { par: string; rate: string; issue: string; settlement: string },
      { accrued: string }
    >(oracles, 'BOND-ACCRINTM')
    const terms: BondTerms = {
      couponRate: percent(given.rate),
      couponFrequency: 0,
      dayCount: 'Act365',
      maturityDate: '2001-10-01',
    }
    const accrued = (more: Partial<BondTerms>, on = given.settlement) =>
      money(accruedInterest(decimal(given.par), { ...terms, ...more }, on))
    assert.equal(accrued({ issueDate: given.issue }), expected.accrued)
    assert.equal(accrued({ issueDate: given.issue, dayCount: 'ActAct' }), expected.accrued)
    assert.equal(accrued({ issueDate: given.issue }, '2001-10-01'), '0.00')
    assert.equal(accrued({ issueDate: given.settlement }), '0.00')
    assert.equal(accruedFraction({ ...terms, issueDate: given.settlement }, given.settlement), null)
    assert.equal(accrued({ issueDate: addDays(given.settlement, 1) }), '0.00')
    assert.equal(accrued({}), '0.00')
  })

  test('a corporate bond accrues 115 days from a Friday under T+3, and 131 from a Monday under T+2 (BOND-SERIES7-DAYS)', () => {
    const { given, expected } = publishedCase<{ tradeDates: string[] }, { settle: string[]; days: string[] }>(
      oracles,
      'BOND-SERIES7-DAYS',
    )
    const settles = given.tradeDates.map((date) => settlementDate(date, 'Bond'))
    assert.deepEqual(settles, expected.settle)
    const days = settles.map((date) => String(days30360(date < '2017' ? '2016-07-01' : '2021-01-01', date)))
    assert.deepEqual(days, expected.days)
  })

  test('municipal bonds accrue from the dated date, and from the last coupon (BOND-MSRB-GLOSSARY)', () => {
    const { given, expected } = publishedCase<
      { rate: string; bonds: { par: string; dated?: string; matures: string; settlement: string }[] },
      { accrued: string[] }
    >(oracles, 'BOND-MSRB-GLOSSARY')
    const accrued = given.bonds.map(({ par, dated: issueDate, matures: maturityDate, settlement }) => {
      const terms = { couponRate: percent(given.rate), dayCount: '30/360', maturityDate, issueDate } as const
      return money(accruedInterest(decimal(par), { ...terms, couponFrequency: 2 }, settlement))
    })
    assert.deepEqual(accrued, expected.accrued)
  })

  test('a municipal bond of a Friday under T+2 accrues 174 days (BOND-SOLOMON-DETROIT)', () => {
    const { given, expected } = publishedCase<
      { par: string; rate: string; matures: string; tradeDate: string },
      { settle: string; days: string; accrued: string }
    >(oracles, 'BOND-SOLOMON-DETROIT')
    const settles = settlementDate(given.tradeDate, 'Bond')
    const terms = {
      couponRate: percent(given.rate),
      dayCount: '30/360',
      maturityDate: given.matures,
    } as const
    assert.deepEqual(
      [settles, money(accruedInterest(decimal(given.par), { ...terms, couponFrequency: 2 }, settles))],
      [expected.settle, expected.accrued],
    )
  })

  test('interest accrues from the last coupon, and without coupons from the issue (BOND-NUMBERS)', () => {
    const { given, expected } = publishedCase<
      {
        par: string
        rate: string
        bonds: { freq: string; issue: string; matures: string; settlement: string }[]
      },
      { accrued: string[] }
    >(oracles, 'BOND-NUMBERS')
    const accrued = given.bonds.map(({ freq, issue: issueDate, matures: maturityDate, settlement }) => {
      const couponFrequency = freq === '2' ? 2 : 0
      const terms = { couponRate: percent(given.rate), dayCount: '30/360', maturityDate, issueDate } as const
      return money(accruedInterest(decimal(given.par), { ...terms, couponFrequency }, settlement))
    })
    assert.deepEqual(accrued, expected.accrued)
  })

  test('half-year periods of Treasuries have the published numbers of days (BOND-31CFR-TABLE1)', () => {
    const { given, expected } = publishedCase<{ months: string[] }, Record<string, string[]>>(
      oracles,
      'BOND-31CFR-TABLE1',
    )
    const daysFrom = (month: number, dayOfMonth: number, isLeap: boolean) => {
      // A period that begins in August or later contains the February of the next year.
      const year = isLeap ? (month < 8 ? 2024 : 2023) : 2025
      const start = addMonths(joinDate(year, month, 1), 0, dayOfMonth)
      const period = couponPeriod(start, addMonths(start, 126, dayOfMonth), 2)
      assert.equal(period.start, start)
      return String(daysBetween(period.start, period.end))
    }
    for (const [name, dayOfMonth, isLeap] of [
      ['fifteenth', 15, false],
      ['fifteenthLeap', 15, true],
      ['last', 31, false],
      ['lastLeap', 31, true],
    ] as const) {
      const days = given.months.map((month) => daysFrom(Number(month), dayOfMonth, isLeap))
      assert.deepEqual(days, expected[name])
    }
  })

  const note: BondTerms = {
    couponRate: decimal('4.5'),
    couponFrequency: 2,
    dayCount: '30/360',
    maturityDate: '2030-05-15',
    issueDate: '2024-02-01',
  }
  const table: [string, CalendarDate, string, string][] = [
    ['in the middle of a period', '2024-08-15', '10000', '112.50'],
    ['no interest on a coupon date', '2024-11-15', '10000', '0.00'],
    ['all but one day on the day before a coupon', '2024-11-14', '10000', '223.75'],
    ['in a short first period from the issue date', '2024-03-01', '10000', '37.50'],
    ['no interest before the issue date', '2024-01-20', '10000', '0.00'],
    ['no interest on the maturity date', '2030-05-15', '10000', '0.00'],
    ['no interest after maturity', '2031-01-01', '10000', '0.00'],
    ['interest owed by a short position', '2024-08-15', '-10000', '-112.50'],
  ]
  for (const [why, settlement, face, accrued] of table) {
    test(`${why} (settlement ${settlement})`, () => {
      assert.equal(money(accruedInterest(decimal(face), note, settlement)), accrued)
    })
  }

  const firstDays: [CalendarDate, number | undefined][] = [
    ['2024-01-31', undefined],
    ['2024-02-01', undefined],
    ['2024-02-02', 1],
    ['2030-05-14', 179],
    ['2030-05-15', undefined],
    ['2030-05-16', undefined],
  ]
  for (const [settlement, days] of firstDays) {
    test(`a note issued on 2024-02-01 and due on 2030-05-15 has accrued ${days ?? 'no'} days on ${settlement}`, () => {
      assert.equal(accruedFraction(note, settlement)?.days, days)
    })
  }

  test('a zero-coupon bond accrues nothing', () => {
    const strip: BondTerms = { ...note, couponFrequency: 0, couponRate: ZERO }
    assert.equal(accruedInterest(wholeDecimal(10_000), strip, '2024-08-15'), ZERO)
  })

  test('the current yield is the coupon divided by the price', () => {
    assert.equal(money(currentYield(decimal('4.5'), decimal('90'))), '5.00')
    assert.equal(money(currentYield(decimal('4.5'), ZERO)), '0.00')
  })

  test('a debit balance is charged interest for a day over 360 days, and a credit balance is not', () => {
    assert.equal(money(dailyDebitInterest(decimal('10000'), decimal('9'))), '2.50')
    assert.equal(money(dailyDebitInterest(decimal('-10000'), decimal('9'))), '0.00')
  })

  test('interest never decreases within a period, and never exceeds one coupon with actual/actual', () => {
    fc.assert(
      fc.property(dates, dates, frequencies, dayCounts, (date, maturityDate, couponFrequency, dayCount) => {
        const terms: BondTerms = { couponRate: decimal('5'), couponFrequency, dayCount, maturityDate }
        const face = wholeDecimal(100_000)
        const { end } = couponPeriod(date, maturityDate, couponFrequency)
        const today = accruedInterest(face, terms, date)
        const tomorrow = addDays(date, 1)
        if (tomorrow < end && end <= maturityDate) {
          assert.ok(accruedInterest(face, terms, tomorrow) >= today)
        }
        if (dayCount === 'ActAct')
          assert.ok(today <= interestFor(face, terms.couponRate, { days: 1, basis: couponFrequency }))
      }),
    )
  })
})

describe('interest of a money-market fund', () => {
  test('is its yield over 365 days for each night, to a hundredth of a cent', () => {
    const interest = (value: string, percent: string, nights: number) =>
      renderDecimal(fundInterest(decimal(value), decimal(percent), nights))
    // 100,000 at 5.11 percent earns 14 per night.
    assert.equal(interest('100000', '5.11', 1), '14')
    assert.equal(interest('100000', '5.11', 3), '42')
    // 1,234.56 × 4.27 ÷ 36,500 = 0.14442661
    assert.equal(interest('1234.56', '4.27', 1), '0.1444')
    assert.equal(interest('1234.56', '0', 1), '0')
  })
})
