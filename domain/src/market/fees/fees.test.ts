import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Decimal, decimal, renderDecimal, wholeDecimal, ZERO } from '../../decimal.ts'
import { type CalendarDate, dateOfDay, dayNumber } from '../calendar/day.ts'
import type { SecurityKind } from '../security-kind.ts'
import { publishedCase } from '../test-published-case.ts'
import oracles from './oracles.json' with { type: 'json' }
import { saleFees, section31Fee } from './sale-fees.ts'
import { SECTION_31_RATES, section31Rate } from './section31.ts'
import { TRADING_ACTIVITY_RATES, tradingActivityRate } from './trading-activity.ts'

function money(value: Decimal) {
  return renderDecimal(value, 2)
}
const KINDS: SecurityKind[] = ['Equity', 'Bond', 'Treasury', 'Agency', 'Fund', 'Option', 'IndexOption']
const dates = fc
  .integer({ min: dayNumber('1988-01-01'), max: dayNumber('2030-12-31') })
  .map((day) => dateOfDay(day))
const principals = fc.bigInt({ min: 0n, max: 10n ** 10n }).map((cents) => cents * 10n ** 8n)
const quantities = fc.bigInt({ min: 1n, max: 10n ** 16n }).map((units) => units * 100n)

describe('rates by date', () => {
  test('the Section 31 rate equals the published rate on each published day (FEE-SEC31-TABLE)', () => {
    const { expected } = publishedCase<unknown, { rates: { date: CalendarDate; rate: string }[] }>(
      oracles,
      'FEE-SEC31-TABLE',
    )
    for (const { date, rate } of expected.rates) {
      assert.equal(section31Rate(date).perMillion, decimal(rate), date)
    }
  })

  const before: [CalendarDate, string][] = [
    ['2014-03-17', '17.4'],
    ['2018-05-21', '23.1'],
    ['2020-02-17', '20.7'],
    ['2021-02-24', '22.1'],
    ['2025-05-13', '27.8'],
    ['2026-04-03', '0'],
    ['2026-11-20', '20.6'],
    ['1990-01-02', '33.3333333333'],
  ]
  for (const [date, rate] of before) {
    test(`the Section 31 rate on ${date} is ${rate} per million`, () => {
      assert.equal(renderDecimal(section31Rate(date).perMillion), rate)
    })
  }

  test('the Trading Activity Fee has the published rates and maxima (FEE-TAF-TABLE)', () => {
    const { expected } = publishedCase<
      unknown,
      { rates: { effective: string; perShare: string; cap: string }[] }
    >(oracles, 'FEE-TAF-TABLE')
    const daysOf: Record<string, CalendarDate[]> = {
      '2011-07-01': ['2011-07-01', '2012-02-29'],
      '2012-03-01': ['2012-03-01', '2012-06-30'],
      '(2012-07..2021)': ['2012-07-01', '2021-12-31'],
      '(2023)': ['2023-01-01', '2023-12-31'],
      '(2024-2025)': ['2024-01-01', '2025-12-31'],
    }
    assert.equal(expected.rates.length, 5)
    for (const { effective, perShare, cap } of expected.rates) {
      for (const date of daysOf[effective] ?? assert.fail(effective)) {
        assert.equal(tradingActivityRate(date).perShare, decimal(perShare), date)
        assert.equal(tradingActivityRate(date).shareCap, decimal(cap), date)
      }
    }
  })

  test('FINRA charges no Trading Activity Fee in the last quarter of 2026', () => {
    const sale = (date: CalendarDate) =>
      money(saleFees(date, decimal('10000'), wholeDecimal(1000), 'Equity').tradingActivity)
    assert.equal(sale('2026-09-30'), '0.20')
    assert.equal(sale('2026-10-01'), '0.00')
    assert.equal(sale('2026-12-31'), '0.00')
    assert.equal(sale('2027-01-01'), '0.20')
  })

  test('the tables run from the newest to the oldest day and cover every trade', () => {
    for (const table of [SECTION_31_RATES, TRADING_ACTIVITY_RATES]) {
      const from = table.map((rate) => rate.from)
      assert.deepEqual(from, [...from].sort().reverse())
      assert.equal(from.at(-1), '0001-01-01')
      for (const rate of table) assert.notEqual(rate.source, '')
    }
  })
})

