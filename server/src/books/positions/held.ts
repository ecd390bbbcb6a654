/** What an account holds, now or at the end of a day, with the market that values it: read in as few round trips as can be. */
import {
  foldAccount,
  type HoldingState,
  type Lot,
  type LotMethod,
  methodOf,
  reportedLots,
  type Security,
} from '@clearing/domain/books'
import { type Decimal, ONE, ZERO } from '@clearing/domain/decimal'
import {
  addDays,
  type CashBalance,
  FINRA_RATES,
  type HouseRates,
  lineKey,
  type OpenLot,
} from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import { decimalOfColumn } from '../../store/books/bulk.ts'
import { easternDay } from '../../store/books/calendar.ts'
import { parseLot } from '../../store/books/holdings.ts'
import { readLines, type StoredLine } from '../../store/books/lines.ts'
import {
  type AccountRow,
  type CashRow,
  type HeldAwayRow,
  selectAccount,
  selectAccountLots,
  selectBreakLines,
  selectCash,
  selectHeldAway,
  selectHeldOpenRates,
  selectHeldPrices,
  selectHeldSecurities,
  selectLatestRates,
  selectNamedOpenRates,
  selectNamedPrices,
  selectNamedSecurities,
} from '../../store/books/positions.ts'
import { bookedSecurity, kindOfSecurity } from '../../store/books/securities.ts'
import { marketDayOf } from '../../store/business-day.ts'
import { Directory } from '../directory.ts'
import { cashOf, entryOf } from '../posting/account-change.ts'
import { cancelledIds } from '../posting/refold.ts'
import { type AccountMarket, marketOf } from './market-of-account.ts'

export interface HeldAccount {
  readonly accountNumber: string
  readonly accountName: string
  /** The moment of the value. */
  readonly at: string
  /** The business date, or the day that was asked for. */
  readonly today: string
  readonly lots: readonly OpenLot[]
  readonly cash: readonly CashBalance[]
  readonly market: AccountMarket
  readonly houseRates: HouseRates
  /** Positions with an open break, as `lineKey` names them. */
  readonly breaks: ReadonlySet<string>
}

/** What the account holds now; undefined when there is none in the caller's sight. */
export async function readHeldNow(
  tx: Tx,
  accountNumber: string,
  now: Date,
): Promise<HeldAccount | undefined> {
  const day = marketDayOf(now)
  const [account, lots, away, cash, securities, prices, rates, openRates, breaks] = await Promise.all([
    tx.row(selectAccount, [accountNumber, day]),
    tx.rows(selectAccountLots, [accountNumber]),
    tx.rows(selectHeldAway, [accountNumber, day]),
    tx.rows(selectCash, [accountNumber, day]),
    tx.rows(selectHeldSecurities, [accountNumber]),
    tx.rows(selectHeldPrices, [accountNumber, now]),
    tx.rows(selectLatestRates, [null, day]),
    tx.rows(selectHeldOpenRates, [accountNumber]),
    tx.rows(selectBreakLines, [accountNumber]),
  ])
  if (account === undefined) return undefined
  const booked = new Map(
    securities.map((row) => [String(row.sec_no), bookedSecurity(row, kindOfSecurity(row))]),
  )
  const market = marketOf({ securities, prices, rates, openRates })
  const held = lots.flatMap((row) =>
    row.lots.map((lot) => ({ secNo: String(row.sec_no), lot: parseLot(lot) })),
  )
  return {
    accountNumber,
    accountName: account.account_name,
    at: now.toISOString(),
    today: account.business_date,
    lots: [
      ...openLots(held, booked, account.lot_method ?? 'FIFO', market),
      ...away.map((row) => lotAway(row, market)),
    ],
    cash: cash.map(parseCash),
    market,
    houseRates: houseRatesOf(account),
    breaks: new Set(breaks.map(({ sec_no, acct_type }) => lineKey(String(sec_no), acct_type))),
  }
}

/**
 * What the account held at the end of a day: the fold of the lines that were processed and traded until then, with the
 * prices and rates of that day. From the business date on, what it holds now.
 */
