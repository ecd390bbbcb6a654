// Positions and debits that an account is not entitled to: debits of accounts that cannot borrow, and the cover of
// written options.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, renderDecimal } from '../decimal.ts'
import type { PositionHeld } from './cover.ts'
import { findHeldNotEntitled, findOnMargin } from './held-not-entitled.ts'
import type { Entitled } from './not-entitled.ts'

const ira: Entitled = { registration: 'IraRoth', mayBorrow: false, margin: false, optionLevel: 0 }
const person: Entitled = { ...ira, registration: 'Individual', mayBorrow: true }

const margin = 2 as const
function cash(...amounts: string[]) {
  return amounts.map((one) => {
    const [amount = '', currency = 'USD'] = one.split(' ')
    return { acctType: margin, currency, amount: decimal(amount) }
  })
}
let key = 0
function held(quantity: string, more: Partial<PositionHeld> = {}): PositionHeld {
  key += 1
  return {
    securityKey: more.option === undefined ? (more.symbol ?? 'HARB') : `S${String(key).padStart(4, '0')}`,
    acctType: margin,
    quantity: decimal(quantity),
    symbol: 'HARB',
    currency: 'USD',
    multiplier: decimal('1'),
    moneyMarket: false,
    option: undefined,
    ...more,
  }
}
/** `call 50 2027-01-15 on HARB`. */
function option(quantity: string, terms: string, multiplier = '100'): PositionHeld {
  const [side = '', strike = '', expiration = '', , underlying = 'HARB'] = terms.split(' ')
  const putCall = side === 'put' ? 'Put' : 'Call'
  return held(quantity, {
    symbol: `OPT${key}`,
    multiplier: decimal(multiplier),
    option: {
      ...{ putCall, strike: decimal(strike), expiration, underlying },
      ...{ underlyingKey: underlying, broadIndex: underlying === 'SPX' },
      europeanIndex: underlying === 'SPX',
    },
  })
}
function inCash(position: PositionHeld): PositionHeld {
  return { ...position, acctType: 1 }
}
function convertible(quantity: string): PositionHeld {
  return held(quantity, { symbol: 'CONV', converts: { securityKey: 'HARB', ratio: decimal('0.02') } })
}
const call = 'call 50 2027-01-15'
const put = 'put 50 2027-01-15'

type Row = [what: string, entitled: Entitled, cash: string[], positions: PositionHeld[], ...found: string[]]
function atLevel(optionLevel: number): Entitled {
  return { ...person, optionLevel }
}

