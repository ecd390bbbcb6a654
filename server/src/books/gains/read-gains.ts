/**
 * The gains that an account realized in a range of days, in a view of its books. The current view reads the stored
 * closings; other views fold the lines that count in them, as positions do. Pages are in order of the closing date.
 */
import { foldAccount, joinWashes, type WashedClosing } from '@clearing/domain/books'
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import { type RealizedGain, realizedGain, type TaxedSecurity } from '@clearing/domain/tax'
import type { Tx } from '../../database/transaction.ts'
import { decimalOfColumn } from '../../store/books/bulk.ts'
import { selectOpenRates } from '../../store/books/rates.ts'
import { type ClosingRange, readWashedClosings } from '../../store/books/results.ts'
import { Directory, type KnownSecurity } from '../directory.ts'
import { readLinesOfView } from '../positions/held-as-of.ts'
import type { View } from '../positions/view.ts'

export interface KnownGain {
  readonly gain: RealizedGain
  readonly security: TaxedSecurity
}

export async function* readGains(
  tx: Tx,
  accountNumber: string,
  view: View,
  range: ClosingRange,
): AsyncGenerator<KnownGain[]> {
  const directory = new Directory(undefined, view.known?.on)
  const pages = view.isNow
    ? readWashedClosings(tx, accountNumber, range, view.day)
    : foldClosings(tx, accountNumber, view, range)
  for await (const closings of pages) {
    await directory.learnByNumber(
      tx,
      closings.map(({ securityKey }) => securityKey),
    )
    const rateOf = await readRates(tx, closings, directory, view.known?.on)
    yield closings.map((closing) => {
      const known = directory.known(closing.securityKey)
      const { currency } = known.row
      const rates = {
        open: rateOf(closing.openFxRate, currency, closing.openDate),
        close: rateOf(closing.closeFxRate, currency, closing.closeDate),
      }
      return { gain: realizedGain(closing, currency, rates), security: taxedSecurity(known) }
    })
  }
}

const pageRows = 100

async function* foldClosings(
  tx: Tx,
  accountNumber: string,
  view: View,
  { dateFrom, dateTo, orSettled = false }: ClosingRange,
): AsyncGenerator<WashedClosing[]> {
  const lines = await readLinesOfView(tx, accountNumber, view, new Directory(undefined, view.known?.on))
  const { closings, washes } = foldAccount(lines, { lotMethod: view.account.lot_method ?? 'FIFO' })
  const inRange = joinWashes(closings, washes)
    .filter(({ closeDate }) => closeDate <= dateTo)
    .filter(
      ({ kind, closeDate, settleDate }) =>
        closeDate >= dateFrom || (orSettled && kind === 'Cover' && settleDate >= dateFrom),
    )
    .sort(byCloseDate)
  for (let at = 0; at < inRange.length; at += pageRows) yield inRange.slice(at, at + pageRows)
}

/** The order of the stored closings. */
function byCloseDate(a: WashedClosing, b: WashedClosing): number {
  if (a.closeDate !== b.closeDate) return a.closeDate < b.closeDate ? -1 : 1
  return a.lineId === b.lineId
    ? a.ordinal - b.ordinal
    : Buffer.compare(Buffer.from(a.lineId), Buffer.from(b.lineId))
}

type RateOf = (stated: Decimal, currency: string, date: string) => Decimal

/** The rates for lines that state none: the rate of their day, or the last earlier rate. */
async function readRates(
  tx: Tx,
  closings: readonly WashedClosing[],
  directory: Directory,
  knownOn: string | undefined,
): Promise<RateOf> {
  const asked = new Map<string, readonly [currency: string, date: string]>()
  for (const { securityKey, openFxRate, openDate, closeFxRate, closeDate } of closings) {
    const { currency } = directory.known(securityKey).row
    if (currency === 'USD') continue
    if (openFxRate === ZERO) asked.set(`${currency} ${openDate}`, [currency, openDate])
    if (closeFxRate === ZERO) asked.set(`${currency} ${closeDate}`, [currency, closeDate])
  }
  const pairs = [...asked.values()]
  const currencies = pairs.map(([currency]) => currency)
  const dates = pairs.map(([, date]) => date)
  const rows = pairs.length === 0 ? [] : await tx.rows(selectOpenRates, [currencies, dates, knownOn ?? null])
  const found = new Map(rows.map(({ currency, open_date, rate }) => [`${currency} ${open_date}`, rate]))
  return (stated, currency, date) => {
    const rate = found.get(`${currency} ${date}`)
    return stated !== ZERO || rate === undefined || rate === null ? stated : decimalOfColumn(rate)
  }
}

function taxedSecurity({ row, kind, booked }: KnownSecurity): TaxedSecurity {
  return {
    secNo: booked.key,
    kind,
    symbol: row.symbol ?? '',
    cusip: row.cusip ?? '',
    description: row.description,
    secTypeName: row.sec_type_name,
    currency: row.currency,
    moneyMarket: row.money_market,
    currentFactor: booked.factor,
    couponRate: row.coupon_rate,
    convertsTo: row.converts_to,
    issueDate: row.issue_date,
    maturityDate: row.maturity_date,
  }
}
