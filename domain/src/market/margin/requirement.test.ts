import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { abs, type Decimal, decimal, multiply, ONE, renderDecimal, ZERO } from '../../decimal.ts'
import type { SecurityKind } from '../security-kind.ts'
import { marginFigures } from './figures.ts'
import { offsetsOf } from './offsets/index.ts'
import type { MarginPosition } from './position.ts'
import { tradeRequirement } from './stock-requirement.ts'

function money(value: Decimal) {
  return renderDecimal(value, 2)
}
const HUNDRED = decimal('100')
const noStock = { initial: ZERO, law: ZERO, house: ZERO }

function held(symbol: string, quantity: string, price: string, more: Partial<MarginPosition> = {}) {
  const multiplier = more.multiplier ?? ONE
  const unitQuantity = multiply(decimal(quantity), multiplier, 8)
  const position: MarginPosition = {
    secNo: symbol,
    symbol,
    description: symbol,
    kind: 'Equity',
    quantity: decimal(quantity),
    unitQuantity,
    price: decimal(price),
    marketValue: multiply(unitQuantity, decimal(price), 2),
    multiplier,
    marginable: true,
    ...more,
  }
  return position
}

/** `C105` or `P95` on ABC, whose price is 100. */
function written(text: string, contracts: string, price: string, more: Partial<MarginPosition> = {}) {
  const kind: SecurityKind = 'Option'
  return held(`ABC ${text}`, contracts, price, {
    kind,
    multiplier: HUNDRED,
    marginable: false,
    option: {
      putCall: text.startsWith('C') ? 'Call' : 'Put',
      strike: decimal(text.slice(1)),
      expiration: '2026-12-18',
      underlying: 'ABC',
    },
    underlyingPrice: HUNDRED,
    ...more,
  })
}

describe('the requirement of', () => {
  const table: [string, MarginPosition, string, string, string, string][] = [
    ['marginable stock', held('ABC', '100', '80'), '25', '2000.00', '50', '4000.00'],
    [
      'stock that is not marginable',
      held('ABC', '100', '80', { marginable: false }),
      '100',
      '8000.00',
      '100',
      '8000.00',
    ],
    [
      'stock with a house rate of its own',
      held('ABC', '100', '80', { houseLongPercent: decimal('40') }),
      '40',
      '3200.00',
      '50',
      '4000.00',
    ],
    ['a long option', written('C105', '2', '3'), '100', '600.00', '100', '600.00'],
    ['a short at 80', held('ABC', '-100', '80'), '30', '2400.00', '50', '4000.00'],
    ['a short at 12: five per share', held('ABC', '-100', '12'), '41.67', '500.00', '50', '600.00'],
    ['a short at 5.00: five per share', held('ABC', '-100', '5'), '100', '500.00', '100', '500.00'],
    ['a short at 5.005: five per share', held('ABC', '-1000', '5.005'), '99.9', '5000.00', '99.9', '5000.00'],
    ['a short at 4.99: its whole value', held('ABC', '-100', '4.99'), '100', '499.00', '100', '499.00'],
    ['a short at 1: 2.50 per share', held('ABC', '-100', '1'), '250', '250.00', '250', '250.00'],
    ['a bond of 10,000 sold short', bond('-10000', '98'), '30', '2940.00', '50', '4900.00'],
    ['a cheap bond sold short: 5% of principal', bond('-10000', '12'), '41.67', '500.00', '50', '600.00'],
  ]
  for (const [why, position, housePercent, house, regTPercent, regT] of table) {
    test(`${why} is ${house}, and ${regT} in Regulation T`, () => {
      const [line] = marginFigures({ marginCash: ZERO, positions: [position] }).requirements
      assert.ok(line !== undefined)
      assert.equal(renderDecimal(line.housePercent), housePercent)
      assert.equal(money(line.houseRequirement), house)
      assert.equal(renderDecimal(line.regTPercent), regTPercent)
      assert.equal(money(line.regTRequirement), regT)
    })
  }

  test('the house cannot require less than FINRA', () => {
    const rates = { longPercent: decimal('10'), shortPercent: decimal('10') }
    const figures = marginFigures({
      marginCash: ZERO,
      positions: [held('A', '100', '80'), held('B', '-100', '80')],
      rates,
    })
    assert.equal(money(figures.maintenanceRequirement), '4400.00')
    assert.equal(figures.maintenanceRequirement, figures.finraRequirement)
  })

  test('house excess and FINRA excess differ only by the house rates', () => {
    const rates = { longPercent: decimal('35'), shortPercent: decimal('40') }
    const figures = marginFigures({
      marginCash: decimal('-1000'),
      positions: [held('A', '100', '80'), held('B', '-100', '20')],
      rates,
    })
    assert.equal(money(figures.equity), '5000.00')
    assert.equal(money(figures.maintenanceExcess), '1400.00')
    assert.equal(money(figures.finraExcess), '2400.00')
  })

  test('a trade requires half, all, or the initial margin of a short sale', () => {
    const trade = { amount: decimal('10000'), unitQuantity: HUNDRED, price: HUNDRED, marginable: true }
    assert.equal(money(tradeRequirement({ side: 'Purchase', ...trade })), '5000.00')
    assert.equal(money(tradeRequirement({ side: 'Purchase', ...trade, marginable: false })), '10000.00')
    assert.equal(money(tradeRequirement({ side: 'ShortSale', ...trade })), '5000.00')
    const penny = { ...trade, amount: decimal('200'), unitQuantity: HUNDRED, price: decimal('2') }
    assert.equal(money(tradeRequirement({ side: 'ShortSale', ...penny })), '250.00')
  })
})

