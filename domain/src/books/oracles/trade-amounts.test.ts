/** Amounts of real and published trades: netAmount from quantity, price and fees; cost of options and of shorts. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { abs, decimal, divide, multiply, renderDecimal, roundTo } from '../../decimal.ts'
import { exampleFeed, exampleSecurity } from '../example-lines.ts'
import { foldAccount } from '../fold.ts'

interface Example {
  readonly id: string
  // biome-ignore lint/suspicious/noExplicitAny: each example has the inputs that its publisher gives.
  readonly inputs: any
  // biome-ignore lint/suspicious/noExplicitAny: and the results that its publisher gives.
  readonly expected: any
}

const examples: readonly Example[] = JSON.parse(
  readFileSync(new URL('trade-amounts.json', import.meta.url), 'utf8'),
)
function example(id: string): Example {
  const found = examples.find((candidate) => candidate.id === id)
  assert.ok(found, id)
  return found
}
const date = '2024-01-02'

describe('netAmount', () => {
  test('VAL-FIDELITY-BUYS: a purchase costs price × quantity + commission, to the cent', () => {
    const { inputs, expected } = example('VAL-FIDELITY-BUYS')
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const totals = inputs.buys.map(([quantity, price, commission]: string[]) =>
      renderDecimal(-(feed.buy({ date, quantity, price, commission }).netAmount ?? 0n)),
    )
    assert.deepEqual(totals, expected.totals)
  })

  test('VAL-SCHWAB-SELLS: a sale brings price × quantity - fees', () => {
    const { inputs, expected } = example('VAL-SCHWAB-SELLS')
    const feed = exampleFeed(exampleSecurity('XYZ'))
    const amounts = inputs.rows.map(([quantity, price, commission]: string[]) =>
      renderDecimal(feed.sell({ date, quantity, price, commission }).netAmount ?? 0n),
    )
    assert.deepEqual(amounts, expected.amounts)
  })

  test('VAL-OFX-SPEC: the netAmount of a purchase includes its commission', () => {
    const { inputs, expected } = example('VAL-OFX-SPEC')
    const [quantity, price, commission] = inputs.buy
    const feed = exampleFeed(exampleSecurity('XYZ'))
    assert.equal(
      renderDecimal(feed.buy({ date, quantity, price, commission }).netAmount ?? 0n),
      expected.buyTotal,
    )
  })

  for (const id of [
    'VAL-IBKR-TRADE-VTI',
    'VAL-IBKR-TRADE-VTI2',
    'VAL-IBKR-TRADE-VXUS',
    'VAL-IBKR-TRADE-IDXX',
  ]) {
    const { inputs, expected } = example(id)
    test(`${id}: the netAmount is ${expected.netCash} to the cent (its broker keeps 8 places)`, () => {
      const feed = exampleFeed(exampleSecurity('XYZ'))
      const { qty: quantity, price } = inputs
      const bought = feed.buy({ date, quantity, price, commission: inputs.commission.replace('-', '') })
      assert.equal(bought.netAmount, roundTo(decimal(expected.netCash), 2))
      const [position] = foldAccount([bought]).positions
      assert.equal(position?.cost, roundTo(decimal(expected.cost), 2))
    })
  }
})

test('VAL-CLEARSTREET-OPTION: an option costs price × 100 per contract', () => {
  const { inputs, expected } = example('VAL-CLEARSTREET-OPTION')
  const feed = exampleFeed(exampleSecurity('OPT', { multiplier: '100' }))
  const [position] = foldAccount([feed.buy({ date, quantity: inputs.qty, price: inputs.avgPrice })]).positions
  assert.equal(renderDecimal(position?.cost ?? 0n), expected.costBasis)
})

test('VAL-IBFLEX-SHORTLOT: quantity and cost of a short are negative, and its gain is value less cost', () => {
  const { inputs, expected } = example('VAL-IBFLEX-SHORTLOT')
  const feed = exampleFeed(exampleSecurity('VXX'))
  const quantity = renderDecimal(abs(decimal(inputs.position)))
  const sold = feed.sellShort({ date: inputs.openDate, quantity, price: inputs.openPrice, acctType: 3 })
  const [position] = foldAccount([sold]).positions
  assert.ok(position)
  assert.equal(renderDecimal(position.quantity), inputs.position)
  assert.equal(renderDecimal(position.cost), expected.costBasisMoney)
  assert.equal(renderDecimal(divide(position.cost, position.quantity, 8)), inputs.openPrice)
  const value = multiply(position.quantity, decimal(inputs.markPrice), 2)
  assert.equal(renderDecimal(value - position.cost), expected.fifoPnlUnrealized)
})
