/**
 * Combinations of FINRA Rule 4210(e)(1) and (f)(2): one row for each, with the figures that an exchange or a broker
 * published.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { abs, type Decimal, decimal, renderDecimal, ZERO } from '../../decimal.ts'
import { type MarginFigures, marginFigures } from './figures.ts'
import { marginLeg } from './sample-legs.ts'

function money(value: Decimal) {
  return renderDecimal(value, 2)
}

function accountOf(legs: readonly string[], underlying: string, house = '25'): MarginFigures {
  const positions = legs.map((leg) => marginLeg(leg, underlying))
  const cost = positions.reduce((sum, { marketValue }) => sum + marketValue, ZERO)
  // The positions are opened at these prices without money. The shortfall is the amount that the customer must
  // deposit.
  return marginFigures({
    marginCash: -cost,
    positions,
    rates: { longPercent: decimal(house), shortPercent: decimal('30') },
  })
}

describe('the initial deposit for a combination', () => {
  // Cboe, Margin Requirement Examples for Sample Options-based Positions, close of 2007-02-23: IBM at 97.73.
  const published: readonly [string, string[], string][] = [
    ['a call', ['C100 -100 1.68'], '172760.00'],
    ['a put', ['P100 -100 3.18'], '195460.00'],
    ['a covered call', ['abc 10000 97.73', 'C100 -100 1.68'], '471850.00'],
    ['a protective put', ['abc 10000 97.73', 'P95 100 1.02'], '498850.00'],
    ['a synthetic long', ['C100 100 1.68', 'P100 -100 3.18'], '212260.00'],
    ['a risk reversal', ['P95 100 1.02', 'C105 -100 0.40'], '132960.00'],
    ['a collar', ['abc 10000 97.73', 'P95 100 1.02', 'C105 -100 0.40'], '494850.00'],
    ['a vertical call spread', ['C95 100 4.53', 'C105 -100 0.40'], '41300.00'],
  ]
  for (const [name, legs, expected] of published) {
    test(`of ${name} is the published ${expected}`, () => {
      const figures = accountOf(legs, '97.73')
      assert.equal(money(figures.regTRequirement - figures.equity), expected)
    })
  }
})

/** `house` contains the requirements of the lines in the order of the legs. */
interface Row {
  readonly name: string
  readonly underlying: string
  readonly legs: readonly string[]
  readonly requirements: readonly string[]
}
function row(
  name: string,
  underlying: string,
  legs: readonly string[],
  requirements: readonly string[],
): Row {
  return { name, underlying, legs, requirements }
}
const later = '2027-01-15'

