/**
 * Enters the renewals of an account that opens, from the requests of its opening and the dates of its
 * documents.
 */
import {
  fallsDue,
  isAnswered,
  magicTaxIds,
  type OnboardingState,
  reviewYear,
  unlinkedDocumentsOf,
} from '@clearing/domain'
import type { Tx } from '../database/transaction.ts'
import type { Account } from '../store/accounts.ts'
import { easternDay } from '../store/books/calendar.ts'
import { type FormReceived, markForReview, queueReview, writeRenewals } from '../store/renewals.ts'
import { authoritiesShown, formsOfOwners } from './forms-of-owners.ts'

const none: ReadonlySet<string> = new Set()

interface Opening {
  /** The approved tax forms and proofs of authority of the account. */
  readonly forms: readonly FormReceived[]
  readonly now: Date
  readonly sandbox: boolean
  readonly traceId: string
}

export function enterRenewals(
  tx: Tx,
  account: Account,
  { followUps }: OnboardingState,
  { forms, now, sandbox, traceId }: Opening,
): void {
  const day = easternDay(now)
  const dayOf = (instant: string) => easternDay(new Date(instant))
  const magic = sandbox ? magicTaxIds : none
  const facts = {
    openedOn: day,
    submittedOn: easternDay(new Date(account.createdAt)),
    ...formsOfOwners(forms, followUps, unlinkedDocumentsOf(account.record, magic)),
    ofAgeAnswers: 0,
    residenceAtTransfer: undefined,
    magicTaxIds: magic,
  }
  const items = fallsDue(account.record, facts)
  const { renewals, asks, expired, settled, withdrawn, reviewOn } = reviewYear(items, {
    day,
    kept: [],
    followUps,
    shownBefore: authoritiesShown(forms),
    isAnswered: (question) => isAnswered(account.record, facts, question),
    dayOf,
  })
  // A document was approved before the opening: a review settles its follow-up at once.
  if (settled.length + withdrawn.length > 0) {
    queueReview(tx, { accountNumber: account.accountNumber, firmId: account.firmId, traceId })
    return
  }
  // The review of the business day finds everything that was not entered here.
  if (asks.length + expired.length > 0) {
    markForReview(tx, account.accountNumber, account.firmId)
    return
  }
  writeRenewals(
    tx,
    account,
    renewals.map((renewal) => ({ ...renewal, restrictionId: null })),
    reviewOn,
  )
}
