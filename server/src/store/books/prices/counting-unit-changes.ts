/** The changes of units that count in a view, for securities and those from which their positions came. */
import type { UnitChange } from '@clearing/domain/market'
import { statement } from '../../../database/statement.ts'
import type { Tx } from '../../../database/transaction.ts'
import { decimalOfColumn } from '../bulk.ts'
import type { ViewOfPrices } from './last-price.ts'
import { changeCounts } from './unit-changes.ts'

interface ChangeRow {
  readonly sec_no: bigint
  readonly to_sec_no: bigint
  readonly effective_on: string
  readonly received: string
  readonly held: string
  readonly is_merger: boolean
  readonly multiplier: string
  readonly price_divisor: string
  readonly to_multiplier: string
  readonly to_price_divisor: string
}

// The lines of one action agree; if they do not, the ratio that most lines state counts.
const selectChanges = statement<ChangeRow>(
  'select-unit-changes',
  `select change.*, given.multiplier, given.price_divisor, got.multiplier as to_multiplier, got.price_divisor as to_price_divisor
   from (
     select distinct on (to_sec_no, sec_no, effective_on) sec_no, to_sec_no, effective_on, received, held, is_merger
     from clearing.unit_change where to_sec_no = any ($1::bigint[]) and ${changeCounts({ day: '$2', knownOn: '$3' })}
     group by to_sec_no, sec_no, effective_on, received, held, is_stated, is_merger
     order by to_sec_no, sec_no, effective_on, is_stated desc, count(*) desc, held desc, received desc
   ) as change
   join clearing.security as given on given.sec_no = change.sec_no
   join clearing.security as got on got.sec_no = change.to_sec_no`,
)

/** The changes of the securities, and of those from which positions came. */
export async function readUnitChanges(
  tx: Tx,
  secNos: readonly string[],
  { day, knownOn }: ViewOfPrices,
): Promise<UnitChange[]> {
  const seen = new Set(secNos)
  const changes: UnitChange[] = []
  for (let next: readonly string[] = [...seen]; next.length > 0; ) {
    const found = (await tx.rows(selectChanges, [next, day, knownOn])).map(changeOfRow)
    changes.push(...found)
    next = [...new Set(found.map(({ secNo }) => secNo))].filter((secNo) => !seen.has(secNo))
    for (const secNo of next) seen.add(secNo)
  }
  return changes
}

function changeOfRow(row: ChangeRow): UnitChange {
  return {
    secNo: String(row.sec_no),
    toSecNo: String(row.to_sec_no),
    day: row.effective_on,
    received: decimalOfColumn(row.received),
    held: decimalOfColumn(row.held),
    units: {
      multiplier: decimalOfColumn(row.multiplier),
      priceDivisor: decimalOfColumn(row.price_divisor),
    },
    toUnits: {
      multiplier: decimalOfColumn(row.to_multiplier),
      priceDivisor: decimalOfColumn(row.to_price_divisor),
    },
    isMerger: row.is_merger,
  }
}
