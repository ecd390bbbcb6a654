/**
 * Measures trade-activity of a million lines: the memory of the response, and its speed. BENCH_LINES sets the
 * number of lines. A million lines are filled within a minute.
 */
import { setInterval as every } from 'node:timers'
import { openHouse, openSession } from '../house.ts'
import { perSecond, type Row } from '../measure.ts'
import { accountNumberOf, loadCopiedTrades, loadMarket, openAccounts } from './feed.ts'

const lines = Number(process.env.BENCH_LINES ?? 1_000_000)
const grownMbMax = 60
const lookEveryMs = 20
const megabyte = 1_048_576

export async function rows(): Promise<Row[]> {
  await using house = await openHouse()
  await using session = await openSession(house)
  const accountNumber = accountNumberOf(1)
  await openAccounts(session, 1)
  await loadMarket(house)
  // Copies, because the benchmark measures how lines are read.
  await loadCopiedTrades(house, session, accountNumber, lines)
  await session.query('vacuum analyze clearing.activity')
  const read = async (dateTo: string): Promise<number> => {
    const answer = await fetch(`${house.address}/account-api/v1/trade-activity`, {
      method: 'POST',
      headers: { authorization: `Bearer ${house.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ accountNumber, dateFrom: '2025-01-01', dateTo }),
    })
    let bytes = 0
    for await (const piece of answer.body ?? []) bytes += piece.length
    return bytes
  }
  await read('2025-01-02')
  const before = await house.service.memoryBytes()
  let highest = before
  const watch = every(async () => {
    highest = Math.max(highest, await house.service.memoryBytes().catch(() => 0))
  }, lookEveryMs)
  const startedMs = performance.now()
  const bytes = await read('2025-12-31')
  const seconds = (performance.now() - startedMs) / 1_000
  clearInterval(watch)
  if (bytes < lines * 500) throw new Error(`only ${bytes} bytes were answered`)
  const grownMb = (highest - before) / megabyte
  return [
    {
      name: `trade-activity of ${lines.toLocaleString('en-US')} lines: memory of the service above its memory before`,
      measured: `${Math.round(grownMb)} MB`,
      floor: `${Math.round(before / megabyte)} MB before`,
      figure: grownMb,
      target: `≤ ${grownMbMax} MB`,
      met: grownMb <= grownMbMax,
      note: `${Math.round(bytes / megabyte)} MB answered in ${seconds.toFixed(1)} s, ${perSecond(lines / seconds)}`,
    },
  ]
}
