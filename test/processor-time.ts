/**
 * The processor time of this process so far. On Linux, it includes the time of programs that it started and that have
 * ended.
 */
import { readFileSync } from 'node:fs'

/** The unit of processor times on Linux. */
const tickMs = 10

export function readProcessorMs(): number {
  try {
    const [, rest = ''] = /\) (.*)/.exec(readFileSync('/proc/self/stat', 'utf8')) ?? []
    const ticks = rest.split(' ').slice(11, 15).map(Number)
    return ticks.reduce((sum, count) => sum + count, 0) * tickMs
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }
}
