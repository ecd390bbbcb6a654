/** Days and times of day in New York, and the monthly partitions. */

import { addDays } from '@clearing/domain/market'
import type { Pool } from '../../database/pool.ts'
import { statement } from '../../database/statement.ts'
import { inTransaction } from '../../database/transaction.ts'

const inNewYork = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' })

const clockOfNewYork = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'America/New_York',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

const hourMs = 3_600_000
let lastHour = { hour: Number.NaN, day: '' }

/** The calendar day in New York. Days begin at a full hour there, so most calls are in the hour of the call before. */
export function easternDay(at: Date): string {
  const hour = Math.floor(at.getTime() / hourMs)
  if (hour !== lastHour.hour) lastHour = { hour, day: inNewYork.format(at) }
  return lastHour.day
}

/** The hour and minute in New York, such as `18:00`. */
export function easternTime(at: Date): string {
  return clockOfNewYork.format(at)
}

/** The instant at which a calendar day begins in New York. */
export function startOfEasternDay(day: string): Date {
  const inSummer = new Date(`${day}T04:00:00Z`)
  return easternDay(inSummer) === day ? inSummer : new Date(`${day}T05:00:00Z`)
}

/** The last millisecond of a calendar day in New York, the finest unit of a `Date`. */
export function endOfEasternDay(day: string): Date {
  return new Date(startOfEasternDay(addDays(day, 1)).getTime() - 1)
}

const makePartition = statement('make-month-partition', 'select clearing.make_month_partition($1, $2)')

/** Months whose partitions exist, as this process knows of its database. */
const monthsMade = new WeakMap<Pool, Set<string>>()

/** Creates the partitions for the days. */
export async function makePartitions(
  pool: Pool,
  days: { readonly activity: Iterable<string>; readonly entry: Iterable<string> },
): Promise<void> {
  const made = monthsMade.get(pool) ?? new Set<string>()
  monthsMade.set(pool, made)
  for (const parent of ['activity', 'entry'] as const) {
    for (const month of new Set([...days[parent]].map((day) => day.slice(0, 7)))) {
      const name = `${parent} ${month}`
      if (made.has(name)) continue
      await inTransaction(pool, { firm: null, repeatable: true }, (tx) =>
        tx.run(makePartition, [parent, `${month}-01`]),
      )
      made.add(name)
    }
  }
}
