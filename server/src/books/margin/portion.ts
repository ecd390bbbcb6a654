/**
 * The holdings of the accounts of a portion at the end of the day, from the tables. For an account with later
 * lines, the lines until the end of the day are folded again.
 */
import { mayBorrow } from '@clearing/domain'
import { type AcctType, foldAccount } from '@clearing/domain/books'
import { sum, ZERO } from '@clearing/domain/decimal'
import { type ConcentrationTier, isRecent } from '@clearing/domain/market'
import type { MarginRate } from '../../config/margin-rate.ts'
import type { Tx } from '../../database/transaction.ts'
import { readLines, type StoredLine } from '../../store/books/lines.ts'
import type { AccountRange, DayClose } from '../../store/business-day.ts'
import {
  type CostedPosition,
  type DayAccount,
  type HeldCash,
  type HeldPosition,
  readCashOfRange,
  readDayAccounts,
  readPositionsOfRange,
  type UnsettledLine,
} from '../../store/day-accounts.ts'
import { readLedgersBefore } from '../../store/margin-ledger.ts'
import { Directory } from '../directory.ts'
import { cashOf, entryOf } from '../posting/account-change.ts'
import { cancelledIds } from '../posting/refold.ts'
import { type MarginTail, readMarginTails } from './margin-tail.ts'
import type { MarketFacts } from './market-facts.ts'

/** The context of a step: its portion, and the transaction of the portion. */
export interface PortionWork {
  readonly tx: Tx
  readonly close: DayClose
  readonly range: AccountRange
  readonly facts: MarketFacts
  readonly folds: FoldsAtClose
  readonly now: Date
  readonly traceId: string
  readonly marginRates: readonly MarginRate[]
  readonly concentration: readonly ConcentrationTier[]
}

export interface HeldAtClose {
  readonly account: DayAccount
  readonly positions: readonly HeldPosition[]
  readonly cash: readonly HeldCash[]
  /** The unsettled lines of an account with later lines. Undefined for other accounts: they are in the table. */
  readonly unsettled: readonly UnsettledLine[] | undefined
}

const marginTypes: readonly AcctType[] = [2, 3]

/**
 * The margin accounts of the portion: accounts that ever had cash or a position of type 2 or 3. An account
 * whose registration never borrows is not included, whatever its lines state: it has no margin figures, no
 * interest and no calls.
 */
async function readMarginAccounts(work: PortionWork): Promise<HeldAtClose[]> {
  const { tx, range, close, folds } = work
  // Accounts are read last. An account that got a line before this read is then known to have later lines.
  const [positions, cash, accounts] = await Promise.all([
    readPositionsOfRange(tx, range, marginTypes),
    readCashOfRange(tx, range, marginTypes),
    readDayAccounts(tx, range, close.closeDate),
  ])
  const held: HeldAtClose[] = []
  for (const account of accounts) {
    const { accountNumber, registrationType } = account
    if (!mayBorrow(registrationType)) continue
    if (!positions.has(accountNumber) && !cash.has(accountNumber)) continue
    if (account.movedOn) {
      const folded = await folds.fold(account)
      held.push({
        account,
        positions: folded.positions.filter(isMargin),
        cash: folded.cash.filter(isMargin),
        unsettled: folded.unsettled.filter(isMargin),
      })
    } else {
      held.push({
        account,
        positions: positions.get(accountNumber) ?? [],
        cash: cash.get(accountNumber) ?? [],
        unsettled: undefined,
      })
    }
  }
  return held
}

function isMargin({ acctType }: { readonly acctType: AcctType }): boolean {
  return marginTypes.includes(acctType)
}

export interface TailAtClose extends MarginTail {
  readonly account: HeldAtClose
}

/** The margin accounts of the portion with the lines since their last ledgers. */
export async function readTailsAtClose(work: PortionWork): Promise<TailAtClose[]> {
  const { tx, range, close } = work
  const [held, ledgers] = await Promise.all([
    readMarginAccounts(work),
    readLedgersBefore(tx, range, close.closeDate),
  ])
  const last = held.map((account) => {
    const { accountNumber, lineCount: upTo } = account.account
    return { account, accountNumber, kept: ledgers.get(accountNumber), upTo }
  })
  return readMarginTails(tx, last)
}

/** All holdings of an account at the end of the day. */
export interface FoldedAtClose {
  readonly positions: readonly CostedPosition[]
  readonly cash: readonly HeldCash[]
  readonly unsettled: readonly UnsettledLine[]
}

/** Accounts of a portion, each folded once from its lines until the end of the day. */
export class FoldsAtClose {
  readonly #tx: Tx
  readonly #closeDate: string
  readonly #directory = new Directory()
  readonly #folded = new Map<string, FoldedAtClose>()

  constructor(tx: Tx, closeDate: string) {
    this.#tx = tx
    this.#closeDate = closeDate
  }

  async fold(account: DayAccount): Promise<FoldedAtClose> {
    const known = this.#folded.get(account.accountNumber)
    if (known !== undefined) return known
    const stored = await readLines(this.#tx, account.accountNumber, 'all', {
      learn: (secNos) => this.#directory.learnByNumber(this.#tx, secNos),
      securityOf: (secNo) => this.#directory.known(secNo).booked,
    })
    const lines = stored.filter(({ line }) => line.sequence <= account.lineCount)
    const folded = foldLines(lines, account, this.#closeDate)
    this.#folded.set(account.accountNumber, folded)
    return folded
  }
}

function foldLines(
  stored: readonly StoredLine[],
  { lotMethod }: DayAccount,
  closeDate: string,
): FoldedAtClose {
  const lines = stored.map(({ line }) => line)
  const { holdings, cash, movements } = foldAccount(lines, { lotMethod })
  const positions: CostedPosition[] = []
  for (const [secNo, { lots }] of holdings) {
    lots.forEach((open, type) => {
      const quantity = sum(open.map((lot) => lot.quantity))
      if (quantity === ZERO) return
      const cost = sum(open.map((lot) => lot.cost))
      const recent = open.filter(({ openDate }) => isRecent(openDate, closeDate))
      const recentQuantity = sum(recent.map((lot) => lot.quantity))
      positions.push({ secNo, acctType: (type + 1) as AcctType, quantity, cost, recentQuantity })
    })
  }
  // The table of unsettled lines has what later lines have made of them.
  const cancelled = cancelledIds(lines)
  const byLine = Map.groupBy(movements, ({ lineId }) => lineId)
  const unsettled: UnsettledLine[] = []
  for (const { line, processDate } of stored) {
    const { externalId, sequence, acctType, currency } = line
    if (line.cancels || line.settleDate <= closeDate || cancelled.has(externalId)) continue
    const amount = cashOf(entryOf(line, byLine.get(externalId) ?? [], closeDate))
    if (amount !== ZERO || line.transType === 'Trade')
      unsettled.push({ sequence, processDate, acctType, currency, amount })
  }
  return { positions, cash, unsettled }
}
