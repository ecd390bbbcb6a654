/** Renders how long applications stay in a state. */
import type { Data } from '@clearing/protocol'
import type { StateTime } from '../store/overview.ts'

export function renderStateTime(row: StateTime): Data<'get-overview'>['timeInState'][number] {
  return {
    state: row.state,
    count: Number(row.count),
    medianHours: roundHours(row.median_hours),
    p90Hours: roundHours(row.p90_hours),
  }
}

function roundHours(value: number): number {
  return Math.round(value * 100) / 100
}
