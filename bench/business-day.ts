/**
 * Measures close-business-day with 10,000 and 100,000 accounts, five positions each, all bought on margin on
 * the closed day. Its time must grow in proportion to the accounts, and its memory must not grow.
 * BENCH_ACCOUNTS and BENCH_FEW set the two numbers. The full size takes about three minutes.
 */
import { pino } from 'pino'
import { BusinessDay, type ClosedDay } from '../server/src/business-day/close-day.ts'
import { defaultMarginRates } from '../server/src/config/margin-rate.ts'
import { createTestDatabase } from '../server/src/database/test-database.ts'
import { gatherMasterKeys, masterKeyFromBytes } from '../server/src/encryption/master-key.ts'
import { benchFirmId, fillBooks, positionsEach } from './books/fill.ts'
import type { Row } from './measure.ts'

const many = Math.min(Number(process.env.BENCH_ACCOUNTS ?? 100_000), 100_000)
const few = Math.min(Number(process.env.BENCH_FEW ?? 10_000), many)
function thousands(number: number): string {
  return number.toLocaleString('en-US')
}

/** The time may grow by this factor relative to the growth of the accounts. */
const slackMax = 1.3
const memoryMbMax = 60

interface Measured {
  /** The day of all purchases, and the next day without any. */
  readonly busyMs: number
  readonly quietMs: number
  readonly grownMb: number
  readonly first: ClosedDay
}

export async function rows(): Promise<Row[]> {
  const before = await measure(few)
  const large = await measure(many)
  const after = await measure(few)
  // The load of the machine varies during the minutes of this measurement.
  const small: Measured = {
    ...before,
    busyMs: (before.busyMs + after.busyMs) / 2,
    quietMs: (before.quietMs + after.quietMs) / 2,
  }
  return [
    growthRow(
      `a day of ${thousands(many * positionsEach)} purchases and ${thousands(many)} deposits`,
      small,
      large,
      'busyMs',
    ),
    growthRow('the day after, without activity', small, large, 'quietMs'),
    {
      name: `close-business-day: memory that ${thousands(many)} accounts take in addition`,
      measured: `${Math.round(large.grownMb)} MB`,
      floor: `${Math.round(small.grownMb)} MB of ${thousands(few)} accounts`,
      figure: large.grownMb - small.grownMb,
      target: `≤ ${memoryMbMax} MB`,
      met: large.grownMb - small.grownMb <= memoryMbMax,
      note: 'resident memory of the process, highest during the close less before it',
    },
  ]
}

function growthRow(what: string, small: Measured, large: Measured, time: 'busyMs' | 'quietMs'): Row {
  const figure = (large[time] / small[time]) * (few / many)
  const { positions, durations } = large.first
  const steps = Object.entries(durations).map(([step, ms]) => `${step} ${(ms / 1_000).toFixed(1)} s`)
  return {
    name: `close-business-day of ${thousands(many)} accounts and ${thousands(positions)} positions: ${what}`,
    measured: `${(large[time] / 1_000).toFixed(1)} s`,
    floor: `${(small[time] / 1_000).toFixed(1)} s at ${thousands(few)} accounts`,
    figure,
    target: `≤ ${slackMax} of linear`,
    met: figure <= slackMax,
    note:
      time === 'busyMs'
        ? steps.join(', ')
        : 'no entries, no changes of positions; ledgers are marked and aged',
  }
}

async function measure(accounts: number): Promise<Measured> {
  await using database = await createTestDatabase()
  await fillBooks(database.urls.superuser, accounts)
  const day = new BusinessDay({
    pool: database.open('operations', { connectionsMax: 2 }),
    masterKeys: gatherMasterKeys(masterKeyFromBytes(Buffer.alloc(32, 1))),
    marginRates: defaultMarginRates,
    log: pino({ enabled: false }),
  })
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let highest = before
  const watch = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage().rss)
  }, 20)
  const close = async (now: string): Promise<[ClosedDay, number]> => {
    const startedMs = performance.now()
    const request = {
      date: undefined,
      firmId: benchFirmId,
      clientId: 'bench',
      traceId: 'bench',
      now: new Date(now),
    }
    const outcome = await day.close(request)
    if (outcome.kind !== 'closed') throw new Error('the day was not open')
    return [outcome.day, performance.now() - startedMs]
  }
  try {
    const [first, busyMs] = await close('2026-11-20T22:00:00Z')
    // Trades settle on Monday: their entries belong to the work of that day, and Tuesday has none.
    await close('2026-11-23T22:00:00Z')
    const [, quietMs] = await close('2026-11-24T22:00:00Z')
    if (first.accounts !== accounts || first.positions !== accounts * positionsEach) {
      throw new Error(`closed ${first.accounts} accounts with ${first.positions} positions`)
    }
    return { busyMs, quietMs, grownMb: (highest - before) / 1_048_576, first }
  } finally {
    clearInterval(watch)
  }
}