function bond(face: string, price: string): MarginPosition {
  const unitQuantity = decimal(face) / 100n
  return held('BOND', face, price, {
    kind: 'Bond',
    unitQuantity,
    marketValue: multiply(unitQuantity, decimal(price), 2),
  })
}

const noPrice = { underlyingPrice: undefined }
function ending(expiration: string): Partial<MarginPosition> {
  return {
    option: { putCall: 'Call', strike: decimal('110'), expiration, underlying: 'ABC' },
  }
}
const onOther: Partial<MarginPosition> = {
  option: { putCall: 'Put', strike: decimal('95'), expiration: '2026-12-18', underlying: 'DEF' },
}

describe('written options with the relief of combinations', () => {
  const stock = (quantity: string) => held('ABC', quantity, '100')
  const table: [string, MarginPosition[], string[]][] = [
    ['a call alone', [written('C105', '-1', '3')], ['1800.00']],
    ['a call without a price of the underlying', [written('C105', '-1', '3', noPrice)], ['2460.00']],
    ['a put without a price of the underlying', [written('P95', '-1', '3', noPrice)], ['2140.00']],
    ['a put worth more than its strike', [written('P95', '-1', '96', noPrice)], ['10550.00']],
    ['a call covered by 100 shares', [written('C105', '-1', '3'), stock('100')], ['0.00']],
    ['a call covered in another order', [stock('100'), written('C105', '-1', '3')], ['0.00']],
    ['two calls and 150 shares: one is covered', [written('C105', '-2', '3'), stock('150')], ['1800.00']],
    [
      'the call with the larger requirement is covered first',
      [written('C120', '-1', '1'), written('C100', '-1', '5'), stock('100')],
      ['1100.00', '0.00'],
    ],
    ['a put is not covered by shares held', [written('P95', '-1', '3'), stock('100')], ['1800.00']],
    ['a put covered by a short sale', [written('P95', '-1', '3'), stock('-100')], ['0.00']],
    ['a call is not covered by a short sale', [written('C105', '-1', '3'), stock('-100')], ['1800.00']],
    ['a call spread at a loss of 5', [written('C105', '-1', '3'), written('C110', '1', '2')], ['500.00']],
    ['a debit spread cannot lose', [written('C110', '-1', '2'), written('C105', '1', '3')], ['0.00']],
    [
      'a long call that expires earlier is no cover',
      [written('C105', '-1', '3'), written('C110', '1', '2', ending('2026-11-20'))],
      ['1800.00'],
    ],
    [
      'a long call that expires later is a cover',
      [written('C105', '-1', '3'), written('C110', '1', '2', ending('2027-01-15'))],
      ['500.00'],
    ],
    [
      'the nearer long call is used first, and only once',
      [written('C105', '-2', '3'), written('C115', '1', '1'), written('C110', '1', '2')],
      ['1500.00'],
    ],
    [
      'a spread wider than the uncovered requirement is not used',
      [written('C105', '-1', '3'), written('C150', '1', '0.05')],
      ['1800.00'],
    ],
    [
      'a call and a put require the larger side and the premium of the other',
      [written('C105', '-1', '3'), written('P95', '-1', '2')],
      ['1800.00', '200.00'],
    ],
    [
      'a call and a larger put require the put',
      [written('C120', '-1', '1'), written('P100', '-1', '5')],
      ['100.00', '2500.00'],
    ],
    [
      'a call spread and a put spread require the wider one (iron condor)',
      [
        ...[written('C105', '-1', '3'), written('C110', '1', '2')],
        ...[written('P95', '-1', '2'), written('P88', '1', '1')],
      ],
      ['0.00', '700.00'],
    ],
    [
      'options on another stock are separate',
      [written('C105', '-1', '3'), written('P95', '-1', '2', onOther)],
      ['1800.00', '1700.00'],
    ],
  ]
  for (const [why, positions, expected] of table) {
    test(`${why}: ${expected.join(' and ')}`, () => {
      const results = offsetsOf(positions, () => noStock).house.options
      const ours = positions.filter((position) => results.has(position)).map((p) => results.get(p))
      assert.deepEqual(
        ours.map((result) => money(result?.requirement ?? ZERO)),
        expected,
      )
    })
  }

  test('a contract that delivers 150 shares for the price of 100 requires the premium of 100 and the rest by 150', () => {
    const adjusted = written('C80', '-2', '5', {
      multiplier: decimal('150'),
      unitQuantity: decimal('-200'),
      marketValue: decimal('-1000'),
      underlyingPrice: decimal('90'),
    })
    const required = (...positions: MarginPosition[]) => {
      const { requirements } = marginFigures({ marginCash: ZERO, positions: [adjusted, ...positions] })
      return money(requirements[0]?.houseRequirement ?? ZERO)
    }
    // The premium of 500 and 20 % of 13,500, twice; covered by 150 shares, what one is in the money.
    assert.equal(required(), '6400.00')
    assert.equal(required(held('ABC', '149', '90')), '6400.00')
    assert.equal(required(held('ABC', '150', '90')), '4700.00')
  })

  test('a covered writer who holds the stock in full has no call at any price of the stock', () => {
    const stockAt = (price: string) => held('ABC', '100', price)
    for (const [stockPrice, callPrice] of [
      ['100', '3'],
      ['180', '75.2'],
    ] as const) {
      const call = written('C105', '-1', callPrice, { underlyingPrice: decimal(stockPrice) })
      const figures = marginFigures({ marginCash: ZERO, positions: [stockAt(stockPrice), call] })
      assert.equal(money(figures.maintenanceCall), '0.00')
    }
  })

  test('the market value of an option counts once: it reduces equity, and the requirement excludes it', () => {
    const call = written('C105', '-1', '3')
    const figures = marginFigures({ marginCash: decimal('1800'), positions: [call] })
    assert.equal(money(figures.equity), '1500.00')
    assert.equal(money(figures.maintenanceRequirement), '1500.00')
    assert.equal(money(figures.maintenanceExcess), '0.00')
    assert.equal(money(figures.requirements[0]?.houseRequirement ?? ZERO), '1800.00')
  })
})

