/** The yields that funds report with their prices. */
import type { Decimal } from '@clearing/domain/decimal'
import { statement } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { decimalOfColumn } from '../bulk.ts'
import { isKnown } from '../known.ts'
import type { ViewOfPrices } from './last-price.ts'

/**
 * Selects the latest yield of the fund `named.sec_no` until `$2`, known at the close of `day`. A correction can give
 * a price a yield, or take it away.
 */
export function latestYield(day: string): string {
  return `select yield from (
       (select priced_at, yield from clearing.price
        where price.sec_no = named.sec_no and priced_at <= $2 and yield is not null and ${isKnown(day)} and not exists (
          select from clearing.price_correction as correction where correction.sec_no = price.sec_no
            and correction.priced_at = price.priced_at and correction.price_type = price.price_type and ${isKnown(day, 'correction.')})
        order by priced_at desc limit 1)
       union all
       (select priced_at, yield from (
          select distinct on (priced_at, price_type) priced_at, price_type, yield from clearing.price_correction as correction
          where correction.sec_no = named.sec_no and priced_at <= $2 and ${isKnown(day)}
          order by priced_at desc, price_type, version desc
        ) as last_correction where yield is not null order by priced_at desc limit 1)
     ) as reported_yield order by priced_at desc limit 1`
}

const selectYields = statement<{ readonly sec_no: bigint; readonly yield: string }>(
  'select-yields-at',
  `select named.sec_no, latest.yield from unnest($1::bigint[]) as named (sec_no) cross join lateral (
     ${latestYield('$3')}
   ) as latest`,
)

/** The latest yield of each fund until the instant, percent a year, by secNo. */
export async function readYieldsAt(
  tx: Tx,
  secNos: readonly string[],
  { at, knownOn }: ViewOfPrices,
): Promise<Map<string, Decimal>> {
  const rows = await tx.rows(selectYields, [secNos, at, knownOn])
  return new Map(rows.map((row) => [String(row.sec_no), decimalOfColumn(row.yield)]))
}
