/** `load activity|securities|prices|fx-rates|held-away|account-terms file.csv`: facts into the books from a file. */
import type { OperationName } from '@clearing/protocol'
import { connect } from '../connect.ts'
import { loadFile } from '../load-file.ts'
import { lineFlags } from '../operation-verbs.ts'
import { standard } from '../read-input.ts'
import type { Verb } from '../verb.ts'

const kinds = {
  securities: 'load-securities',
  prices: 'load-prices',
  'fx-rates': 'load-fx-rates',
  'held-away': 'load-held-away',
  'account-terms': 'load-account-terms',
  activity: 'load-activity',
} as const satisfies Record<string, OperationName>

export const loadVerbs: readonly Verb[] = Object.entries(kinds).map(([kind, name]) => ({
  path: ['load', kind],
  group: 'Work',
  summary: `Load ${kind} from a file of lines`,
  description:
    'CSV or NDJSON of any length. Refused lines are written beside the file (activity.rejects.csv) with why each was refused ' +
    '(activity.rejects.txt): correct them and load that file. Lines that were seen before change nothing. Exit code 1 when a line was refused.',
  arguments: [{ name: 'file', summary: `the file; ${standard} reads standard input` }],
  flags: lineFlags,
  async run(given, terminal) {
    const [path = standard] = given.arguments
    return loadFile(await connect(given, terminal), { name, path, request: {} }, given, terminal)
  },
}))
