/** load-prices and load-fx-rates: facts that come and stay; one that is there already is a duplicate. */

import { findCurrency } from '@clearing/domain/market'
import { type Rejection, reject } from '@clearing/protocol'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { decimalCell, Rows, rowsOf } from '../../store/books/bulk.ts'
import type { RefusedLine } from '../../store/books/loads.ts'
import { Directory, type Named } from '../directory.ts'
import { fxRateShape, type PriceValues, priceShape } from '../lines/shapes.ts'
import { findNamed, identifiers } from '../posting/find-named.ts'
import { type ReadLines, readLinesOf } from './read-lines.ts'
import type { BatchOutcome, Load, Loader } from './run-load.ts'

/** Rows that are ready, by their key: of two lines with one key the first counts. */
interface ReadyRows {
  readonly rows: Rows
  readonly repeats: number
  readonly refused: readonly RefusedLine[]
}

const insertPrices = statement(
  'insert-prices',
  `insert into clearing.price select * from ${rowsOf('price')} on conflict do nothing`,
)
const insertRates = statement(
  'insert-fx-rates',
  `insert into clearing.fx_rate select * from ${rowsOf('fx_rate')} on conflict do nothing`,
)

const writeRows = async (tx: Tx, insert: typeof insertPrices, ready: ReadyRows): Promise<BatchOutcome> => {
  const { rows, repeats, refused } = ready
  const accepted = rows.count === 0 ? 0 : await tx.run(insert, [rows.text()])
  return { accepted, duplicates: rows.count - accepted + repeats, refused }
}

export function pricesLoader(load: Load): Loader<ReadyRows> {
  const directory = new Directory(load.pool)
  return {
    async prepare(raw) {
      const read = readLinesOf(priceShape, raw)
      await directory.learn(
        [],
        read.lines.map(({ values }): Named => values),
      )
      return makeRows(read, (values, rows) => addPrice(values, rows, directory))
    },
    write: (tx, ready) => writeRows(tx, insertPrices, ready),
  }
}

const addPrice = (values: PriceValues, rows: Rows, directory: Directory): Rejection[] | string => {
  const missing: Rejection[] = []
  const security = findNamed(identifiers, values, directory, missing)
  if (security === undefined && missing.length === 0) {
    missing.push(reject('ERR.1000', 'cusip', 'One of cusip, isin, sedol, symbol and secNo is required.'))
  }
  for (const name of ['price', 'priceType', 'priceDate'] as const) {
    if (values[name] === undefined) missing.push(reject('ERR.1000', name, `${name} is required.`))
  }
  const { priceDate, priceType, price } = values
  if (missing.length > 0 || !security || !price || !priceDate || !priceType) return missing
  const secNo = security.booked.key
  rows.add(secNo, priceDate, priceType, decimalCell(price.value))
  return `${secNo} ${priceDate} ${priceType}`
}

export function fxRatesLoader(): Loader<ReadyRows> {
  return {
    prepare: async (raw) =>
      makeRows(readLinesOf(fxRateShape, raw), (values, rows) => {
        const { currency, rate, date } = values
        const missing: Rejection[] = []
        if (currency === undefined) missing.push(reject('ERR.1000', 'currency', 'currency is required.'))
        else if (findCurrency(currency) === undefined) {
          missing.push(reject('ERR.1015', 'currency', 'currency must be a currency of ISO 4217.'))
        }
        if (rate === undefined) missing.push(reject('ERR.1000', 'rate', 'rate is required.'))
        else if (rate.value <= 0n) missing.push(reject('ERR.1015', 'rate', 'rate must be above zero.'))
        if (date === undefined) missing.push(reject('ERR.1000', 'date', 'date is required.'))
        if (missing.length > 0 || currency === undefined || date === undefined || rate === undefined)
          return missing
        rows.add(currency, date, decimalCell(rate.value))
        return `${currency} ${date}`
      }),
    write: (tx, ready) => writeRows(tx, insertRates, ready),
  }
}

/** `add` adds the line's row and answers its key, or why it cannot. */
const makeRows = <Values>(
  read: ReadLines<Values>,
  add: (values: Values, rows: Rows) => Rejection[] | string,
): ReadyRows => {
  const refused = [...read.refused]
  const keys = new Set<string>()
  const rows = new Rows()
  let repeats = 0
  for (const { source: line, values } of read.lines) {
    const single = new Rows()
    const added = add(values, single)
    if (typeof added !== 'string') refused.push({ line, rejections: added })
    else if (keys.has(added)) repeats += 1
    else {
      keys.add(added)
      add(values, rows)
    }
  }
  return { rows, repeats, refused: refused.sort((a, b) => a.line - b.line) }
}
