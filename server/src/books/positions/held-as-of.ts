/**
 * The holdings of an account at the end of a day as they were known. They are the fold of the lines that
 * count in the view, with the prices, rates and facts known in it.
 */
import { type ActivityLine, foldAccount } from '@clearing/domain/books'
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import { type CashBalance, lineKey } from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import type { Known } from '../../store/books/known.ts'
import { findKnownSecurities } from '../../store/books/known-securities.ts'
import { readLines } from '../../store/books/lines.ts'
import { withFactorsOfDay } from '../../store/books/pool-factors.ts'
import { selectHeldAway } from '../../store/books/positions.ts'
import { withUnderlyings } from '../../store/books/prices/changed-underlyings.ts'
import { withPricesAtExpiration } from '../../store/books/prices/expired-options.ts'
import { readNamedPrices } from '../../store/books/prices/priced-securities.ts'
import { readRatesOn } from '../../store/books/rates.ts'
import type { SecurityRow, UnderlyingOfRow } from '../../store/books/securities.ts'
import { Directory } from '../directory.ts'
import { cashOf, entryOf } from '../posting/account-change.ts'
import { cancelledIds } from '../posting/refold.ts'
import { rightsOf } from './account-rights.ts'
import { inUnitsOfView } from './away-in-units.ts'
import { type HeldAccount, houseRatesOf, lotAway, openLots } from './held.ts'
import { readLastTradesOf } from './last-trades-of.ts'
import { marketOf } from './market-of-account.ts'
import { readOpenRates } from './open-rates.ts'
import type { View } from './view.ts'

/** A view of the holdings of a day. `known`: undefined for all that is known now. */
interface ViewOfHeld extends Pick<View, 'account' | 'day' | 'at'> {
  readonly known: Pick<Known, 'on' | 'lines'> | undefined
}

export async function readHeldAsOf(tx: Tx, accountNumber: string, view: ViewOfHeld): Promise<HeldAccount> {
  const { account, day, at, known } = view
  const knownOn = known?.on ?? null
  const directory = new Directory(undefined, known?.on)
  const lines = await readLinesOfView(tx, accountNumber, view, directory)
  const lotMethod = account.lot_method ?? 'FIFO'
  const fold = foldAccount(lines, { lotMethod })
  const held = [...fold.holdings].flatMap(([secNo, { lots }]) => lots.flat().map((lot) => ({ secNo, lot })))
  const viewOfPrices = { at, day, knownOn }
  const away = await inUnitsOfView(
    tx,
    await tx.rows(selectHeldAway, [accountNumber, day, knownOn]),
    viewOfPrices,
  )
  const secNos = [
    ...new Set([...held.map(({ secNo }) => secNo), ...away.map(({ sec_no }) => String(sec_no))]),
  ]
  await directory.learnByNumber(tx, secNos)
  const { on, lines: upTo = Number.MAX_SAFE_INTEGER } = known ?? {}
  const rows = await withFactorsOfDay(
    tx,
    secNos.map((secNo) => directory.known(secNo).row),
    { accountNumber, day, knownOn: on, upTo },
  )
  const followed = await withUnderlyings(tx, rows, { day, knownOn })
  const named = await andUnderlyings(tx, followed, known?.on)
  const securities = await withPricesAtExpiration(tx, named, viewOfPrices, day)
  const [prices, rates, openRates] = await Promise.all([
    readNamedPrices(
      tx,
      securities.map(({ sec_no }) => sec_no),
      viewOfPrices,
    ),
    readRatesOn(tx, day, knownOn),
    readOpenRates(tx, { accountNumber, held, away, securities }, { knownOn, today: day }),
  ])
  const booked = new Map(secNos.map((secNo) => [secNo, directory.known(secNo).booked]))
  const market = marketOf({ securities, prices, rates, openRates })
  return {
    accountNumber,
    accountName: account.account_name,
    at: at.toISOString(),
    today: day,
    lots: [...openLots(held, booked, lotMethod, market), ...away.map((row) => lotAway(row, market))],
    cash: cashUntil(lines, fold, day),
    market,
    lastTrades: await readLastTradesOf(tx, accountNumber, { held, market, today: day, upTo: known?.lines }),
    houseRates: houseRatesOf(account),
    ...rightsOf(account),
    breaks: new Set(
      fold.breaks.flatMap(({ securityKey, acctType }) =>
        securityKey === undefined ? [] : [lineKey(securityKey, acctType)],
      ),
    ),
  }
}

