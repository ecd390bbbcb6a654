import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decimal, ONE, renderDecimal } from '../decimal.ts'
import { contradictsPosition } from './amount-sign.ts'
import { type CancelFacts, cancelLine } from './cancel-line.ts'
import { exampleFeed, exampleSecurity } from './example-lines.ts'
import { foldAccount } from './fold.ts'

const abc = exampleSecurity('ABC')
const feed = exampleFeed(abc)
const bought = feed.buy({ date: '2024-01-02', quantity: 10, price: 5, commission: 1, acctType: 2 })
function stated(facts: Partial<CancelFacts> = {}): CancelFacts {
  return {
    externalId: 'C1',
    tagNo: bought.externalId,
    ...facts,
  }
}
function lineOf(facts?: Partial<CancelFacts>) {
  const outcome = cancelLine(stated(facts), bought, 2)
  assert.ok('line' in outcome)
  return outcome.line
}

describe('a cancel', () => {
  test('has the facts of its original, with the other sign of quantity and netAmount', () => {
    const { quantity, netAmount, price, commission, acctType, security, cancels, tagNo, tradeDate } = lineOf()
    assert.deepEqual([renderDecimal(quantity), renderDecimal(netAmount ?? 0n)], ['-10', '51'])
    assert.deepEqual([price, commission, acctType, security?.key], [decimal('5'), ONE, 2, 'ABC'])
    assert.deepEqual([cancels, tagNo, tradeDate], [true, bought.externalId, '2024-01-02'])
  })

  test('may repeat the facts of its original with either sign, and may have its own trade date', () => {
    const whole: Partial<CancelFacts> = {
      transType: 'Trade',
      buySell: 'BUY',
      acctType: 2,
      currency: 'USD',
      security: 'ABC',
      quantity: decimal('10'),
      price: decimal('5'),
      netAmount: decimal('-51'),
    }
    assert.equal(lineOf({ ...whole, tradeDate: '2024-01-05' }).tradeDate, '2024-01-05')
    assert.deepEqual(lineOf({ ...whole, quantity: decimal('-10'), netAmount: decimal('51.01') }), lineOf())
  })

  test('has the dates of its original, and is no rebill even if its original was one', () => {
    const original = {
      ...bought,
      settleDate: '2024-01-04',
      asOfDate: '2024-01-03',
      sequence: 7,
      rebills: true,
    }
    const outcome = cancelLine(stated(), original, 2)
    assert.ok('line' in outcome)
    const { tradeDate, settleDate, asOfDate, sequence, rebills } = outcome.line
    assert.deepEqual([tradeDate, settleDate, asOfDate], ['2024-01-02', '2024-01-04', '2024-01-03'])
    assert.deepEqual([sequence, rebills], [0, false])
    const own = cancelLine(stated({ settleDate: '2024-01-08', asOfDate: '2024-01-09' }), original, 2)
    assert.ok('line' in own)
    assert.deepEqual([own.line.settleDate, own.line.asOfDate], ['2024-01-08', '2024-01-09'])
  })

  test('of a sale may contain the quantity with either sign', () => {
    const sold = feed.sell({ date: '2024-01-03', quantity: 10, price: 5 })
    for (const quantity of ['10', '-10']) {
      const outcome = cancelLine(stated({ quantity: decimal(quantity) }), sold, 2)
      assert.ok('line' in outcome)
      assert.equal(renderDecimal(outcome.line.quantity), '10')
    }
    const outcome = cancelLine(stated({ quantity: decimal('11') }), sold, 2)
    assert.ok('rejections' in outcome)
    assert.match(outcome.rejections[0]?.reason ?? '', /: 10\.$/)
  })

  const others: [Partial<CancelFacts>, field: string, reason: RegExp][] = [
    [{ transType: 'Deposit' }, 'transType', /: Trade\.$/],
    [{ buySell: 'SEL' }, 'buySell', /: BUY\.$/],
    [{ acctType: 1 }, 'acctType', /: 2\.$/],
    [{ currency: 'EUR' }, 'currency', /: USD\.$/],
    [{ security: 'DEF' }, 'security', /another one/],
    [{ toSecurity: 'DEF' }, 'toSecurity', /none/],
    [{ quantity: decimal('11') }, 'quantity', /: 10\.$/],
    [{ price: decimal('5.01') }, 'price', /: 5\.$/],
    [{ netAmount: decimal('51.02') }, 'netAmount', /: 51\.$/],
    [{ netAmount: decimal('50.98') }, 'netAmount', /: 51\.$/],
  ]
  for (const [facts, field, reason] of others) {
    test(`with another ${field} than its original is rejected`, () => {
      const outcome = cancelLine(stated(facts), bought, 2)
      assert.ok('rejections' in outcome)
      assert.deepEqual(
        outcome.rejections.map((rejection) => [rejection.code, rejection.field]),
        [['ERR.1015', field]],
      )
      assert.match(outcome.rejections[0]?.reason ?? '', reason)
    })
  }

  test('with several different facts is rejected for each of them', () => {
    const outcome = cancelLine(stated({ quantity: ONE, price: ONE, security: 'DEF' }), bought, 2)
    assert.ok('rejections' in outcome)
    assert.deepEqual(
      outcome.rejections.map(({ field }) => field),
      ['security', 'quantity', 'price'],
    )
  })

  test('of a redeemed pool may contain the price of a unit of current face, as its original did', () => {
    const pool = { ...exampleSecurity('POOL', { priceDivisor: '100' }), factor: decimal('0.8') }
    const redeemed = exampleFeed(pool).line('Redemption', { date: '2024-01-02', quantity: 100, price: 101 })
    const outcome = cancelLine(stated({ price: decimal('101') }), redeemed, 2)
    assert.ok('line' in outcome)
    assert.equal(outcome.line.price, decimal('80.8'))
    assert.ok(
      'line' in cancelLine(stated({ price: decimal('80.8') }), redeemed, 2),
      'the price in the response is accepted too',
    )
  })

  test('that arrived before its original and has different facts is a break', () => {
    const cancel = feed.buy({ date: '2024-01-02', quantity: 7, price: 5, cancels: true, tagNo: 'LATE' })
    const original = { ...bought, externalId: 'LATE', sequence: 99 }
    const { breaks, cash } = foldAccount([cancel, original])
    assert.deepEqual([breaks.map(({ kind }) => kind), cash], [['CancelDisagrees'], []])
    const agreeing = { ...cancel, quantity: bought.quantity }
    assert.deepEqual(foldAccount([agreeing, original]).breaks, [])
    for (const other of [{ price: decimal('5.01') }, { security: exampleSecurity('DEF') }])
      assert.deepEqual(
        foldAccount([{ ...agreeing, ...other }, original]).breaks.map(({ kind }) => kind),
        ['CancelDisagrees'],
      )
    assert.deepEqual(foldAccount([agreeing, { ...original, price: undefined }]).breaks, [])
    assert.deepEqual(
      foldAccount([{ ...cancel, quantity: 0n, price: undefined, security: undefined }, original]).breaks,
      [],
    )
  })
})

