/**
 * Bounds the sign-ins that a network begins in a minute, because each writes a row that lives for 15 minutes before the
 * person is known. The counts are in memory, so each process has its own.
 */
import { RecentMap } from '../recent-map.ts'
import { networkOf } from './guesses.ts'

const windowMs = 60_000
/** A whole office may share a network. */
const perNetworkMax = 120
const networksMax = 10_000

export interface BegunSignIns {
  /** Counts a sign-in. Returns the seconds to wait if the network has begun too many, otherwise 0. */
  take(address: string): number
}

export function countBegunSignIns(settings: { max?: number; clockMs?: () => number } = {}): BegunSignIns {
  const { max = perNetworkMax, clockMs = () => performance.now() } = settings
  const windows = new RecentMap<string, { count: number; readonly endsMs: number }>(networksMax)
  return {
    take(address) {
      const nowMs = clockMs()
      const network = networkOf(address)
      const known = windows.get(network)
      const window = known && known.endsMs > nowMs ? known : { count: 0, endsMs: nowMs + windowMs }
      if (window !== known) windows.set(network, window)
      if (window.count >= max) return Math.ceil((window.endsMs - nowMs) / 1_000)
      window.count += 1
      return 0
    },
  }
}
