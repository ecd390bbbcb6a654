/**
 * The value of an account, now or at the end of a day: positions, balances and margin figures, computed from the books.
 */
import { type Decimal, ZERO } from '@clearing/domain/decimal'
import {
  type ConcentrationTier,
  marginStanding,
  type PositionSummary,
  summarizeAccount,
  type ValuedLine,
} from '@clearing/domain/market'
import { Rejected } from '../../answers.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Known } from '../../store/books/known.ts'
import { readMarginLedger, type StandingLedger } from '../margin/read-margin-ledger.ts'
import { type HeldAccount, readHeldNow } from './held.ts'
import { readHeldAsOf } from './held-as-of.ts'
import { type HeldMargin, marginOf, readMarginOn, valueLines } from './held-margin.ts'
import type { KnownMarkets } from './known-market.ts'
import { type AskedView, chooseView } from './view.ts'

export interface ValuedAccount {
  readonly held: HeldAccount
  /** The day whose knowledge counts. Undefined for all that is known now. */
  readonly known: Known | undefined
  readonly lines: readonly ValuedLine[]
  readonly summary: PositionSummary
  /** A message that names the positions valued at 0; empty when there are none. */
  readonly message: string
  /** Null for a cash account. */
  readonly margin: StandingMargin | null
  /** Margin interest accrued and not yet charged, also of a cash account. Negative: a refund is owed. */
  readonly interestAccrued: Decimal
}

type StandingMargin = HeldMargin & { readonly standing: StandingLedger }

/** The view and the rules by which a value is computed. */
interface Asked {
  readonly now: Date
  readonly withLots?: boolean
  /** The house's add-on for concentrated positions; absent when margin figures have none. */
  readonly concentration?: readonly ConcentrationTier[]
  /** The markets that the process knows. With them, `tx` must read one snapshot. */
  readonly markets?: KnownMarkets
}

/**
 * Reads and values the holdings of the account now. Undefined when the caller may not see an account with
 * this number.
 */
export async function valueAccount(
  tx: Tx,
  accountNumber: string,
  { now, withLots = false, concentration = [], markets }: Asked,
): Promise<ValuedAccount | undefined> {
  const held = await readHeldNow(tx, accountNumber, now, markets)
  return held && valueHeld(tx, held, { concentration }, withLots)
}

/** As above, for the view that a request asks for. */
export async function valueView(
  tx: Tx,
  accountNumber: string,
  asked: AskedView & Asked,
): Promise<ValuedAccount | Rejected | undefined> {
  const { now, asOf, knownAt, withLots = false, concentration = [] } = asked
  if (asOf === undefined && knownAt === undefined) return valueAccount(tx, accountNumber, asked)
  const view = await chooseView(tx, accountNumber, asked, now)
  if (view === undefined || view instanceof Rejected) return view
  const held = view.isNow
    ? await readHeldNow(tx, accountNumber, now, asked.markets)
    : await readHeldAsOf(tx, accountNumber, view)
  if (held === undefined) return undefined
  const day = asOf !== undefined && asOf <= held.today ? held.today : undefined
  return valueHeld(tx, held, { asOf: day, known: view.known, concentration }, withLots)
}

export interface Moment {
  /** The requested day, unless it is in the future. */
  readonly asOf?: string | undefined
  readonly known?: Known | undefined
  readonly concentration: readonly ConcentrationTier[]
}

/** Values holdings that were read. */
export async function valueHeld(
  tx: Tx,
  held: HeldAccount,
  moment: Moment,
  withLots: boolean,
): Promise<ValuedAccount> {
  const { market, cash, at } = held
  const lines = valueLines(held, withLots)
  const standing = await readMargin(tx, held, lines, moment)
  const margin = isCashAccount(held, standing) ? null : standing
  const interestAccrued = standing?.standing.interestAccrued ?? ZERO
  const { summary, message } = summarizeAccount({
    acctNo: held.accountNumber,
    now: at,
    lines,
    cash,
    fxRates: market.fxRates,
    settledCashOnly: held.settledCashOnly,
    costRates: market.costRates,
    margin: margin && marginStanding(margin.figures, margin.standing.ledger),
    marginAgreed: held.marginAgreed,
    suspended: held.suspended,
    maySpread: held.maySpread,
    marginInterestAccrued: interestAccrued,
  })
  return { held, known: moment.known, lines, summary, message, margin, interestAccrued }
}

/**
 * Whether account types 2 and 3 hold only the customer's own money, and margin is not agreed. As soon as they hold a
 * position or owe money, credit is or may be extended, and Regulation T and FINRA Rule 4210 apply to it, whatever the
 * record of the account says.
 */
function isCashAccount({ marginAgreed, cash }: HeldAccount, margin: HeldMargin | null): boolean {
  const owes = cash.some(({ acctTypeCode, tradeDate }) => acctTypeCode !== 1 && tradeDate < ZERO)
  return !marginAgreed && !owes && margin?.held.length === 0
}

async function readMargin(
  tx: Tx,
  held: HeldAccount,
  lines: readonly ValuedLine[],
  { asOf, known, concentration }: Moment,
): Promise<StandingMargin | null> {
  const margin = marginOf(held, lines, concentration)
  if (margin === null) return null
  const { accountNumber, at, today } = held
  const standing = await readMarginLedger(tx, accountNumber, {
    now: new Date(at),
    today,
    asOf,
    known,
    rates: held.market.fxRates,
    ...margin,
    atClose: (day) => readMarginOn(tx, accountNumber, { day, known, concentration }),
  })
  return { ...margin, standing }
}
