/**
 * load-prices and load-fx-rates: append-only facts. A fact that is stored already is a duplicate or a
 * conflict, or has a correctionId.
 */

import { ONE, renderDecimal } from '@clearing/domain/decimal'
import { findCurrency } from '@clearing/domain/market'
import { type Rejection, reject } from '@clearing/protocol/values'
import { easternDay } from '../../store/books/calendar.ts'
import { correctionsOf, otherRows } from '../../store/books/correct-facts.ts'
import { correctedPrices, correctedRates } from '../../store/books/corrected-facts.ts'
import { insertPrices, insertRates } from '../../store/books/insert-quotes.ts'
import { Directory, type Named } from '../directory.ts'
import { fxRateShape, type PriceValues, priceShape } from '../lines/shapes.ts'
import { requireNamed } from '../posting/find-named.ts'
import { type KeyedFacts, type KeyedLine, makeRows, type ReadyRows, writeRows } from './keyed-rows.ts'
import { readLinesOf } from './read-lines.ts'
import type { Load, Loader } from './run-load.ts'

const prices: KeyedFacts = {
  insert: insertPrices,
  others: otherRows(correctedPrices),
  corrections: correctionsOf(correctedPrices),
  withLoad: false,
}
const rates: KeyedFacts = {
  insert: insertRates,
  others: otherRows(correctedRates),
  corrections: correctionsOf(correctedRates),
  withLoad: false,
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
      await directory.learnOwners(read.lines.flatMap(({ values }) => values.symbol ?? []))
      return makeRows(read, prices, load.loadId, (values) => readPrice(values, directory))
    },
    write: (tx, ready) => writeRows(tx, prices, ready, load),
  }
}

function readPrice(values: PriceValues, directory: Directory): Rejection[] | KeyedLine {
  const missing: Rejection[] = []
  const day = values.priceDate === undefined ? undefined : easternDay(new Date(values.priceDate))
  const security = requireNamed(values, directory, missing, day)
  for (const name of ['price', 'priceType', 'priceDate'] as const) {
    if (values[name] === undefined) missing.push(reject('ERR.1000', name, `${name} is required.`))
  }
  const { priceDate, priceType, price, yield: yields } = values
  if (yields !== undefined && security?.row.money_market === false) {
    missing.push(reject('ERR.1015', 'yield', 'Only a money-market fund has a yield.'))
  }
  if (missing.length > 0 || !security || !price || !priceDate || !priceType) return missing
  const secNo = security.booked.key
  return {
    key: [secNo, priceDate, priceType],
    values: [renderDecimal(price.value), yields ? renderDecimal(yields.value) : null],
  }
}

export function fxRatesLoader(load: Load): Loader<ReadyRows> {
  return {
    prepare: async (raw) =>
      makeRows(readLinesOf(fxRateShape, raw), rates, load.loadId, (values) => {
        const { currency, rate, date } = values
        const missing: Rejection[] = []
        if (currency === undefined) missing.push(reject('ERR.1000', 'currency', 'currency is required.'))
        else if (findCurrency(currency) === undefined) {
          missing.push(reject('ERR.1015', 'currency', 'currency must be an ISO 4217 code.'))
        }
        if (rate === undefined) missing.push(reject('ERR.1000', 'rate', 'rate is required.'))
        else if (rate.value <= 0n) missing.push(reject('ERR.1015', 'rate', 'rate must be above zero.'))
        else if (currency === 'USD' && rate.value !== ONE)
          missing.push(
            reject('ERR.1015', 'rate', 'rate must be 1 for USD: it is in US dollars for one unit.'),
          )
        if (date === undefined) missing.push(reject('ERR.1000', 'date', 'date is required.'))
        if (missing.length > 0 || currency === undefined || date === undefined || rate === undefined)
          return missing
        return { key: [currency, date], values: [renderDecimal(rate.value)] }
      }),
    write: (tx, ready) => writeRows(tx, rates, ready, load),
  }
}