describe('an amount from an issuer', () => {
  const date = '2024-03-01'
  const kinds = [
    ['ReturnOfCapital', {}],
    ['Merger', {}],
    ['Redemption', { price: 1 }],
    ['Maturity', {}],
    ['FactorChange', { ratio: '0.8:0.9' }],
  ] as const
  for (const [transType, more] of kinds) {
    test(`causes a break if its sign is not that of the position: ${transType}`, () => {
      const own = exampleFeed(exampleSecurity('BOND', { priceDivisor: '100' }))
      const breaksOf = (quantity: number, netAmount: number) => {
        const held = own.line('TransferIn', { date: '2024-01-02', quantity, cost: 500 })
        const line = own.line(transType, { date, netAmount, ...more })
        const { breaks } = foldAccount([held, line])
        const refused = contradictsPosition(breaks)
        assert.equal(refused?.field, breaks.length === 0 ? undefined : 'netAmount')
        assert.equal(refused?.code, breaks.length === 0 ? undefined : 'ERR.1015')
        const says = quantity < 0 ? /is short and pays the netAmount/ : /is long and receives the netAmount/
        if (refused !== undefined) assert.match(refused.reason, says)
        return breaks.map(({ kind }) => kind)
      }
      assert.deepEqual(breaksOf(100, 50), [])
      assert.deepEqual(breaksOf(-100, -50), [])
      assert.deepEqual(breaksOf(100, -50), ['AmountDisagrees'])
      assert.deepEqual(breaksOf(-100, 50), ['AmountDisagrees'])
      assert.deepEqual([...breaksOf(100, 0), ...breaksOf(-100, 0)], [])
      for (const netAmount of [50, -50]) {
        const { breaks } = foldAccount([own.line(transType, { date, netAmount, ...more })])
        assert.deepEqual(
          breaks.map(({ kind }) => kind),
          ['NothingHeld'],
        )
      }
    })
  }
})
