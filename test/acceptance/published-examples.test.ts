/**
 * Published worked examples of wash sales, lot relief, shorts and corporate actions through requests. They are loaded
 * like a feed and read by realized-gains and position-detail. The rows are those of the rules' own table tests, which
 * name the differences from a publisher.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import { lotOfPart, type WashExample, type WashRow } from '../../domain/src/books/oracles/wash-examples.ts'
import { marginApplication } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

// biome-ignore lint/suspicious/noExplicitAny: each example has the inputs and results that its publisher gives
type Any = any
type Line = Record<string, unknown>
type Row = readonly string[]
interface Example {
  readonly id: string
  readonly about: string
  readonly inputs: Any
  readonly expected: Any
}

function examplesOf(file: string): Example[] {
  return JSON.parse(
    readFileSync(new URL(`../../domain/src/books/oracles/${file}.json`, import.meta.url), 'utf8'),
  )
}
const reliefs = examplesOf('lot-relief')
const actions = examplesOf('corporate-actions')
// One program's example buys in the year 1000; the books begin in 1900.
const washes: WashExample[] = JSON.parse(
  JSON.stringify(examplesOf('wash-sales')).replaceAll('1000-01-01', '1900-01-01'),
)
function found(examples: readonly Example[], id: string): Example {
  const example = examples.find((one) => one.id === id)
  assert.ok(example, id)
  return example
}

/** One example in one security: the loaded lines and the expected responses. */
interface Case {
  readonly name: string
  readonly lotMethod?: string
  readonly others?: readonly Line[]
  readonly lines: (symbol: string) => readonly Line[]
  readonly check: (realized: Realized) => void
}

interface Realized {
  readonly symbol: string
  readonly closings: readonly Closing[]
  readonly lots: readonly Lot[]
}
type Closing = Awaited<ReturnType<RunningService['alpha']['realizedGains']>>['data']['closings'][number]
type Lot = Awaited<ReturnType<RunningService['alpha']['positionDetail']>>['data']['portfolios'][number]

function cents(amount: number) {
  return Math.round(amount * 100) / 100
}
function total(amounts: readonly number[]) {
  return cents(amounts.reduce((sum, amount) => sum + amount, 0))
}
function gainOf({ closings }: Realized) {
  return total(closings.map(({ gainLoss }) => gainLoss))
}
function costOf({ closings }: Realized) {
  return total(closings.map(({ cost }) => cost))
}
function bare(id: string, symbol: string) {
  return id.slice(symbol.length + 1)
}

let ids = 0
function line(symbol: string, fields: Line): Line {
  ids += 1
  const { externalId = String(ids), lotId, ...rest } = fields
  return {
    ...{ externalId: `${symbol}-${externalId}`, symbol, ...rest },
    ...(lotId === undefined ? {} : { lotId: `${symbol}-${lotId}` }),
  }
}
function trade(symbol: string, buySell: string, tradeDate: string, fields: Line) {
  return line(symbol, { transType: 'Trade', buySell, tradeDate, secFee: '0', ...fields })
}

/** Purchases at a price, two years before the sale, so that no wash sale occurs. */
function buysThenSell(symbol: string, buys: readonly Row[], sell: Row) {
  return [
    ...buys.map(([quantity, price, date], index) => {
      const exact = /^\d{4}-\d\d-\d\d$/.test(date ?? '')
        ? (date as string)
        : addDays('2022-01-03', index * 31)
      return trade(symbol, 'BUY', exact, { quantity, price })
    }),
    trade(symbol, 'SEL', '2026-06-01', { quantity: sell[0], price: sell[1] }),
  ]
}

const METHODS: Readonly<Record<string, string>> = { FIFO: 'FIFO', LIFO: 'LIFO', HIFO: 'HIFO', AVG: 'Average' }
const cases: Case[] = []

