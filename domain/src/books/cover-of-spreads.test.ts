// Spreads of index options in the cash account: 12 CFR 220.2 (Covered option transaction: "the amount at risk is held
// in the account in cash") and FINRA Rule 4210(f)(2)(M)(ii), in the words of NASD Rule 2520: European-style,
// cash-settled index options that expire concurrently. Exercise prices of SPX from Cboe, "Margin Requirement Examples
// for Sample Options-based Positions" (2007-02-23).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, renderDecimal } from '../decimal.ts'
import type { PositionHeld } from './cover.ts'
import { findHeldNotEntitled } from './held-not-entitled.ts'

/** `-1 call 1460 2007-04-21 SPX` in account type 1, or in `acctType`. */
function option(text: string, acctType: 1 | 2 = 1): PositionHeld {
  const [quantity = '', side, strike = '', expiration = '2007-04-21', underlying = 'SPX'] = text.split(' ')
  return {
    securityKey: text,
    acctType,
    quantity: decimal(quantity),
    symbol: '',
    currency: 'USD',
    multiplier: decimal('100'),
    moneyMarket: false,
    option: {
      putCall: side === 'put' ? 'Put' : 'Call',
      strike: decimal(strike),
      expiration,
      underlying,
      underlyingKey: underlying,
      broadIndex: true,
      europeanIndex: underlying !== 'OEX',
    },
  }
}

function fund(amount: string): PositionHeld {
  return {
    ...option('1 call 0'),
    securityKey: 'FUND',
    quantity: decimal(amount),
    moneyMarket: true,
    option: undefined,
  }
}

function uncoveredOf(cash: string, positions: readonly PositionHeld[], optionLevel = 3): string[] {
  const entitled = { registration: 'Individual' as const, mayBorrow: true, margin: true, optionLevel }
  const money = { acctType: 1, currency: 'USD', amount: decimal(cash) } as const
  const found = findHeldNotEntitled(entitled, [money], positions)
  assert.deepEqual(findHeldNotEntitled(entitled, [money], positions.toReversed()), found)
  return found.map(({ quantity, securityKey }) => `${renderDecimal(quantity ?? 0n)} of ${securityKey}`)
}

type Row = [what: string, risk: string, positions: string[]]
const spreads: Row[] = [
  ['a call spread of 40 points', '4000', ['1 call 1500', '-1 call 1460']],
  ['a call spread of 3,540 points', '354000', ['1 call 5000', '-1 call 1460']],
  ['a put spread of 1,360 points', '136000', ['1 put 100', '-1 put 1460']],
  ['three spreads', '12000', ['3 call 1500', '-3 call 1460']],
  [
    'an iron condor, of which one side can lose',
    '4000',
    ['1 call 1540', '-1 call 1500', '-1 put 1400', '1 put 1360'],
  ],
  ['a short butterfly', '5000', ['-1 call 1400', '2 call 1450', '-1 call 1500']],
  [
    'two spreads of different expirations',
    '6000',
    ['1 call 1500', '-1 call 1460', '1 call 1480 2007-05-19', '-1 call 1460 2007-05-19'],
  ],
]

