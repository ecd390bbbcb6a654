/**
 * How long applications stay in their states. Transitions are never changed, so the stays of an application are read
 * once and kept in memory under its version. An application that goes on has another version and is read anew.
 */
import type { Tx } from '../database/transaction.ts'
import { readLookedAt, readStays, type StateTime, type Stay } from '../store/overview.ts'

/** More than two thousand applications for each of several firms. */
const keptMax = 10_000

export class TimeInState {
  readonly #kept = new Map<string, { readonly version: number; readonly stays: readonly Stay[] }>()

  /** The median and the ninetieth percentile of the stays in each state, of the last applications since a moment. */
  async read(tx: Tx, since: Date, firmId: string | null): Promise<StateTime[]> {
    const versions = await readLookedAt(tx, since, firmId)
    const stays: Stay[] = []
    const missing: string[] = []
    for (const [number, version] of versions) {
      const kept = this.#kept.get(number)
      if (kept?.version === version) stays.push(...kept.stays)
      else missing.push(number)
    }
    const read = await readStays(tx, missing)
    this.#keep(versions, missing, read)
    return figuresOf([...stays, ...read])
  }

  #keep(versions: ReadonlyMap<string, number>, numbers: readonly string[], read: readonly Stay[]): void {
    if (this.#kept.size + numbers.length > keptMax) this.#kept.clear()
    const stays = Map.groupBy(read, (stay) => stay.account_number)
    for (const number of numbers)
      this.#kept.set(number, { version: versions.get(number) ?? 0, stays: stays.get(number) ?? [] })
  }
}

function figuresOf(stays: readonly Stay[]): StateTime[] {
  return [...Map.groupBy(stays, ({ state }) => state)]
    .map(([state, of]) => {
      const hours = Float64Array.from(of.map((stay) => stay.hours)).sort()
      return {
        state,
        count: BigInt(hours.length),
        median_hours: percentileOf(hours, 0.5),
        p90_hours: percentileOf(hours, 0.9),
      }
    })
    .sort((one, other) => (one.state < other.state ? -1 : 1))
}

/** As `percentile_cont` of PostgreSQL: between two neighbours in proportion. */
function percentileOf(ordered: Float64Array, part: number): number {
  const place = part * (ordered.length - 1)
  const [below = 0, above = 0] = [ordered[Math.floor(place)], ordered[Math.ceil(place)]]
  return below + (above - below) * (place - Math.floor(place))
}
