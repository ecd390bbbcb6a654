import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, ONE } from '../decimal.ts'
import type { SecurityKind } from '../market/index.ts'
import { coverageRow, isCovered, type TaxedSecurity } from './covered.ts'

function security(kind: SecurityKind, facts: Partial<TaxedSecurity> = {}): TaxedSecurity {
  return {
    secNo: '1',
    kind,
    symbol: 'XYZ',
    cusip: '',
    description: '',
    secTypeName: '',
    currency: 'USD',
    moneyMarket: false,
    currentFactor: ONE,
    couponRate: null,
    issueDate: null,
    maturityDate: null,
    ...facts,
  }
}
function bond(facts: Partial<TaxedSecurity> = {}) {
  return security('Bond', { couponRate: '4', maturityDate: '2030-01-15', issueDate: '2010-01-15', ...facts })
}

describe('the first day of acquisition that makes a lot covered', () => {
  const rows: readonly (readonly [string, TaxedSecurity, last: string, first: string])[] = [
    ['stock', security('Equity'), '2010-12-31', '2011-01-01'],
    ['an ETF', security('Equity', { secTypeName: 'ETF' }), '2011-12-31', '2012-01-01'],
    [
      'an exchange-traded fund',
      security('Equity', { secTypeName: 'Exchange Traded Fund' }),
      '2011-12-31',
      '2012-01-01',
    ],
    ['a mutual fund', security('Fund'), '2011-12-31', '2012-01-01'],
    ['a plain bond', bond(), '2013-12-31', '2014-01-01'],
    ['a Treasury note', { ...bond(), kind: 'Treasury' }, '2013-12-31', '2014-01-01'],
    ['a bond of an agency', { ...bond(), kind: 'Agency' }, '2013-12-31', '2014-01-01'],
    ['an option', security('Option'), '2013-12-31', '2014-01-01'],
    ['a convertible bond', bond({ description: 'ACME CONVERTIBLE 4%' }), '2015-12-31', '2016-01-01'],
    ['a bond with conversion terms', bond({ convertsTo: 'XYZ' }), '2015-12-31', '2016-01-01'],
    ['an indexed Treasury note', bond({ secTypeName: 'TIPS', kind: 'Treasury' }), '2015-12-31', '2016-01-01'],
    ['a bond in euros', bond({ currency: 'EUR' }), '2015-12-31', '2016-01-01'],
    ['a bond without a coupon', bond({ couponRate: '0' }), '2015-12-31', '2016-01-01'],
    ['a bond whose coupon is not known', bond({ couponRate: null }), '2015-12-31', '2016-01-01'],
    ['a bond without a maturity', bond({ maturityDate: null }), '2015-12-31', '2016-01-01'],
  ]
  for (const [name, facts, last, first] of rows) {
    test(`of ${name} is ${first}`, () => {
      assert.equal(isCovered(facts, last, true), false)
      assert.equal(isCovered(facts, first, true), true)
      assert.equal(isCovered(facts, first, false), false, 'a lot of unknown cost is not covered')
      assert.match(coverageRow(facts).source, /^26 CFR 1\.6045-1\(a\)\(15\)/)
    })
  }

  const never = [
    ['a pool', bond({ currentFactor: decimal('0.8') })],
    ['a bill of a year', bond({ issueDate: '2025-01-15', maturityDate: '2026-01-15' })],
    ['a bill of a year with a leap day', bond({ issueDate: '2024-01-09', maturityDate: '2025-01-09' })],
    ['a bill without a date of issue', bond({ kind: 'Treasury', secTypeName: 'T-Bill', issueDate: null })],
    ['a bill by its CUSIP', bond({ kind: 'Treasury', cusip: '912797LX3', issueDate: null })],
    ['commercial paper without a date of issue', bond({ description: 'Commercial Paper', issueDate: null })],
  ] as const
  for (const [name, facts] of never) {
    test(`does not exist for ${name}`, () => assert.equal(isCovered(facts, '2025-02-03', true), false))
  }

  test('of a note that runs a day longer than a year is 2014-01-01', () => {
    assert.equal(
      isCovered(bond({ issueDate: '2025-01-15', maturityDate: '2026-01-16' }), '2025-02-03', true),
      true,
    )
  })
})