export async function readHeldAsOf(
  tx: Tx,
  accountNumber: string,
  asOf: string,
  now: Date,
): Promise<HeldAccount | undefined> {
  const account = await tx.row(selectAccount, [accountNumber, marketDayOf(now)])
  if (account === undefined) return undefined
  if (asOf >= account.business_date) return readHeldNow(tx, accountNumber, now)
  const directory = new Directory()
  const stored = await readLines(
    tx,
    accountNumber,
    { until: asOf },
    {
      learn: (secNos) => directory.learnByNumber(tx, secNos),
      securityOf: (secNo) => directory.known(secNo).booked,
    },
  )
  const lotMethod = account.lot_method ?? 'FIFO'
  const fold = foldAccount(
    stored.map(({ line }) => line),
    { lotMethod },
  )
  const held = [...fold.holdings].flatMap(([secNo, { lots }]) => lots.flat().map((lot) => ({ secNo, lot })))
  const away = await tx.rows(selectHeldAway, [accountNumber, asOf])
  const awayNos = away.map(({ sec_no }) => String(sec_no))
  await directory.learnByNumber(tx, awayNos)
  const secNos = [...new Set([...held.map(({ secNo }) => secNo), ...awayNos])]
  const at = endOfDay(asOf)
  const opened = [
    ...held.map(({ secNo, lot }) => ({ secNo, fxRate: lot.fxRate, openDate: lot.openDate })),
    ...away.map((row) => ({ secNo: String(row.sec_no), fxRate: ZERO, openDate: openDateOf(row) })),
  ].filter(({ secNo, fxRate }) => fxRate === ZERO && directory.known(secNo).row.currency !== 'USD')
  const [securities, prices, rates, openRates] = await Promise.all([
    tx.rows(selectNamedSecurities, [secNos]),
    tx.rows(selectNamedPrices, [secNos, at]),
    tx.rows(selectLatestRates, [asOf, null]),
    tx.rows(selectNamedOpenRates, [
      opened.map(({ secNo }) => directory.known(secNo).row.currency),
      opened.map(({ openDate }) => openDate),
    ]),
  ])
  const booked = new Map(secNos.map((secNo) => [secNo, directory.known(secNo).booked]))
  const market = marketOf({ securities, prices, rates, openRates })
  return {
    accountNumber,
    accountName: account.account_name,
    at: at.toISOString(),
    today: asOf,
    lots: [...openLots(held, booked, lotMethod, market), ...away.map((row) => lotAway(row, market))],
    cash: cashUntil(stored, fold, asOf),
    market,
    houseRates: houseRatesOf(account),
    breaks: new Set(
      fold.breaks.flatMap(({ securityKey, acctType }) =>
        securityKey === undefined ? [] : [lineKey(securityKey, acctType)],
      ),
    ),
  }
}

interface HeldLot {
  readonly secNo: string
  readonly lot: Lot
}

/** Lots as reports show them: of pooled securities at average cost. */
function openLots(
  held: readonly HeldLot[],
  booked: ReadonlyMap<string, Security>,
  accountMethod: LotMethod,
  market: AccountMarket,
): OpenLot[] {
  const shown: HeldLot[] = []
  for (const [secNo, ofSecurity] of Map.groupBy(held, (one) => one.secNo)) {
    const security = booked.get(secNo)
    if (security === undefined || methodOf(security, accountMethod) !== 'Average') shown.push(...ofSecurity)
    else {
      const holding = holdingOf(
        security,
        ofSecurity.map(({ lot }) => lot),
      )
      shown.push(...reportedLots(holding, accountMethod).map((lot) => ({ secNo, lot })))
    }
  }
  return shown.map(({ secNo, lot }) => {
    const security = market.securities.get(secNo)
    if (security === undefined) throw new Error(`security ${secNo} of a lot was not read`)
    return {
      lotId: lot.id,
      secNo,
      acctTypeCode: lot.acctType,
      quantity: lot.quantity,
      openDate: lot.openDate,
      holdingStart: lot.holdingStart,
      cost: lot.costKnown ? lot.cost : null,
      fxRate: market.openRate(lot, security),
      washDisallowed: lot.washAdded,
      heldAway: false,
    }
  })
}

