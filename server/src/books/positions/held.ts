/** The current holdings of an account and the market data that values them. */
import {
  emptyHolding,
  type HoldingState,
  type Lot,
  type LotMethod,
  methodOf,
  reportedLots,
  type Security,
  sharesBeside,
} from '@clearing/domain/books'
import { type Decimal, ONE, ZERO } from '@clearing/domain/decimal'
import {
  type CashBalance,
  FINRA_RATES,
  type HouseRates,
  lineKey,
  type OpenLot,
} from '@clearing/domain/market'
import type { Tx } from '../../database/transaction.ts'
import { decimalOfColumn } from '../../store/books/bulk.ts'
import { parseLot } from '../../store/books/holdings.ts'
import { readMarketState } from '../../store/books/market-state.ts'
import {
  type AccountRow,
  type BreakLineRow,
  type CashRow,
  type HeldAwayRow,
  type LotsRow,
  selectAccount,
  selectAccountLots,
  selectBreakLines,
  selectCash,
  selectHeldAway,
} from '../../store/books/positions.ts'
import { bookedSecurity, kindOfSecurity } from '../../store/books/securities.ts'
import { marketDayOf } from '../../store/business-day.ts'
import { type AccountRights, rightsOf } from './account-rights.ts'
import { type AwayRow, inUnitsOfView } from './away-in-units.ts'
import { KnownMarket, type KnownMarkets } from './known-market.ts'
import { readLastTradesOf } from './last-trades-of.ts'
import { type AccountMarket, marketOf } from './market-of-account.ts'
import { type HeldLot, openDateOf, readOpenRates } from './open-rates.ts'

export interface HeldAccount extends AccountRights {
  readonly accountNumber: string
  readonly accountName: string
  /** The time of the valuation. */
  readonly at: string
  /** The time at which the next known price of a held security begins to count. Undefined if there is none. */
  readonly pricedUntil?: Date | undefined
  /** The business date, or the requested day. */
  readonly today: string
  readonly lots: readonly OpenLot[]
  readonly cash: readonly CashBalance[]
  readonly market: AccountMarket
  /** Prices of the account's last trades, by secNo, for positions in account types 2 and 3 without a price. */
  readonly lastTrades: ReadonlyMap<string, Decimal>
  readonly houseRates: HouseRates
  /** Positions with an open break, by `lineKey`. */
  readonly breaks: ReadonlySet<string>
}

/** The facts of an account itself, read in one round trip. */
export interface AccountFacts {
  readonly accountNumber: string
  readonly account: AccountRow
  readonly lots: readonly LotsRow[]
  readonly away: readonly HeldAwayRow[]
  readonly cash: readonly CashRow[]
  readonly breaks: readonly BreakLineRow[]
}

/** Undefined when the caller may not see an account with this number. */
export async function readAccountFacts(
  tx: Tx,
  accountNumber: string,
  now: Date,
): Promise<AccountFacts | undefined> {
  const day = marketDayOf(now)
  const [account, lots, away, cash, breaks] = await Promise.all([
    tx.row(selectAccount, [accountNumber, day]),
    tx.rows(selectAccountLots, [accountNumber]),
    tx.rows(selectHeldAway, [accountNumber, day, null]),
    tx.rows(selectCash, [accountNumber, day]),
    tx.rows(selectBreakLines, [accountNumber]),
  ])
  return account && { accountNumber, account, lots, away, cash, breaks }
}

/**
 * The current holdings. Undefined when the caller may not see an account with this number. With `markets`, facts of the
 * market that the process knows are not read again; `tx` must then read one snapshot.
 */
export async function readHeldNow(
  tx: Tx,
  accountNumber: string,
  now: Date,
  markets?: KnownMarkets,
): Promise<HeldAccount | undefined> {
  const last = markets?.last
  const [facts, state] = await Promise.all([
    readAccountFacts(tx, accountNumber, now),
    last && readMarketState(tx, last.snapshot),
  ])
  if (facts === undefined) return undefined
  const market = markets && last && state ? markets.of(last, state) : new KnownMarket()
  return holdNow(tx, facts, market, now)
}

