/**
 * The holdings of the margin accounts of a portion at the end of the day, from the tables. For an account with later
 * lines, the lines until the end of the day are folded again.
 */
import { mayBorrow } from '@clearing/domain'
import type { AcctType } from '@clearing/domain/books'
import {
  type DayAccount,
  type HeldCash,
  type HeldPosition,
  readCashOfRange,
  readDayAccounts,
  readPositionsOfRange,
  type UnsettledLine,
} from '../../store/day-accounts.ts'
import { readLedgersBefore } from '../../store/margin-ledger.ts'
import type { PortionWork } from '../portion-work.ts'
import { type MarginTail, readMarginTails } from './margin-tail.ts'

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
