/**
 * For background work: repeats the work while the database is unavailable, for as long as a failover may
 * take.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseUnavailable } from './faults.ts'

const waitMs = 300_000
const pauseMs = 1_000

/**
 * Throws the error of the work. Throws DatabaseUnavailable when the database stays unavailable. The work may
 * run several times.
 */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const endMs = performance.now() + waitMs
  for (;;) {
    try {
      return await work()
    } catch (fault) {
      if (!(fault instanceof DatabaseUnavailable) || performance.now() > endMs) throw fault
      await pause(pauseMs)
    }
  }
}