/**
 * The known lines traded until the day, and the known cancels of such lines, whenever they arrived. A
 * cancelled line of a later day is included too, because a rebill for an earlier day replaces it and the lots
 * that it opened.
 */
export async function readLinesOfView(
  tx: Tx,
  accountNumber: string,
  { day, known }: Pick<ViewOfHeld, 'day' | 'known'>,
  directory: Directory,
): Promise<ActivityLine[]> {
  const until = { until: day, lines: known?.lines }
  const stored = await readLines(tx, accountNumber, until, {
    learn: (secNos) => directory.learnByNumber(tx, secNos),
    securityOf: (secNo) => directory.known(secNo).booked,
  })
  const lines = stored.map(({ line }) => line)
  const ids = new Set(lines.map(({ externalId }) => externalId))
  const cancelled = cancelledIds(lines)
  return lines.filter(
    ({ externalId, tradeDate, cancels, tagNo = '' }) =>
      tradeDate <= day || (cancels && ids.has(tagNo)) || cancelled.has(externalId),
  )
}

/** Includes the underlyings of options. */
async function andUnderlyings(
  tx: Tx,
  securities: readonly (SecurityRow & UnderlyingOfRow)[],
  knownOn: string | undefined,
): Promise<(SecurityRow & UnderlyingOfRow)[]> {
  const here = new Set(securities.map(({ sec_no }) => String(sec_no)))
  const missing = securities.flatMap(({ put_call, underlying_no: underlying }) =>
    put_call === null || !underlying || here.has(underlying) ? [] : [underlying],
  )
  if (missing.length === 0) return [...securities]
  const named = { secNo: [...new Set(missing)], symbol: [] }
  return [...securities, ...(await findKnownSecurities(tx, named, knownOn))]
}

/** The cash of folded lines, settled and unsettled at the end of the day. */
function cashUntil(
  lines: readonly ActivityLine[],
  { movements, cash }: ReturnType<typeof foldAccount>,
  day: string,
): CashBalance[] {
  const cancelled = cancelledIds(lines)
  const byLine = Map.groupBy(movements, ({ lineId }) => lineId)
  const pending = new Map<string, { amount: Decimal; debits: Decimal; sales: Decimal; shorts: Decimal }>()
  for (const line of lines) {
    if (line.cancels || line.settleDate <= day || cancelled.has(line.externalId)) continue
    const amount = cashOf(entryOf(line, byLine.get(line.externalId) ?? [], day))
    const name = `${line.acctType} ${line.currency}`
    const sums = pending.get(name) ?? { amount: ZERO, debits: ZERO, sales: ZERO, shorts: ZERO }
    sums.amount += amount
    if (amount < ZERO) sums.debits += amount
    else {
      if (line.transType === 'Trade') sums.sales += amount
      if (isShortSale(line)) sums.shorts += amount
    }
    pending.set(name, sums)
  }
  const names = new Set([
    ...cash.map(({ acctType, currency }) => `${acctType} ${currency}`),
    ...pending.keys(),
  ])
  const amounts = new Map(cash.map(({ acctType, currency, amount }) => [`${acctType} ${currency}`, amount]))
  return [...names].map((name) => {
    const tradeDate = amounts.get(name) ?? ZERO
    const { amount = ZERO, debits = ZERO, sales = ZERO, shorts = ZERO } = pending.get(name) ?? {}
    return {
      acctTypeCode: Number(name[0]) as CashBalance['acctTypeCode'],
      currency: name.slice(2),
      tradeDate,
      settled: tradeDate - amount,
      pendingDebits: debits,
      pendingSales: sales,
      pendingShortSales: shorts,
    }
  })
}

/** Whether the proceeds of a line are those of a short sale: as `selectCash` decides for stored lines. */
function isShortSale({ acctType, buySell, transType }: ActivityLine): boolean {
  return buySell === 'SSL' || (acctType === 3 && ['Trade', 'Exercise', 'Assignment'].includes(transType))
}
