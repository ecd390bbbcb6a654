/**
 * Cases of published worked examples of positions. Each has its own account and security, is loaded like a feed, and
 * is read with position-summary, position-detail, realized-gains and trade-activity.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import valuation from '../../domain/src/market/valuation/oracles.json' with { type: 'json' }
import { applicationFor } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

type Line = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: each example has the inputs and results that its publisher gives
type Any = any
type Alpha = RunningService['alpha']
interface Read {
  readonly summary: Awaited<ReturnType<Alpha['positionSummary']>>['data']
  readonly lots: Awaited<ReturnType<Alpha['positionDetail']>>['data']['portfolios']
  readonly closings: Awaited<ReturnType<Alpha['realizedGains']>>['data']['closings']
  /** netAmounts of the trades, in order. */
  readonly amounts: readonly number[]
}
export interface Case {
  readonly name: string
  /** Facts of the security OLD of the example. */
  readonly security?: Line
  /** The last price of OLD. */
  readonly price?: string
  readonly lines: readonly Line[]
  readonly check: (read: Read) => void
}

function examplesOf(file: string): Any[] {
  return JSON.parse(
    readFileSync(new URL(`../../domain/src/books/oracles/${file}.json`, import.meta.url), 'utf8'),
  )
}
const examples = new Map<string, { readonly inputs: Any; readonly expected: Any }>([
  ...['corporate-actions', 'lot-relief', 'trade-amounts']
    .flatMap(examplesOf)
    .map((one) => [one.id, one] as const),
  ...valuation.cases.map((one) => [one.id, { inputs: one.given, expected: one.expected }] as const),
])
export function example(id: string) {
  return examples.get(id) ?? assert.fail(id)
}

export function trade(buySell: string, tradeDate: string, fields: Line): Line {
  return { transType: 'Trade', buySell, tradeDate, secFee: '0', ...fields }
}
export function action(transType: string, tradeDate: string, fields: Line): Line {
  return { transType, tradeDate, ...fields }
}
export function cents(amount: number) {
  return Math.round(amount * 100) / 100
}
/** Quantity and cost of each lot of a security, in the order of their dates. */
export function lotsOf({ lots }: Read, name: string) {
  return lots
    .filter(({ description }) => description === name)
    .map(({ quantity, unrealizedGainLoss }) => [quantity, unrealizedGainLoss.cost].map(Number))
}
export function positionOf(read: Read, name: string) {
  return lotsOf(read, name).reduce(
    ([shares = 0, cost = 0], [more = 0, paid = 0]) => [
      cents(shares * 1e4 + more * 1e4) / 1e4,
      cents(cost + paid),
    ],
    [0, 0],
  )
}
export function startOf({ lots }: Read, name: string) {
  return lots.find(({ description }) => description === name)?.unrealizedGainLoss.openDate.slice(0, 10)
}
/** The cost of a lot with this number of shares at a price. */
export function priced([quantity, price]: readonly unknown[]): number[] {
  return [Number(quantity), cents(Number(quantity) * Number(price))]
}

/** The names of the securities of a case. */
function namesOf({ lines }: Case): string[] {
  const named = lines.flatMap(({ symbol = 'OLD', toSymbol = 'OLD' }) => [String(symbol), String(toSymbol)])
  return [...new Set(['OLD', 'NEW', ...named])]
}
/** The ten years that end with the last line. */
function lastDecadeOf(lines: readonly Line[]) {
  const last = Math.max(...lines.map(({ tradeDate }) => Number(String(tradeDate).slice(0, 4))))
  return { dateFrom: `${last - 9}-01-01`, dateTo: `${last}-12-31` }
}

/** Loads the facts of all cases before the tests of a file, and makes a test of each. */
export function askCases(title: string, cases: readonly Case[]): void {
  const reads = new Map<number, Read>()
  let service: RunningService
  before(async () => {
    service = await startRunningService()
    const accounts: string[] = []
    const waiting = cases.keys()
    // A few at a time: the sandbox reviews each application.
    const openInTurn = async () => {
      for (const index of waiting)
        accounts[index] = await openAndFollow(service.alpha, applicationFor('Individual'))
    }
    await Promise.all([openInTurn(), openInTurn(), openInTurn(), openInTurn()])
    const symbolOf = (index: number, name: unknown) => `${name}${index}`
    const { loadSecurities, loadPrices, loadFxRates, loadActivity } = service.operations.operations
    const loads = [
      await loadSecurities({
        lines: {
          ndjson: [
            { symbol: 'UND', secTypeName: 'Common Stock' },
            ...cases.flatMap((one, index) =>
              namesOf(one).map((name) => ({
                ...{ symbol: symbolOf(index, name), description: name, secTypeName: 'Common Stock' },
                ...(name === 'OLD' && one.security),
              })),
            ),
          ],
        },
      }),
      await loadPrices({
        lines: {
          ndjson: cases.flatMap(({ price }, index) =>
            price === undefined
              ? []
              : [
                  {
                    symbol: symbolOf(index, 'OLD'),
                    price,
                    priceType: 'LastClose',
                    priceDate: '2026-01-02T21:00:00Z',
                  },
                ],
          ),
        },
      }),
      await loadFxRates({ lines: { ndjson: [{ currency: 'KWD', rate: '10', date: '2024-01-02' }] } }),
      await loadActivity({
        lines: {
          ndjson: cases.flatMap(({ lines }, index) =>
            lines.map((line, at) => ({
              ...{
                externalId: `${index}-${at}`,
                acctNo: accounts[index],
                ...line,
                symbol: symbolOf(index, line.symbol ?? 'OLD'),
              },
              ...(line.toSymbol !== undefined && { toSymbol: symbolOf(index, line.toSymbol) }),
            })),
          ),
        },
      }),
    ]
    for (const { data } of loads) assert.deepEqual(data.rejects, [])
    for (const index of cases.keys()) {
      const accountNumber = accounts[index] as string
      const decade = { accountNumber, ...lastDecadeOf(cases[index]?.lines ?? []) }
      const [summary, lots, gains, activity] = await Promise.all([
        service.alpha.positionSummary({ accountNumber }),
        service.alpha.positionDetail({ accountNumber }),
        service.alpha.realizedGains(decade),
        service.alpha.tradeActivity(decade),
      ])
      reads.set(index, {
        summary: summary.data,
        lots: lots.data.portfolios,
        closings: gains.data.closings,
        amounts: activity.data.activity.map(({ netAmount }) => Number(netAmount)),
      })
      const { data: proof } = await service.operations.operations.verifyBooks({ accountNumber })
      assert.deepEqual(proof.breaks, [])
    }
  })
  after(() => service?.stop())

  describe(title, () => {
    for (const [index, { name, check }] of cases.entries()) {
      test(name, () => check(reads.get(index) ?? assert.fail('it was not read')))
    }
  })
}
