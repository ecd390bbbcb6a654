/**
 * Settings that keep the memory of a process small, with which its thread that answers calls starts (decision 146).
 */
import { Buffer } from 'node:buffer'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'

/**
 * Small buffers share pieces of this size. A piece stays as long as one of its buffers does. With the 64 kB of
 * Node.js 26, a thousand new accounts held 36 MB until the next full collection.
 */
const bufferPoolBytes = 1_024

/**
 * How far the old objects of a heap may grow before the next full collection, in percent of those that the
 * last one left. V8 lets a heap grow up to four times.
 */
const heapGrowingPercent = 50

/**
 * The same while large loads run. Their lines live for as long as two batches, so that most full collections
 * would find little garbage (decision 170).
 */
const heapGrowingPercentOfLoads = 150

/**
 * A half of the space for young objects of a thread that starts, in MB. Threads that run keep theirs: that of
 * calls has the 8 MB of its command line, and that of loads starts with the first large load (decision 171).
 */
const youngMegabytes = 8
const youngMegabytesOfLoads = 16

/**
 * What Node.js reports for `--max-old-space-size=256 --max-semi-space-size=8`. Large loads have ended
 * processes with 128.
 */
const heapMegabytesMin = 280
const megabyte = 2 ** 20

/** How far the heap of this process may grow. */
export function readHeapLimit(): { readonly megabytes: number; readonly isSmall: boolean } {
  const megabytes = Math.round(getHeapStatistics().heap_size_limit / megabyte)
  return { megabytes, isSmall: megabytes < heapMegabytesMin }
}

export const smallHeapAdvice = 'a large load may end it; give --max-old-space-size=256 or more'

/** To be called before the service is loaded. */
export function keepMemorySmall(): void {
  Buffer.poolSize = bufferPoolBytes
  endRoomForLoads()
}

/**
 * Lets the heaps of all threads grow faster, because V8 has one percentage for a process. A thread of loads that
 * starts afterwards has more space for young objects.
 */
export function makeRoomForLoads(): void {
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercentOfLoads}`)
  setFlagsFromString(`--max-semi-space-size=${youngMegabytesOfLoads}`)
}

export function endRoomForLoads(): void {
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`)
  setFlagsFromString(`--max-semi-space-size=${youngMegabytes}`)
}