const byMethod = 'LOT-FAIRMARK LOT-GNUCASH LOT-ALLINVESTVIEW LOT-CERTFUEL LOT-INVESCO LOT-PUB550-LJP'
for (const id of byMethod.split(' ')) {
  const { inputs, expected } = found(reliefs, id)
  for (const [method, gain] of Object.entries<string>(expected)) {
    cases.push({
      ...{ name: `${id}: ${method} gains ${gain}`, lotMethod: METHODS[method] as string },
      lines: (symbol) => buysThenSell(symbol, inputs.buys, inputs.sell),
      check: (realized) => assert.equal(gainOf(realized), Number(gain)),
    })
  }
}
for (const [method, lotMethod] of Object.entries(METHODS)) {
  const { inputs, expected } = found(reliefs, 'LOT-CAPITALONE')
  cases.push({
    name: `LOT-CAPITALONE: cost under ${method}`,
    lotMethod,
    lines: (symbol) => buysThenSell(symbol, inputs.buys, [inputs.sellQty, '20']),
    check: (realized) => assert.equal(costOf(realized), Number(expected[`${method}cost`])),
  })
}
for (const method of ['FIFO', 'AVG']) {
  const { inputs, expected } = found(reliefs, 'LOT-IRS564-T3')
  cases.push({
    name: `LOT-IRS564-T3: shares of a fund under ${method}`,
    lotMethod: METHODS[method] as string,
    lines: (symbol) =>
      buysThenSell(
        symbol,
        inputs.buys.map(([a, b]: Row) => [a, b]),
        inputs.sell,
      ),
    check: (realized) => {
      assert.equal(costOf(realized), Number(expected[`${method}cost`]))
      assert.equal(total(realized.closings.map(({ proceeds }) => proceeds)), Number(expected.proceeds))
    },
  })
}
for (const [id, lotMethod] of [
  ['LOT-HLEDGER-1', 'LIFO'],
  ['LOT-HLEDGER-4', 'FIFO'],
  ['LOT-HLEDGER-10', 'HIFO'],
  ['LOT-HLEDGER-12', 'Average'],
] as const) {
  const { about, inputs, expected } = found(reliefs, id)
  cases.push({
    ...{ name: `${id}: ${about}`, lotMethod },
    lines: (symbol) => buysThenSell(symbol, inputs.buys, inputs.sell),
    check: (realized) => assert.equal(gainOf(realized), Number(expected.gain)),
  })
}
{
  const { about, inputs, expected } = found(reliefs, 'LOT-HLEDGER-23')
  cases.push({
    name: `LOT-HLEDGER-23: ${about}`,
    lotMethod: 'Average',
    lines: (symbol) => [
      trade(symbol, 'BUY', '2023-01-03', { quantity: inputs.avgAccount[0], price: inputs.avgAccount[1] }),
      line(symbol, {
        transType: 'TransferIn',
        tradeDate: '2023-02-01',
        openDate: '2022-01-03',
        quantity: inputs.transferIn[0],
        cost: String(inputs.transferIn[0] * inputs.transferIn[1]),
      }),
      trade(symbol, 'SEL', '2023-06-01', { quantity: inputs.sell[0], price: inputs.sell[1] }),
    ],
    check: (realized) => assert.equal(gainOf(realized), Number(expected.gain)),
  })
}
for (const id of reliefs.map((one) => one.id).filter((name) => /BEANCOUNT-[FL]IFO/.test(name))) {
  const { about, inputs, expected } = found(reliefs, id)
  cases.push({
    ...{ name: `${id}: ${about}`, lotMethod: id.includes('LIFO') ? 'LIFO' : 'FIFO' },
    lines: (symbol) => [
      ...inputs.lots.map(([quantity, price, openDate]: Row) =>
        line(symbol, {
          transType: 'TransferIn',
          tradeDate: '2015-11-02',
          quantity,
          openDate,
          cost: cents(Number(quantity) * Number(price)).toFixed(2),
        }),
      ),
      trade(symbol, 'SEL', '2015-11-03', { quantity: inputs.sell, price: '130' }),
    ],
    check: ({ closings }) =>
      assert.deepEqual(
        closings.map(({ openDate, quantity }) => [openDate, String(quantity)]),
        expected.relieved,
      ),
  })
}
/** Real fills have billionths of a dollar, and cash has cents: amounts are scaled by seven places. */
function timesTenMillion(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.')
  const digits = fraction.padEnd(9, '0')
  return `${whole}${digits.slice(0, 7)}.${digits.slice(7)}`
}
for (const [id, lotMethod] of [
  ['LOT-CAPGAINS-FIFO', 'FIFO'],
  ['LOT-CAPGAINS-LIFO', 'LIFO'],
  ['LOT-CAPGAINS-MINGAIN', 'HIFO'],
] as const) {
  const fills: Any[] = found(reliefs, 'LOT-CAPGAINS-FIFO').inputs.trades
  const { about, expected } = found(reliefs, id)
  cases.push({
    ...{ name: `${id}: ${about}`, lotMethod },
    lines: (symbol) =>
      fills.map(({ i, time, units, cash }) =>
        trade(symbol, units.startsWith('-') ? 'SSL' : 'BCV', time.slice(0, 10), {
          externalId: i,
          acctType: '3',
          quantity: units.replace('-', ''),
          netAmount: timesTenMillion(cash),
        }),
      ),
    check: (realized) => {
      const { symbol, closings } = realized
      const byLot = (a: Row, b: Row) => Number(a[0]) - Number(b[0]) || Number(a[1]) - Number(b[1])
      const matches = closings.map(({ openedBy, closedBy, quantity }) => [
        ...[bare(openedBy, symbol), bare(closedBy, symbol), String(quantity)],
      ])
      assert.deepEqual(matches.sort(byLot), [...expected.matches].sort(byLot))
      assert.equal((gainOf(realized) / 10_000_000).toFixed(6), Number(expected.realisedGain).toFixed(6))
    },
  })
}
for (const id of ['LOT-LEAN-LONG2SHORT', 'LOT-LEAN-SHORT2LONG']) {
  const { about, inputs, expected } = found(reliefs, id)
  cases.push({
    name: `${id}: ${about}`,
    lines: (symbol) =>
      [
        [inputs.open, '2024-01-02'],
        [inputs.fill, '2024-06-03'],
      ].map(([[quantity, price], date]) =>
        trade(symbol, quantity.startsWith('-') ? 'SSL' : 'BUY', date, {
          quantity: quantity.replace('-', ''),
          price,
        }),
      ),
    check: (realized) => {
      assert.equal(gainOf(realized), Number(expected.realised))
      assert.equal(total(realized.lots.map(({ quantity }) => quantity)), Number(expected.position))
    },
  })
}
{
  const { about, inputs, expected } = found(reliefs, 'LOT-GHOSTFOLIO-JNUG')
  cases.push({
    name: `LOT-GHOSTFOLIO-JNUG: ${about}`,
    lines: (symbol) =>
      inputs.trades.map(([date, side, quantity, price, commission]: Row) =>
        trade(symbol, side === 'BUY' ? 'BUY' : 'SEL', date as string, { quantity, price, commission }),
      ),
    check: (realized) => {
      assert.equal(gainOf(realized), Number(expected.netGain))
      assert.deepEqual(realized.lots, [])
    },
  })
}
{
  const { about, inputs, expected } = found(actions, 'CA-ROC-CVC')
  cases.push({
    name: `CA-ROC-CVC: ${about}`,
    lines: (symbol) => [
      trade(symbol, 'BUY', '2015-01-05', { quantity: '100', price: inputs.unitCost }),
      line(symbol, {
        transType: 'ReturnOfCapital',
        tradeDate: '2015-06-01',
        cashPerShare: inputs.rocPerShare,
      }),
    ],
    check: (realized) => {
      assert.equal(gainOf(realized), cents(100 * Number(expected.gainPerShare)))
      assert.deepEqual(
        realized.closings.map(({ kind, quantity }) => [kind, quantity]),
        [['ReturnOfCapital', 0]],
      )
    },
  })
}
{
  const { about, inputs, expected } = found(actions, 'CA-SPIN-FRACTION')
  cases.push({
    name: `CA-SPIN-FRACTION: ${about}`,
    lines: (symbol) => [
      line(`${symbol}P`, {
        transType: 'Trade',
        buySell: 'BUY',
        tradeDate: '2020-01-06',
        quantity: '7.65',
        netAmount: `-${inputs.totalCost}`,
      }),
      line(`${symbol}P`, {
        transType: 'Spinoff',
        tradeDate: '2022-04-08',
        toSymbol: symbol,
        ratio: '1:1',
        costShare: '1',
        cashInLieu: '8.00',
      }),
    ],
    check: (realized) => {
      assert.deepEqual(
        realized.closings.map(({ kind, quantity, cost, proceeds }) => [kind, quantity, cost, proceeds]),
        [['CashInLieu', 0.65, Number(expected.fractionCost), 8]],
      )
    },
  })
}

