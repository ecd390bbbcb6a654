/**
 * Accrues margin interest at a close: that of the nights until the next business day on the settled debit, and what
 * lines since the last close change of earlier nights. Interest lines take what was accrued.
 */
import { type Decimal, sum, ZERO } from '@clearing/domain/decimal'
import { interestLeft, interestOfNights } from '@clearing/domain/market'
import { readUnsettledOfRange } from '../../store/day-accounts.ts'
import { insertTakenInterest, type TakenInterest } from '../../store/interest-lines.ts'
import { insertMarginInterest, type NewMarginInterest } from '../../store/margin-interest.ts'
import type { PortionWork } from '../portion-work.ts'
import { readInterestLines } from './interest-lines.ts'
import { readLateNights } from './late-nights.ts'
import { readDebits } from './margin-debit.ts'
import { nightRates } from './night-rates.ts'
import { readTailsAtClose } from './portion.ts'

export interface MarginAccrual {
  /** Of the nights until the next business day, US dollars. */
  readonly interest: Decimal
  /** What has accrued and is not charged, with these nights. Negative: a refund is owed. */
  readonly accrued: Decimal
}

/** The accruals of the margin accounts of a portion, by account. */
export async function accrueMargin(work: PortionWork): Promise<Map<string, MarginAccrual>> {
  const { tx, range, close, facts, marginRates } = work
  const { closeDate } = close
  const [unsettled, tails] = await Promise.all([readUnsettledOfRange(tx, range), readTailsAtClose(work)])
  const margin = tails.map(({ account }) => account)
  const debits = await readDebits(work, margin, unsettled)
  const lateNights = await readLateNights(work, tails)
  const lines = tails.flatMap((tail) => tail.lines)
  const interestLines = await readInterestLines(tx, lines, facts)
  const rates = nightRates(close, marginRates)
  const accruals = new Map<string, MarginAccrual>()
  const interests: NewMarginInterest[] = []
  const takenInterest: TakenInterest[] = []
  for (const { account, kept } of tails) {
    const { accountNumber, firmId } = account.account
    const debit = debits.get(accountNumber) ?? ZERO
    const interest = interestOfNights(debit, rates)
    const tonight = { closeDate, ofDate: closeDate, debit, debitBefore: undefined, rates, interest }
    const late = lateNights.get(accountNumber) ?? []
    for (const nights of interest === ZERO ? late : [...late, tonight])
      interests.push({ ...nights, accountNumber, firmId })
    const before = kept?.interestAccrued ?? ZERO
    const difference = sum(late.map((nights) => nights.interest))
    const { left, taken } = interestLeft(before, difference, interestLines.get(accountNumber) ?? [])
    for (const [externalId, amount] of taken)
      takenInterest.push({ accountNumber, externalId, firmId, taken: amount })
    accruals.set(accountNumber, { interest, accrued: left + interest })
  }
  insertMarginInterest(tx, interests)
  insertTakenInterest(tx, takenInterest, closeDate)
  return accruals
}
