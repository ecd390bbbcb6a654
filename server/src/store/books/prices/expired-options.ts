/**
 * What options that are held after their expiration were in the money then: by the last price of the underlying until
 * the end of that day, in the units of that day. Few options are held so long, so they are read apart.
 */
import { decimal, multiply, renderDecimal } from '@clearing/domain/decimal'
import { addDays, intrinsicValue, type PriceType } from '@clearing/domain/market'
import { statement } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { decimalOfColumn } from '../bulk.ts'
import { easternDay, startOfEasternDay } from '../calendar.ts'
import type { SecurityRow, UnderlyingOfRow } from '../securities.ts'
import { carryInto } from './carried-prices.ts'
import { withUnderlyings } from './changed-underlyings.ts'
import { lastPrice, type ViewOfPrices } from './last-price.ts'
import { unitsChanged } from './unit-changes.ts'

/** The amount in the money in the form of a price, with the type and the time of the underlying's price. */
export interface PriceAtExpiration {
  readonly price: string
  readonly price_type: PriceType
  readonly priced_at: string
}

type OptionRow = SecurityRow & UnderlyingOfRow

export interface AtExpiration {
  readonly at_expiration?: PriceAtExpiration
}

interface UnderlyingRow {
  readonly option_no: bigint
  readonly sec_no: bigint
  readonly expiration: string
  readonly ends: string
  readonly price: string | null
  readonly price_type: PriceType
  readonly priced_at: string
  readonly units_changed: boolean
}

const selectUnderlyings = statement<UnderlyingRow>(
  'select-underlyings-at-expiration',
  `select option_no, named.sec_no, expiration, ends, latest.*,
     ${unitsChanged('named.sec_no', 'latest.priced_at', { day: 'expiration', knownOn: '$4' })} as units_changed
   from (
     select option.sec_no as option_no, stock.sec_no, option.expiration,
       least($3, (option.expiration + 1)::timestamp at time zone 'America/New_York' - interval '1 millisecond') as ends
     from unnest($1::bigint[], $2::bigint[]) as of_day (option_no, stock_no)
     join clearing.security as option on option.sec_no = option_no
     join clearing.security as stock on stock.sec_no = stock_no and stock.currency = option.currency
   ) as named
   left join lateral (${lastPrice('named.sec_no', 'priced_at <= named.ends', '$4')}) as latest on true`,
)

/**
 * The rows of securities, and with those of options that expire before `before` what they were in the money until the
 * time of the view.
 */
export async function withPricesAtExpiration<Row extends OptionRow>(
  tx: Tx,
  rows: readonly Row[],
  { at, knownOn }: Pick<ViewOfPrices, 'at' | 'knownOn'>,
  before: string,
): Promise<(Row & AtExpiration)[]> {
  const expired = rows.filter(({ expiration }) => expiration !== null && expiration < before)
  if (expired.length === 0) return [...rows]
  const options = await asOfExpiration(tx, expired, knownOn)
  const found = new Map<bigint, PriceAtExpiration>()
  const underlyings = await tx.rows(selectUnderlyings, [
    [...options.keys()],
    [...options.values()].map(({ underlying_no }) => underlying_no ?? null),
    at,
    knownOn,
  ])
  for (const row of underlyings) {
    const view = { at: row.ends, day: row.expiration, knownOn }
    const [underlying = row] = row.units_changed ? await carryInto(tx, [row], view) : [row]
    const option = options.get(row.option_no)
    if (underlying.price === null || option === undefined) continue
    const { price_type, priced_at } = underlying
    found.set(row.option_no, { price: inTheMoney(option, underlying.price), price_type, priced_at })
  }
  return rows.map((row) => {
    const at_expiration = found.get(row.sec_no)
    return at_expiration === undefined ? row : { ...row, at_expiration }
  })
}

/** Options with the underlyings that they had on the day of their expiration. Later changes do not concern them. */
async function asOfExpiration(
  tx: Tx,
  options: readonly OptionRow[],
  knownOn: ViewOfPrices['knownOn'],
): Promise<Map<bigint, OptionRow>> {
  const found = new Map<bigint, OptionRow>()
  for (const day of new Set(options.map(({ expiration }) => expiration))) {
    const ofDay = options.filter(({ expiration }) => expiration === day)
    for (const row of await withUnderlyings(tx, ofDay, { day, knownOn })) found.set(row.sec_no, row)
  }
  return found
}

const pricePlaces = 8
const zero = '0'

/** In the form of a price, which is multiplied by the multiplier and divided by the price divisor. */
function inTheMoney(option: OptionRow, underlyingPrice: string): string {
  const { put_call, strike, strike_units: units, price_divisor } = option
  if (put_call === null || strike === null) return zero
  const contract = { putCall: put_call, strike: decimalOfColumn(strike), units }
  const unit = intrinsicValue(contract, decimalOfColumn(underlyingPrice))
  return renderDecimal(multiply(unit, decimal(price_divisor), pricePlaces))
}

/** Business dates run at most this far ahead of the day: over a weekend with holidays. */
const aheadDays = 7

/** Options that expire before this day can be expired at the business date of the time. */
export function expiredBefore(now: Date): string {
  return addDays(easternDay(now), aheadDays)
}

/** The time from which an option can be expired at the business date. Undefined if it can be by now. */
export function expiresFrom({ expiration }: Pick<SecurityRow, 'expiration'>, now: Date): Date | undefined {
  if (expiration === null || expiration < expiredBefore(now)) return undefined
  return startOfEasternDay(addDays(expiration, 1 - aheadDays))
}