describe('the maintenance of a combination', () => {
  const rows: readonly Row[] = [
    // 4210(e)(1)
    row(
      'the same stock long and short: 5 percent of the long',
      '50',
      ['abc 100 50', 'abc -100 50'],
      ['250.00', '0.00'],
    ),
    row(
      'more long than short: the usual requirement of the rest',
      '50',
      ['abc 300 50', 'abc -100 50'],
      ['2750.00', '0.00'],
    ),
    row(
      'more short than long: the usual requirement of the rest',
      '50',
      ['abc 100 50', 'abc -300 50'],
      ['250.00', '3000.00'],
    ),
    // 4210(f)(2)(H): stock with options
    row('a covered call', '50', ['abc 100 50', 'C55 -1 2'], ['1250.00', '0.00']),
    row(
      'a covered call in the money: the stock is valued at 45',
      '50',
      ['abc 100 50', 'C45 -1 6'],
      ['1125.00', '500.00'],
    ),
    row('a covered call at the money', '50', ['abc 100 50', 'C50 -1 3'], ['1250.00', '0.00']),
    row(
      'a call in the money on a part of the stock',
      '50',
      ['abc 300 50', 'C45 -1 6'],
      ['3625.00', '500.00'],
    ),
    row(
      'a covered call deep in the money: 25 percent of the exercise price',
      '300',
      ['abc 200 300', 'C100 -2 201'],
      ['5000.00', '40000.00'],
    ),
    row('a covered put', '50', ['abc -100 50', 'P45 -1 2'], ['1500.00', '0.00']),
    row('a covered put in the money', '50', ['abc -100 50', 'P55 -1 6'], ['1500.00', '500.00']),
    row('a protective put at the money: 10 percent', '50', ['abc 100 50', 'P50 1 2'], ['500.00', '200.00']),
    row(
      'a protective put out of the money: 10 percent and the 3',
      '50',
      ['abc 100 50', 'P47 1 2'],
      ['770.00', '200.00'],
    ),
    row(
      'a put whose protection is worth less than 25 percent',
      '50',
      ['abc 100 50', 'P40 1 1'],
      ['1250.00', '100.00'],
    ),
    row('a put in the money', '50', ['abc 100 50', 'P60 1 11'], ['600.00', '1100.00']),
    row('a put on a part of the stock', '50', ['abc 150 50', 'P50 1 2'], ['1125.00', '200.00']),
    row('the better of two puts', '50', ['abc 100 50', 'P47 1 2', 'P50 1 3'], ['500.00', '200.00', '300.00']),
    row('a call does not protect stock held', '50', ['abc 100 50', 'C50 1 2'], ['1250.00', '200.00']),
    row('a protective call out of the money', '50', ['abc -100 50', 'C52 1 2'], ['720.00', '200.00']),
    row(
      'a call whose protection is worth less than 30 percent',
      '50',
      ['abc -100 50', 'C62 1 2'],
      ['1500.00', '200.00'],
    ),
    row(
      'a conversion: 10 percent of the exercise price',
      '50',
      ['abc 100 50', 'P48 1 1', 'C48 -1 3'],
      ['480.00', '100.00', '200.00'],
    ),
    row(
      'no collar, because the long option is also a call',
      '50',
      ['abc 100 50', 'C30 1 20.5', 'C55 -1 2'],
      ['1250.00', '2050.00', '0.00'],
    ),
    row(
      'no conversion, because the put expires earlier',
      '50',
      ['abc 100 50', 'P48 1 1 2026-11-20', 'C48 -1 3'],
      ['1200.00', '100.00', '200.00'],
    ),
    row('a reverse conversion', '50', ['abc -100 50', 'C52 1 1', 'P52 -1 3'], ['520.00', '100.00', '200.00']),
    row('a collar: the put', '50', ['abc 100 50', 'P48 1 1', 'C55 -1 1'], ['680.00', '100.00', '0.00']),
    row(
      'a collar: 25 percent of the call',
      '50',
      ['abc 100 50', 'P40 1 1', 'C45 -1 6'],
      ['1125.00', '100.00', '500.00'],
    ),
    row(
      'a collar needs one expiration',
      '50',
      ['abc 100 50', 'P48 1 1', `C55 -1 1 ${later}`],
      ['1250.00', '100.00', '0.00'],
    ),
    row(
      'a put above the call is no collar: it protects the stock, and the call is uncovered',
      '50',
      ['abc 100 50', 'P56 1 7', 'C55 -1 1'],
      ['560.00', '700.00', '600.00'],
    ),
    // 4210(f)(2)(H), Regulatory Notice 12-44: options alone, Lean/IB at a width of 10
    row('a long butterfly', '410', ['C400 1 20', 'C410 -2 12', 'C420 1 7'], ['2000.00', '0.00', '700.00']),
    row('a short butterfly', '410', ['C400 -1 20', 'C410 2 12', 'C420 -1 7'], ['1000.00', '2400.00', '0.00']),
    row(
      'a long put butterfly',
      '410',
      ['P400 1 7', 'P410 -2 12', 'P420 1 20'],
      ['700.00', '0.00', '2000.00'],
    ),
    row(
      'a short put butterfly',
      '410',
      ['P400 -1 7', 'P410 2 12', 'P420 -1 20'],
      ['0.00', '2400.00', '1000.00'],
    ),
    row(
      'a long condor',
      '410',
      ['C400 1 20', 'C405 -1 15', 'C415 -1 9', 'C420 1 7'],
      ['2000.00', '0.00', '0.00', '700.00'],
    ),
    row(
      'an iron condor',
      '410',
      ['P390 1 1', 'P400 -1 3', 'C420 -1 3', 'C430 1 1'],
      ['100.00', '0.00', '1000.00', '100.00'],
    ),
    row(
      'an iron butterfly',
      '410',
      ['P400 1 3', 'P410 -1 9', 'C410 -1 9', 'C420 1 3'],
      ['300.00', '0.00', '1000.00', '300.00'],
    ),
    row(
      'a long box',
      '410',
      ['C400 1 15', 'C420 -1 5', 'P420 1 15', 'P400 -1 5'],
      ['1500.00', '0.00', '1500.00', '0.00'],
    ),
    row(
      'a short box',
      '410',
      ['C400 -1 15', 'C420 1 5', 'P420 -1 15', 'P400 1 5'],
      ['2000.00', '500.00', '0.00', '500.00'],
    ),
    row('a calendar spread', '410', ['C410 -1 5', `C410 1 9 ${later}`], ['0.00', '900.00']),
    row(
      'a short calendar spread is uncovered',
      '410',
      ['C410 1 5', `C410 -1 9 ${later}`],
      ['500.00', '9100.00'],
    ),
    row(
      'two spreads of which only one can lose: the larger requirement',
      '100',
      ['C90 -1 12', 'C100 1 4', 'P100 -1 5', 'P90 1 1'],
      ['1000.00', '400.00', '0.00', '100.00'],
    ),
    row(
      'two spreads that lose 11 in total at 100: 10 and 1',
      '100',
      ['C90 -1 12', 'C100 1 4', 'P101 -1 5', 'P91 1 1'],
      ['1000.00', '400.00', '100.00', '100.00'],
    ),
    row(
      'two spreads that both lose in full at 100',
      '100',
      ['C90 -1 12', 'C100 1 4', 'P110 -1 12', 'P100 1 4'],
      ['1000.00', '400.00', '1000.00', '400.00'],
    ),
    row(
      'spreads of which no long option expires before a short one: the larger side',
      '100',
      ['C100 -1 2 2026-10-16', 'C110 1 1', 'P90 -1 2', 'P80 1 1'],
      ['1000.00', '100.00', '0.00', '100.00'],
    ),
    row(
      'a call spread that expires before a put spread: both, because the long call does not outlast the short put',
      '100',
      ['C100 -1 2 2026-10-16', 'C110 1 1 2026-10-16', 'P90 -1 2', 'P80 1 1'],
      ['1000.00', '100.00', '1000.00', '100.00'],
    ),
    row(
      'spreads of which the put expires first and its long put last: the larger side',
      '100',
      ['C100 -1 2', 'C110 1 1', 'P90 -1 2 2026-10-16', 'P80 1 1'],
      ['1000.00', '100.00', '0.00', '100.00'],
    ),
    row(
      'a put spread that expires before a call spread: both',
      '100',
      ['C100 -1 2', 'C110 1 1', 'P90 -1 2 2026-10-16', 'P80 1 1 2026-10-16'],
      ['1000.00', '100.00', '1000.00', '100.00'],
    ),
    row(
      'a call spread that expires a day before a put spread: both',
      '100',
      ['C100 -1 2 2026-12-17', 'C110 1 1 2026-12-17', 'P90 -1 2', 'P80 1 1'],
      ['1000.00', '100.00', '1000.00', '100.00'],
    ),
    row(
      'an uncovered call that leaves 4.60 of the requirement of a put spread',
      '100',
      ['C100 -1 0.40', 'P125 -1 25.50', 'P115 1 15.50'],
      ['2040.00', '460.00', '1550.00'],
    ),
    row('a short straddle: the larger side', '410', ['C410 -1 9', 'P410 -1 8'], ['9100.00', '800.00']),
  ]
  for (const { name, legs, underlying, requirements } of rows) {
    for (const order of ['forwards', 'backwards']) {
      test(`of ${name} is that of the rule, with the legs ${order}`, () => {
        const given = order === 'forwards' ? legs : legs.toReversed()
        const found = accountOf(given, underlying).requirements.map((line) => money(line.houseRequirement))
        assert.deepEqual(order === 'forwards' ? found : found.toReversed(), requirements)
      })
    }
  }

  test('uses the rate of the house where the rule gives the lesser of two amounts', () => {
    const at40 = (legs: string[]) =>
      money(accountOf(legs, '50', '40').requirements[0]?.houseRequirement ?? ZERO)
    assert.equal(at40(['abc 100 50']), '2000.00')
    assert.equal(at40(['abc 100 50', 'P40 1 1']), '1400.00')
    assert.equal(at40(['abc 100 50', 'P30 1 1', 'C45 -1 6']), '1800.00')
    const figures = accountOf(['abc 100 50', 'P40 1 1'], '50', '40')
    assert.equal(money(figures.finraRequirement), '1350.00')
  })

  test('is the lowest of each rule: by Regulation T the stock covers the call, at the rates of the house it has a put', () => {
    const figures = accountOf(['abc 100 50', 'P56 1 7', 'C55 -1 1'], '50')
    assert.deepEqual(
      figures.requirements.map((line) => money(line.regTRequirement)),
      ['2500.00', '700.00', '0.00'],
    )
    // The premium of the written option is already in equity.
    assert.equal(money(figures.regTRequirement), '3100.00')
    assert.equal(money(figures.maintenanceRequirement), '1760.00')
  })

  test('does not reduce Regulation T, except for the same security long and short', () => {
    assert.equal(money(accountOf(['abc 100 50', 'P50 1 2'], '50').regTRequirement), '2700.00')
    assert.equal(money(accountOf(['abc 100 50', 'abc -100 50'], '50').regTRequirement), '250.00')
  })
})

