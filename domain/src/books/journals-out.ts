/**
 * Journals that take money or securities out of an account. They need the owner's right to withdraw or to transfer, as
 * a Withdrawal and a TransferOut do. A journal between account types has another journal of its account and day as its
 * other side, in either order (decision 324).
 */
import { type Decimal, ZERO } from '../decimal.ts'
import type { ActivityLine } from './activity.ts'
import type { Entitlement } from './entitlements.ts'

export interface JournalLine
  extends Pick<ActivityLine, 'externalId' | 'acctType' | 'quantity' | 'currency' | 'tradeDate'> {
  readonly securityKey: string | undefined
  readonly netAmount: Decimal
  /** The feed names another account as the other side. */
  readonly elsewhere: boolean
}

interface Move {
  readonly lineId: string
  readonly uses: Entitlement
  readonly amount: Decimal
}

/**
 * What each journal of one account uses, by the id of its line. The lines are in the order of entry, without cancelled
 * ones.
 */
export function usedByJournals(journals: readonly JournalLine[]): Map<string, Entitlement[]> {
  const used = new Map<string, Entitlement[]>()
  const note = ({ lineId, uses }: Move) => used.set(lineId, [...(used.get(lineId) ?? []), uses])
  const withinAccount = new Map<string, Move[]>()
  for (const journal of journals) {
    for (const [asset, move] of movesOf(journal)) {
      if (journal.elsewhere) {
        if (leaves(move, journal)) note(move)
        continue
      }
      const key = `${journal.tradeDate} ${asset}`
      const moves = withinAccount.get(key) ?? []
      moves.push(move)
      withinAccount.set(key, moves)
    }
  }
  const byId = new Map(journals.map((journal) => [journal.externalId, journal]))
  for (const moves of withinAccount.values())
    for (const move of withoutOtherSide(moves)) {
      const journal = byId.get(move.lineId)
      if (journal !== undefined && leaves(move, journal)) note(move)
    }
  return used
}

function movesOf({ externalId: lineId, securityKey, quantity, netAmount, currency }: JournalLine) {
  const moves: [asset: string, move: Move][] = []
  if (securityKey !== undefined && quantity !== ZERO)
    moves.push([`security ${securityKey}`, { lineId, uses: 'TransfersOut', amount: quantity }])
  if (netAmount !== ZERO) moves.push([`cash ${currency}`, { lineId, uses: 'Withdrawals', amount: netAmount }])
  return moves
}

/** Account type 3 has no long position: a negative quantity brings a short one into the account. */
function leaves({ uses, amount }: Move, { acctType }: JournalLine): boolean {
  return amount < ZERO && (uses === 'Withdrawals' || acctType !== 3)
}

/** The moves out that the moves into the account do not take up. Equal amounts are the two sides of one journal. */
function withoutOtherSide(moves: readonly Move[]): Move[] {
  const into = moves.filter(({ amount }) => amount > ZERO).map(({ amount }) => amount)
  const unequal = moves.filter(({ amount }) => {
    if (amount >= ZERO) return false
    const at = into.indexOf(-amount)
    if (at >= 0) into.splice(at, 1)
    return at < 0
  })
  let left = into.reduce((sum, amount) => sum + amount, ZERO)
  return unequal.filter(({ amount }) => {
    const covered = left + amount >= ZERO
    left = covered ? left + amount : ZERO
    return !covered
  })
}
