/**
 * The holdings of the accounts of a portion at the end of the day, from the tables. For an account with later
 * lines, the lines until the end of the day are folded again.
 */
import { mayBorrow } from '@clearing/domain'
import { type AcctType, foldAccount } from '@clearing/domain/books'
import { ZERO } from '@clearing/domain/decimal'
import { type ConcentrationTier, isRecent } from '@clearing/domain/market'
import type { MarginRate } from '../../config/margin-rate.ts'
import type { Pool } from '../../database/pool.ts'
import type { Tx } from '../../database/transaction.ts'
import { readLines } from '../../store/books/lines.ts'
import type { AccountRange, DayClose } from '../../store/business-day.ts'
import {
  type CostedPosition,
  type DayAccount,
  type HeldCash,
  type HeldPosition,
  readCashOfRange,
  readDayAccounts,
  readPositionsOfRange,
} from '../../store/day-accounts.ts'
import { Directory } from '../directory.ts'
import type { MarketFacts } from './market-facts.ts'

/** The context of a step: its portion, and the transaction of the portion. */
export interface PortionWork {
  readonly tx: Tx
  readonly pool: Pool
  readonly close: DayClose
  readonly range: AccountRange
  readonly facts: MarketFacts
  readonly now: Date
  readonly traceId: string
  readonly marginRates: readonly MarginRate[]
  readonly concentration: readonly ConcentrationTier[]
}

export interface HeldAtClose {
  readonly account: DayAccount
  readonly positions: readonly HeldPosition[]
  readonly cash: readonly HeldCash[]
}

const marginTypes: readonly AcctType[] = [2, 3]

/**
 * The margin accounts of the portion: accounts that ever had cash or a position of type 2 or 3. An account
 * whose registration never borrows is not included, whatever its lines state: it has no margin figures, no
 * interest and no calls.
 */
export async function readMarginAccounts(work: PortionWork): Promise<HeldAtClose[]> {
  const { tx, range, close } = work
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
    if (account.movedOn) {
      const folded = await foldAtClose(work, account)
      const margin = ({ acctType }: { readonly acctType: AcctType }) => marginTypes.includes(acctType)
      const known = positions.has(accountNumber) || cash.has(accountNumber)
      if (known)
        held.push({ account, positions: folded.positions.filter(margin), cash: folded.cash.filter(margin) })
    } else if (positions.has(accountNumber) || cash.has(accountNumber)) {
      held.push({
        account,
        positions: positions.get(accountNumber) ?? [],
        cash: cash.get(accountNumber) ?? [],
      })
    }
  }
  return held
}

/** All holdings of an account, folded from its lines until the end of the day. */
export async function foldAtClose(
  { tx, pool, close }: Pick<PortionWork, 'tx' | 'pool' | 'close'>,
  account: DayAccount,
): Promise<{ positions: readonly CostedPosition[]; cash: readonly HeldCash[] }> {
  const directory = new Directory(pool)
  const stored = await readLines(tx, account.accountNumber, 'all', {
    learn: (secNos) => directory.learnByNumber(tx, secNos),
    securityOf: (secNo) => directory.known(secNo).booked,
  })
  const lines = stored.map(({ line }) => line).filter(({ sequence }) => sequence <= account.lineCount)
  const { holdings, cash } = foldAccount(lines, { lotMethod: account.lotMethod })
  const positions: CostedPosition[] = []
  for (const [secNo, { lots }] of holdings) {
    lots.forEach((open, type) => {
      const quantity = open.reduce((sum, lot) => sum + lot.quantity, ZERO)
      const cost = open.reduce((sum, lot) => sum + lot.cost, ZERO)
      if (quantity === ZERO) return
      const recent = open.filter(({ openDate }) => isRecent(openDate, close.closeDate))
      const recentQuantity = recent.reduce((sum, lot) => sum + lot.quantity, ZERO)
      positions.push({ secNo, acctType: (type + 1) as AcctType, quantity, cost, recentQuantity })
    })
  }
  return { positions, cash }
}