/** Each row is a purchase on its day and, if sold, a sale of that lot. Rows of one day stay in order. */
function washLines(symbol: string, rows: readonly WashRow[]): Line[] {
  const trades = rows.flatMap((row, index) => {
    const lot = row.lot ?? String(index)
    const bought = { date: row.bought, index, row, lot, sells: false }
    return row.sold === undefined ? [bought] : [bought, { ...bought, date: row.sold, sells: true }]
  })
  trades.sort((a, b) => (a.date === b.date ? a.index - b.index : a.date < b.date ? -1 : 1))
  return trades.map(({ date, row, lot, sells }) =>
    sells
      ? trade(symbol, 'SEL', date, { quantity: row.quantity, netAmount: row.proceeds, lotId: lot })
      : trade(symbol, 'BUY', date, {
          externalId: lot,
          quantity: row.quantity,
          netAmount: `-${row.cost}`,
          ...(row.order === undefined ? {} : { orderId: row.order }),
        }),
  )
}

/** Adds up the parts of a lot with one holding period that were sold on one day: publishers split them differently. */
function addUp(parts: readonly (readonly [name: string, ...amounts: number[]])[]): Record<string, number[]> {
  const sums = new Map<string, number[]>()
  for (const [name, ...amounts] of parts) {
    const sum = sums.get(name) ?? amounts.map(() => 0)
    sums.set(
      name,
      amounts.map((amount, at) => cents(amount + (sum[at] ?? 0))),
    )
  }
  return Object.fromEntries([...sums].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function checkWash(
  { symbol, closings, lots }: Realized,
  rows: readonly WashRow[],
  expected: WashExample['expected'],
) {
  const losses = closings.filter(({ gainLoss }) => gainLoss < 0)
  const disallowed = total(losses.map(({ washDisallowedAmt }) => washDisallowedAmt))
  if (expected.disallowed !== undefined) assert.equal(disallowed, Number(expected.disallowed))
  if (expected.allowedLoss !== undefined)
    assert.equal(total(losses.map(({ gainLossAllowed }) => -gainLossAllowed)), Number(expected.allowedLoss))
  if (expected.disallowedInTurn !== undefined) {
    assert.deepEqual(
      losses.map(({ washDisallowedAmt }) => String(washDisallowedAmt)),
      expected.disallowedInTurn,
    )
  }
  // The lots of position-detail do not name the line that opened them, so each lot of the example has its own purchase
  // date.
  for (const { lot, cost, quantity } of expected.openLots ?? []) {
    const bought = rows.find((row, index) => (row.lot ?? String(index)) === lot)?.bought
    const mine = lots.filter(({ unrealizedGainLoss }) => unrealizedGainLoss.openDate.slice(0, 10) === bought)
    assert.equal(total(mine.map(({ unrealizedGainLoss }) => unrealizedGainLoss.cost)), Number(cost))
    if (quantity !== undefined) assert.equal(total(mine.map((one) => one.quantity)), Number(quantity))
  }
  const parts = expected.parts ?? []
  const sold = parts.flatMap((part, index) =>
    part.sold === undefined
      ? []
      : [
          [
            `${part.lot ?? lotOfPart(rows, parts, index)} held since ${part.holdingStart} sold ${part.sold}`,
            ...[part.quantity, part.cost, part.proceeds ?? '0', part.disallowed ?? '0'].map(Number),
          ] as const,
        ],
  )
  if (parts.length === 0) return
  const ours = closings.map(
    ({ openedBy, holdingStart, closeDate, quantity, cost, proceeds, washDisallowedAmt }) =>
      [
        `${bare(openedBy, symbol)} held since ${holdingStart} sold ${closeDate}`,
        ...[quantity, cost, proceeds, washDisallowedAmt],
      ] as const,
  )
  assert.deepEqual(addUp(ours), addUp(sold))
}

for (const { id, about, lots, expected } of washes) {
  cases.push({
    name: `${id}: ${about}`,
    lines: (symbol) => washLines(symbol, lots),
    check: (realized) => checkWash(realized, lots, expected),
  })
}
cases.push({
  name: 'WASH-8949: the gain that counts is proceeds less cost plus the adjustment',
  lines: (symbol) => [
    trade(symbol, 'BUY', '2014-01-10', { quantity: '100', netAmount: '-5200' }),
    trade(symbol, 'SEL', '2014-08-25', { quantity: '100', netAmount: '4800' }),
    trade(symbol, 'BUY', '2014-09-15', { quantity: '100', netAmount: '-5000' }),
  ],
  check: ({ closings: [closing] }) =>
    assert.deepEqual(
      [closing?.gainLoss, closing?.washDisallowedAmt, closing?.gainLossAllowed],
      [-400, 400, 0],
    ),
})
for (const [again, disallowed] of [
  ['2025-01-27', 10],
  ['2025-01-30', 10],
  ['2025-01-31', 0],
] as const) {
  cases.push({
    name: `WASH-BOUNDARY-NVDA: bought again ${again}`,
    lines: (symbol) => [
      trade(symbol, 'BUY', '2024-11-19', { quantity: '1', price: '145' }),
      trade(symbol, 'SEL', '2024-12-31', { quantity: '1', price: '135' }),
      trade(symbol, 'BUY', again, { quantity: '1', price: '120' }),
    ],
    check: ({ closings: [closing] }) => assert.equal(closing?.washDisallowedAmt, disallowed),
  })
}

function symbolOf(index: number) {
  return `EX${index}`
}
const realized = new Map<string, { closings: Closing[]; lots: Lot[] }>()
let service: RunningService

before(async () => {
  service = await startRunningService()
  const account = await openAndFollow(service.alpha, marginApplication())
  const securities = cases.flatMap(({ lotMethod }, index) => [
    { symbol: symbolOf(index), secTypeName: 'Common Stock', ...(lotMethod && { lotMethod }) },
    { symbol: `${symbolOf(index)}P`, secTypeName: 'Common Stock' },
  ])
  const lines = cases.flatMap((one, index) => one.lines(symbolOf(index)))
  const { loadSecurities, loadActivity } = service.operations.operations
  assert.deepEqual((await loadSecurities({ lines: { ndjson: securities } })).data.rejects, [])
  const ndjson = lines.map((one) => ({ acctNo: account, ...one }))
  assert.deepEqual((await loadActivity({ lines: { ndjson } })).data.rejects, [])
  const of = (symbol: string) => {
    const one = realized.get(symbol) ?? { closings: [], lots: [] }
    realized.set(symbol, one)
    return one
  }
  for (let decade = 1950; decade <= 2020; decade += 10) {
    const [dateFrom, dateTo] = [`${decade}-01-01`, `${decade + 9}-12-31`]
    const { data } = await service.alpha.realizedGains({ accountNumber: account, dateFrom, dateTo })
    for (const closing of data.closings) of(closing.symbol).closings.push(closing)
  }
  const { data } = await service.alpha.positionDetail({ accountNumber: account })
  for (const lot of data.portfolios) of(lot.symbol).lots.push(lot)
  const { data: proof } = await service.operations.operations.verifyBooks({ accountNumber: account })
  assert.deepEqual(proof.breaks, [])
})
after(() => service?.stop())

describe('published examples through requests', () => {
  for (const [index, { name, check }] of cases.entries()) {
    test(name, () => {
      const symbol = symbolOf(index)
      check({ symbol, closings: [], lots: [], ...realized.get(symbol) })
    })
  }

  test('LOT-HLEDGER-19: average cost is pooled per account', async () => {
    const { inputs, expected } = found(reliefs, 'LOT-HLEDGER-19')
    const accounts = await Promise.all([1, 2].map(() => openAndFollow(service.alpha, marginApplication())))
    const [first = '', second = ''] = accounts
    const { loadSecurities, loadActivity } = service.operations.operations
    await loadSecurities({ lines: { ndjson: [{ symbol: 'POOLED', lotMethod: 'Average' }] } })
    const bought = (acctNo: string, [quantity, price]: Row) => ({
      acctNo,
      ...trade('POOLED', 'BUY', '2023-01-03', { quantity, price }),
    })
    const [quantity, price] = inputs.sellFromBroker1
    const sold = { acctNo: first, ...trade('POOLED', 'SEL', '2023-06-01', { quantity, price }) }
    const ndjson = [bought(first, inputs.broker1), bought(second, inputs.broker2), sold]
    assert.deepEqual((await loadActivity({ lines: { ndjson } })).data.rejects, [])
    const range = { dateFrom: '2023-01-01', dateTo: '2023-12-31' }
    const { data } = await service.alpha.realizedGains({ accountNumber: first, ...range })
    assert.equal(data.totals.shortTerm.gainLoss, Number(expected.gainPerAccountAverage))
  })
})