const rows: Row[] = [
  ['an IRA with cash', ira, ['100', '0 EUR'], []],
  ['an IRA with a debit of one cent', ira, ['-0.01'], [], 'USD'],
  ['an IRA with a debit in one account type and the same credit in another', ira, ['-50', '50'], []],
  ['an IRA with a debit as large as its fund', ira, ['-500'], [held('500', { moneyMarket: true })]],
  ['an IRA with a larger debit', ira, ['-500.01'], [held('500', { moneyMarket: true })], 'USD'],
  ['an IRA with a debit and shares', ira, ['-500'], [held('500')], 'USD'],
  ['an IRA with a debit in euros and a credit in dollars', ira, ['500', '-1 EUR'], [], 'EUR'],
  ['an individual account with a debit', person, ['-500'], []],

  ['a covered call', atLevel(1), [], [held('100'), option('-1', call)]],
  ['a call on 99 shares', atLevel(1), [], [held('99'), option('-1', call)], '-1'],
  ['two calls on 199 shares', atLevel(2), [], [held('199'), option('-2', call)], '-1'],
  [
    'two calls on the same hundred shares',
    atLevel(1),
    [],
    [held('100'), option('-1', call), option('-1', call)],
    '-1',
  ],
  ['a call on other shares', atLevel(1), [], [held('100', { symbol: 'OTHR' }), option('-1', call)], '-1'],
  ['a call on shares that are held short', atLevel(1), [], [held('-100'), option('-1', call)], '-1'],
  ['a mini call on ten shares', atLevel(1), [], [held('10'), option('-1', call, '10')]],
  ['a put secured by cash', atLevel(1), ['5000'], [option('-1', put)]],
  ['a put with one cent less than its exercise price', atLevel(1), ['4999.99'], [option('-1', put)], '-1'],
  ['two puts with cash for one', atLevel(2), ['9999'], [option('-2', put)], '-1'],
  [
    'a put secured by a money-market fund',
    atLevel(1),
    ['1000'],
    [held('4000', { moneyMarket: true }), option('-1', put)],
  ],
  ['a put secured by euros', atLevel(1), ['5000 EUR'], [option('-1', put)], '-1'],
  [
    'a put in a margin account with a debit',
    { ...atLevel(2), margin: true },
    ['-100'],
    [option('-1', put)],
    '-1',
  ],

  ['a spread on level 2', atLevel(2), [], [option('1', 'call 55 2027-01-15'), option('-1', call)], '-1'],
  ['a spread on level 3', atLevel(3), [], [option('1', 'call 55 2027-01-15'), option('-1', call)]],
  ['a calendar spread', atLevel(3), [], [option('1', 'call 50 2027-02-19'), option('-1', call)]],
  [
    'a spread whose long option expires earlier',
    atLevel(3),
    [],
    [option('1', 'call 50 2026-12-18'), option('-1', call)],
    '-1',
  ],
  ['a written call with a long put', atLevel(3), [], [option('1', call), option('-1', put)], '-1'],
  ['a ratio spread of one to two', atLevel(3), [], [option('1', call), option('-2', call)], '-1'],
  ['an uncovered call on level 3', atLevel(3), [], [option('-1', call)], '-1'],
  ['an uncovered call on level 4', atLevel(4), [], [option('-1', call)]],
  ['an uncovered index call on level 4', atLevel(4), [], [option('-1', `${call} on SPX`)], '-1'],
  [
    'an index spread on level 4',
    atLevel(4),
    [],
    [option('1', `${call} on SPX`), option('-1', `${call} on SPX`)],
  ],
  ['an uncovered index call on level 5', atLevel(5), [], [option('-1', `${call} on SPX`)]],
  ['a covered call of the cash account', atLevel(5), [], [inCash(held('100')), inCash(option('-1', call))]],
  [
    'a call of the cash account on shares of the margin account',
    atLevel(1),
    [],
    [held('100'), inCash(option('-1', call))],
    '-1',
  ],
  [
    'a call of the margin account on shares of both',
    atLevel(1),
    [],
    [held('40'), inCash(held('60')), option('-1', call)],
  ],
  [
    'calls of both accounts on a hundred shares of the cash account',
    atLevel(1),
    [],
    [option('-1', call), inCash(held('100')), inCash(option('-1', call))],
    '-1',
  ],
  ['an uncovered call of the cash account on level 4', atLevel(4), [], [inCash(option('-1', call))], '-1'],
  [
    'an uncovered index put of the cash account on level 5',
    atLevel(5),
    [],
    [inCash(option('-1', `${put} on SPX`))],
    '-1',
  ],
  [
    'a put of the cash account secured by margin cash',
    atLevel(4),
    ['5000'],
    [inCash(option('-1', put))],
    '-1',
  ],
  [
    'a put of the cash account secured by a money-market fund there',
    atLevel(4),
    [],
    [inCash(held('5000', { moneyMarket: true })), inCash(option('-1', put))],
  ],
  // 12 CFR 220.2, Cash equivalent: securities issued or guaranteed by the United States or its agencies.
  [
    'a put of the cash account secured by a Treasury bill',
    atLevel(1),
    [],
    [inCash(held('5100', { symbol: 'BILL', cashEquivalent: decimal('5000') })), inCash(option('-1', put))],
  ],
  [
    'a put of the cash account secured by a Treasury bill that is worth a cent too little',
    atLevel(1),
    [],
    [inCash(held('5100', { symbol: 'BILL', cashEquivalent: decimal('4999.99') })), inCash(option('-1', put))],
    '-1',
  ],
  [
    'a put of the cash account secured by a bond of another issuer',
    atLevel(1),
    [],
    [inCash(held('10000', { symbol: 'BOND' })), inCash(option('-1', put))],
    '-1',
  ],
  [
    'a call covered by a convertible of 20 shares for 1,000 of face',
    atLevel(1),
    [],
    [inCash(convertible('5000')), inCash(option('-1', call))],
  ],
  [
    'a call on 99.98 shares of a convertible',
    atLevel(1),
    [],
    [inCash(convertible('4999')), inCash(option('-1', call))],
    '-1',
  ],
  [
    'a call covered by shares and a convertible',
    atLevel(1),
    [],
    [held('40'), convertible('3000'), option('-1', call)],
  ],
  [
    'a call beside a convertible that is sold short',
    atLevel(1),
    [],
    [convertible('-5000'), option('-1', call)],
    '-1',
  ],
  [
    'a put beside a convertible',
    atLevel(1),
    [],
    [inCash(convertible('5000')), inCash(option('-1', put))],
    '-1',
  ],
  [
    'a spread of the cash account on level 3',
    atLevel(3),
    [],
    [inCash(option('1', 'call 55 2027-01-15')), inCash(option('-1', call))],
    '-1',
  ],
  [
    'an index spread of the cash account on level 3',
    atLevel(3),
    [],
    [inCash(option('1', `${call} on SPX`)), inCash(option('-1', `${call} on SPX`))],
  ],
  [
    'an index spread of the cash account whose long option is in the margin account',
    atLevel(3),
    [],
    [option('1', `${call} on SPX`), inCash(option('-1', `${call} on SPX`))],
    '-1',
  ],
  [
    'a spread with a long option on other shares',
    atLevel(3),
    [],
    [option('1', `${call} on OTHR`), option('-1', call)],
    '-1',
  ],
  ['a spread of a mini option', atLevel(3), [], [option('1', call, '10'), option('-1', call)], '-1'],
  [
    'two written options and one long one',
    atLevel(3),
    [],
    [option('1', call), option('-1', call), option('-1', call)],
    '-1',
  ],
  [
    'three written options and three long ones of two kinds',
    atLevel(3),
    [],
    [option('1', call), option('2', 'call 55 2027-01-15'), option('-2', call), option('-1', call)],
  ],
  ['a position of zero shares', atLevel(3), [], [held('0'), option('0', call)]],
  ['an IRA with debits in three currencies', ira, ['-1 USD', '-1 EUR', '-1 JPY'], [], 'EUR', 'JPY', 'USD'],
  [
    'a written option without an agreement, which is a break of its line',
    atLevel(0),
    [],
    [option('-1', call)],
  ],
]

