/** A service on which tests announce corporate actions and look at what the books make of them. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Data } from '@clearing/protocol'
import { easternDay } from '../../server/src/store/books/calendar.ts'
import { applicationOf } from './applications.ts'
import { openAndFollow, until } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

export type Line = Record<string, unknown>
export type Entitlement = Data<'list-action-entitlements'>['entitlements'][number]

export let service: RunningService
/** Starts the service before the tests of a file, and ends it after them. */
export function startBeforeTests(): void {
  before(async () => {
    service = await startRunningService()
    // On a day without a market, prices and reports of the business date would be in the future.
    const { now, businessDate } = (await service.alpha.sandbox.getClock({})).data
    if (easternDay(new Date(now)) < businessDate)
      await service.alpha.sandbox.setClock({ now: `${businessDate}T15:00:00Z` })
  })
  after(() => service?.stop())
}

function operations() {
  return service.operations.operations
}
let numbers = 219_200_000
export function newAccount() {
  numbers += 1
  return openAndFollow(service.alpha, applicationOf({ taxIdNumber: String(numbers) }))
}
let ids = 0
function idOf(prefix: string): string {
  ids += 1
  return `${prefix}${ids}`
}
export async function newSecurity(facts: Line = {}): Promise<string> {
  const symbol = typeof facts.symbol === 'string' ? facts.symbol : idOf('CO')
  const { data } = await operations().loadSecurities({
    lines: { ndjson: [{ symbol, secTypeName: 'Common Stock', ...facts }] },
  })
  assert.deepEqual(data.rejects, [])
  return symbol
}
export async function book(...lines: Line[]): Promise<string[]> {
  const ndjson = lines.map((line) => ({ externalId: idOf('B'), ...line }))
  const { data } = await operations().loadActivity({ lines: { ndjson } })
  assert.deepEqual(data.rejects, [])
  return ndjson.map(({ externalId }) => externalId)
}
export function buy(
  acctNo: string,
  symbol: string,
  quantity: string,
  tradeDate: string,
  fields: Line = {},
): Line {
  return { acctNo, transType: 'Trade', buySell: 'BUY', symbol, quantity, price: '10', tradeDate, ...fields }
}
export async function announce(...lines: Line[]) {
  return (await operations().loadCorporateActions({ lines: { ndjson: lines } })).data
}
export async function announced(line: Line): Promise<string> {
  const externalId = idOf('CA')
  const data = await announce({ externalId, ...line })
  assert.deepEqual([data.accepted, data.rejects], [1, []])
  await workIsDone()
  return externalId
}
/** Cancels an announcement, and waits until its lines are reversed. */
export async function cancelled(corporateActionId: string) {
  const data = await announce({ externalId: idOf('CX'), cancelType: 'C', tagNo: corporateActionId })
  assert.deepEqual([data.accepted, data.rejects], [1, []])
  await workIsDone()
}
export async function today() {
  return (await service.alpha.sandbox.getClock({})).data.businessDate
}
export function workIsDone() {
  return until(
    async () =>
      (
        await service.query(
          `select count(*)::int as waiting from graphile_worker.jobs
           where task_identifier = 'examine-announcements' and run_at <= now()`,
        )
      ).rows[0].waiting,
    (waiting) => waiting === 0,
  )
}
export async function closeDay() {
  await service.alpha.sandbox.closeBusinessDay({ acceptOpen: { reason: 'As tests close days.' } })
}
export async function entitlementsOf(corporateActionId: string): Promise<Entitlement[]> {
  return (await service.alpha.listActionEntitlements({ corporateActionId })).data.entitlements
}
export async function stateOf(corporateActionId: string) {
  const { data } = await service.alpha.listCorporateActions({ corporateActionId })
  return data.corporateActions[0]?.state
}
/** Kind, trade date, quantity and amount of the lines of an account that count. */
export async function linesOf(accountNumber: string) {
  const range = { accountNumber, dateFrom: '2020-01-01', dateTo: '2029-12-31' }
  const { data } = await service.alpha.nonTradeActivity(range)
  return data.activity.filter(({ cancel, cancelStatus }) => cancel === 'N' && cancelStatus === '')
}
export async function linesInShort(accountNumber: string) {
  return (await linesOf(accountNumber)).map(
    ({ transType, tradeDate, netAmount }) => `${transType} ${tradeDate} ${Number(netAmount).toFixed(2)}`,
  )
}
/** Quantity and cost of each security, over its lots. */
export async function positionsOf(accountNumber: string) {
  const { data } = await service.alpha.positionDetail({ accountNumber })
  return [...Map.groupBy(data.portfolios, ({ symbol }) => symbol)]
    .map(([symbol, lots]) => {
      const quantity = lots.reduce((sum, lot) => sum + Number(lot.quantity), 0)
      const cost = lots.reduce((sum, lot) => sum + Number(lot.unrealizedGainLoss.cost), 0)
      return `${symbol} ${quantity} for ${cost.toFixed(2)}`
    })
    .sort()
}
/** What was closed, with its gain. */
export async function gainsOf(accountNumber: string) {
  const range = { accountNumber, dateFrom: '2020-01-01', dateTo: '2029-12-31' }
  const { data } = await service.alpha.realizedGains(range)
  return data.closings.map(
    ({ quantity, proceeds, cost, gainLoss }) => `${quantity} for ${proceeds}, cost ${cost}, gain ${gainLoss}`,
  )
}
export async function booksHold() {
  const { data } = await operations().verifyBooks({})
  assert.deepEqual(data.breaks, [])
}
/** Amends an announcement with a line of its own id, and waits until its holders are examined. Returns the id. */
export async function amended(amends: string, line: Line): Promise<string> {
  const externalId = idOf('AM')
  const data = await announce({ externalId, amends, ...line })
  assert.deepEqual([data.accepted, data.rejects], [1, []])
  await workIsDone()
  return externalId
}
