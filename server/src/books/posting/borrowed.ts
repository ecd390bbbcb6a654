/**
 * Whether the lines of a batch raise the debit of an account while Margin is suspended. A purchase in account type 2
 * that the account's own cash pays does not use margin, and a withdrawal on credit does (decision 325). Cash and
 * money-market funds are read only for accounts with such a restriction.
 */
import { debitOf, type OwnCash, takesCash } from '@clearing/domain/books'
import { ZERO } from '@clearing/domain/decimal'
import { type CodeOf, suspendedBy } from '@clearing/protocol/values'
import type { Tx } from '../../database/transaction.ts'
import { type KeptCash, readOwnCash } from '../../store/books/balances.ts'
import type { Suspension } from '../../store/books/suspensions.ts'
import { type AccountChange, sumCash } from './account-change.ts'
import type { BookedLine } from './booked-line.ts'

const none: ReadonlySet<string> = new Set()

/** The currencies in which the change raises the debit. The books of the account are locked, without the change. */
export async function findBorrowed(
  tx: Tx,
  { books, lines, entries }: AccountChange,
  restrictions: readonly Suspension[],
): Promise<ReadonlySet<string>> {
  if (!restrictions.some(suspendsMargin) || !lines.some(({ line }) => takesCash(line))) return none
  const before = await readOwnCash(tx, books.accountNumber)
  const sequences = (isWanted: (booked: BookedLine) => boolean) =>
    new Set(lines.filter(isWanted).map(({ line }) => line.sequence))
  // A trade in a money-market fund exchanges cash for what counts as cash.
  const ofFunds = sequences(({ security }) => security?.row.money_market === true)
  // A short position that is marked to the market moves cash between account types 2 and 3.
  const journals = sequences(({ line }) => line.transType === 'Journal')
  const moved = [
    ...sumCash(entries.filter(({ ofLine }) => !ofFunds.has(ofLine) && !journals.has(ofLine))),
    ...sumCash(entries.filter(({ ofLine }) => journals.has(ofLine))).map(atOne),
  ]
  const currencies = new Set(moved.map(({ currency }) => currency))
  return new Set(
    [...currencies].filter(
      (currency) => debitOf(ownCash([...before, ...moved], currency)) > debitOf(ownCash(before, currency)),
    ),
  )
}

/** The currencies in which the account has a debit. */
export async function findDebits(tx: Tx, accountNumber: string): Promise<ReadonlySet<string>> {
  const cash = await readOwnCash(tx, accountNumber)
  return new Set(
    cash.map(({ currency }) => currency).filter((currency) => debitOf(ownCash(cash, currency)) > ZERO),
  )
}

export function suspendsMargin({ code }: Pick<Suspension, 'code'>): boolean {
  return suspendedBy[code as CodeOf<'restrictionCode'>]?.includes('Margin') === true
}

function atOne(cash: KeptCash): KeptCash {
  return cash.acctType === 1 ? cash : { ...cash, acctType: 2 }
}

function ownCash(cash: readonly KeptCash[], currency: string): OwnCash {
  const own = { 1: ZERO, 2: ZERO, 3: ZERO }
  for (const one of cash) if (one.currency === currency) own[one.acctType] += one.amount
  return own
}
