/**
 * `load activity|securities|prices|fx-rates|held-away|location-positions|account-terms|corporate-actions file.csv`:
 * loads facts into the books from a file.
 */
import type { OperationName } from '@clearing/protocol'
import { loadOverCells } from '../cells/load-over-cells.ts'
import { connect } from '../connect.ts'
import { loadFile } from '../load-file.ts'
import { lineFlags } from '../operation-verbs.ts'
import { standard } from '../read-input.ts'
import { isSet, type Verb } from '../verb.ts'

const kinds = {
  securities: 'load-securities',
  prices: 'load-prices',
  'fx-rates': 'load-fx-rates',
  'held-away': 'load-held-away',
  'location-positions': 'load-location-positions',
  'account-terms': 'load-account-terms',
  activity: 'load-activity',
  'corporate-actions': 'load-corporate-actions',
} as const satisfies Record<string, OperationName>

export const loadVerbs: readonly Verb[] = Object.entries(kinds).map(([kind, name]) => ({
  path: ['load', kind],
  group: 'Work',
  summary: `Load ${kind} from a file of lines`,
  description:
    'Takes CSV or NDJSON of any length. Rejected lines are written beside the file (activity.rejects.csv), and their reasons ' +
    '(activity.rejects.txt): correct the lines and load that file. Lines that were loaded before change nothing. The exit code is 1 if a line was rejected, ' +
    'or if CSV is empty, without a header line.',
  arguments: [{ name: 'file', summary: `the file; ${standard} reads standard input` }],
  flags: [
    ...lineFlags,
    {
      name: 'cells',
      summary: 'load into every cell, lines with an account number into the cell of the account',
    },
  ],
  async run(given, terminal) {
    const [path = standard] = given.arguments
    if (isSet(given, 'cells')) return loadOverCells({ name, path, request: {} }, given, terminal)
    return loadFile(await connect(given, terminal), { name, path, request: {} }, given, terminal)
  },
}))
