/** The setting PROCESSES: how many processes serve behind the port. */
import { availableParallelism, totalmem } from 'node:os'
import type { Settings } from './read-settings.ts'

/** The memory of each process with `auto`: a heap of 256 MB, buffers, and a large load. */
const memoryMbOfProcess = 384
const processesMax = 128

/**
 * The sandbox has one process by default. In production the default is `auto`: one for each core that the
 * memory allows.
 */
export function readProcesses(settings: Settings, mode: 'sandbox' | 'production'): number {
  const given = settings.text('PROCESSES') ?? (mode === 'production' ? 'auto' : '1')
  if (given !== 'auto') {
    const number = /^\d+$/.test(given) ? Number(given) : Number.NaN
    if (number >= 1 && number <= processesMax) return number
    settings.mistakes.push(`PROCESSES must be auto, or a whole number from 1 to ${processesMax}`)
    return 1
  }
  // Both figures honour the limits of a container.
  const memoryMb = Math.min(process.constrainedMemory() || totalmem(), totalmem()) / 2 ** 20
  const ofMemory = Math.max(1, Math.floor(memoryMb / memoryMbOfProcess))
  return Math.min(availableParallelism(), ofMemory, processesMax)
}
