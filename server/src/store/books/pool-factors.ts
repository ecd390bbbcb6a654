/** The factors of pools by the day from which they count for a holder (decision 297). */

import { renderDecimal } from '@clearing/domain/decimal'
import {
  type CountingFactor,
  countFactors,
  type FactorLine,
  factorOnDay,
  type LoadedFactor,
} from '@clearing/domain/market'
import { statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'
import { decimalOfColumn } from './bulk.ts'

/** A holder, and the last of its lines that counts. */
export interface Holder {
  readonly accountNumber: string
  readonly upTo: number
}

/** A day of a holder. */
interface HolderOnDay extends Holder {
  readonly day: string
  /** The close whose knowledge counts. Undefined: all that is known now. */
  readonly knownOn: string | undefined
}

export interface HeldPool extends Holder {
  readonly secNo: string
}

// A security whose factor has never changed is left out: it has one for all days.
const selectLoaded = statement<{ sec_no: bigint; entered_on: string; factor: string }>(
  'select-loaded-factors',
  `with version as (
     select sec_no, entered_on, factor, lag(factor) over (partition by sec_no order by entered_on) as factor_before
     from clearing.security_version cross join lateral (select (facts ->> 'current_factor')::numeric as factor) as fact
     where sec_no = any ($1) and ($2::date is null or entered_on <= $2)
   )
   select sec_no, entered_on, factor from version
   where factor is distinct from factor_before and sec_no in (select sec_no from version where factor <> factor_before)
   order by sec_no, entered_on`,
)
const selectLines = statement<{ account_number: string; sec_no: bigint; trade_date: string; factor: string }>(
  'select-factor-changes-of-holders',
  `select account_number, sec_no, trade_date, (terms -> 'ratio' ->> 0)::numeric as factor
   from unnest($1::text[], $2::bigint[], $3::bigint[]) as held (account_number, sec_no, up_to)
   join clearing.activity as line using (account_number, sec_no)
   where trans_type = 'FactorChange' and correction is distinct from 'C' and line.sequence <= up_to
     and not exists (select from clearing.correction as cancel where cancel.account_number = line.account_number
       and cancel.tag_no = line.external_id and cancel.correction = 'C' and cancel.sequence <= up_to)`,
)

/**
 * The factors of pools with the days from which they count for their holders, in the order given. Empty for a security
 * whose factor has never changed. `knownOn`: only factors and lines that were known at a close.
 */
export async function readCountingFactors(
  tx: Tx,
  pools: readonly HeldPool[],
  knownOn: string | undefined,
): Promise<CountingFactor[][]> {
  const loaded = new Map<string, LoadedFactor[]>()
  const secNos = [...new Set(pools.map(({ secNo }) => secNo))]
  for (const { sec_no, entered_on: enteredOn, factor } of await tx.rows(selectLoaded, [
    secNos,
    knownOn ?? null,
  ])) {
    const secNo = String(sec_no)
    const before = loaded.get(secNo) ?? []
    loaded.set(secNo, before)
    before.push({ enteredOn, factor: decimalOfColumn(factor) })
  }
  const changed = pools.filter(({ secNo }) => loaded.has(secNo))
  const lines = await readFactorLines(tx, changed)
  return pools.map((pool) => countFactors(loaded.get(pool.secNo) ?? [], lines.get(nameOf(pool)) ?? []))
}

async function readFactorLines(tx: Tx, pools: readonly HeldPool[]): Promise<Map<string, FactorLine[]>> {
  if (pools.length === 0) return new Map()
  const rows = await tx.rows(selectLines, [
    pools.map(({ accountNumber }) => accountNumber),
    pools.map(({ secNo }) => secNo),
    pools.map(({ upTo }) => upTo),
  ])
  const lines = new Map<string, FactorLine[]>()
  for (const { account_number: accountNumber, sec_no, trade_date: tradeDate, factor } of rows) {
    const name = nameOf({ accountNumber, secNo: String(sec_no) })
    const before = lines.get(name) ?? []
    lines.set(name, before)
    before.push({ tradeDate, factor: decimalOfColumn(factor) })
  }
  return lines
}

function nameOf({ accountNumber, secNo }: Pick<HeldPool, 'accountNumber' | 'secNo'>): string {
  return `${accountNumber} ${secNo}`
}

/** The rows of securities, those of pools with the factor that counts for the holder on the day. */
export async function withFactorsOfDay<
  Row extends { readonly sec_no: bigint; readonly current_factor: string },
>(tx: Tx, rows: readonly Row[], { accountNumber, upTo, day, knownOn }: HolderOnDay): Promise<readonly Row[]> {
  // The last factor that was known at a close counts on its day.
  if (rows.length === 0 || (knownOn !== undefined && knownOn <= day)) return rows
  const pools = rows.map(({ sec_no }) => ({ accountNumber, upTo, secNo: String(sec_no) }))
  const counting = await readCountingFactors(tx, pools, knownOn)
  return rows.map((row, at) => {
    const factor = factorOnDay(counting[at] ?? [], day)
    return factor === undefined ? row : { ...row, current_factor: renderDecimal(factor) }
  })
}
