/** The positions that a combination uses if several qualify: one contract, one share or one expiration decides. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, renderDecimal, ZERO } from '../../decimal.ts'
import { marginFigures } from './figures.ts'
import type { MarginPosition } from './position.ts'
import { marginLeg } from './sample-legs.ts'

/** The requirement of the house for each line. */
function requiredOf(positions: readonly MarginPosition[]): string[] {
  return marginFigures({ marginCash: ZERO, positions }).requirements.map(({ houseRequirement }) =>
    renderDecimal(houseRequirement, 2),
  )
}

type Row = readonly [name: string, underlying: string, legs: readonly string[], required: readonly string[]]
const rows: readonly Row[] = [
  // Stock covers the option with the larger requirement, then the larger premium, then the first by name.
  [
    'the call with the larger requirement is covered',
    '50',
    ['abc 100 50', 'C52 -1 1', 'C75 -1 2'],
    ['1250.00', '0.00', '700.00'],
  ],
  [
    'the call with the larger premium is covered',
    '50',
    ['abc 100 50', 'C70 -1 1', 'C75 -1 2'],
    ['1250.00', '600.00', '0.00'],
  ],
  [
    'of two equal calls the first is covered',
    '50',
    ['abc 100 50', 'C70 -1 1', 'C75 -1 1'],
    ['1250.00', '0.00', '600.00'],
  ],
  // Spreads, and of the calls and the puts the side that requires more.
  [
    'the nearest of two long calls below is taken, so that the other one is there for a lower call',
    '105',
    ['C105 -1 12', 'C97 -1 9 2026-10-16', 'C95 1 13', 'C100 1 10'],
    ['0.00', '0.00', '1300.00', '1000.00'],
  ],
  [
    'a pair that loses as much as the uncovered put requires is not taken',
    '50',
    ['C40 -2 3 2026-10-18', 'P45 1 5 2026-11-18', 'P60 -1 5 2026-11-18'],
    ['2600.00', '500.00', '500.00'],
  ],
  [
    'a spread that loses 500.00 is taken as a whole in place of an uncovered call of 600.00',
    '50',
    ['C45 1 6', 'C50 -2 2', 'C55 1 1', 'C70 -1 1 2026-11-20', 'C75 1 1 2026-11-20', 'P40 -1 1 2026-11-20'],
    ['600.00', '0.00', '100.00', '500.00', '100.00', '500.00'],
  ],
  ...['C76', 'C77'].map(
    (long): Row => [
      `a spread with ${long}, which loses as much as an uncovered call of 600.00 or more, is not taken as a whole`,
      '50',
      [
        'C45 1 6',
        'C50 -2 2',
        'C55 1 1',
        'C70 -1 1 2026-11-20',
        `${long} 1 1 2026-11-20`,
        'P40 -1 1 2026-11-20',
      ],
      ['600.00', '0.00', '100.00', '600.00', '100.00', '100.00'],
    ],
  ),
  [
    'the uncovered call, not the spread, stands beside the larger put',
    '100',
    ['P105 -2 3 2026-10-18', 'P95 -1 10 2026-11-18', 'C100 -2 9 2026-11-18', 'C95 1 2 2026-11-18'],
    ['2600.00', '2500.00', '2900.00', '200.00'],
  ],
  [
    'two spreads stand by all that they require, beside the puts',
    '100',
    [
      'C110 -2 2 2026-10-18',
      'P110 -2 8 2026-10-18',
      'C90 2 12 2026-11-18',
      'C85 -2 9 2026-10-18',
      'C85 1 2 2026-11-18',
    ],
    ['200.00', '5600.00', '2400.00', '0.00', '200.00'],
  ],
  [
    'an uncovered put stands by what it requires beyond its premium',
    '100',
    ['P85 -2 12 2026-11-18', 'P115 -1 6 2026-10-18', 'P115 -1 6 2026-11-18', 'C115 -2 6 2026-11-18'],
    ['4100.00', '2600.00', '2600.00', '1200.00'],
  ],
  [
    'of two puts that require the same beyond their premium, the one with the larger premium is first',
    '100',
    [
      'C95 -2 12 2026-10-18',
      'P120 -2 4 2026-10-18',
      'P120 -2 12 2026-11-18',
      'P100 1 7 2026-10-18',
      'C85 -2 10 2026-11-18',
    ],
    ['6400.00', '900.00', '2400.00', '700.00', '6000.00'],
  ],
  ['99 shares cover no call', '50', ['abc 99 50', 'C55 -1 2'], ['1237.50', '700.00']],
  ['199 shares cover one of two calls', '50', ['abc 199 50', 'C55 -2 2'], ['2487.50', '700.00']],
  // Collars and conversions.
  [
    'the better put forms the collar',
    '50',
    ['abc 100 50', 'P40 1 1', 'P48 1 1', 'C55 -1 1'],
    ['680.00', '100.00', '100.00', '0.00'],
  ],
  [
    'one of two puts is in the conversion, and the other protects',
    '50',
    ['abc 200 50', 'P48 2 1', 'C48 -1 3'],
    ['1160.00', '200.00', '200.00'],
  ],
  [
    'a put is in only one conversion',
    '50',
    ['abc 200 50', 'P48 1 1', 'C48 -1 3'],
    ['1730.00', '100.00', '200.00'],
  ],
  [
    'a call below the put is no reverse conversion',
    '50',
    ['abc -100 50', 'C48 1 3', 'P50 -1 3'],
    ['1500.00', '300.00', '0.00'],
  ],
  ['a position of zero shares has no requirement', '50', ['abc 0 50', 'P50 1 2'], ['0.00', '200.00']],
  // Long options of a later expiration, which only pairs can use.
  [
    'the long call with the smaller loss is used',
    '100',
    ['C100 -1 3', 'C98 1 4 2027-01-15', 'C101 1 2 2027-01-15'],
    ['0.00', '400.00', '200.00'],
  ],
  [
    'the nearest call is used, and the call at 90 is left to the other',
    '100',
    ['C100 -1 12 2027-01-15', 'C90 -1 10', 'C90 1 15 2027-02-19', 'C99 1 13 2027-02-19'],
    ['0.00', '0.00', '1500.00', '1300.00'],
  ],
  [
    'the nearest put is used, and the put at 110 is left to the other',
    '100',
    ['P100 -1 12 2027-01-15', 'P110 -1 10', 'P101 1 13 2027-02-19', 'P110 1 15 2027-02-19'],
    ['0.00', '0.00', '1300.00', '1500.00'],
  ],
  [
    'the nearest expiration is used, and the later one is left to the other',
    '100',
    ['C100 -1 5', 'C100 -1 4 2027-02-19', 'C100 1 9 2027-03-19', 'C100.0 1 8 2027-01-15'],
    ['0.00', '0.00', '900.00', '800.00'],
  ],
  [
    'the spreads that save most are taken: 589.00 for each call at 115, 54.00 for one at 80',
    '100',
    ['C80 -2 20.54', 'C115 -2 0.89', 'C120 2 0.54'],
    ['8108.00', '1000.00', '108.00'],
  ],
  [
    'a butterfly has a wing that expires later',
    '100',
    ['C85 1 15.45', 'C100 -2 2', 'C115 1 1 2027-01-15'],
    ['1545.00', '0.00', '100.00'],
  ],
  [
    'a butterfly has no wing that expires a day earlier',
    '100',
    ['C85 1 15.45', 'C100 -2 2', 'C115 1 1 2026-12-17'],
    ['1545.00', '2200.00', '100.00'],
  ],
  [
    'long calls protect short stock that could cover written puts: 2,000.00 beside 854.00 for each',
    '100',
    ['abc -200 100', 'C100 2 4', 'P80 -2 0.54'],
    ['2000.00', '800.00', '1708.00'],
  ],
  [
    'the option with the larger requirement is in the spread, and the other one is uncovered',
    '95',
    ['C85 1 12', 'C95 -2 4', 'C105 1 1', 'C100 -1 2'],
    ['1200.00', '0.00', '100.00', '1600.00'],
  ],
  [
    'the spread that expires last is taken first, and uses the call at 90',
    '100',
    ['C90 1 12', 'C100 -2 4', 'C110 1 1', 'C95 -1 6 2026-10-16'],
    ['1200.00', '0.00', '100.00', '2600.00'],
  ],
  [
    'the most valuable calls form the butterfly',
    '410',
    ['C430 1 3', 'C420 1 7', 'C410 -2 12', 'C400 1 20'],
    ['300.00', '700.00', '0.00', '2000.00'],
  ],
  [
    'the most valuable puts form the butterfly',
    '410',
    ['P390 1 3', 'P400 1 7', 'P410 -2 12', 'P420 1 20'],
    ['300.00', '700.00', '0.00', '2000.00'],
  ],
  // Of calls and puts, the larger side counts, contract by contract: 9,100 or 9,000 at 410, 7,900 at 420, 7,700 at
  // 400.
  [
    'one put is left for the second call',
    '410',
    ['C410 -1 9', 'C420 -1 7', 'P410 -2 8'],
    ['9100.00', '700.00', '9800.00'],
  ],
  [
    'one call is left for the second put',
    '410',
    ['C410 -2 9', 'P410 -1 8', 'P400 -1 5'],
    ['18200.00', '800.00', '500.00'],
  ],
  [
    'the uncovered call is paired with the put, and the spread is not',
    '410',
    ['C410 -1 9', 'C412 1 9 2027-01-15', 'C420 -1 7', 'P410 -1 8'],
    ['200.00', '900.00', '700.00', '9000.00'],
  ],
]

