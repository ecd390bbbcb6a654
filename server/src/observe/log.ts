/** The log: one JSON object per line on standard output, with possible secrets removed. */
import pino, { type Logger } from 'pino'

/**
 * Paths without wildcards, because a wildcard is searched for in every line. Log lines of the service have
 * these names at the top level.
 */
const redacted = [
  'authorization',
  'clientSecret',
  'client_secret',
  'taxIdNumber',
  'idNumber',
  'birthDate',
  'err.parameters',
  'err.detail',
  'err.where',
]

const standardOutput = { dest: 1, sync: false, periodicFlush: 200 } as const
/**
 * Each write wakes another thread, so many lines are written together. The next periodic flush writes the
 * remaining ones.
 */
const writeBytes = 12_288
/** POSIX: a pipe does not mix a write of this size with those of other processes. */
const wholeWriteBytes = 4_096

export function createLog(level: string, destination?: pino.DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: redacted, censor: '[redacted]' },
      formatters: { level: (label) => ({ level: label }) },
    },
    destination ?? pino.destination({ ...standardOutput, minLength: writeBytes }),
  )
}

/** The log of one of several processes that write to the same output: each line has the number of its process. */
export function createLogOfProcess(level: string, number: number): Logger {
  const destination = pino.destination({ ...standardOutput, minLength: 2_048, maxWrite: wholeWriteBytes })
  return createLog(level, destination).child({ process: number })
}
