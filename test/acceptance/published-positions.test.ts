/** Published worked examples of corporate actions, values and amounts of trades through requests. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { OutcomeExample } from '../../domain/src/books/oracles/outcome-examples.ts'
import {
  action,
  askCases,
  type Case,
  cents,
  example,
  lotsOf,
  positionOf,
  priced,
  startOf,
  trade,
} from './published-cases.ts'

const cases: Case[] = []
for (const id of ['CA-ROC-BASIC', 'CA-ROC-DATE', 'CA-ROC-ZERO']) {
  const { inputs, expected } = example(id)
  cases.push({
    name: `${id}: cash lowers the cost of the lots of the record date`,
    lines: [
      ...inputs.lots.map(({ qty, price, opened, created }: Record<string, string>) =>
        action('TransferIn', created ?? '', {
          quantity: qty,
          openDate: opened,
          cost: String(priced([qty, price])[1]),
        }),
      ),
      action('ReturnOfCapital', '2016-01-10', { asOfDate: inputs.date.slice(0, 10), netAmount: inputs.cash }),
    ],
    check: (read) => {
      const due = inputs.lots.map(({ qty }: Record<string, string>, at: number) =>
        priced([qty, expected.newPrices[at]]),
      )
      const bySize = (a: number[], b: number[]) => (a[0] ?? 0) - (b[0] ?? 0)
      assert.deepEqual(lotsOf(read, 'OLD').sort(bySize), due.sort(bySize))
      assert.deepEqual(read.closings, [])
    },
  })
}
for (const [id, transType, ratio] of [
  ['CA-SPLIT-IRS-1', 'StockDividend', '2:1'],
  ['CA-SPLIT-FAIRMARK', 'Split', '2:1'],
] as const) {
  const { inputs, expected } = example(id)
  cases.push({
    name: `${id}: lot by lot`,
    lines: [
      ...inputs.lots.map(([quantity, price]: string[], at: number) =>
        trade('BUY', `1998-01-0${at + 5}`, { quantity, price }),
      ),
      action(transType, '1998-06-01', { ratio }),
    ],
    check: (read) => assert.deepEqual(lotsOf(read, 'OLD'), expected.lots.map(priced)),
  })
}
for (const id of ['CA-STOCKDIV-FAIRMARK', 'CA-STOCKDIV-CPA', 'CA-STOCKDIV-VITA']) {
  const { inputs, expected } = example(id)
  const cost = inputs.totalCost ?? String(priced([inputs.qty, inputs.price])[1])
  for (const given of [{ ratio: '1:10' }, { quantity: String(Number(inputs.qty) / 10) }]) {
    cases.push({
      name: `${id}: by ${Object.keys(given)}`,
      lines: [
        trade('BUY', '1998-01-05', { quantity: inputs.qty, netAmount: `-${cost}` }),
        action('StockDividend', '1998-06-01', given),
      ],
      check: (read) => {
        assert.deepEqual(lotsOf(read, 'OLD'), [[Number(expected.qty), Number(cost)]])
        assert.equal(startOf(read, 'OLD'), '1998-01-05')
      },
    })
  }
}
{
  const { inputs, expected } = example('CA-TRANSFER-EXCHANGE')
  cases.push({
    name: 'CA-TRANSFER-EXCHANGE: half of a lot, with its cost and holding period',
    lines: [
      trade('BUY', inputs.lot.date, { quantity: inputs.lot.qty, price: inputs.lot.price }),
      action('Merger', '2016-06-01', {
        quantity: inputs.give,
        toSymbol: 'NEW',
        ratio: `${inputs.receive}:${inputs.give}`,
      }),
    ],
    check: (read) => {
      assert.deepEqual(lotsOf(read, 'OLD'), [priced(expected.oldLeft)])
      assert.deepEqual(lotsOf(read, 'NEW'), [priced(expected.new)])
      assert.equal(startOf(read, 'NEW'), expected.newHoldingStart)
      assert.deepEqual(read.closings, [])
    },
  })
}
{
  const { inputs, expected } = example('CA-SPINOFF')
  cases.push({
    name: 'CA-SPINOFF: one for five, half the cost',
    lines: [
      trade('BUY', inputs.lot.date, { quantity: inputs.lot.qty, price: inputs.lot.price }),
      action('Spinoff', '2016-06-01', { toSymbol: 'NEW', ratio: inputs.ratio, costShare: '0.5' }),
    ],
    check: (read) => {
      assert.deepEqual(lotsOf(read, 'OLD'), [priced(expected.parent)])
      assert.deepEqual(lotsOf(read, 'NEW'), [priced(expected.spin)])
      assert.equal(startOf(read, 'NEW'), expected.spinHoldingStart)
    },
  })
}
{
  const { inputs, expected } = example('CA-SPIN-T-WBD')
  cases.push({
    name: 'CA-SPIN-T-WBD: ratio and allocation of a real spin-off',
    lines: [
      trade('BUY', '2020-01-06', { quantity: inputs.qty, price: inputs.unitCost }),
      action('Spinoff', '2022-04-08', {
        toSymbol: 'NEW',
        ratio: `${expected.ratio}:1`,
        costShare: expected.allocSpin,
      }),
    ],
    check: (read) => {
      assert.deepEqual(positionOf(read, 'OLD'), [inputs.qty, expected.parentCost].map(Number))
      assert.deepEqual(positionOf(read, 'NEW'), [expected.newShares, expected.spinCost].map(Number))
    },
  })
}
{
  const { inputs } = example('LOT-BEANCOUNT-OVERSELL')
  cases.push({
    name: 'LOT-BEANCOUNT-OVERSELL: what is sold beyond the lots is short, with a break, where beancount refuses',
    lines: [
      ...inputs.lots.map(([quantity, price, openDate]: string[]) =>
        action('TransferIn', '2015-11-02', {
          quantity,
          openDate,
          cost: String(priced([quantity, price])[1]),
        }),
      ),
      trade('SEL', '2015-11-03', { quantity: inputs.sell, price: '130' }),
    ],
    check: (read) => {
      assert.deepEqual(lotsOf(read, 'OLD'), [[-1, -130]])
      assert.equal(read.summary.portfolios[0]?.unrealizedGainLoss.recon, 'Y')
    },
  })
}
for (const id of ['LOT-PP-1', 'LOT-PP-2']) {
  const { inputs, expected } = example(id)
  for (const [lotMethod, cost] of [
    ['FIFO', expected.fifo],
    ['Average', expected.movingAverage],
  ]) {
    cases.push({
      name: `${id}: the cost that is left under ${lotMethod}`,
      security: { lotMethod },
      lines: inputs.tx.map(([side, quantity, amount]: string[], at: number) =>
        trade(side === 'B' ? 'BUY' : 'SEL', `202${at}-01-05`, {
          quantity,
          netAmount: side === 'B' ? `-${amount}` : amount,
        }),
      ),
      check: (read) => assert.equal(positionOf(read, 'OLD')[1], Number(cost)),
    })
  }
}
{
  const { inputs, expected } = example('LOT-LEAN-FX-LONG')
  cases.push({
    name: 'LOT-LEAN-FX-LONG: cost, value and gain of a foreign security',
    // A unit of the made-up rate is 10 dollars.
    security: { currency: 'KWD' },
    price: inputs.mark,
    lines: [
      trade('BUY', '2024-01-02', {
        currency: 'KWD',
        quantity: inputs.qty,
        price: inputs.price,
        commission: inputs.feeForeign,
      }),
    ],
    check: (read) => {
      const [line] = read.summary.portfolios
      assert.deepEqual(read.amounts, [Number(expected.cashForeign)])
      assert.equal(Number(line?.marketUsdeValue), Number(expected.valueBase))
      assert.equal(
        Number(line?.unrealizedGainLoss.cost),
        Number(expected.costBase) + Number(expected.feeBase),
      )
    },
  })
}
{
  const { inputs, expected } = example('LOT-GHOSTFOLIO-SHORTAVG')
  cases.push({
    name: 'LOT-GHOSTFOLIO-SHORTAVG: the average price of a short, before fees',
    lines: inputs.sells.map(([quantity, price]: string[], at: number) =>
      trade('SSL', `2024-01-0${at + 2}`, { acctType: '3', quantity, price }),
    ),
    check: (read) => {
      const [line] = read.summary.portfolios
      assert.equal(Number(line?.unrealizedGainLoss.unitCost), Number(expected.averagePrice))
    },
  })
}
{
  const { inputs } = example('LOT-GHOSTFOLIO-DUST')
  cases.push({
    name: 'LOT-GHOSTFOLIO-DUST: fractions to eight places leave none when they are sold',
    lines: inputs.trades.map(([date, side, quantity, price]: string[]) =>
      // Quantities have eight places. The feed rounds each part of a share, so that the parts sum to the whole.
      trade(side === 'BUY' ? 'BUY' : 'SEL', date ?? '', {
        quantity: String(Math.round(Number(quantity) * 1e8) / 1e8),
        price,
      }),
    ),
    check: (read) => assert.deepEqual(read.lots, []),
  })
}

for (const id of ['VAL-DRIVEWEALTH-POS', 'VAL-ALPACA-POS']) {
  const { inputs, expected } = example(id)
  const cost = inputs.costBasis ?? expected.costBasis
  cases.push({
    name: `${id}: value and gain`,
    price: inputs.price,
    lines: [trade('BUY', '2024-01-02', { quantity: inputs.qty, netAmount: `-${cost}` })],
    check: (read) => {
      const [line] = read.summary.portfolios
      assert.equal(Number(line?.marketValue), Number(expected.marketValue))
      assert.equal(Number(line?.gainLoss), Number(expected.unrealisedPL))
      if (expected.avgPrice)
        assert.equal(cents(Number(line?.unrealizedGainLoss.unitCost)), Number(expected.avgPrice))
      if (expected.unrealisedPct)
        assert.equal(Number(line?.unrealizedGainLoss.gainLossPercent), Number(expected.unrealisedPct) * 100)
    },
  })
}
{
  const { inputs, expected } = example('VAL-CLEARSTREET-OPTION')
  cases.push({
    name: 'VAL-CLEARSTREET-OPTION: a contract is a hundred shares',
    security: {
      putCall: 'Call',
      strike: '50',
      expiration: '2037-12-18',
      underlying: 'UND',
      secTypeName: 'Option',
    },
    price: inputs.closingPrice,
    lines: [trade('BUY', '2024-01-02', { quantity: inputs.qty, price: inputs.avgPrice })],
    check: (read) => {
      const [line] = read.summary.portfolios
      assert.deepEqual(
        [line?.unrealizedGainLoss.cost, line?.marketValue, line?.gainLoss].map(Number),
        [expected.costBasis, expected.marketValue, expected.unrealisedPL].map(Number),
      )
    },
  })
}
{
  const { inputs, expected } = example('VAL-IBFLEX-SHORTLOT')
  cases.push({
    name: 'VAL-IBFLEX-SHORTLOT: value, cost and gain of a short are negative',
    price: inputs.markPrice,
    lines: [
      trade('SSL', inputs.openDate, {
        acctType: '3',
        quantity: inputs.position.slice(1),
        price: inputs.openPrice,
      }),
    ],
    check: (read) => {
      const [line] = read.summary.portfolios
      assert.deepEqual(
        [line?.marketValue, line?.unrealizedGainLoss.cost, line?.gainLoss].map(Number),
        [expected.positionValue, expected.costBasisMoney, expected.fifoPnlUnrealized].map(Number),
      )
      assert.equal(line?.unrealizedGainLoss.longShortInd, 'SHORT')
    },
  })
}
{
  const { inputs, expected } = example('VAL-FIDELITY-POS')
  cases.push({
    name: 'VAL-FIDELITY-POS: the value of a real position',
    price: inputs.price,
    lines: [trade('BUY', '2024-01-02', { quantity: inputs.qty, price: '1' })],
    check: (read) =>
      assert.equal(Number(read.summary.portfolios[0]?.marketValue), Number(expected.marketValue)),
  })
}
{
  const { inputs, expected } = example('VAL-OFX-SPEC')
  const [quantity, price, commission] = inputs.buy
  cases.push(
    {
      name: 'VAL-OFX-SPEC: a stock and its purchase',
      price: inputs.stock[1],
      lines: [
        trade('BUY', '2024-01-02', { quantity, price, commission }),
        action('TransferIn', '2024-01-03', {
          quantity: String(inputs.stock[0] - quantity),
          cost: '1',
          openDate: '2023-01-03',
        }),
      ],
      check: (read) => {
        assert.deepEqual(read.amounts, [Number(expected.buyTotal)])
        assert.equal(Number(read.summary.portfolios[0]?.marketValue), Number(expected.stockValue))
      },
    },
    {
      name: 'VAL-OFX-SPEC: an option',
      security: {
        putCall: 'Call',
        strike: '50',
        expiration: '2037-12-18',
        underlying: 'UND',
        secTypeName: 'Option',
      },
      price: inputs.option[1],
      lines: [trade('BUY', '2024-01-02', { quantity: inputs.option[0], price: '1' })],
      check: (read) =>
        assert.equal(Number(read.summary.portfolios[0]?.marketValue), Number(expected.optionValue)),
    },
  )
}
{
  const { inputs, expected } = example('BOND-OFX-TDA')
  cases.push({
    name: 'BOND-OFX-TDA: a bond is valued in percent of par',
    security: { couponRate: '3', maturityDate: '2047-05-15', cusip: '912810RW0', secTypeName: 'US Treasury' },
    price: inputs.price,
    lines: [trade('BUY', '2024-01-02', { quantity: inputs.units, price: '100', interest: '0' })],
    check: (read) =>
      assert.equal(Number(read.summary.portfolios[0]?.marketValue), Number(expected.bondValue)),
  })
}
for (const [id, original, factor] of [
  ['BOND-MBS-FACTOR', 'originalFace', 'factor'],
  ['BOND-MBS-WIKI', 'originalFace', 'factor'],
] as const) {
  const { inputs, expected } = example(id)
  cases.push({
    name: `${id}: the current face of a pool`,
    security: {
      couponRate: '3',
      maturityDate: '2047-05-15',
      currentFactor: inputs[factor],
      secTypeName: 'MBS',
      priceDivisor: '100',
    },
    price: '100',
    lines: [trade('BUY', '2024-01-02', { quantity: inputs[original], netAmount: '-1000', interest: '0' })],
    check: (read) =>
      assert.equal(Number(read.summary.portfolios[0]?.marketValue), Number(expected.currentFace)),
  })
}

for (const id of [
  'VAL-IBKR-TRADE-VTI',
  'VAL-IBKR-TRADE-VTI2',
  'VAL-IBKR-TRADE-VXUS',
  'VAL-IBKR-TRADE-IDXX',
]) {
  const { inputs, expected } = example(id)
  cases.push({
    name: `${id}: amount and cost of a real trade, in cents`,
    lines: [
      trade('BUY', '2023-01-23', {
        quantity: inputs.qty,
        price: inputs.price,
        commission: inputs.commission.slice(1),
      }),
    ],
    check: (read) => {
      assert.deepEqual(read.amounts, [cents(Number(expected.netCash))])
      assert.equal(positionOf(read, 'OLD')[1], cents(Number(expected.cost)))
    },
  })
}
{
  const { inputs, expected } = example('VAL-FIDELITY-BUYS')
  cases.push({
    name: 'VAL-FIDELITY-BUYS: quantity × price and commission, half up to the cent',
    lines: inputs.buys.map(([quantity, price, commission]: string[], at: number) =>
      trade('BUY', `2024-01-1${at}`, { quantity, price, commission }),
    ),
    check: (read) =>
      assert.deepEqual(
        read.amounts,
        expected.totals.map((total: string) => -Number(total)),
      ),
  })
}
{
  const { inputs, expected } = example('VAL-SCHWAB-SELLS')
  cases.push({
    name: 'VAL-SCHWAB-SELLS: quantity × price less fees',
    lines: [
      trade('BUY', '2023-01-03', { quantity: '600', price: '1' }),
      ...inputs.rows.map(([quantity, price, secFee]: string[], at: number) =>
        trade('SEL', `2024-01-1${at}`, { quantity, price, secFee }),
      ),
    ],
    check: (read) => assert.deepEqual(read.amounts.slice(1), expected.amounts.map(Number)),
  })
}

const outcomes: OutcomeExample[] = JSON.parse(
  readFileSync(new URL('../../domain/src/books/oracles/outcomes.json', import.meta.url), 'utf8'),
)
for (const { id, about, option, lines, expected } of outcomes) {
  cases.push({
    name: `${id}: ${about}`,
    ...(option && {
      security: { secTypeName: 'Option', underlying: 'UND', expiration: '2022-12-16', ...option },
    }),
    lines: lines.map(({ date, of, to, ...fields }) => ({
      ...{ tradeDate: date, ...fields },
      ...(of && { symbol: of }),
      ...(to && { toSymbol: to }),
    })),
    check: (read) => {
      const gains = read.closings.filter(({ gainLoss }) => Number(gainLoss) !== 0)
      assert.deepEqual(
        gains.map(({ term, gainLoss }) => [term, String(gainLoss)]),
        expected.gains,
      )
      for (const [name, lots] of Object.entries(expected.lots))
        assert.deepEqual(
          lotsOf(read, name),
          lots.map((lot) => lot.map(Number)),
        )
    },
  })
}

askCases('published examples of actions, values and amounts through requests', cases)