describe('positions and debits without entitlement', () => {
  for (const [what, entitled, amounts, positions, ...expected] of rows) {
    test(`in ${what}: ${expected.join(', ') || 'none'}`, () => {
      const found = findHeldNotEntitled(entitled, cash(...amounts), positions)
      const described = found.map(({ quantity, reason }) =>
        quantity === undefined ? /cash in (\w+)/.exec(reason)?.[1] : renderDecimal(quantity),
      )
      assert.deepEqual(described, expected)
    })
  }
})

describe('what account types 2 and 3 hold', () => {
  const found: [what: string, cash: string[], positions: PositionHeld[], found: boolean][] = [
    ['nothing', [], [], false],
    ['no more', ['0', '0 EUR'], [held('0')], false],
    ['one cent', ['0.01'], [], true],
    ['a debit of one cent', ['-0.01'], [], true],
    ['cash of several currencies that comes to zero', ['1 USD', '-1 EUR'], [], true],
    ['a share', [], [held('1')], true],
    ['a short position', [], [held('-1', { acctType: 3 })], true],
    ['shares, and account type 1 holds others', [], [inCash(held('5'))], false],
  ]
  for (const [what, amounts, positions, expected] of found) {
    test(`is ${expected ? 'a break' : 'no break'} without margin: ${what}`, () => {
      const held = findOnMargin(person, cash(...amounts), positions)
      assert.equal(held !== undefined, expected)
      assert.equal(findOnMargin({ ...person, margin: true }, cash(...amounts), positions), undefined)
    })
  }
  test('of cash in account type 1 is no break', () => {
    assert.equal(
      findOnMargin(person, [{ acctType: 1, currency: 'USD', amount: decimal('5') }], []),
      undefined,
    )
  })
  test('has a reason with the remedy that the registration has', () => {
    assert.match(findOnMargin(person, cash('1'), [])?.reason ?? '', /or have margin added to the account/)
    assert.match(
      findOnMargin(ira, cash('1'), [])?.reason ?? '',
      /^Account types 2 and 3 are not empty, and an account of the registration IraRoth never borrows\. Have what they hold journalled to account type 1\.$/,
    )
  })
})

test('do not depend on the order of positions', () => {
  const positions = [held('100'), option('-1', call), option('-1', call), option('1', call)]
  const found = findHeldNotEntitled(atLevel(2), [], positions)
  assert.deepEqual(findHeldNotEntitled(atLevel(2), [], positions.toReversed()), found)
  assert.equal(found.length, 1)
})

test('have a reason with the uncovered position, the missing cover and the rule that requires it', () => {
  const reasons: [Entitled, PositionHeld, string][] = [
    [
      atLevel(2),
      option('-2', call),
      '2 written calls on HARB are not covered by shares of HARB, and option level 2 asks for it.',
    ],
    [
      atLevel(1),
      option('-1', put),
      '1 written puts on HARB are not covered by cash for the exercise price, and option level 1 asks for it.',
    ],
    [
      atLevel(3),
      option('-1', call),
      '1 written calls on HARB are not covered by shares of HARB or a long option that lasts as long, and option level 3 asks for it.',
    ],
    [
      atLevel(4),
      inCash(option('-1', put)),
      '1 written puts on HARB are not covered by cash for the exercise price, and the cash account asks for it.',
    ],
  ]
  for (const [entitled, position, reason] of reasons) {
    const [found] = findHeldNotEntitled(entitled, [], [position])
    assert.equal(found?.reason, `${reason} Have them closed out or covered.`)
  }
})

test('shares of the cash account cover the calls of the cash account first', () => {
  const positions = [option('-1', call), inCash(held('100')), inCash(option('-1', call))]
  const found = findHeldNotEntitled(atLevel(1), [], positions)
  assert.deepEqual(
    found.map(({ acctType, securityKey }) => [acctType, securityKey]),
    [[margin, positions[0]?.securityKey]],
  )
})

test('are sorted by security, in whatever account', () => {
  const positions = [option('-1', call), inCash(option('-1', call)), option('-1', call)]
  const found = findHeldNotEntitled(atLevel(2), [], positions)
  assert.deepEqual(
    found.map(({ securityKey }) => securityKey),
    positions.map(({ securityKey }) => securityKey),
  )
})
