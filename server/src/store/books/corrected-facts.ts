/**
 * Corrections of facts with a key: exchange rates, prices, and positions held away and at locations. The fact remains
 * as it was loaded, and each correction is a further row. The last one that a view knows counts in it.
 */
import { isKnown } from './known.ts'

interface FactValue {
  readonly column: string
  /** The field of a line that gives it. */
  readonly field: string
  /** A correction can have none. */
  readonly optional?: true
}

/** A table of facts. Its corrections are in the table of this name with `_correction`. */
export interface CorrectedTable {
  readonly name: 'fx_rate' | 'price' | 'held_away' | 'location_position'
  readonly key: readonly string[]
  readonly values: readonly FactValue[]
  /** Further columns of corrections, as a row gives them. */
  readonly others?: readonly string[]
}

export const correctedRates: CorrectedTable = {
  name: 'fx_rate',
  key: ['currency', 'rate_date'],
  values: [{ column: 'rate', field: 'rate' }],
}

export const correctedPrices: CorrectedTable = {
  name: 'price',
  key: ['sec_no', 'priced_at', 'price_type'],
  values: [
    { column: 'price', field: 'price' },
    { column: 'yield', field: 'yield', optional: true },
  ],
}

export const correctedHeldAway: CorrectedTable = {
  name: 'held_away',
  key: ['account_number', 'sec_no', 'acct_type', 'custodian', 'as_of'],
  values: [
    { column: 'quantity', field: 'quantity' },
    { column: 'cost', field: 'cost', optional: true },
    { column: 'open_date', field: 'openDate', optional: true },
  ],
  others: ['firm_id'],
}

export const correctedLocationPositions: CorrectedTable = {
  name: 'location_position',
  key: ['as_of', 'location', 'sec_no'],
  values: [{ column: 'quantity', field: 'quantity' }],
}

/** The SQL condition for rows of one key. */
export function sameKey(key: readonly string[], one: string, other: string): string {
  return key.map((column) => `${one}.${column} = ${other}.${column}`).join(' and ')
}

/**
 * A value of the fact in the row `fact`, as the close `day` knew it. A correction is never known before its fact, so a
 * condition for the fact is enough.
 */
export function correctedValue(
  { name, key, values }: CorrectedTable,
  column: string,
  day: string,
  fact: string = name,
): string {
  const corrections = `from clearing.${name}_correction as correction
       where ${sameKey(key, 'correction', fact)} and ${isKnown(day, 'correction.')}`
  const isOptional = values.some((value) => value.column === column && value.optional)
  if (!isOptional)
    return `coalesce((select ${column} ${corrections} order by version desc limit 1), ${fact}.${column})`
  return `(select ${column} from (
       select version, ${column} ${corrections} union all select 0, ${fact}.${column}
     ) as each_version order by version desc limit 1)`
}
