/**
 * Published worked examples of corporate actions. Two are left out because their printed numbers are wrong: CA-SPIN-IBM
 * (an error of arithmetic in a forum) and CA-ROC-TTLC (100 × 100 computed as 1,000).
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { decimal, divide, multiply, ONE, renderDecimal, roundTo, sum } from '../../decimal.ts'
import { exampleFeed, exampleSecurity } from '../example-lines.ts'
import { type AccountFold, foldAccount } from '../fold.ts'

interface Example {
  readonly id: string
  readonly about: string
  // biome-ignore lint/suspicious/noExplicitAny: each example has the inputs that its publisher gives.
  readonly inputs: any
  // biome-ignore lint/suspicious/noExplicitAny: and the results that its publisher gives.
  readonly expected: any
}

const examples: readonly Example[] = JSON.parse(
  readFileSync(new URL('corporate-actions.json', import.meta.url), 'utf8'),
)

function example(id: string): Example {
  const found = examples.find((candidate) => candidate.id === id)
  assert.ok(found, id)
  return found
}

const old = exampleSecurity('OLD')
const other = exampleSecurity('NEW')
function totalCost(quantity: string, price: string) {
  return renderDecimal(multiply(decimal(quantity), decimal(price), 2))
}

function lotsOf(fold: AccountFold, key: string): [quantity: string, unitCost: string][] {
  const lots = fold.holdings.get(key)?.lots.flat() ?? []
  return lots.map((lot) => [renderDecimal(lot.quantity), renderDecimal(divide(lot.cost, lot.quantity, 10))])
}

function positionIn(fold: AccountFold, key: string): [quantity: string, cost: string] {
  const lots = fold.holdings.get(key)?.lots.flat() ?? []
  return [
    renderDecimal(sum(lots.map((lot) => lot.quantity))),
    renderDecimal(sum(lots.map((lot) => lot.cost))),
  ]
}

describe('returns of capital', () => {
  for (const id of ['CA-ROC-BASIC', 'CA-ROC-DATE', 'CA-ROC-ZERO']) {
    const { about, inputs, expected } = example(id)
    test(`${id}: ${about}`, () => {
      const feed = exampleFeed(old)
      const held = inputs.lots.map(({ lot, qty, price, opened, created }: Record<string, string>) =>
        feed.line('TransferIn', {
          date: created ?? '',
          quantity: qty,
          cost: totalCost(qty ?? '', price ?? ''),
          openDate: opened ?? '',
          externalId: lot ?? '',
        }),
      )
      // The payment is after its record date, so it applies to the lots of the record date.
      const paid = feed.line('ReturnOfCapital', {
        date: '2016-01-10',
        asOfDate: inputs.date.slice(0, 10),
        netAmount: inputs.cash,
      })
      const fold = foldAccount([...held, paid])
      const lots = fold.holdings.get('OLD')?.lots.flat() ?? []
      const prices = lots
        .toSorted((a, b) => (a.openedBy < b.openedBy ? -1 : 1))
        .map((lot) => renderDecimal(divide(lot.cost, lot.quantity, 10)))
      assert.deepEqual(prices, expected.newPrices)
      assert.deepEqual(fold.closings, [])
    })
  }

  test('CA-ROC-CVC: an amount beyond the cost is a gain', () => {
    const { inputs, expected } = example('CA-ROC-CVC')
    const feed = exampleFeed(old)
    const fold = foldAccount([
      feed.buy({ date: '2015-01-05', quantity: 100, price: inputs.unitCost }),
      feed.line('ReturnOfCapital', { date: '2015-06-01', cashPerShare: inputs.rocPerShare }),
    ])
    assert.deepEqual(lotsOf(fold, 'OLD'), [['100', expected.newUnitCost]])
    const gain = sum(fold.closings.map((closing) => closing.gain))
    assert.equal(renderDecimal(gain), totalCost('100', expected.gainPerShare))
  })
})

describe('splits and stock dividends', () => {
  test('CA-SPLIT-IRS-1: a split gives two new shares for each share of a lot', () => {
    const { inputs, expected } = example('CA-SPLIT-IRS-1')
    const feed = exampleFeed(old)
    const fold = foldAccount([
      ...inputs.lots.map(([quantity, price]: string[]) => feed.buy({ date: '1998-01-05', quantity, price })),
      feed.line('StockDividend', { date: '1998-06-01', ratio: `${inputs.newPerOld}:1` }),
    ])
    assert.deepEqual(lotsOf(fold, 'OLD'), expected.lots)
  })

  test('CA-SPLIT-FAIRMARK: a split is two for one, lot by lot', () => {
    const { inputs, expected } = example('CA-SPLIT-FAIRMARK')
    const feed = exampleFeed(old)
    const fold = foldAccount([
      ...inputs.lots.map(([quantity, price]: string[]) => feed.buy({ date: '1998-01-05', quantity, price })),
      feed.line('Split', { date: '1998-06-01', ratio: inputs.split }),
    ])
    assert.deepEqual(lotsOf(fold, 'OLD'), expected.lots)
  })

  for (const id of ['CA-STOCKDIV-FAIRMARK', 'CA-STOCKDIV-CPA', 'CA-STOCKDIV-VITA']) {
    const { about, inputs, expected } = example(id)
    test(`${id}: ${about}, by ratio and by shares delivered`, () => {
      const netAmount = inputs.totalCost ?? totalCost(inputs.qty, inputs.price)
      for (const given of [{ ratio: '1:10' }, { quantity: renderDecimal(decimal(inputs.qty) / 10n) }]) {
        const feed = exampleFeed(old)
        const fold = foldAccount([
          feed.buy({ date: '1998-01-05', quantity: inputs.qty, netAmount }),
          feed.line('StockDividend', { date: '1998-06-01', ...given }),
        ])
        assert.deepEqual(positionIn(fold, 'OLD'), [expected.qty, netAmount])
        assert.deepEqual(lotsOf(fold, 'OLD'), [[expected.qty, expected.unitCost]])
        assert.equal(fold.holdings.get('OLD')?.lots[0][0]?.holdingStart, '1998-01-05')
      }
    })
  }
})

describe('exchanges and spin-offs', () => {
  test('CA-TRANSFER-EXCHANGE: an exchange of half of a lot carries over cost and holding period', () => {
    const { inputs, expected } = example('CA-TRANSFER-EXCHANGE')
    const feed = exampleFeed(old)
    const fold = foldAccount([
      feed.buy({ date: inputs.lot.date, quantity: inputs.lot.qty, price: inputs.lot.price }),
      feed.line('Merger', {
        date: '2016-06-01',
        quantity: inputs.give,
        toSecurity: other,
        ratio: `${inputs.receive}:${inputs.give}`,
      }),
    ])
    assert.deepEqual(lotsOf(fold, 'OLD'), [expected.oldLeft])
    assert.deepEqual(lotsOf(fold, 'NEW'), [expected.new])
    assert.equal(fold.holdings.get('NEW')?.lots[0][0]?.holdingStart, expected.newHoldingStart)
    assert.deepEqual(fold.closings, [])
  })

  test('CA-SPINOFF: a spin-off of one for five divides the cost by market values', () => {
    const { inputs, expected } = example('CA-SPINOFF')
    const [spunOff, held] = inputs.ratio.split(':').map(decimal)
    const spunOffValue = multiply(spunOff, decimal(inputs.fmvSpin), 10)
    const keptValue = multiply(held, decimal(inputs.fmvParent), 10)
    const share = divide(spunOffValue, spunOffValue + keptValue, 10)
    const feed = exampleFeed(old)
    const fold = foldAccount([
      feed.buy({ date: inputs.lot.date, quantity: inputs.lot.qty, price: inputs.lot.price }),
      feed.line('Spinoff', {
        date: '2016-06-01',
        toSecurity: other,
        ratio: inputs.ratio,
        costShare: renderDecimal(share),
      }),
    ])
    assert.deepEqual(lotsOf(fold, 'OLD'), [expected.parent])
    assert.deepEqual(lotsOf(fold, 'NEW'), [expected.spin])
    assert.equal(fold.holdings.get('NEW')?.lots[0][0]?.holdingStart, expected.spinHoldingStart)
    const costs = [positionIn(fold, 'OLD')[1], positionIn(fold, 'NEW')[1]]
    assert.equal(renderDecimal(sum(costs.map(decimal))), expected.totalCost)
  })

  test('CA-SPIN-T-WBD: a real spin-off has the published ratio and allocation', () => {
    const { inputs, expected } = example('CA-SPIN-T-WBD')
    assert.equal(renderDecimal(ONE - decimal(expected.allocSpin)), expected.allocParent)
    const feed = exampleFeed(old)
    const fold = foldAccount([
      feed.buy({ date: '2020-01-06', quantity: inputs.qty, price: inputs.unitCost }),
      feed.line('Spinoff', {
        date: '2022-04-08',
        toSecurity: other,
        ratio: `${expected.ratio}:1`,
        costShare: expected.allocSpin,
      }),
    ])
    assert.deepEqual(positionIn(fold, 'OLD'), [inputs.qty, expected.parentCost])
    assert.deepEqual(positionIn(fold, 'NEW'), [expected.newShares, expected.spinCost])
  })

  test('CA-SPIN-FRACTION: a fraction that is sold for cash has its part of the cost', () => {
    const { inputs, expected } = example('CA-SPIN-FRACTION')
    const feed = exampleFeed(old)
    const fold = foldAccount([
      feed.buy({ date: '2020-01-06', quantity: '7.65', netAmount: inputs.totalCost }),
      feed.line('Spinoff', {
        date: '2022-04-08',
        toSecurity: other,
        ratio: '1:1',
        costShare: 1,
        cashInLieu: '8.00',
      }),
    ])
    const [closing] = fold.closings
    assert.ok(closing)
    assert.equal(renderDecimal(closing.quantity), '0.65')
    assert.equal(renderDecimal(closing.cost), expected.fractionCost)
    assert.equal(
      renderDecimal(roundTo(divide(decimal(inputs.totalCost), decimal(inputs.newShares), 10), 3)),
      expected.unitCost,
    )
    assert.deepEqual(positionIn(fold, 'NEW'), ['7', '80.24'])
  })
})
