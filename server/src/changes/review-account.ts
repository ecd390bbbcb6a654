/**
 * Reviews the renewals of one open account: asks for a renewal on its day, restricts the account if the answer is late,
 * and lifts the restriction after the answer. Steps, events, audit rows and the next review are one transaction under
 * the account's lock. A second review on the same day changes nothing.
 */
import {
  areOwnersStated,
  asksFor,
  type DueItem,
  type EarlierRecord,
  type FollowUp,
  fallsDue,
  foreignOwnersInStates,
  isAnswered,
  magicTaxIds,
  type ReviewFacts,
  renewalKindOf,
  requestOf,
  reviewYear,
  statedFieldsOf,
  unlinkedDocumentsOf,
  usAddressSince,
  withRequested,
  type YearFacts,
  type YearReview,
} from '@clearing/domain'
import { serviceActor } from '../actor.ts'
import type { Clock } from '../clock.ts'
import type { Tx } from '../database/transaction.ts'
import type { FirmKeys } from '../encryption/keyring.ts'
import type { Restricting } from '../firm-rules/restriction.ts'
import { type Acting, OnboardingSteps } from '../onboarding/advance-onboarding.ts'
import { authoritiesShown, formsOfOwners } from '../onboarding/forms-of-owners.ts'
import { residenceAtOpening } from '../onboarding/residence-at-transfer.ts'
import { type Account, lockAccountRow } from '../store/accounts.ts'
import { easternDay } from '../store/books/calendar.ts'
import { readLastApproval } from '../store/documents.ts'
import { lockOnboardingRow, type Onboarding } from '../store/onboarding.ts'
import {
  type FormReceived,
  readEarlierRecords,
  readFormsReceived,
  readRenewals,
  readYear,
  type StoredRenewal,
  writeRenewals,
  type YearRow,
} from '../store/renewals.ts'
import { endNow, placeNow } from './restrict.ts'
import { whyLifted } from './why-lifted.ts'

export interface Reviewing {
  readonly tx: Tx
  readonly keys: FirmKeys
  readonly clock: Clock
  readonly sandbox: boolean
  readonly now: Date
  readonly traceId: string
}

const none: ReadonlySet<string> = new Set()

/** A request of operations on a locked account. */
export interface Requested {
  readonly items: readonly DueItem[]
  readonly by: string
}

export async function reviewAccount(
  reviewing: Reviewing,
  { accountNumber, firmId }: { readonly accountNumber: string; readonly firmId: string },
): Promise<void> {
  const locked = await lockForReview(reviewing.tx, accountNumber, reviewing.keys)
  if (locked === undefined) writeRenewals(reviewing.tx, { accountNumber, firmId }, [], null)
  else await reviewLocked(reviewing, locked)
}

/** Returns the renewals to store. */
export async function reviewLocked(
  { tx, clock, sandbox, now, traceId }: Reviewing,
  locked: LockedForReview,
  requested: Requested = { items: [], by: '' },
): Promise<readonly StoredRenewal[]> {
  const { account, onboarding, kept } = locked
  const { accountNumber, firmId } = account
  const acting: Acting = { clock, now, actor: serviceActor, traceId }
  const steps = new OnboardingSteps(onboarding)
  const take = (event: Happening, by: 'service' | 'operations', who: string) => {
    const taken = steps.take({ ...event, at: now.toISOString(), by }, { ...acting, actor: who })
    if (taken.kind === 'rejected') throw new Error(`${event.kind} was refused: ${taken.rejection.reason}`)
  }
  const fresh = requested.items.filter(
    (item) => !onboarding.state.followUps.some((one) => asksFor(one, item)),
  )
  if (fresh.length > 0) {
    take({ kind: 'renewal-asked', requests: fresh.map(requestOf) }, 'operations', requested.by)
  }
  const before = withRequested(kept, requested.items, steps.state.followUps)
  const year = yearFacts(locked, sandbox)
  const items = fallsDue(account.record, year)
  const day = easternDay(now)
  const ask = (renewals: ReviewFacts['kept']) =>
    reviewYear(items, {
      day,
      kept: renewals,
      followUps: steps.state.followUps,
      shownBefore: authoritiesShown(locked.forms),
      isAnswered: (question) => isAnswered(account.record, year, question),
      dayOf: (instant) => easternDay(new Date(instant)),
    })
  const found = ask(before)
  for (const event of eventsOf(found, day)) take(event, 'service', serviceActor)
  // Computed again with the ids and dates of the requests that the steps made. One that came back may be late already.
  const again = ask(found.renewals)
  for (const event of eventsOf(again, day)) take(event, 'service', serviceActor)
  const { renewals, reviewOn } = again
  steps.store(tx, [])
  const restricting: Restricting = { tx, now, firm: { firmId }, caller: { clientId: serviceActor }, traceId }
  const stored = await restrictAndLift(restricting, accountNumber, locked, {
    renewals,
    followUps: steps.state.followUps,
  })
  writeRenewals(tx, account, stored, reviewOn)
  return stored
}

type Happening =
  | { readonly kind: 'renewal-asked'; readonly requests: YearReview['asks'] }
  | { readonly kind: 'renewal-expired' | 'renewal-settled'; readonly followUpId: string }
  | { readonly kind: 'renewal-withdrawn'; readonly followUpId: string; readonly on: string }

export interface LockedForReview {
  readonly account: Account
  readonly onboarding: Onboarding
  readonly kept: readonly StoredRenewal[]
  readonly year: YearRow
  readonly forms: readonly FormReceived[]
  /** Empty unless a foreign owner has an address in the United States, or a text states the owners. */
  readonly earlier: readonly EarlierRecord[]
  /** When the last instruction of an owner was approved, ISO 8601 UTC; null if none was. */
  readonly instructedAt: string | null
}

