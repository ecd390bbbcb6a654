/**
 * load-location-positions: the positions that depositories, custodian banks and clearing houses hold at the
 * end of a business day. A position that was reported before is a duplicate, unless the line corrects it.
 */
import { renderDecimal } from '@clearing/domain/decimal'
import { type Rejection, reject } from '@clearing/protocol/values'
import { correctionsOf, otherRows } from '../../store/books/correct-facts.ts'
import { correctedLocationPositions } from '../../store/books/corrected-facts.ts'
import { insertLocationPositions } from '../../store/books/location-positions.ts'
import { Directory, type Named } from '../directory.ts'
import { type LocationPositionValues, locationPositionShape } from '../lines/shapes.ts'
import { requireNamed } from '../posting/find-named.ts'
import { type KeyedFacts, type KeyedLine, makeRows, type ReadyRows, writeRows } from './keyed-rows.ts'
import { readLinesOf } from './read-lines.ts'
import type { Load, Loader } from './run-load.ts'

const positions: KeyedFacts = {
  insert: insertLocationPositions,
  others: otherRows(correctedLocationPositions),
  corrections: correctionsOf(correctedLocationPositions),
  withLoad: true,
}

export function locationPositionsLoader(load: Load): Loader<ReadyRows> {
  const directory = new Directory(load.pool)
  return {
    async prepare(raw) {
      const read = readLinesOf(locationPositionShape, raw)
      await directory.learn(
        [],
        read.lines.map(({ values }): Named => values),
      )
      await directory.learnOwners(read.lines.flatMap(({ values }) => values.symbol ?? []))
      return makeRows(read, positions, load.loadId, (values) => readPosition(values, directory))
    },
    write: (tx, ready) => writeRows(tx, positions, ready, load),
  }
}

function readPosition(values: LocationPositionValues, directory: Directory): Rejection[] | KeyedLine {
  const wrong: Rejection[] = []
  const security = requireNamed(values, directory, wrong, values.asOfDate)
  for (const name of ['location', 'asOfDate', 'quantity'] as const) {
    if (values[name] === undefined) wrong.push(reject('ERR.1000', name, `${name} is required.`))
  }
  const { location, asOfDate, quantity } = values
  if (wrong.length > 0 || !security || !location || !asOfDate || !quantity) return wrong
  return { key: [asOfDate, location, security.booked.key], values: [renderDecimal(quantity.value)] }
}
