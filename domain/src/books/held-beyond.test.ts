// What an account holds that lower entitlements do not permit.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, ZERO } from '../decimal.ts'
import type { CashHeld, PositionHeld } from './cover.ts'
import { findHeldBeyond } from './held-beyond.ts'
import type { Entitled } from './not-entitled.ts'

const none: Entitled = { registration: 'Individual', mayBorrow: true, margin: false, optionLevel: 0 }
const margin: Entitled = { ...none, margin: true }
function level(optionLevel: number, of = none): Entitled {
  return { ...of, optionLevel }
}

/** `-50 USD in 2` */
function cash(text: string): CashHeld {
  const [amount = '', currency = '', , acctType = '1'] = text.split(' ')
  return { acctType: Number(acctType) as CashHeld['acctType'], currency, amount: decimal(amount) }
}
/** `-5 HARB in 3`; a symbol `CALL…` is a call on HARB. */
function held(text: string): PositionHeld {
  const [quantity = '', symbol = '', , acctType = '1'] = text.split(' ')
  const isOption = symbol.startsWith('CALL')
  return {
    securityKey: symbol,
    acctType: Number(acctType) as PositionHeld['acctType'],
    quantity: decimal(quantity),
    symbol: ['CALL', '-'].includes(symbol) ? '' : symbol,
    currency: 'USD',
    multiplier: decimal(isOption ? '100' : '1'),
    moneyMarket: false,
    option: isOption
      ? {
          putCall: 'Call',
          strike: decimal('25'),
          expiration: '2027-01-15',
          underlying: 'HARB',
          underlyingKey: 'HARB',
          broadIndex: false,
          europeanIndex: false,
        }
      : undefined,
  }
}

type Row = [
  what: string,
  before: Entitled,
  after: Entitled,
  cash: string[],
  positions: string[],
  ...found: string[],
]
const rows: Row[] = [
  ['nothing held', margin, none, [], []],
  ['a cash account with shares and cash', margin, none, ['10 USD'], ['5 HARB', '0 HARB in 2']],
  ['empty balances of the margin account', margin, none, ['0 USD in 2'], []],
  [
    'a short position in any account type',
    margin,
    none,
    [],
    ['-5 HARB in 3', '-1.5 OAK'],
    'margin The account is short 5 HARB, 1.5 OAK. Have the short sales covered first.',
  ],
  [
    'a debit of two currencies',
    margin,
    none,
    ['-1.25 USD', '-3 EUR'],
    [],
    'margin The account owes 3 EUR and 1.25 USD. Request a deposit first.',
  ],
  [
    'a debit of the margin account that the cash account makes up for',
    margin,
    none,
    ['-50 USD in 2', '60 USD'],
    [],
    'margin Account types 2 and 3 hold -50 USD. Have it journalled to account type 1 or closed out first.',
  ],
  [
    'many positions of the margin account',
    margin,
    none,
    ['7 USD in 3'],
    ['1 A in 2', '2 - in 2', '3 C in 2', '-4 CALL in 2'],
    'margin Account types 2 and 3 hold 1 A, 2 units, 3 C, 2 more. Have it journalled to account type 1 or closed out first.',
  ],
  ['positions of the margin account, and margin stays', margin, margin, ['-50 USD in 2'], ['1 A in 2']],
  ['a debit of an account without margin', none, none, ['-50 USD'], []],
  ['a level that rises', level(1), level(2), [], ['-1 CALL1']],
  [
    'options, and the account keeps none',
    level(2),
    none,
    [],
    ['2 CALL', '-1 CALL2', '0 CALL3', '9 HARB'],
    'options The account holds 2 contracts on HARB, -1 CALL2, and an account without options holds none. Have it closed out first.',
  ],
  [
    'a bought option at a level that only writes',
    level(2),
    level(1),
    [],
    ['2 CALL1', '-1 CALL2', '100 HARB'],
    'options The account holds 2 CALL1, and option level 1 buys none. Have it closed out first.',
  ],
  ['a covered option at a level that writes', level(2), level(1), [], ['-1 CALL2', '100 HARB']],
  ['a bought option at a level that buys', level(3), level(2), [], ['2 CALL1']],
  [
    'an uncovered option at a level that needs cover',
    level(4, margin),
    level(2, margin),
    [],
    ['-1 CALL1 in 2'],
    'options 1 written calls on HARB are not covered by shares of HARB, and option level 2 asks for it. Have them closed out or covered.',
  ],
  [
    'the debit of an account that never borrows, which no option level permits',
    { ...level(2), mayBorrow: false },
    { ...level(1), mayBorrow: false },
    ['-5 USD'],
    [],
  ],
]

describe('what lower entitlements do not permit', () => {
  for (const [what, before, after, amounts, positions, ...expected] of rows) {
    test(what, () => {
      const found = findHeldBeyond(before, after, amounts.map(cash), positions.map(held))
      assert.deepEqual(
        found.map(({ of, reason }) => `${of} ${reason}`),
        expected,
      )
    })
  }
})

for (const [count, named] of [
  [1, '1 A'],
  [3, '1 A, 1 B, 1 C'],
  [4, '1 A, 1 B, 1 C, 1 more'],
  [5, '1 A, 1 B, 1 C, 2 more'],
] as const) {
  test(`of ${count} positions the first three are named, and the others are counted`, () => {
    const positions = ['A', 'B', 'C', 'D', 'E'].slice(0, count).map((symbol) => held(`1 ${symbol} in 2`))
    const [found] = findHeldBeyond(margin, none, [], positions)
    assert.ok(found?.reason.startsWith(`Account types 2 and 3 hold ${named}. `), found?.reason ?? 'nothing')
  })
}

test('a written call on no shares is covered by no shares', () => {
  const call = { ...held('-1 CALL1 in 2'), multiplier: ZERO }
  const found = findHeldBeyond(level(4, margin), level(2, margin), [], [call, held('100 HARB in 2')])
  assert.equal(found.length, 1)
})