/** The current holdings, from the facts of the account and of the market. */
export async function holdNow(
  tx: Tx,
  facts: AccountFacts,
  known: KnownMarket,
  now: Date,
): Promise<HeldAccount> {
  const { accountNumber, account } = facts
  const today = account.business_date
  const held = facts.lots.flatMap((row) =>
    row.lots.map((lot) => ({ secNo: String(row.sec_no), lot: parseLot(lot) })),
  )
  const secNos = [...new Set([...facts.lots, ...facts.away].map(({ sec_no }) => String(sec_no)))]
  const [{ rows: securities, until }, rates, away] = await Promise.all([
    known.read(tx, secNos, now),
    known.ratesOn(tx, today),
    inUnitsOfView(tx, facts.away, { at: now, day: null, knownOn: null }),
  ])
  const prices = securities.filter((row) => row.price !== null)
  const openRates = await readOpenRates(
    tx,
    { accountNumber, held, away, securities },
    { knownOn: null, today },
  )
  const market = marketOf({ securities, prices, rates, openRates })
  const booked = new Map(
    securities.map((row) => [String(row.sec_no), bookedSecurity(row, kindOfSecurity(row))]),
  )
  return {
    accountNumber,
    accountName: account.account_name,
    at: now.toISOString(),
    pricedUntil: until,
    today,
    lots: [
      ...openLots(held, booked, account.lot_method ?? 'FIFO', market),
      ...away.map((row) => lotAway(row, market)),
    ],
    cash: facts.cash.map(parseCash),
    market,
    lastTrades: await readLastTradesOf(tx, accountNumber, { held, market, today, upTo: undefined }),
    houseRates: houseRatesOf(account),
    ...rightsOf(account),
    breaks: new Set(facts.breaks.map(({ sec_no, acct_type }) => lineKey(String(sec_no), acct_type))),
  }
}

/** Lots as reports show them: at average cost for pooled securities. */
export function openLots(
  held: readonly HeldLot[],
  booked: ReadonlyMap<string, Security>,
  accountMethod: LotMethod,
  market: AccountMarket,
): OpenLot[] {
  const shown: HeldLot[] = []
  const beside = new Map<Lot, Decimal>()
  for (const [secNo, ofSecurity] of Map.groupBy(held, (one) => one.secNo)) {
    const security = booked.get(secNo)
    let lots = ofSecurity.map(({ lot }) => lot)
    if (security !== undefined && methodOf(security, accountMethod) === 'Average')
      lots = reportedLots(holdingOf(security, lots), accountMethod)
    for (const lot of lots) shown.push({ secNo, lot })
    for (const [lot, quantity] of sharesBeside(byType(lots))) beside.set(lot, quantity)
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
      besideShort: beside.get(lot),
      heldLong: lot.heldLong,
      heldAway: false,
    }
  })
}

/** One lot for each report of another custodian. The acquisition date can be missing. */
export function lotAway(row: AwayRow, market: AccountMarket): OpenLot {
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
    converted: row.converted,
  }
}

function holdingOf(security: Security, lots: readonly Lot[]): HoldingState {
  return { ...emptyHolding(security), lots: byType(lots) }
}

function byType(lots: readonly Lot[]): HoldingState['lots'] {
  const ofType = (type: number) => lots.filter(({ acctType }) => acctType === type)
  return [ofType(1), ofType(2), ofType(3)]
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
    pendingShortSales: decimalOfColumn(row.pending_short_sales),
  }
}

export function houseRatesOf({
  house_long_percent,
  house_short_percent,
}: Pick<AccountRow, 'house_long_percent' | 'house_short_percent'>): HouseRates {
  return {
    longPercent: house_long_percent === null ? FINRA_RATES.longPercent : decimalOfColumn(house_long_percent),
    shortPercent:
      house_short_percent === null ? FINRA_RATES.shortPercent : decimalOfColumn(house_short_percent),
  }
}
