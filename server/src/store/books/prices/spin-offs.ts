/**
 * Securities that paid a spin-off after their last price. That price contains the shares that have left, which
 * positions have apart.
 */
import { statement } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { isKnown } from '../known.ts'
import { lastPrice, type ViewOfPrices } from './last-price.ts'
import type { ViewOfChanges } from './unit-changes.ts'

/** The SQL condition that a security paid a spin-off after its last price, whose time is null without one. */
export function spunOff(security: string, pricedAt: string, { day, knownOn }: ViewOfChanges): string {
  return `exists (select from clearing.corporate_action as spinoff
     where spinoff.sec_no = ${security} and trans_type = 'Spinoff'
       and effective_date > (${pricedAt} at time zone 'America/New_York')::date
       and (${day}::date is null or effective_date <= ${day}::date) and ${isKnown(knownOn, 'spinoff.')})`
}

const selectSpunOff = statement<{ sec_no: bigint }>(
  'select-spun-off-securities',
  `select distinct named.sec_no from clearing.corporate_action as named
   cross join lateral (${lastPrice('named.sec_no', 'priced_at <= $2', '$4')}) as latest
   where named.sec_no = any ($1::bigint[]) and named.trans_type = 'Spinoff'
     and ${spunOff('named.sec_no', 'latest.priced_at', { day: '$3', knownOn: '$4' })}`,
)

/** The securities among the given ones that paid a spin-off after their last price. */
export async function readSpunOff(
  tx: Tx,
  secNos: readonly string[],
  { at, day, knownOn }: ViewOfPrices,
): Promise<ReadonlySet<string>> {
  const rows = await tx.rows(selectSpunOff, [secNos, at, day, knownOn])
  return new Set(rows.map(({ sec_no }) => String(sec_no)))
}
