/**
 * Fills an empty sandbox once with its demonstration accounts, through the operations that a user has:
 * new-account for the applications, the loads for facts. The next start continues an interrupted run. Later
 * changes of the accounts never prevent a start.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { addDays, isMarketDay } from '@clearing/domain/market'
import { pathOf } from '@clearing/protocol'
import type { Logger } from 'pino'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { easternDay } from '../store/books/calendar.ts'
import { beginDemonstration, finishDemonstration } from '../store/sandbox-demonstration.ts'
import { demonstrationAccounts } from './demonstration-accounts.ts'
import { demonstrationActivity, demonstrationHeldAway } from './demonstration-activity.ts'
import { type DemonstrationSecurity, demonstrationSecurities } from './demonstration-securities.ts'

const pricesWeeks = 106
const openTimeoutMs = 60_000
const pollMs = 25
/** How long a call is repeated while the service cannot answer it. */
const unavailableTimeoutMs = 60_000
const unavailablePauseMs = 1_000

export interface DemonstrationSettings {
  /** The address at which the service listens. */
  readonly address: string
  readonly operations: Pool
  /** The time of the sandbox. */
  readonly now: Date
  readonly log: Logger
}

/** `unfinished`: a call was refused that may succeed at the next start. */
export type Demonstration = 'made' | 'there' | 'unfinished'

class Unfinished extends Error {
  override readonly name = 'Unfinished'
}

export async function loadDemonstration(settings: DemonstrationSettings): Promise<Demonstration> {
  const { operations, log } = settings
  const scope = { firm: null, repeatable: true }
  const last = demonstrationAccounts.at(-1)?.accountNumber ?? ''
  if (await inTransaction(operations, scope, (tx) => beginDemonstration(tx, last, new Date()))) return 'there'
  try {
    await makeDemonstration(settings)
  } catch (fault) {
    if (!(fault instanceof Unfinished)) throw fault
    log.error({ err: fault }, 'the demonstration accounts are incomplete; the next start continues with them')
    return 'unfinished'
  }
  await inTransaction(operations, scope, (tx) => finishDemonstration(tx, new Date()))
  return 'made'
}

async function makeDemonstration({ address, now, log }: DemonstrationSettings): Promise<void> {
  const today = easternDay(now)
  const firm = await callerOf(address, 'alpha', 'alpha-sandbox-secret')
  for (const application of demonstrationAccounts) {
    const key = `demonstration-${application.accountNumber}`
    const known = await firm(pathOf('get-account', 'firm'), { accountNumber: application.accountNumber })
    if (known.status === 404) expectDone(await firm(pathOf('new-account', 'firm'), application, key))
  }
  const operations = await callerOf(address, 'operations', 'operations-sandbox-secret')
  const securities = demonstrationSecurities(nextMarketDay(addDays(today, 45)))
  const load = async (name: string, rows: readonly object[]) => {
    const text = rows.map((row) => JSON.stringify(row)).join('\n')
    const { rejected, rejects } = expectDone(await operations(pathOf(name, 'operations'), text)).body.data
    // For example when an account was closed after an interrupted start.
    if (rejected > 0) log.warn({ load: name, rejected, first: rejects[0] }, 'lines of the demonstration')
  }
  await load(
    'load-securities',
    securities.map(({ line }) => line),
  )
  await load('load-fx-rates', fxRates(today))
  await load('load-prices', prices(securities, today, now))
  for (const { accountNumber } of demonstrationAccounts) {
    await untilDecided(firm, accountNumber)
    await certify(firm, operations, accountNumber)
  }
  await load('load-activity', demonstrationActivity(today))
  await load('load-held-away', demonstrationHeldAway(today))
}

/**
 * The fictitious owners cannot sign Form W-9. Without this, their accounts would be restricted after 30 days.
 */
async function certify(firm: Caller, operations: Caller, accountNumber: string): Promise<void> {
  const { body } = expectDone(await firm(pathOf('onboarding-result', 'firm'), { accountNumber }))
  const asked: { id: string; code: string; status: string }[] = body.data.followUps
  for (const { id: followUpId, code, status } of asked) {
    if (code !== 'W9Certification' || status !== 'Open' || body.data.currentState !== 'CreationComplete')
      continue
    const reason = 'The owner of a demonstration account certified the tax status.'
    expectDone(
      await operations(pathOf('waive-follow-up', 'operations'), { accountNumber, followUpId, reason }),
    )
  }
}

interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the envelope of any operation
  readonly body: any
}
type Caller = (path: string, body: unknown, key?: string) => Promise<Reply>

/** Calls operations over the loopback, as any client does. */
async function callerOf(address: string, clientId: string, secret: string): Promise<Caller> {
  const granted = await patiently(`${address}/identity/connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId, client_secret: secret }),
  })
  if (granted.status !== 200) throw new Unfinished(`${clientId} gets no token: ${granted.body.error}`)
  const token = granted.body.access_token as string
  return (path, body, key) => {
    const lines = typeof body === 'string'
    return patiently(address + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': lines ? 'application/x-ndjson' : 'application/json',
        ...(key ? { 'idempotency-key': key } : {}),
      },
      body: lines ? body : JSON.stringify(body),
    })
  }
}

/** Repeats a request while the response is 503. */
async function patiently(url: string, request: RequestInit): Promise<Reply> {
  const endMs = performance.now() + unavailableTimeoutMs
  for (;;) {
    const answer = await fetch(url, request)
    const reply = { status: answer.status, body: await answer.json() }
    if (reply.status !== 503 || performance.now() > endMs) return reply
    await pause(unavailablePauseMs)
  }
}

function expectDone(reply: Reply): Reply {
  if (reply.status !== 200) throw new Unfinished(`refused: ${JSON.stringify(reply.body.errors)}`)
  return reply
}

const underWay: ReadonlySet<string> = new Set(['Submitted', 'Screening', 'AccountCreation'])

/** Waits until an application no longer moves on its own: its account is open, or a person must act. */
async function untilDecided(firm: Caller, accountNumber: string): Promise<void> {
  const endMs = performance.now() + openTimeoutMs
  for (;;) {
    const { body } = expectDone(await firm(pathOf('onboarding-result', 'firm'), { accountNumber }))
    if (!underWay.has(body.data.currentState)) return
    if (performance.now() > endMs)
      throw new Unfinished(`account ${accountNumber} was not opened in ${openTimeoutMs} ms`)
    await pause(pollMs)
  }
}

function nextMarketDay(day: string): string {
  return isMarketDay(day) ? day : nextMarketDay(addDays(day, 1))
}

const weeks = Array.from({ length: pricesWeeks }, (_, week) => week)

/** One closing price per week, drifting towards the present price, and a price of today. */
function prices(securities: readonly DemonstrationSecurity[], today: string, at: Date): object[] {
  return securities.flatMap(({ symbol, price, line }) => {
    const fixed = line.moneyMarket === 'true'
    const closes = weeks.map((week) => ({
      symbol,
      priceType: 'LastClose',
      priceDate: `${addDays(today, -7 * (week + 1))}T21:00:00Z`,
      price: fixed ? price : drifted(price, week),
    }))
    return [...closes, { symbol, price, ...latest(line, today, at), ...(fixed ? { yield: '4.62' } : {}) }]
  })
}

/**
 * Pools have the close of the previous day, other bonds a price from a quarter of an hour ago, and all others
 * a current price.
 */
function latest(line: DemonstrationSecurity['line'], today: string, at: Date) {
  if (line.secTypeName === 'Mortgage Pool')
    return { priceType: 'LastClose', priceDate: `${addDays(today, -1)}T21:00:00Z` }
  const isBond = line.couponRate !== undefined
  const priceDate = new Date(at.getTime() - (isBond ? delayMs : 0)).toISOString()
  return { priceType: isBond ? 'DelayedSnap' : 'CurrentSnap', priceDate }
}
const delayMs = 15 * 60_000

/** Whole cents on a path of small waves, the same in each run. */
function drifted(price: string, week: number): string {
  const [whole = '0', fraction = ''] = price.split('.')
  const cents = BigInt(whole + fraction.padEnd(2, '0').slice(0, 2))
  const permille = 1_000n + BigInt(((week * 37) % 61) - 30) - BigInt(week)
  const drift = (cents * permille) / 1_000n
  return `${drift / 100n}.${String(drift % 100n).padStart(2, '0')}`
}

function fxRates(today: string): object[] {
  return weeks.flatMap((week) => {
    const date = addDays(today, -7 * week)
    const wave = (week * 13) % 29
    return [
      { currency: 'EUR', date, rate: `1.08${String(10 + wave).padStart(2, '0')}` },
      { currency: 'CAD', date, rate: `0.73${String(10 + wave).padStart(2, '0')}` },
    ]
  })
}
