/** The exchange rates by which the cost of lots is converted, if the feed gave none. */
import type { Lot } from '@clearing/domain/books'
import { ZERO } from '@clearing/domain/decimal'
import type { Tx } from '../../database/transaction.ts'
import { type HeldAwayRow, readEnteredBefore } from '../../store/books/positions.ts'
import { type OpenRateRow, selectOpenRates } from '../../store/books/rates.ts'
import type { SecurityRow } from '../../store/books/securities.ts'

interface OpenedLots {
  readonly accountNumber: string
  readonly held: readonly HeldLot[]
  readonly away: readonly HeldAwayRow[]
  readonly securities: readonly Pick<SecurityRow, 'sec_no' | 'currency'>[]
}
export interface OpenRate extends OpenRateRow {
  /** The rate was entered on the business date of the view, and a lot that it converts on an earlier one. */
  readonly restates: boolean
}

/** The rates of the days on which lots in other currencies were opened, where the feed gave no rate. */
export async function readOpenRates(
  tx: Tx,
  { accountNumber, held, away, securities }: OpenedLots,
  { knownOn, today }: { readonly knownOn: string | null; readonly today: string },
): Promise<OpenRate[]> {
  const foreign = new Map<string, string>()
  for (const { sec_no, currency } of securities) if (currency !== 'USD') foreign.set(String(sec_no), currency)
  if (foreign.size === 0) return []
  const opened = new Map<string, readonly [currency: string, day: string]>()
  const add = (secNo: string, day: string) => {
    const currency = foreign.get(secNo)
    if (currency !== undefined) opened.set(`${currency} ${day}`, [currency, day])
  }
  for (const { secNo, lot } of held) if (lot.fxRate === ZERO) add(secNo, lot.openDate)
  for (const row of away) add(String(row.sec_no), openDateOf(row))
  if (opened.size === 0) return []
  const days = [...opened.values()]
  const currencies = days.map(([currency]) => currency)
  const rates = await tx.rows(selectOpenRates, [currencies, days.map(([, day]) => day), knownOn])
  const late = new Map<string, string>()
  for (const { currency, open_date, rate_date, entered_on } of rates) {
    const isLate = rate_date === open_date && entered_on === today && entered_on > open_date
    if (isLate) late.set(`${currency} ${open_date}`, entered_on)
  }
  const restated = new Set<string>()
  const opening: { externalId: string; name: string; day: string }[] = []
  for (const { secNo, lot } of late.size === 0 ? [] : held) {
    const name = `${foreign.get(secNo)} ${lot.openDate}`
    const day = lot.fxRate === ZERO ? late.get(name) : undefined
    if (day !== undefined) opening.push({ externalId: lot.openedBy, name, day })
  }
  for (const row of late.size === 0 ? [] : away) {
    const name = `${foreign.get(String(row.sec_no))} ${openDateOf(row)}`
    const day = late.get(name)
    if (day !== undefined && (row.entered_on === null || row.entered_on < day)) restated.add(name)
  }
  const before = await readEnteredBefore(tx, accountNumber, opening)
  for (const { externalId, name } of opening) if (before.has(externalId)) restated.add(name)
  return rates.map((row) => ({ ...row, restates: restated.has(`${row.currency} ${row.open_date}`) }))
}

export interface HeldLot {
  readonly secNo: string
  readonly lot: Lot
}

export function openDateOf({ open_date, as_of }: HeldAwayRow): string {
  return open_date ?? as_of
}