describe('the amount at risk of a spread is needed in the cash account', () => {
  for (const [what, risk, texts] of spreads) {
    test(`${what}: ${risk}`, () => {
      const positions = texts.map((text) => option(text))
      assert.deepEqual(uncoveredOf(risk, positions), [])
      assert.equal(uncoveredOf(renderDecimal(decimal(risk) - decimal('0.01')), positions).length > 0, true)
      assert.equal(uncoveredOf(risk, positions, 2).length > 0, true, 'only from level 3')
    })
  }

  test('a debit spread and a long butterfly need none', () => {
    assert.deepEqual(uncoveredOf('0', [option('1 call 1460'), option('-1 call 1500')]), [])
    const butterfly = ['1 call 1400', '-2 call 1450', '1 call 1500'].map((text) => option(text))
    assert.deepEqual(uncoveredOf('0', butterfly), [])
    assert.deepEqual(uncoveredOf('0', [option('1 put 1500'), option('-1 put 1500')]), [])
  })
  test('a money-market fund is cash', () => {
    const spread = [option('1 call 1500'), option('-1 call 1460')]
    assert.deepEqual(uncoveredOf('1000', [...spread, fund('3000')]), [])
    assert.deepEqual(uncoveredOf('1000', [...spread, fund('2999.99')]), ['-1 of -1 call 1460'])
  })
  test('cash for a part covers whole contracts', () => {
    assert.deepEqual(uncoveredOf('8000', [option('3 call 1500'), option('-3 call 1460')]), [
      '-1 of -3 call 1460',
    ])
    assert.deepEqual(uncoveredOf('4000', [option('1 call 1500'), option('-2 call 1460')]), [
      '-1 of -2 call 1460',
    ])
    // The long call with the lower exercise price is paired first.
    assert.deepEqual(
      uncoveredOf('4000', [option('1 call 5000'), option('1 call 1500'), option('-2 call 1460')]),
      ['-1 of -2 call 1460'],
    )
  })
  test('a dollar covers once', () => {
    const options = ['1 call 1500', '-1 call 1460', '-1 put 40 2007-06-16'].map((text) => option(text))
    assert.deepEqual(uncoveredOf('8000', options), [])
    assert.equal(uncoveredOf('7999.99', options).length, 1)
  })
  test('a put can have cash for its exercise price instead of a long put', () => {
    assert.deepEqual(uncoveredOf('146000', [option('-1 put 1460')]), [])
    assert.deepEqual(uncoveredOf('145999.99', [option('-1 put 1460')]), ['-1 of -1 put 1460'])
    assert.deepEqual(uncoveredOf('146000', [option('-1 put 1460'), option('1 put 1400')], 2), [])
  })
})

describe('in the cash account, no spread is', () => {
  const rows: [what: string, long: string, short: string][] = [
    ['a long option that expires a day later', '1 call 1460 2007-04-22', '-1 call 1460'],
    ['a long option that expires a day earlier', '1 call 1460 2007-04-20', '-1 call 1460'],
    ['a long put beside a written call', '1 put 1460', '-1 call 1460'],
    ['a long call on another index', '1 call 1460 2007-04-21 NDX', '-1 call 1460'],
    ['a spread of American-style options', '1 call 1460 2007-04-21 OEX', '-1 call 1460 2007-04-21 OEX'],
  ]
  for (const [what, long, short] of rows) {
    test(what, () =>
      assert.deepEqual(uncoveredOf('100000', [option(long), option(short)]), [`-1 of ${short}`]),
    )
  }
  test('a long option in the margin account', () => {
    assert.deepEqual(uncoveredOf('100000', [option('1 call 1460', 2), option('-1 call 1460')]), [
      '-1 of -1 call 1460',
    ])
  })
})

test('in the margin account a spread needs no cash and may outlast the written option', () => {
  assert.deepEqual(uncoveredOf('0', [option('1 call 5000 2007-05-19', 2), option('-1 call 1460', 2)]), [])
  assert.deepEqual(uncoveredOf('0', [option('1 call 5000 2007-05-19'), option('-1 call 1460', 2)]), [])
})

test('a long option covers no second option once its spread has used it', () => {
  const positions = [option('1 call 1500'), option('-1 call 1500'), option('-1 call 1500', 2)]
  assert.equal(
    uncoveredOf(
      '0',
      positions.map((one, at) => ({ ...one, securityKey: `${at}` })),
    ).length,
    1,
  )
})

test('the reason names what can cover the option', () => {
  const entitled = { registration: 'Individual' as const, mayBorrow: true, margin: false, optionLevel: 3 }
  assert.deepEqual(
    findHeldNotEntitled(entitled, [], [option('-1 put 1460')]).map(({ reason }) => reason),
    [
      '1 written puts on SPX are not covered by cash for the exercise price or a long option of the same expiration and cash for the amount at risk, and the cash account asks for it. Have them closed out or covered.',
    ],
  )
})
