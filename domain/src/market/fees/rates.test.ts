/** The fees of a sale on the last day of one rate and on the first day of the next, in dollars. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, ONE, renderDecimal, wholeDecimal, ZERO } from '../../decimal.ts'
import { addDays, type CalendarDate } from '../calendar/day.ts'
import type { SecurityKind } from '../security-kind.ts'
import { saleFees, section31Fee } from './sale-fees.ts'
import { tradingActivityRate } from './trading-activity.ts'

describe('the Section 31 fee of a sale of a million dollars', () => {
  /** First day of each rate (SEC fee rate advisories), and the fee from that day. */
  const changes: [CalendarDate, string][] = [
    ['2001-12-28', '15'],
    ['2002-04-01', '30.1'],
    ['2003-03-22', '25.2'],
    ['2003-04-01', '46.8'],
    ['2004-02-22', '39'],
    ['2004-04-01', '23.4'],
    ['2005-01-07', '32.9'],
    ['2005-04-01', '41.8'],
    ['2005-12-22', '30.7'],
    ['2007-03-17', '15.3'],
    ['2008-01-25', '11'],
    ['2008-04-01', '5.6'],
    ['2009-04-10', '25.7'],
    ['2010-01-15', '12.7'],
    ['2010-04-01', '16.9'],
    ['2011-01-21', '19.2'],
    ['2012-02-21', '18'],
    ['2012-04-01', '22.4'],
    ['2013-05-25', '17.4'],
    ['2014-03-18', '22.1'],
    ['2015-02-14', '18.4'],
    ['2016-02-16', '21.8'],
    ['2017-07-04', '23.1'],
    ['2018-05-22', '13'],
    ['2019-04-16', '20.7'],
    ['2020-02-18', '22.1'],
    ['2021-02-25', '5.1'],
    ['2022-05-14', '22.9'],
    ['2023-02-27', '8'],
    ['2024-05-22', '27.8'],
    ['2025-05-14', '0'],
    ['2026-04-04', '20.6'],
  ]
  let before = '33.34'
  for (const [day, fee] of changes) {
    const was = before
    before = fee
    test(`is ${was} until the day before ${day}, and ${fee} from that day on`, () => {
      const charged = (date: CalendarDate) => renderDecimal(section31Fee(date, decimal('1000000')))
      assert.deepEqual([charged(addDays(day, -1)), charged(day)], [was, fee])
    })
  }
})

