/**
 * A service with some securities, prices and rates, on which tests book lines in new accounts and read their records.
 */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { marginApplication } from './applications.ts'
import { openAndFollow } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

export let service: RunningService
/**
 * Starts the service before the tests of a file, and ends it after them. `prepare` is the file's own preparation: the
 * test runner does not wait for one hook before it starts the next one of the file.
 */
export function startBeforeTests(prepare: () => Promise<void> = async () => {}): void {
  before(async () => {
    service = await startRunningService()
    const { data } = await service.operations.operations.loadSecurities({
      lines: {
        ndjson: [
          ...['AAA', 'BBB'].map((symbol) => ({
            symbol,
            secTypeName: 'Common Stock',
            industryGroupName: 'Ports',
          })),
          { symbol: 'EUR1', currency: 'EUR', secTypeName: 'Common Stock', industryGroupName: 'Mills' },
          { symbol: 'MMF', secTypeName: 'Money Market Fund', moneyMarket: true },
          { symbol: 'NOPRICE', secTypeName: 'Common Stock' },
        ],
      },
    })
    assert.equal(data.accepted, 5)
    await service.operations.operations.loadPrices({
      lines: {
        ndjson: [
          ['AAA', '12.00'],
          ['BBB', '30.50'],
          ['EUR1', '100.00'],
          ['MMF', '1.00'],
        ].map(([symbol, price]) => ({
          symbol,
          price,
          priceType: 'LastClose',
          priceDate: '2026-01-02T21:00:00Z',
        })),
      },
    })
    await service.operations.operations.loadFxRates({
      lines: {
        ndjson: [
          { currency: 'EUR', rate: '1.1', date: '2025-01-02' },
          { currency: 'EUR', rate: '1.2', date: '2026-01-02' },
        ],
      },
    })
    await prepare()
  })
  after(() => service?.stop())
}

/** An account with margin. */
export function newAccount() {
  return openAndFollow(service.alpha, marginApplication())
}

let ids = 0
export type Line = Record<string, unknown>
export function line(acctNo: string, fields: Line): Line {
  ids += 1
  return { externalId: `B${ids}`, acctNo, tradeDate: '2025-03-03', ...fields }
}
export function buy(acctNo: string, symbol: string, quantity: number, price: string, more: Line = {}) {
  return line(acctNo, {
    transType: 'Trade',
    buySell: 'BUY',
    symbol,
    quantity: String(quantity),
    price,
    ...more,
  })
}
export function sell(acctNo: string, symbol: string, quantity: number, price: string, more: Line = {}) {
  return buy(acctNo, symbol, quantity, price, {
    buySell: 'SEL',
    secFee: '0',
    tradeDate: '2025-04-03',
    ...more,
  })
}

export async function load(...lines: Line[]) {
  const { data } = await service.operations.operations.loadActivity({ lines: { ndjson: lines } })
  assert.deepEqual(data.rejects, [])
  return data
}
export async function summaryOf(accountNumber: string) {
  return service.alpha.positionSummary({ accountNumber })
}
export async function held(accountNumber: string) {
  const { data } = await summaryOf(accountNumber)
  return data.portfolios.map(({ symbol, quantity, unrealizedGainLoss }) => [
    symbol,
    Number(quantity),
    Number(unrealizedGainLoss.cost),
  ])
}
export async function activityOf(accountNumber: string) {
  const { data } = await service.alpha.tradeActivity({
    accountNumber,
    dateFrom: '2025-01-01',
    dateTo: '2029-12-31',
  })
  return data.activity
}
export async function proves(accountNumber: string) {
  const { data } = await service.operations.operations.verifyBooks({ accountNumber })
  assert.deepEqual(data.breaks, [])
  assert.equal(data.verified, true)
}

export async function kindsOf(accountNumber: string) {
  return (await service.operations.operations.listBreaks({ accountNumber })).data.breaks.map(
    ({ kind, reason }) => `${kind}: ${reason}`,
  )
}
