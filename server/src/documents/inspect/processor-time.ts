/** The processor time that a process has used. */
import { readFileSync } from 'node:fs'

/** Linux counts in ticks of a hundredth of a second, on every machine. */
const tickMs = 10

/**
 * In milliseconds. Undefined if the process has ended, or if the system does not report the time (only Linux
 * does).
 */
export function readProcessorMs(pid: number | undefined): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program, in brackets, may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * tickMs
  } catch {
    return undefined
  }
}
