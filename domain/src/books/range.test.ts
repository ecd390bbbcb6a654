import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Decimal, decimal, ONE, ZERO } from '../decimal.ts'
import { exampleFeed, exampleSecurity } from './example-lines.ts'
import { foldAccount } from './fold.ts'
import { amountsBeyond, cashBeyond, effectsBeyond, holdingBeyond, isInRange } from './range.ts'

const most = decimal('999999999999999999.9999999999')
const beyond = decimal('1000000000000000000')

describe('the range of the books', () => {
  test('has at most 18 digits before the point, on either side of zero', () => {
    for (const amount of [ZERO, ONE, most, -most]) assert.equal(isInRange(amount), true)
    for (const amount of [beyond, -beyond, beyond * beyond]) assert.equal(isInRange(amount), false)
    assert.equal(cashBeyond(most), undefined)
    assert.deepEqual([cashBeyond(-beyond)?.code, cashBeyond(-beyond)?.field], ['ERR.1015', 'netAmount'])
  })

  const feed = exampleFeed(exampleSecurity('ABC'))
  const line = feed.buy({ date: '2024-01-02', quantity: 1, price: 1 })
  const amounts = [
    'quantity',
    'price',
    'commission',
    'secFee',
    'interest',
    'netAmount',
    'cost',
    'cashInLieu',
  ] as const
  for (const field of amounts) {
    test(`limits each amount of a line: ${field}`, () => {
      assert.deepEqual(amountsBeyond({ ...line, [field]: most }), [])
      for (const amount of [beyond, -beyond]) {
        assert.deepEqual(
          amountsBeyond({ ...line, [field]: amount }).map((rejection) => [rejection.code, rejection.field]),
          [['ERR.1015', field]],
        )
      }
    })
  }

  const fold = foldAccount([line, feed.sell({ date: '2024-01-03', quantity: 1, price: 2 })])
  const [closing = assert.fail()] = fold.closings
  const only = (more: object) => ({ movements: [], closings: [], washes: [], breaks: [], ...more })
  const fieldOf = (amount: Decimal, name: string) =>
    effectsBeyond(only({ closings: [{ ...closing, [name]: amount }] }))?.field
  for (const [name, field] of [
    ['quantity', 'quantity'],
    ['proceeds', 'netAmount'],
    ['cost', 'netAmount'],
    ['gain', 'netAmount'],
  ] as const) {
    test(`limits closings: ${name}`, () => {
      assert.equal(fieldOf(most, name), undefined)
      assert.equal(fieldOf(beyond, name), field)
    })
  }

  test('limits movements, wash sales and breaks', () => {
    const effects = [
      [{ movements: [{ quantity: beyond, cash: ZERO }] }, 'quantity'],
      [{ movements: [{ quantity: ZERO, cash: -beyond }] }, 'netAmount'],
      [{ washes: [{ quantity: beyond, disallowed: ZERO }] }, 'quantity'],
      [{ washes: [{ quantity: ZERO, disallowed: beyond }] }, 'netAmount'],
      [{ breaks: [{ quantity: -beyond }] }, 'quantity'],
    ] as const
    for (const [more, field] of effects) {
      const refused = effectsBeyond(only(more))
      assert.deepEqual([refused?.code, refused?.field], ['ERR.1015', field])
    }
    const most18 = {
      movements: [{ quantity: most, cash: -most }],
      washes: [{ quantity: most, disallowed: most }],
      breaks: [{ quantity: -most }],
    }
    assert.equal(effectsBeyond(only(most18)), undefined)
  })

  const half = decimal('600000000000000000')
  const held = foldAccount([line]).holdings.get('ABC') ?? assert.fail()
  const [lot = assert.fail()] = held.lots[0]
  const of = (changes: object, count = 2) => {
    const lots = Array.from({ length: count }, () => ({ ...lot, ...changes }))
    return holdingBeyond({ lots: [[], lots, []], inTransit: [] })?.field
  }
  test('limits lots and their sum', () => {
    assert.equal(of({}), undefined)
    assert.equal(of({ quantity: half }), 'quantity')
    assert.equal(of({ quantity: -half }), 'quantity')
    assert.equal(of({ quantity: half, cost: half }, 1), undefined)
    assert.equal(of({ cost: half }), 'netAmount')
    assert.equal(of({ washAdded: beyond }, 1), 'netAmount')
    assert.equal(of({ cost: beyond, washAdded: ZERO }, 1), 'netAmount')
    const sent = (changes: object) => [{ lineId: 'X', date: '2024-01-02', lot: { ...lot, ...changes } }]
    assert.equal(
      holdingBeyond({ lots: [[], [], []], inTransit: sent({ quantity: beyond }) })?.field,
      'quantity',
    )
    assert.equal(holdingBeyond({ lots: [[], [], []], inTransit: sent({ cost: beyond }) })?.field, 'netAmount')
    assert.equal(
      holdingBeyond({ lots: [[], [], []], inTransit: sent({ quantity: most, cost: most }) }),
      undefined,
    )
  })

  test('ends a fold at the merger whose new security exceeds it', () => {
    const toSecurity = exampleSecurity('NEW')
    const merger = feed.line('Merger', { date: '2024-02-01', toSecurity, ratio: '999999999999999999:1' })
    const second = feed.line('Merger', {
      date: '2024-02-02',
      security: toSecurity,
      toSecurity: exampleSecurity('THIRD'),
      ratio: '1:1',
    })
    const more = feed.buy({ date: '2024-01-03', quantity: 10, netAmount: 10 })
    const whole = foldAccount([line, more, merger, second], { endsBeyond: true })
    assert.equal(whole.beyond?.field, 'quantity')
    assert.equal(whole.holdings.get('THIRD'), undefined)
  })

  test('ends a fold at the corporate action that exceeds it, before the next one multiplies again', () => {
    const splits = Array.from({ length: 4 }, (_, day) =>
      feed.line('Split', { date: `2024-02-0${day + 1}`, ratio: '1000000000:1' }),
    )
    const whole = foldAccount([line, ...splits], { endsBeyond: true })
    assert.equal(whole.beyond?.field, 'quantity')
    assert.equal(whole.movements.length, 2)
    assert.equal(foldAccount([line, ...splits]).movements.length, 4)
  })
})
