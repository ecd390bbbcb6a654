/** Prices that count after a change of units, until a price of the new units is known. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, ONE, renderDecimal } from '../../decimal.ts'
import { addDays } from '../calendar/day.ts'
import { carryPrice, carryQuantity, type UnitChange } from './carried-price.ts'

const plain = { multiplier: ONE, priceDivisor: ONE }
interface Asked {
  readonly prices: readonly (readonly [secNo: string, day: string, price: string])[]
  readonly changes: readonly UnitChange[]
}

/** `X 2:1 12-01`, or `X Y 1:10 12-01` for an exchange. */
function change(text: string, facts: Partial<UnitChange> = {}): UnitChange {
  const words = text.split(' ')
  const [secNo = '', toSecNo = ''] = words.length === 3 ? [words[0], words[0]] : words
  const [received = '', held = ''] = (words.at(-2) ?? '').split(':')
  return {
    secNo,
    toSecNo,
    day: `2026-${words.at(-1)}`,
    received: decimal(received),
    held: decimal(held),
    units: plain,
    toUnits: plain,
    isMerger: false,
    ...facts,
  }
}

function carried(secNo: string, { prices, changes }: Asked): string | undefined {
  const found = carryPrice(secNo, changes, (of, before) => {
    const until = before === undefined ? '2027' : addDays(before, -1)
    const last = prices
      .filter(([named, day]) => named === of && `2026-${day}` <= until)
      .sort(([, a], [, b]) => (a < b ? 1 : -1))[0]
    return last && { price: decimal(last[2]), pricedAt: `2026-${last[1]}T21:00:00Z`, day: `2026-${last[1]}` }
  })
  return found && `${renderDecimal(found.price)} of ${found.quoted.day.slice(5)}`
}

const x100 = ['X', '11-30', '100'] as const

