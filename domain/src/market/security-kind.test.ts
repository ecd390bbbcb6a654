import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  isEuropeanIndex,
  isOption,
  type KindFacts,
  type SecurityKind,
  securityKind,
} from './security-kind.ts'

describe('options on broad-based indexes', () => {
  const families: [string, string[]][] = [
    ['the S&P 500, its weeklies and its minis', ['SPX', 'SPXW', 'XSP', 'NANOS']],
    ['the S&P 100, American and European', ['OEX', 'XEO']],
    ['the S&P MidCap 400 and SmallCap 600', ['MID', 'SML']],
    ['the Nasdaq-100, its weeklies and its minis', ['NDX', 'NDXP', 'XND', 'NQX', 'MNX']],
    ['the Russell 2000, its weeklies and its minis', ['RUT', 'RUTW', 'MRUT']],
    ['the Russell 1000, growth and value', ['RUI', 'RLG', 'RLV']],
    ['the Dow Jones Industrial Average', ['DJX']],
    ['the volatility index and its weeklies', ['VIX', 'VIXW']],
    ['bitcoin funds, settled in cash', ['CBTX', 'MBTX']],
    ['MSCI EAFE, Emerging Markets, ACWI, World and USA', ['MXEA', 'MXEF', 'MXACW', 'MXWLD', 'MXUSA']],
    ['the S&P 500 with scores of environment and governance', ['SPESG']],
  ]
  for (const [family, roots] of families) {
    test(`on ${family} have the roots ${roots.join(', ')}`, () => {
      for (const root of roots) {
        for (const underlying of [root, `$${root}`, `^${root}`, `.${root}`]) {
          assert.equal(securityKind({ putCall: 'Call', underlying }), 'IndexOption', underlying)
        }
        assert.equal(securityKind({ putCall: 'Call', underlying: `${root}^` }), 'Option')
      }
    })
  }

  test('are European-style, except those on OEX', () => {
    assert.deepEqual(['SPX', '$SPX', 'XEO', 'VIX'].map(isEuropeanIndex), [true, true, true, true])
    assert.deepEqual(['OEX', '^OEX', 'SPY', ''].map(isEuropeanIndex), [false, false, false, false])
  })

  test('options on other underlyings or without an underlying are equity options', () => {
    for (const underlying of ['', 'SPY', 'QQQ', 'S$PX', undefined]) {
      assert.equal(securityKind({ putCall: 'Call', underlying }), 'Option')
    }
  })
})

describe('the kind of a security', () => {
  const table: [string, KindFacts, SecurityKind][] = [
    ['a stock', { cusip: '037833100', secTypeName: 'Common Stock' }, 'Equity'],
    ['an exchange-traded fund trades as a stock', { secTypeName: 'Exchange Traded Fund' }, 'Equity'],
    ['no facts at all', {}, 'Equity'],
    ['a put or call', { putCall: 'C', underlying: 'ABC' }, 'Option'],
    ['an empty put or call', { putCall: '' }, 'Equity'],
    ['on a broad index', { putCall: 'Put', underlying: 'SPX' }, 'IndexOption'],
    ['with the caret of quote feeds', { putCall: 'Put', underlying: '^NDX' }, 'IndexOption'],
    ['a coupon', { couponRate: 4.5 }, 'Bond'],
    ['a maturity without a coupon', { maturityDate: '2030-11-15' }, 'Bond'],
    ['the number of the Treasury inside another CUSIP', { cusip: '091281000', couponRate: 3 }, 'Bond'],
    ['a CUSIP of the Treasury', { cusip: '912810RW0', couponRate: 3 }, 'Treasury'],
    ['a Treasury by its type', { secTypeName: 'US Treasury', cusip: '037833100' }, 'Treasury'],
    ['a Treasury without a CUSIP', { secTypeName: 'Treasury Bill', isin: 'US912797NP81' }, 'Treasury'],
    [
      'the type before the CUSIP',
      { cusip: '912810RW0', secTypeName: 'Corporate Bond', couponRate: 3 },
      'Bond',
    ],
    ['an agency by its type', { cusip: '912810RW0', secTypeName: 'U.S. Government Agency Bond' }, 'Agency'],
    ['a type without an issuer', { cusip: '912810RW0', secTypeName: 'Bond', couponRate: 3 }, 'Treasury'],
    ['the last bill number', { cusip: '912799AA1' }, 'Treasury'],
    ['the first number of STRIPS', { cusip: '912800AA7' }, 'Treasury'],
    ['the last number of STRIPS', { cusip: '912839AA9' }, 'Treasury'],
    ['the issuer after the Treasury', { cusip: '912840AA6', couponRate: 3 }, 'Bond'],
    ['the issuer before the Treasury', { cusip: '912789AA4', couponRate: 3 }, 'Bond'],
    ['the stock of United States Steel', { cusip: '912909108' }, 'Equity'],
    ['a bond of United States Steel', { cusip: '912909AU2', couponRate: 6.875 }, 'Bond'],
    ['a treasury of another country', { secTypeName: 'Treasury Gilt', isin: 'GB00BDRHNP05' }, 'Bond'],
    ['a treasury in another currency', { secTypeName: 'Treasury Bill', currency: 'CAD' }, 'Bond'],
    ['a foreign government', { secTypeName: 'Foreign Government Treasury Bond' }, 'Bond'],
    ['a fund of Treasuries', { secTypeName: 'Treasury Money Market Fund' }, 'Fund'],
    [
      'an exchange-traded fund of Treasuries',
      { secTypeName: 'Treasury ETF', maturityDate: '2030-12-01' },
      'Equity',
    ],
    ['preferred stock with a rate', { secTypeName: 'Preferred Stock', couponRate: 5 }, 'Equity'],
    [
      'an option on Treasuries',
      { secTypeName: 'Treasury Option', putCall: 'Put', underlying: 'TLT' },
      'Option',
    ],
    ['a mutual fund', { secTypeName: 'Open-End Mutual Fund' }, 'Fund'],
    ['a money market fund', { moneyMarket: true }, 'Fund'],
  ]
  for (const [why, facts, kind] of table) {
    test(`${why} is ${kind}`, () => assert.equal(securityKind(facts), kind))
  }

  test('options on stocks and on indexes are both options', () => {
    assert.deepEqual([isOption('Option'), isOption('IndexOption'), isOption('Equity')], [true, true, false])
  })
})
