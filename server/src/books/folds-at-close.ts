/** The holdings of accounts at the end of a day, folded from their lines until then. */
import { type AcctType, foldAccount } from '@clearing/domain/books'
import { sum, ZERO } from '@clearing/domain/decimal'
import { isRecent } from '@clearing/domain/market'
import type { Tx } from '../database/transaction.ts'
import { readLines, type StoredLine } from '../store/books/lines.ts'
import type { CostedPosition, DayAccount, HeldCash, UnsettledLine } from '../store/day-accounts.ts'
import { Directory } from './directory.ts'
import { cashOf, entryOf } from './posting/account-change.ts'
import { cancelledIds } from './posting/refold.ts'

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