describe('a combination', () => {
  for (const [name, underlying, legs, required] of rows) {
    test(`is chosen so that ${name}`, () => {
      const positions = legs.map((leg) => marginLeg(leg, underlying))
      assert.deepEqual(requiredOf(positions), required)
      assert.deepEqual(requiredOf(positions.toReversed()).toReversed(), required, 'backwards')
    })
  }

  test('pairs only the same security, not another security with its symbol', () => {
    const [long, short] = [marginLeg('abc 100 50', ''), marginLeg('abc -100 50', '')]
    assert.deepEqual(requiredOf([long, short]), ['250.00', '0.00'])
    assert.deepEqual(requiredOf([long, { ...short, secNo: 'other' }]), ['1250.00', '1500.00'])
    assert.deepEqual(requiredOf([marginLeg('abc 0 50', ''), short]), ['0.00', '1500.00'])
  })

  test('protects one of two lots of stock with one put', () => {
    const stocks = ['1', '2'].map((secNo) => marginLeg('abc 100 50', '', { secNo }))
    assert.deepEqual(requiredOf([...stocks, marginLeg('P50 1 2', '50')]), ['500.00', '1250.00', '200.00'])
  })

  test('with a put, or with a security sold short, requires the stock itself: a convertible only covers calls', () => {
    const bond = { kind: 'Bond', converts: { symbol: 'abc', ratio: decimal('25') } } as const
    const long = marginLeg('bond 100 50', '', bond)
    assert.deepEqual(requiredOf([long, marginLeg('C55 -1 2', '50')]), ['1250.00', '0.00'])
    assert.deepEqual(requiredOf([long, marginLeg('P50 1 2', '50')]), ['1250.00', '200.00'])
    const short = marginLeg('bond -100 50', '', bond)
    assert.deepEqual(requiredOf([marginLeg('abc 2500 50', ''), short]), ['31250.00', '1500.00'])
  })

  test('contains only options on the same number of shares', () => {
    const small = { multiplier: decimal('10'), unitQuantity: decimal('10') }
    const short = marginLeg('C100 -1 3', '100')
    const call = marginLeg('C105 1 1', '100')
    assert.deepEqual(requiredOf([short, call]), ['500.00', '100.00'])
    assert.equal(requiredOf([short, { ...call, ...small }])[0], '2300.00')
    const stock = marginLeg('abc 100 50', '')
    const put = { ...marginLeg('P48 1 1', '50'), ...small }
    // The put makes no conversion. The stock is valued at the exercise price of its call.
    assert.equal(requiredOf([stock, marginLeg('C48 -1 3', '50'), put])[0], '1200.00')
  })

  test('takes the first of two convertibles by number, whatever the order of the positions', () => {
    const bond = { kind: 'Bond', converts: { symbol: 'abc', ratio: decimal('25') } } as const
    const [first, second] = ['bond1 4 1000', 'bond2 4 1000'].map((leg) => marginLeg(leg, '', bond))
    assert.ok(first && second)
    const short = marginLeg('abc -100 50', '')
    const alone = requiredOf([first])[0]
    const paired = requiredOf([first, short])[0]
    assert.notEqual(paired, alone)
    assert.deepEqual(requiredOf([first, second, short]).slice(0, 2), [paired, alone])
    assert.deepEqual(requiredOf([second, first, short]).slice(0, 2), [alone, paired])
  })

  test('of an option on no shares does not exist', () => {
    const none = { multiplier: ZERO, unitQuantity: ZERO, marketValue: ZERO }
    const stock = marginLeg('abc 100 50', '')
    for (const leg of ['P48 1 0', 'C48 -1 0'])
      assert.equal(requiredOf([stock, marginLeg(leg, '50', none)])[0], requiredOf([stock])[0])
  })

  test('has requirements in whole cents', () => {
    const exact = (positions: readonly MarginPosition[]) => {
      const figures = marginFigures({ marginCash: ZERO, positions })
      const { regTRequirement, maintenanceRequirement, finraRequirement } = figures
      return [regTRequirement, maintenanceRequirement, finraRequirement].map((amount) =>
        renderDecimal(amount),
      )
    }
    // 20 percent of 33.3333, and a premium of 1.00005 in addition.
    const short = marginLeg('C33 -1 1.00005', '33.3333')
    assert.deepEqual(exact([short]), ['666.67', '666.67', '666.67'])
    const { requirements } = marginFigures({ marginCash: ZERO, positions: [short] })
    assert.equal(renderDecimal(requirements[0]?.houseRequirement ?? ZERO), '766.67')
    // 5 percent of 5,003.33 is 250.1665.
    const pair = [marginLeg('abc 100 50.0333', ''), marginLeg('abc -100 50.0333', '')]
    assert.deepEqual(exact(pair), ['250.17', '250.17', '250.17'])
  })
})