describe('a convertible', () => {
  const account = (
    short: string,
    of: 'houseRequirement' | 'regTRequirement' = 'houseRequirement',
    ratio = '25',
  ) => {
    const bond = { kind: 'Bond', converts: { symbol: 'abc', ratio: decimal(ratio) } } as const
    const positions = [marginLeg('bond 4 1000', '', bond), marginLeg(`abc ${short} 40`, '')]
    return marginFigures({ marginCash: ZERO, positions }).requirements.map((line) => money(line[of]))
  }
  test('that is held against the stock sold short requires 10 percent of its value', () => {
    assert.deepEqual(account('-100'), ['400.00', '0.00'])
    assert.deepEqual(account('-50'), ['700.00', '0.00'], 'two of four bonds')
    assert.deepEqual(account('-200'), ['400.00', '1200.00'], 'a hundred shares are left')
    assert.deepEqual(account('100'), ['1000.00', '1000.00'], 'long stock is no offset')
  })

  test('covers written calls, which require what they are in the money', () => {
    const bond = { kind: 'Bond', converts: { symbol: 'abc', ratio: decimal('25') } } as const
    const of = (bonds: string, ...legs: string[]) => {
      const positions = [
        marginLeg(`bond ${bonds} 1000`, '', bond),
        ...legs.map((leg) => marginLeg(leg, '50')),
      ]
      return marginFigures({ marginCash: ZERO, positions })
    }
    const house = ({ requirements }: MarginFigures) =>
      requirements.map((line) => money(line.houseRequirement))
    assert.deepEqual(house(of('4', 'C50 -1 2')), ['1000.00', '0.00'])
    assert.equal(
      money(of('4', 'C50 -1 2').regTRequirement),
      '1800.00',
      'the premium counts for the convertible',
    )
    assert.deepEqual(house(of('4', 'C45 -1 6')), ['1000.00', '500.00'])
    assert.deepEqual(house(of('4', 'C50 -2 2')), ['1000.00', '1200.00'], 'the shares of one call')
    assert.deepEqual(house(of('3.99', 'C50 -1 2')), ['997.50', '1200.00'], 'a quarter of a share is missing')
    assert.deepEqual(house(of('4', 'P50 -1 2')), ['1000.00', '1200.00'], 'no put')
    assert.deepEqual(house(of('-4', 'C50 -1 2')).slice(1), ['1200.00'], 'no call while it is sold short')
  })

  test('that is sold short offsets no long convertible', () => {
    const converts = { symbol: 'abc', ratio: decimal('25') }
    const positions = [
      marginLeg('bond 4 1000', '', { kind: 'Bond', converts }),
      marginLeg('debt -4 1000', '', { kind: 'Bond', converts }),
    ]
    const both = marginFigures({ marginCash: ZERO, positions }).maintenanceRequirement
    const apart = positions.map((one) => marginFigures({ marginCash: ZERO, positions: [one] }))
    assert.equal(money(both), money(apart.reduce((sum, one) => sum + one.maintenanceRequirement, ZERO)))
  })

  test('keeps its requirement under Regulation T, which requires nothing for the stock sold short', () => {
    assert.deepEqual(account('-100', 'regTRequirement'), ['2000.00', '0.00'])
    assert.deepEqual(account('-150', 'regTRequirement'), ['2000.00', '1000.00'])
  })
})

