/**
 * Measures the documents of a closed day: the close of the last day of a month, on which every account bought five
 * securities, until the last confirmation and statement is stored. BENCH_STATEMENTS sets the number of accounts.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { addMarketDays, endsMonth } from '@clearing/domain/market'
import { loadMarket, symbolOf } from './books/feed.ts'
import { drainQueue, type House, openAccount, openHouse, openSession } from './house.ts'
import type { Row } from './measure.ts'

const accounts = Number(process.env.BENCH_STATEMENTS ?? 2_000)
const positions = 5
const callers = 16
const perSecondMin = 50

export async function rows(): Promise<Row[]> {
  await using house = await openHouse()
  await using session = await openSession(house)
  const day = await goToEndOfMonth(house)
  const opened: string[] = []
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let at = next(); at < accounts; at = next()) opened.push(await openAccount(house, at))
    }),
  )
  await drainQueue(session)
  await loadMarket(house)
  await house.operations.operations.loadActivity({
    lines: { ndjson: opened.flatMap((accountNumber) => linesOf(accountNumber, day)) },
  })
  const count = async () =>
    Number((await session.query('select count(*) as made from clearing.statement')).rows[0].made)
  const closing = house.client.sandbox.closeBusinessDay({ acceptOpen: { reason: 'The prices are old.' } })
  while ((await count()) === 0) await pause(5)
  const usedBefore = await processorMs(house)
  const startedMs = performance.now()
  while ((await count()) < 2 * accounts) await pause(20)
  const figure = (2 * accounts) / ((performance.now() - startedMs) / 1_000)
  await closing
  const used = ((await processorMs(house)) - usedBefore) / (2 * accounts)
  return [
    {
      name: `statements and confirmations of ${accounts.toLocaleString('en-US')} accounts`,
      measured: `${Math.round(figure)}/s`,
      floor: '',
      figure,
      target: `≥ ${perSecondMin}/s`,
      met: figure >= perSecondMin,
      note: `${positions} purchases and positions each; ${used.toFixed(1)} ms of the processor time of the service for each document`,
    },
  ]
}

let count = 0
function next(): number {
  count += 1
  return count - 1
}

/** Closes days until the open one is the last of its month, and returns it. */
async function goToEndOfMonth({ client }: House): Promise<string> {
  for (;;) {
    const day = (await client.sandbox.getClock({})).data.businessDate
    if (endsMonth(day, addMarketDays(day, 1))) return day
    await client.sandbox.closeBusinessDay({ acceptOpen: { reason: 'There are no prices.' } })
  }
}

function linesOf(accountNumber: string, tradeDate: string) {
  const deposit = {
    externalId: `${accountNumber}-D`,
    acctNo: accountNumber,
    transType: 'Deposit',
    amount: '50000',
    tradeDate,
  }
  const trades = Array.from({ length: positions }, (_, at) => ({
    externalId: `${accountNumber}-${at}`,
    acctNo: accountNumber,
    transType: 'Trade',
    buySell: 'BUY',
    symbol: symbolOf(1 + at * 7),
    quantity: '10',
    price: '20.25',
    tradeDate,
  }))
  return [deposit, ...trades]
}

/** The processor time of the service. */
async function processorMs({ service }: House): Promise<number> {
  const stat = await readFile(`/proc/${service.pid}/stat`, 'utf8')
  const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14)
  return (Number(user) + Number(system)) * 10
}