describe('fees of a sale', () => {
  test('a sale of 10,000 at 23.10 per million is charged 0.24 (FEE-MOTIF)', () => {
    const { given, expected } = publishedCase<{ sale: string }, { secFee: string }>(oracles, 'FEE-MOTIF')
    assert.equal(section31Fee('2018-01-02', decimal(given.sale)), decimal(expected.secFee))
  })

  test('one share sold at 150 is charged a cent for each fee (FEE-GOTRADE)', () => {
    const { given, expected } = publishedCase<
      { sale: string; shares: string },
      { secFee: string; taf: string; total: string }
    >(oracles, 'FEE-GOTRADE')
    const fees = saleFees('2021-06-01', decimal(given.sale), decimal(given.shares), 'Equity')
    assert.equal(money(fees.section31), expected.secFee)
    assert.equal(money(fees.tradingActivity), expected.taf)
    assert.equal(money(fees.total), expected.total)
  })

  test('a sale of 1,000 shares is charged 0.17, and a large trade at most 8.30 (FEE-BROKERAGE-REVIEW)', () => {
    const { given, expected } = publishedCase<{ shares: string }, { taf1000: string; cap: string }>(
      oracles,
      'FEE-BROKERAGE-REVIEW',
    )
    const charged = (shares: Decimal) =>
      saleFees('2024-07-01', decimal('5000000'), shares, 'Equity').tradingActivity
    assert.equal(charged(decimal(given.shares)), decimal(expected.taf1000))
    assert.equal(charged(wholeDecimal(50_000)), decimal(expected.cap))
    assert.equal(charged(wholeDecimal(1_000_000)), decimal(expected.cap))
  })

  const table: [string, CalendarDate, string, string, SecurityKind, string, string][] = [
    ['a stock pays both', '2026-05-04', '10000', '100', 'Equity', '0.21', '0.02'],
    ['an exact cent is not rounded up', '2021-06-01', '200000', '100', 'Equity', '1.02', '0.02'],
    ['an option pays on the premium and by contract', '2026-05-04', '2800', '10', 'Option', '0.06', '0.04'],
    ['an index option pays nothing', '2026-05-04', '75000', '1', 'IndexOption', '0.00', '0.00'],
    ['a bond pays by thousand of face', '2024-07-01', '9850', '10000', 'Bond', '0.00', '0.02'],
    ['a large bond sale pays the maximum', '2024-07-01', '9850000', '10000000', 'Bond', '0.00', '1.05'],
    ['a government bond pays nothing', '2024-07-01', '9850', '10000', 'Treasury', '0.00', '0.00'],
    ['a bond of an agency pays as other bonds', '2024-07-01', '9850', '10000', 'Agency', '0.00', '0.02'],
    ['a mutual fund pays nothing', '2024-07-01', '9850', '1000', 'Fund', '0.00', '0.00'],
    [
      'while the SEC charges nothing, FINRA still does',
      '2025-06-02',
      '10000',
      '100',
      'Equity',
      '0.00',
      '0.02',
    ],
    ['FINRA does not charge a price below the rate', '2024-07-01', '0.01', '100', 'Equity', '0.01', '0.00'],
    ['1/300 of one percent before 2001-12-28', '1999-03-01', '30000', '100', 'Equity', '1.00', '0.00'],
  ]
  for (const [why, date, principal, quantity, kind, section31, tradingActivity] of table) {
    test(`a sale of ${quantity} (${kind}) for ${principal} on ${date}: ${why}`, () => {
      const fees = saleFees(date, decimal(principal), decimal(quantity), kind)
      assert.equal(money(fees.section31), section31)
      assert.equal(money(fees.tradingActivity), tradingActivity)
    })
  }

  test('a fee is between the exact product and one cent more, and never above its maximum', () => {
    fc.assert(
      fc.property(dates, principals, (date, principal) => {
        const fee = section31Fee(date, principal)
        const exact = principal * section31Rate(date).perMillion
        const scale = 10n ** 16n
        assert.ok(fee * scale >= exact && (fee - 10n ** 8n) * scale < exact)
      }),
    )
  })

  test('fees are whole cents, never negative, and do not depend on the sign of the sale', () => {
    fc.assert(
      fc.property(
        dates,
        principals,
        quantities,
        fc.constantFrom(...KINDS),
        (date, principal, quantity, kind) => {
          const fees = saleFees(date, principal, quantity, kind)
          assert.deepEqual(saleFees(date, -principal, -quantity, kind), fees)
          assert.equal(fees.total, fees.section31 + fees.tradingActivity)
          for (const fee of [fees.section31, fees.tradingActivity]) {
            assert.ok(fee >= ZERO)
            assert.equal(fee % 10n ** 8n, 0n)
          }
        },
      ),
    )
  })

  test('a larger sale on the same day has no smaller fee', () => {
    fc.assert(
      fc.property(dates, principals, principals, quantities, (date, a, b, quantity) => {
        const [less, more] = a < b ? [a, b] : [b, a]
        assert.ok(
          saleFees(date, less, quantity, 'Equity').total <= saleFees(date, more, quantity, 'Equity').total,
        )
      }),
    )
  })
})