/** One lot for each report of another custodian; when it was acquired it may not tell. */
function lotAway(row: HeldAwayRow, market: AccountMarket): OpenLot {
  const secNo = String(row.sec_no)
  const security = market.securities.get(secNo)
  if (security === undefined) throw new Error(`security ${secNo} held away was not read`)
  const openDate = openDateOf(row)
  return {
    lotId: `away ${row.custodian}`.trimEnd(),
    secNo,
    acctTypeCode: row.acct_type,
    quantity: decimalOfColumn(row.quantity),
    openDate,
    holdingStart: openDate,
    cost: row.cost === null ? null : decimalOfColumn(row.cost),
    fxRate: market.openRate({ fxRate: security.currency === 'USD' ? ONE : ZERO, openDate }, security),
    washDisallowed: ZERO,
    heldAway: true,
  }
}

const openDateOf = ({ open_date, as_of }: HeldAwayRow): string => open_date ?? as_of

function holdingOf(security: Security, lots: readonly Lot[]): HoldingState {
  const ofType = (type: number) => lots.filter(({ acctType }) => acctType === type)
  return {
    security,
    lots: [ofType(1), ofType(2), ofType(3)],
    pendingLosses: [],
    inTransit: [],
    parts: 0,
    restatedOn: '',
  }
}

function parseCash(row: CashRow): CashBalance {
  const tradeDate = decimalOfColumn(row.amount)
  return {
    acctTypeCode: row.acct_type,
    currency: row.currency,
    tradeDate,
    settled: tradeDate - decimalOfColumn(row.unsettled),
    pendingDebits: decimalOfColumn(row.pending_debits),
    pendingSales: decimalOfColumn(row.pending_sales),
  }
}

/** The cash of folded lines: what had settled at the end of the day, and what had not. */
function cashUntil(
  stored: readonly StoredLine[],
  { movements, cash }: ReturnType<typeof foldAccount>,
  asOf: string,
): CashBalance[] {
  const lines = stored.map(({ line }) => line)
  const cancelled = cancelledIds(lines)
  const byLine = Map.groupBy(movements, ({ lineId }) => lineId)
  const pending = new Map<string, { amount: Decimal; debits: Decimal; sales: Decimal }>()
  for (const line of lines) {
    if (line.cancels || line.settleDate <= asOf || cancelled.has(line.externalId)) continue
    const amount = cashOf(entryOf(line, byLine.get(line.externalId) ?? [], asOf))
    const name = `${line.acctType} ${line.currency}`
    const sums = pending.get(name) ?? { amount: ZERO, debits: ZERO, sales: ZERO }
    sums.amount += amount
    if (amount < ZERO) sums.debits += amount
    else if (line.transType === 'Trade') sums.sales += amount
    pending.set(name, sums)
  }
  const names = new Set([
    ...cash.map(({ acctType, currency }) => `${acctType} ${currency}`),
    ...pending.keys(),
  ])
  const amounts = new Map(cash.map(({ acctType, currency, amount }) => [`${acctType} ${currency}`, amount]))
  return [...names].map((name) => {
    const tradeDate = amounts.get(name) ?? ZERO
    const { amount = ZERO, debits = ZERO, sales = ZERO } = pending.get(name) ?? {}
    return {
      acctTypeCode: Number(name[0]) as CashBalance['acctTypeCode'],
      currency: name.slice(2),
      tradeDate,
      settled: tradeDate - amount,
      pendingDebits: debits,
      pendingSales: sales,
    }
  })
}

function houseRatesOf({ house_long_percent, house_short_percent }: AccountRow): HouseRates {
  return {
    longPercent: house_long_percent === null ? FINRA_RATES.longPercent : decimalOfColumn(house_long_percent),
    shortPercent:
      house_short_percent === null ? FINRA_RATES.shortPercent : decimalOfColumn(house_short_percent),
  }
}

/** The last moment of a day in New York. */
function endOfDay(day: string): Date {
  const next = addDays(day, 1)
  const inWinter = easternDay(new Date(`${next}T04:30:00Z`)) === day
  return new Date(new Date(`${next}T0${inWinter ? 5 : 4}:00:00Z`).getTime() - 1)
}
