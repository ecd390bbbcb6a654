/** Securities with their last prices, as positions show them. */
import { statement } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { type SecurityRow, securityColumns, type UnderlyingOfRow } from '../securities.ts'
import { carryInto, type PricedRow } from './carried-prices.ts'
import { withUnderlyings } from './changed-underlyings.ts'
import { type AtExpiration, expiredBefore, expiresFrom, withPricesAtExpiration } from './expired-options.ts'
import { type LastPrice, lastPrice, type ViewOfPrices } from './last-price.ts'
import { spunOff } from './spin-offs.ts'
import { unitsChanged, type ViewOfChanges } from './unit-changes.ts'
import { latestYield } from './yields.ts'

export interface PriceRow extends LastPrice {
  readonly sec_no: bigint
  /** The last closing price before the latest price. */
  readonly close_price: string | null
  /** The last yield that a fund reported. */
  readonly yield: string | null
  /** The price of the feed is from before a change of units, and was converted. */
  readonly carried?: true
  /** The security paid a spin-off after its last price. */
  readonly spun_off: boolean
}

type PricedOrNot = PricedRow & (PriceRow | { readonly price: null })

function latestPrices(view: ViewOfChanges, first: string): string {
  const { knownOn } = view
  const isCloseBefore = "price_type = 'LastClose' and priced_at < latest.priced_at"
  return `select ${first}, latest.*, closed.price as close_price, reported.yield,
     ${unitsChanged('named.sec_no', 'latest.priced_at', view)} as units_changed,
     ${spunOff('named.sec_no', 'latest.priced_at', view)} as spun_off
   from named
   left join lateral (${lastPrice('named.sec_no', 'priced_at <= $2', knownOn)}) as latest on true
   left join lateral (${lastPrice('named.sec_no', isCloseBefore, knownOn)}) as closed on true
   left join lateral (${latestYield(knownOn)}) as reported on true`
}

/** A security with its latest price, if it has one, and the time at which its next known price begins to count. */
export type PricedSecurityRow = SecurityRow &
  UnderlyingOfRow & { readonly next_priced_at: string | null } & PricedOrNot &
  AtExpiration

const selectPricedSecurities = statement<PricedSecurityRow>(
  'select-priced-securities',
  `with named as materialized (
     select ${securityColumns} from clearing.security where sec_no = any ($1::bigint[])
   )
   ${latestPrices({ day: 'null', knownOn: 'null' }, 'named.*, next.priced_at as next_priced_at')}
   left join lateral (
     select priced_at from clearing.price where price.sec_no = named.sec_no and priced_at > $2 order by priced_at limit 1
   ) as next on true`,
)
const selectNamedPrices = statement<PricedOrNot>(
  'select-named-prices',
  `with named as (select * from unnest($1::bigint[]) as named (sec_no))
   ${latestPrices({ day: '$4', knownOn: '$3' }, 'named.sec_no')}`,
)

/** Securities by number, and the underlyings of options among them, with all prices that are known until `now`. */
export async function readPricedSecurities(
  tx: Tx,
  secNos: readonly string[],
  now: Date,
): Promise<PricedSecurityRow[]> {
  const view = { at: now, day: null, knownOn: null }
  const read = async (numbers: readonly string[]) => {
    const rows = await tx.rows(selectPricedSecurities, [numbers, now])
    return withUnderlyings(tx, await carryInto(tx, rows, view), view)
  }
  const rows = await read(secNos)
  const here = new Set(rows.map(({ sec_no }) => String(sec_no)))
  const further = rows.flatMap(({ put_call, underlying_no: underlying }) =>
    put_call === null || !underlying || here.has(underlying) ? [] : [underlying],
  )
  const all = further.length === 0 ? rows : [...rows, ...(await read([...new Set(further)]))]
  const priced = await withPricesAtExpiration(tx, all, view, expiredBefore(now))
  const nextOf = new Map(all.map(({ sec_no, next_priced_at }) => [String(sec_no), next_priced_at]))
  return priced.map((row) => {
    if (row.expiration === null) return row
    const { underlying_no: underlying } = row
    const nextOfUnderlying = underlying ? nextOf.get(underlying) : null
    const ends = [row.next_priced_at, nextOfUnderlying, expiresFrom(row, now)?.toISOString()]
    return { ...row, next_priced_at: earliest(ends) }
  })
}

function earliest(times: readonly (string | null | undefined)[]): string | null {
  const sorted = times.flatMap((time) => time ?? []).sort((a, b) => Date.parse(a) - Date.parse(b))
  return sorted[0] ?? null
}

/** The prices of securities by number in a view. Those without a price are left out. */
export async function readNamedPrices(
  tx: Tx,
  secNos: readonly bigint[],
  view: ViewOfPrices,
): Promise<PriceRow[]> {
  const rows = await tx.rows(selectNamedPrices, [secNos, view.at, view.knownOn, view.day])
  return (await carryInto(tx, rows, view)).filter((row) => row.price !== null)
}