/** Whether the follow-up asks the owner what becomes of the account. */
function isInstruction({ code }: FollowUp): boolean {
  return code === 'OwnerInstruction'
}

function isOfPrimaryOwner({ field }: FollowUp): boolean {
  return field === 'primaryOwner'
}

/** The locked account with its renewals; undefined if it is not open. */
export async function lockForReview(
  tx: Tx,
  accountNumber: string,
  keys: FirmKeys,
): Promise<LockedForReview | undefined> {
  const account = await lockAccountRow(tx, accountNumber, keys)
  if (account?.status !== 'Open' && account?.status !== 'Restricted') return undefined
  const [onboarding, kept, year, forms] = await Promise.all([
    lockOnboardingRow(tx, accountNumber),
    readRenewals(tx, accountNumber),
    readYear(tx, accountNumber),
    readFormsReceived(tx, accountNumber),
  ])
  if (onboarding === undefined || year === undefined)
    throw new Error(`account ${accountNumber} is open and has no onboarding`)
  const isAsked =
    foreignOwnersInStates(account.record, none).length > 0 || areOwnersStated(onboarding.state.followUps)
  const earlier = isAsked ? await readEarlierRecords(tx, accountNumber) : []
  const instructed = onboarding.state.followUps.filter(isInstruction).map(({ id }) => id)
  const instructedAt = instructed.length > 0 ? await readLastApproval(tx, accountNumber, instructed) : null
  return { account, onboarding, kept, year, forms, earlier, instructedAt }
}

/** Days that the rules need besides the record. */
export function yearFacts(
  { account, onboarding, kept, year, forms, earlier, instructedAt }: LockedForReview,
  sandbox: boolean,
): YearFacts {
  const magic = sandbox ? magicTaxIds : none
  const instructions = onboarding.state.followUps.filter(isInstruction)
  const answered = instructions.filter(({ status }) => status === 'Accepted')
  const waived = instructions.filter(({ status, withdrawnOn }) => status === 'Waived' && !withdrawnOn)
  // The days count from the approval, not from the upload. An answer without a document has none.
  const answeredAt =
    instructedAt ??
    answered
      .flatMap(({ answers, dueBy }) => answers?.at(-1)?.at ?? dueBy ?? [])
      .sort()
      .at(-1)
  return {
    openedOn: easternDay(new Date(year.opened_at ?? account.createdAt)),
    ...formsOfOwners(forms, onboarding.state.followUps, unlinkedDocumentsOf(account.record, magic)),
    submittedOn: easternDay(new Date(account.createdAt)),
    wasMinor: kept.some(({ kind }) => kind === 'ComingOfAge') || instructions.some(isOfPrimaryOwner),
    ofAgeAnswers: answered.length + waived.length,
    ofAgeAnsweredOn: answeredAt && easternDay(new Date(answeredAt)),
    residenceAtTransfer: residenceAtOpening(year),
    magicTaxIds: magic,
    usAddressSince: usAddressSince(account.record, magic, earlier),
    statedFields: statedFieldsOf(account.record, onboarding.state.followUps, earlier),
  }
}

function eventsOf({ asks, expired, settled, withdrawn }: YearReview, day: string): Happening[] {
  const of = (kind: 'renewal-expired' | 'renewal-settled') => (followUpId: string) => ({ kind, followUpId })
  return [
    ...withdrawn.map((followUpId) => ({ kind: 'renewal-withdrawn', followUpId, on: day }) as const),
    ...(asks.length > 0 ? [{ kind: 'renewal-asked', requests: asks } as const] : []),
    ...expired.map(of('renewal-expired')),
    ...settled.map(of('renewal-settled')),
  ]
}

/**
 * Places one restriction for each code that a late renewal requires. Ends restrictions that no renewal
 * requires any more.
 */
async function restrictAndLift(
  context: Restricting,
  accountNumber: string,
  { kept }: LockedForReview,
  { renewals, followUps }: Pick<YearReview, 'renewals'> & Pick<ReviewFacts, 'followUps'>,
): Promise<StoredRenewal[]> {
  const held = new Map<string, string | null>()
  for (const { kind, restrictionId } of kept) {
    if (restrictionId !== null) held.set(renewalKindOf(kind).restricts, restrictionId)
  }
  const stored: StoredRenewal[] = []
  for (const renewal of renewals) {
    const { restricts, label } = renewalKindOf(renewal.kind)
    if (renewal.state !== 'Overdue' || restricts === '') {
      stored.push({ ...renewal, restrictionId: null })
      continue
    }
    if (!held.has(restricts)) {
      const reason = `${label}: requested, and not answered by ${renewal.dueOn}.`
      const placed = await placeNow({ accountNumber, restrictionCode: restricts, reason }, context)
      // Refused if a person has placed the same restriction, which this review does not end.
      held.set(restricts, 'restriction' in placed ? (placed.restriction?.restriction_id ?? null) : null)
    }
    stored.push({ ...renewal, restrictionId: held.get(restricts) ?? null })
  }
  const used = new Set(stored.map(({ restrictionId }) => restrictionId))
  const over = new Set(kept.flatMap(({ restrictionId: id }) => (id === null || used.has(id) ? [] : [id])))
  for (const restrictionId of over) {
    const asked = kept.filter((one) => one.restrictionId === restrictionId)
    const { by, reason } = await whyLifted(context, accountNumber, asked, followUps)
    // Refused if the restriction had ended.
    await endNow({ accountNumber, restrictionId, reason }, { ...context, caller: { clientId: by } })
  }
  return stored
}
