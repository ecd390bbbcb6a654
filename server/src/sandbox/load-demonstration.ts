/**
 * Fills an empty sandbox with its demonstration accounts, through the same operations that a user has: applications by
 * new-account, facts by the loads. Sent again after a crash it changes nothing that is there.
 */
import { addDays, isMarketDay } from '@clearing/domain/market'
import { pathOf } from '@clearing/protocol'
import { demonstrationAccounts } from './demonstration-accounts.ts'
import { demonstrationActivity } from './demonstration-activity.ts'
import { type DemonstrationSecurity, demonstrationSecurities } from './demonstration-securities.ts'

const pricesWeeks = 106
const openTimeoutMs = 60_000
const pollMs = 25

/** Answers whether there was something to load. */
export const loadDemonstration = async (address: string, now: Date): Promise<boolean> => {
  const today = now.toISOString().slice(0, 10)
  const firm = await callerOf(address, 'alpha', 'alpha-sandbox-secret')
  const last = demonstrationAccounts.at(-1)?.accountNumber
  const lines = await firm(pathOf('trade-activity', 'firm'), {
    accountNumber: last,
    dateFrom: addDays(today, -10),
    dateTo: today,
  })
  if (lines.status === 200 && lines.body.data.activity.length > 0) return false
  for (const application of demonstrationAccounts) {
    const key = `demonstration-${application.accountNumber}`
    const known = await firm(pathOf('get-account', 'firm'), { accountNumber: application.accountNumber })
    if (known.status === 404) expectDone(await firm(pathOf('new-account', 'firm'), application, key))
  }
  const operations = await callerOf(address, 'operations', 'operations-sandbox-secret')
  const securities = demonstrationSecurities(nextMarketDay(addDays(today, 45)))
  const load = async (name: string, rows: readonly object[]) => {
    const text = rows.map((row) => JSON.stringify(row)).join('\n')
    const { body } = expectDone(await operations(pathOf(name, 'operations'), text))
    const { rejected, rejects } = body.data
    if (rejected > 0) throw new Error(`${name} refused ${rejected} lines: ${JSON.stringify(rejects[0])}`)
  }
  await load(
    'load-securities',
    securities.map(({ line }) => line),
  )
  await load('load-fx-rates', fxRates(today))
  await load('load-prices', prices(securities, today, now))
  for (const { accountNumber } of demonstrationAccounts) await untilOpen(firm, accountNumber)
  await load('load-activity', demonstrationActivity(today))
  return true
}

interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the envelope of whatever operation was called
  readonly body: any
}
type Caller = (path: string, body: unknown, key?: string) => Promise<Reply>

/** Calls operations over the loopback, by the same way as anybody. */
const callerOf = async (address: string, clientId: string, secret: string): Promise<Caller> => {
  const granted = await fetch(`${address}/identity/connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId, client_secret: secret }),
  })
  const { access_token: token } = (await granted.json()) as { access_token: string }
  return async (path, body, key) => {
    const lines = typeof body === 'string'
    const answer = await fetch(address + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': lines ? 'application/x-ndjson' : 'application/json',
        ...(key ? { 'idempotency-key': key } : {}),
      },
      body: lines ? body : JSON.stringify(body),
    })
    return { status: answer.status, body: await answer.json() }
  }
}

const expectDone = (reply: Reply): Reply => {
  if (reply.status !== 200)
    throw new Error(`the demonstration was refused: ${JSON.stringify(reply.body.errors)}`)
  return reply
}

const untilOpen = async (firm: Caller, accountNumber: string): Promise<void> => {
  const endMs = performance.now() + openTimeoutMs
  while (performance.now() < endMs) {
    const { body } = await firm(pathOf('get-account', 'firm'), { accountNumber })
    if (body.data?.accountStatus === 'Open') return
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  throw new Error(`demonstration account ${accountNumber} was not opened in ${openTimeoutMs} ms`)
}

const nextMarketDay = (day: string): string => (isMarketDay(day) ? day : nextMarketDay(addDays(day, 1)))

const weeks = Array.from({ length: pricesWeeks }, (_, week) => week)

/** A close a week, drifting towards the present price, and a price of today. */
const prices = (securities: readonly DemonstrationSecurity[], today: string, now: Date): object[] =>
  securities.flatMap(({ symbol, price, line }) => {
    const fixed = line.moneyMarket === 'true'
    const closes = weeks.map((week) => ({
      symbol,
      priceType: 'LastClose',
      priceDate: `${addDays(today, -7 * (week + 1))}T21:00:00Z`,
      price: fixed ? price : drifted(price, week),
    }))
    return [...closes, { symbol, priceType: 'CurrentSnap', priceDate: now.toISOString(), price }]
  })

/** Whole cents on a path of small waves; exact, and the same each time. */
const drifted = (price: string, week: number): string => {
  const [whole = '0', fraction = ''] = price.split('.')
  const cents = BigInt(whole + fraction.padEnd(2, '0').slice(0, 2))
  const permille = 1_000n + BigInt(((week * 37) % 61) - 30) - BigInt(week)
  const drift = (cents * permille) / 1_000n
  return `${drift / 100n}.${String(drift % 100n).padStart(2, '0')}`
}

const fxRates = (today: string): object[] =>
  weeks.flatMap((week) => {
    const date = addDays(today, -7 * week)
    const wave = (week * 13) % 29
    return [
      { currency: 'EUR', date, rate: `1.08${String(10 + wave).padStart(2, '0')}` },
      { currency: 'CAD', date, rate: `0.73${String(10 + wave).padStart(2, '0')}` },
    ]
  })
