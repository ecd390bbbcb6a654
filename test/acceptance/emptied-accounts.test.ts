/**
 * Properties of random histories through requests. The activity sums to the cash. The realized gains of an emptied
 * account are its proceeds less its cost plus disallowed wash sales, which is the money that it made.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDays } from '@clearing/domain/market'
import fc from 'fast-check'
import { marginApplication } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

type Line = Record<string, unknown>
const histories = 6
const seed = Number(process.env.SEED ?? 20_261_123)
const symbols = ['RED', 'BLUE']

const traded = fc.record({
  buySell: fc.constantFrom('BUY', 'BUY', 'BUY', 'SEL', 'SEL', 'SSL', 'BCV'),
  acctType: fc.constantFrom('1', '1', '2'),
  quantity: fc.integer({ min: 1, max: 60 }).map(String),
  // A narrow range, so that losses and repurchases within the 61 days are frequent.
  price: fc.integer({ min: 900, max: 1_100 }).map((cents) => (cents / 100).toFixed(2)),
  commission: fc.constantFrom('0', '1.25'),
})
const action = fc.constantFrom<Line>(
  { transType: 'Split', ratio: '2:1' },
  { transType: 'Split', ratio: '3:2' },
  { transType: 'StockDividend', ratio: '1:10' },
  { transType: 'ReturnOfCapital', cashPerShare: '0.35' },
  { transType: 'ReturnOfCapital', cashPerShare: '12' },
)
const step = fc.record({
  what: fc.oneof({ weight: 9, arbitrary: traded }, { weight: 1, arbitrary: action }),
  symbol: fc.constantFrom(...symbols),
  days: fc.integer({ min: 0, max: 12 }),
})
const history = fc.array(step, { minLength: 30, maxLength: 60, size: 'max' })

function cents(amount: number | string) {
  return Math.round(Number(amount) * 100)
}

let service: RunningService
before(async () => {
  service = await startRunningService()
  const ndjson = symbols.map((symbol) => ({ symbol, secTypeName: 'Common Stock' }))
  const { data } = await service.operations.operations.loadSecurities({ lines: { ndjson } })
  assert.deepEqual(data.rejects, [])
})
after(() => service?.stop())

async function load(lines: readonly Line[]) {
  const { data } = await service.operations.operations.loadActivity({ lines: { ndjson: [...lines] } })
  assert.deepEqual(data.rejects, [])
}

/** The lines of a history, and its last day. */
function linesOf(acctNo: string, steps: readonly { what: Line; symbol: string; days: number }[]) {
  let date = '2023-01-03'
  const lines = steps.flatMap(({ what, symbol, days }, index): Line[] => {
    date = addDays(date, days)
    const line = { externalId: `${acctNo}-${index}`, acctNo, symbol, tradeDate: date }
    if (what.transType === undefined) return [{ ...line, transType: 'Trade', secFee: '0', ...what }]
    // An issuer's action for every holder comes for each account type.
    return ['1', '2'].map((acctType) => ({
      ...line,
      ...what,
      acctType,
      externalId: `${line.externalId}-${acctType}`,
    }))
  })
  return { lines, date }
}

async function activityOf(accountNumber: string) {
  const range = { accountNumber, dateFrom: '2023-01-01', dateTo: '2029-12-31' }
  const [trades, others] = await Promise.all([
    service.alpha.tradeActivity(range),
    service.alpha.nonTradeActivity(range),
  ])
  return [...trades.data.activity, ...others.data.activity]
}

test(`an account that is emptied has realized the money that it made (SEED=${seed})`, async () => {
  for (const steps of fc.sample(history, { numRuns: histories, seed })) {
    const accountNumber = await openAndFollow(service.alpha, marginApplication())
    const { lines, date } = linesOf(accountNumber, steps)
    await load(lines)
    const { data: held } = await service.alpha.positionSummary({ accountNumber })
    const last = addDays(date, 1)
    await load(
      held.portfolios.map(({ symbol, quantity, acctTypeCode }, index) => ({
        ...{
          externalId: `${accountNumber}-E${index}`,
          acctNo: accountNumber,
          transType: 'Trade',
          secFee: '0',
        },
        symbol,
        acctType: String(acctTypeCode),
        tradeDate: last,
        price: '10',
        buySell: quantity > 0 ? 'SEL' : 'BCV',
        quantity: String(Math.abs(quantity)),
      })),
    )
    const { data: emptied } = await service.alpha.positionSummary({ accountNumber })
    assert.deepEqual(emptied.portfolios, [])

    const moved = (await activityOf(accountNumber)).reduce((sum, { netAmount }) => sum + cents(netAmount), 0)
    assert.equal(moved, cents(emptied.totalCash), 'the activity sums to the cash')

    const range = { accountNumber, dateFrom: '2023-01-01', dateTo: '2029-12-31' }
    const { data } = await service.alpha.realizedGains(range)
    const sumOf = (name: 'proceeds' | 'cost' | 'gainLoss' | 'washDisallowedAmt' | 'gainLossAllowed') =>
      data.closings.reduce((sum, closing) => sum + cents(closing[name]), 0)
    assert.equal(sumOf('gainLoss'), sumOf('proceeds') - sumOf('cost'))
    assert.equal(sumOf('gainLossAllowed'), sumOf('gainLoss') + sumOf('washDisallowedAmt'))
    assert.equal(sumOf('gainLossAllowed'), moved, 'the gains are the money made')
    const { shortTerm, longTerm } = data.totals
    assert.equal(cents(shortTerm.gainLossAllowed) + cents(longTerm.gainLossAllowed), moved)
    assert.ok(sumOf('washDisallowedAmt') > 0, 'the history has wash sales')
  }
})