const legs = fc.array(
  fc.record({
    name: fc.constantFrom('abc', 'C90', 'C100', 'C110', 'P90', 'P100', 'P110'),
    quantity: fc.integer({ min: -3, max: 3 }).filter((quantity) => quantity !== 0),
    price: fc.integer({ min: 1, max: 30 }),
    expiration: fc.constantFrom('2026-12-18', later),
  }),
  { maxLength: 7 },
)
function accountFrom(
  drawn: readonly { name: string; quantity: number; price: number; expiration: string }[],
) {
  const positions = drawn.map(({ name, quantity, price, expiration }, at) => {
    const [units, each] = name === 'abc' ? [quantity * 100, 100] : [quantity, price]
    const held = marginLeg(`${name} ${units} ${each} ${expiration}`, '100')
    return { ...held, secNo: name === 'abc' ? 'abc' : `${at}` }
  })
  return marginFigures({ marginCash: ZERO, positions })
}

describe('the choice of combinations', () => {
  test('never requires more than the positions alone, and does not depend on their order', () => {
    fc.assert(
      fc.property(legs, (drawn) => {
        const { maintenanceRequirement, regTRequirement, finraRequirement } = accountFrom(drawn)
        const alone = drawn.reduce((sum, leg) => sum + accountFrom([leg]).maintenanceRequirement, ZERO)
        assert.ok(maintenanceRequirement <= alone)
        assert.ok(finraRequirement <= regTRequirement)
        assert.ok(finraRequirement <= maintenanceRequirement)
      }),
    )
  })

  test('adds the rows to the totals, without the market value of written options, which equity lacks', () => {
    fc.assert(
      fc.property(legs, (drawn) => {
        const figures = accountFrom(drawn)
        const { requirements, maintenanceRequirement, regTRequirement } = figures
        const written = requirements.filter(({ secNo, quantity }) => secNo !== 'abc' && quantity < ZERO)
        const premiums = written.reduce((sum, line) => sum - line.marketValue, ZERO)
        const totalOf = (of: 'houseRequirement' | 'regTRequirement') =>
          requirements.reduce((sum, line) => sum + line[of], ZERO) - premiums
        // Each row is rounded to cents.
        const differs = (one: bigint, other: bigint) =>
          abs(one - other) > decimal('0.01') * BigInt(drawn.length)
        assert.ok(!differs(totalOf('houseRequirement'), maintenanceRequirement))
        assert.ok(!differs(totalOf('regTRequirement'), regTRequirement))
        assert.equal(figures.maintenanceExcess, figures.equity - maintenanceRequirement)
      }),
    )
  })

  test('requires at least the largest loss of the options and their cover', () => {
    // The loss does not change beyond the lowest and highest exercise prices if the slope is flat; uncovered sides
    // are charged.
    fc.assert(
      fc.property(legs, (drawn) => {
        const options = drawn.filter(({ name, expiration }) => name !== 'abc' && expiration === later)
        const figures = accountFrom(options)
        const shorts = figures.requirements.filter(({ quantity }) => quantity < ZERO)
        const required = shorts.reduce((sum, line) => sum + line.houseRequirement, ZERO)
        for (const at of [90, 100, 110]) {
          const loss = options.reduce((sum, { name, quantity }) => {
            const strike = Number(name.slice(1))
            const inMoney = Math.max(0, name.startsWith('C') ? at - strike : strike - at)
            return sum - quantity * inMoney * 100
          }, 0)
          assert.ok(required >= decimal(String(Math.max(0, loss))) - decimal('0.05'), `${at}: ${loss}`)
        }
      }),
    )
  })

  test('of thousands of lines on one underlying takes a bounded number of steps and still finds spreads', () => {
    const many = Array.from({ length: 1500 }, (_, at) => [
      marginLeg(`C${100 + at} -1 1`, '100'),
      marginLeg(`C${101 + at} 1 1`, '100'),
    ]).flat()
    const { requirements } = marginFigures({ marginCash: ZERO, positions: many })
    const required = requirements.filter(({ quantity }) => quantity < ZERO)
    const sum = required.reduce((total, line) => total + line.houseRequirement, ZERO)
    // Short at 100 to 1,599 and long at 101 to 1,600: they lose at most one point each.
    assert.equal(money(sum), '150000.00')
    assert.ok(required.every(({ houseRequirement }) => abs(houseRequirement) < decimal('3000')))
  })
})