const stockPositions = fc
  .tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: 1, max: 20_000 }))
  .filter(([quantity]) => quantity !== 0)
  .map(([quantity, cents]) => held('S', String(quantity), (cents / 100).toFixed(2)))
const optionPositions = fc
  .tuple(
    fc.constantFrom('C', 'P'),
    fc.integer({ min: 80, max: 120 }),
    fc.integer({ min: -5, max: 5 }),
    fc.integer({ min: 1, max: 3000 }),
  )
  .filter(([, , contracts]) => contracts !== 0)
  .map(([right, strike, contracts, cents]) => {
    // An option is worth at least its intrinsic value.
    const inMoney = Math.max(0, right === 'C' ? 100 - strike : strike - 100)
    return written(`${right}${strike}`, String(contracts), (inMoney + cents / 100).toFixed(2))
  })
const accounts = fc.record({
  marginCash: fc.bigInt({ min: -(10n ** 7n), max: 10n ** 7n }).map((cents) => cents * 10n ** 8n),
  positions: fc.uniqueArray(fc.oneof(stockPositions, optionPositions), {
    maxLength: 8,
    selector: (position) => position.symbol,
  }),
})

describe('margin figures in general', () => {
  test('equity is cash plus long value less short value, and every excess is equity less its requirement', () => {
    fc.assert(
      fc.property(accounts, (account) => {
        const figures = marginFigures(account)
        assert.equal(figures.equity, account.marginCash + figures.longMarketValue + figures.shortMarketValue)
        assert.equal(figures.regTExcess, figures.equity - figures.regTRequirement)
        assert.equal(figures.maintenanceExcess, figures.equity - figures.maintenanceRequirement)
        assert.equal(
          figures.maintenanceCall,
          figures.maintenanceExcess < ZERO ? -figures.maintenanceExcess : ZERO,
        )
        assert.ok(figures.regTRequirement >= figures.finraRequirement)
        assert.ok(figures.maintenanceRequirement >= figures.finraRequirement)
      }),
    )
  })

  test('more cash never increases a call, and each dollar reduces a call by a dollar', () => {
    fc.assert(
      fc.property(accounts, fc.bigInt({ min: 0n, max: 10n ** 6n }), (account, cents) => {
        const more = cents * 10n ** 8n
        const before = marginFigures(account).maintenanceCall
        const after = marginFigures({ ...account, marginCash: account.marginCash + more }).maintenanceCall
        assert.equal(after, before > more ? before - more : ZERO)
      }),
    )
  })

  test('an account without a debit that holds only securities has no call', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(stockPositions, optionPositions), { maxLength: 8 }), (positions) => {
        const longs = positions.map((position) => ({
          ...position,
          quantity: abs(position.quantity),
          unitQuantity: abs(position.unitQuantity),
          marketValue: abs(position.marketValue),
        }))
        assert.equal(marginFigures({ marginCash: ZERO, positions: longs }).maintenanceCall, ZERO)
      }),
    )
  })

  test('a long option or stock that is paid in full never causes a call', () => {
    fc.assert(
      fc.property(accounts, optionPositions, (account, added) => {
        const long = {
          ...added,
          quantity: abs(added.quantity),
          unitQuantity: abs(added.unitQuantity),
          marketValue: abs(added.marketValue),
        }
        const before = marginFigures(account)
        const after = marginFigures({
          marginCash: account.marginCash - long.marketValue,
          positions: [...account.positions, long],
        })
        // The option pairs with a short position, which can only reduce the requirement, except for a cent of
        // rounding.
        assert.ok(after.maintenanceCall <= before.maintenanceCall + long.marketValue)
      }),
    )
  })

  test('the order of positions does not change the requirement', () => {
    fc.assert(
      fc.property(accounts, (account) => {
        const reversed = { ...account, positions: [...account.positions].reverse() }
        const difference =
          marginFigures(account).maintenanceRequirement - marginFigures(reversed).maintenanceRequirement
        assert.equal(difference, ZERO)
      }),
    )
  })
})