describe('the price after a change of units', () => {
  const table: [
    what: string,
    secNo: string,
    prices: Asked['prices'],
    changes: UnitChange[],
    is: string | undefined,
  ][] = [
    ['a split', 'X', [x100], [change('X 2:1 12-01')], '50 of 11-30'],
    ['a reverse split', 'X', [x100], [change('X 1:10 12-01')], '1000 of 11-30'],
    ['a stock dividend of one for ten', 'X', [x100], [change('X 11:10 12-01')], '90.90909091 of 11-30'],
    ['no change', 'X', [x100], [], undefined],
    ['a split on the day of the price', 'X', [['X', '12-01', '50']], [change('X 2:1 12-01')], undefined],
    [
      'a split on the day after the price',
      'X',
      [['X', '12-01', '50']],
      [change('X 2:1 12-02')],
      '25 of 12-01',
    ],
    ['two splits', 'X', [x100], [change('X 2:1 12-01'), change('X 3:1 12-02')], '16.66666667 of 11-30'],
    ['a split and its reversal', 'X', [x100], [change('X 3:1 12-01'), change('X 1:3 12-02')], '100 of 11-30'],
    ['a split between two prices', 'X', [x100, ['X', '12-02', '49']], [change('X 2:1 12-01')], undefined],
    ['a split without a price', 'X', [], [change('X 2:1 12-01')], undefined],
    ['a change of name', 'Y', [x100], [change('X Y 1:1 12-01')], '100 of 11-30'],
    ['an exchange one for ten', 'Y', [x100], [change('X Y 1:10 12-01')], '1000 of 11-30'],
    ['two changes of name', 'Z', [x100], [change('Y Z 1:1 12-02'), change('X Y 1:1 12-01')], '100 of 11-30'],
    [
      'a change of name, then a split',
      'Y',
      [x100],
      [change('X Y 1:1 12-01'), change('Y 2:1 12-02')],
      '50 of 11-30',
    ],
    ['both on one day', 'Y', [x100], [change('X Y 1:1 12-01'), change('Y 2:1 12-01')], '50 of 11-30'],
    [
      'a split, then a change of name',
      'Y',
      [x100],
      [change('X 2:1 12-01'), change('X Y 1:1 12-02')],
      '50 of 11-30',
    ],
    ['both on one day', 'Y', [x100], [change('X 2:1 12-01'), change('X Y 1:1 12-01')], '50 of 11-30'],
    [
      'a split of the new security before it was received',
      'Y',
      [x100],
      [change('Y 2:1 11-30'), change('X Y 1:1 12-01')],
      '100 of 11-30',
    ],
    [
      'a split of the old security later',
      'Y',
      [x100],
      [change('X Y 1:1 12-01'), change('X 2:1 12-02')],
      '100 of 11-30',
    ],
    [
      'a price of the old security on the day',
      'Y',
      [['X', '12-01', '7']],
      [change('X Y 1:1 12-01')],
      undefined,
    ],
    [
      'a price of the new security on the day',
      'Y',
      [x100, ['Y', '12-01', '7']],
      [change('X Y 1:1 12-01')],
      undefined,
    ],
    [
      'a price of the new security of the same day',
      'Y',
      [x100, ['Y', '11-30', '7']],
      [change('X Y 1:10 12-01')],
      '1000 of 11-30',
    ],
    [
      'an earlier one of the new security',
      'Y',
      [x100, ['Y', '11-27', '7']],
      [change('X Y 1:1 12-01')],
      '100 of 11-30',
    ],
    [
      'a price of the new security before both changed',
      'Y',
      [['Y', '11-30', '7']],
      [change('X Y 1:1 12-01'), change('Y 7:1 12-02')],
      '1 of 11-30',
    ],
    [
      'two securities given for one: the later price',
      'Y',
      [['W', '11-27', '9'], x100],
      [change('W Y 1:1 12-01'), change('X Y 1:2 12-01')],
      '200 of 11-30',
    ],
    ['a merger', 'Y', [x100], [change('X Y 1:2 12-01', { isMerger: true })], '200 of 11-30'],
    [
      'a merger into a security with a price',
      'Y',
      [x100, ['Y', '11-02', '7']],
      [change('X Y 1:2 12-01', { isMerger: true })],
      undefined,
    ],
    [
      'two securities exchanged for each other',
      'Y',
      [],
      [change('X Y 1:1 12-01'), change('Y X 1:1 12-01')],
      undefined,
    ],
    [
      'an adjusted contract of 150 shares, quoted for 100 units',
      'Y',
      [['X', '11-30', '6']],
      [
        change('X Y 1:1 12-01', {
          units: { multiplier: decimal('100'), priceDivisor: ONE },
          toUnits: { multiplier: decimal('150'), priceDivisor: decimal('1.5') },
        }),
      ],
      '6 of 11-30',
    ],
    [
      'an adjusted contract of 150 shares, quoted for a share',
      'Y',
      [['X', '11-30', '6']],
      [
        change('X Y 1:1 12-01', {
          units: { multiplier: decimal('100'), priceDivisor: ONE },
          toUnits: { multiplier: decimal('150'), priceDivisor: ONE },
        }),
      ],
      '4 of 11-30',
    ],
  ]
  for (const [what, secNo, prices, changes, is] of table)
    test(`${what}: ${is ?? 'its own'}`, () => {
      assert.equal(carried(secNo, { prices, changes }), is)
    })
})

describe('a quantity that was reported for the end of 12-01', () => {
  const table: [what: string, changes: UnitChange[], is: string][] = [
    ['no split', [], '60'],
    ['a split of that day', [change('X 2:1 12-01')], '60'],
    ['a split of the day after', [change('X 2:1 12-02')], '120'],
    ['a split of the day before', [change('X 2:1 11-30')], '60'],
    ['two splits', [change('X 1:10 12-02'), change('X 3:2 12-03')], '9'],
    ['a stock dividend of one for ten', [change('X 11:10 12-02')], '66'],
    ['a reverse split into fractions', [change('X 1:7 12-02')], '8.57142857'],
    ['a change of name', [change('X Y 1:2 12-02'), change('Y 2:1 12-03')], '60'],
    ['a security received in exchange for another', [change('W X 1:2 12-02')], '60'],
  ]
  for (const [what, changes, is] of table)
    test(`${what}: ${is}`, () => {
      assert.equal(renderDecimal(carryQuantity('X', decimal('60'), changes, '2026-12-01')), is)
    })
})
