/** The log: one JSON object a line on standard output, with possible secrets removed. */
import pino, { type Logger } from 'pino'

/** Without wildcards, which every line would be searched for. Our own log lines have these names at the top level. */
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

const flushEveryMs = 200

export function createLog(level: string, destination?: pino.DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: redacted, censor: '[redacted]' },
      formatters: { level: (label) => ({ level: label }) },
    },
    destination ?? pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: flushEveryMs }),
  )
}