describe('the Trading Activity Fee of FINRA', () => {
  const fee = (date: CalendarDate, kind: SecurityKind, quantity: number, principal = 100_000_000) =>
    renderDecimal(saleFees(date, wholeDecimal(principal), wholeDecimal(quantity), kind).tradingActivity)

  /**
   * First day of each rate; then the fee of 10,000 shares, of any number of shares, of 1,000 contracts, of 900 bonds
   * and of any number of bonds.
   */
  const changes: [CalendarDate, string, string, string, string, string][] = [
    ['2004-11-01', '0.75', '3.75', '2', '0', '0'],
    ['2005-04-01', '0.75', '3.75', '2', '0.68', '0.75'],
    ['2011-07-01', '0.9', '4.5', '2', '0.68', '0.75'],
    ['2012-03-01', '0.95', '4.75', '2', '0.68', '0.75'],
    ['2012-07-01', '1.19', '5.95', '2', '0.68', '0.75'],
    ['2022-01-01', '1.3', '6.49', '2.18', '0.74', '0.82'],
    ['2023-01-01', '1.45', '7.27', '2.44', '0.83', '0.92'],
    ['2024-01-01', '1.66', '8.3', '2.79', '0.95', '1.05'],
    ['2026-01-01', '1.95', '9.79', '3.29', '1.12', '1.24'],
    ['2026-10-01', '0', '0', '0', '0', '0'],
    ['2027-01-01', '1.95', '9.79', '3.29', '1.12', '1.24'],
  ]
  const charged = (date: CalendarDate) => [
    fee(date, 'Equity', 10_000),
    fee(date, 'Equity', 100_000_000),
    fee(date, 'Option', 1_000),
    fee(date, 'Bond', 900_000),
    fee(date, 'Bond', 100_000_000),
  ]
  let before = ['0', '0', '0', '0', '0']
  for (const [day, ...amounts] of changes) {
    const was = before
    before = amounts
    test(`changes on ${day} from ${was.join(', ')} to ${amounts.join(', ')}`, () => {
      assert.deepEqual(charged(addDays(day, -1)), was)
      assert.deepEqual(charged(day), amounts)
    })
  }

  test('reaches its maximum at an exact number of shares', () => {
    assert.deepEqual(
      [49_999, 50_000, 50_001].map((shares) => fee('2024-07-01', 'Equity', shares)),
      ['8.3', '8.3', '8.3'],
    )
    assert.deepEqual(
      [49_939, 49_940, 49_941].map((shares) => fee('2024-07-01', 'Equity', shares)),
      ['8.29', '8.3', '8.3'],
    )
  })

  test('is charged at a price equal to the rate or above it, and not below it', () => {
    // At 0.000166 per share, a million shares are charged 166.00.
    const atPrice = (principal: string) =>
      renderDecimal(
        saleFees('2024-07-01', decimal(principal), wholeDecimal(1_000_000), 'Equity').tradingActivity,
      )
    assert.deepEqual([atPrice('165.99'), atPrice('166.00'), atPrice('166.01')], ['0', '8.3', '8.3'])
    const bonds = (principal: string) =>
      renderDecimal(
        saleFees('2024-07-01', decimal(principal), wholeDecimal(1_000_000), 'Bond').tradingActivity,
      )
    assert.deepEqual([bonds('1.04'), bonds('1.05'), bonds('1.06')], ['0', '1.05', '1.05'])
  })

  test('is rounded up to the cent only if there is a remainder', () => {
    // At 0.00279 per contract, a thousand contracts are charged 2.79 exactly, and a thousand and one 2.79279.
    assert.equal(fee('2024-07-01', 'Option', 1_000), '2.79')
    assert.equal(fee('2024-07-01', 'Option', 1_001), '2.8')
  })

  test('counts a bond as a thousand of face value: 15 cents for 200 bonds, 16 cents for a tenth of a bond more', () => {
    const charged = [199_900, 200_000, 200_100].map((face) => fee('2010-07-01', 'Bond', face))
    assert.deepEqual(charged, ['0.15', '0.15', '0.16'])
  })

  for (const day of ['2004-10-31', '2026-11-16'] as const) {
    test(`has neither a rate nor a maximum on ${day}`, () => {
      const { perShare, shareCap, perContract, perBond, bondCap } = tradingActivityRate(day)
      assert.deepEqual(
        { perShare, shareCap, perContract, perBond, bondCap },
        {
          perShare: ZERO,
          shareCap: ZERO,
          perContract: ZERO,
          perBond: ZERO,
          bondCap: ZERO,
        },
      )
    })
  }

  test('has no rate for bonds before 2005-04-01', () => {
    const { perBond, bondCap } = tradingActivityRate('2005-03-31')
    assert.deepEqual([perBond, bondCap], [ZERO, ZERO])
  })
})

test('the Section 31 fee of the smallest sale is a cent, that of an exact cent is a cent, and one unit more gives two cents', () => {
  // At 20.60 per million, a sale of 485.436893… dollars is charged one cent.
  const charged = (principal: bigint) => renderDecimal(section31Fee('2026-05-04', principal))
  assert.equal(charged(1n), '0.01')
  assert.equal(charged(0n), '0')
  const cents = decimal('0.0206')
  assert.equal(charged((decimal('206') * ONE) / cents), '0.21')
  assert.equal(charged((decimal('206') * ONE) / cents + 1n), '0.21')
  assert.equal(renderDecimal(section31Fee('2021-06-01', decimal('200000'))), '1.02')
  assert.equal(renderDecimal(section31Fee('2021-06-01', decimal('200000') + 1n)), '1.03')
})
