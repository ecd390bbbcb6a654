/** Renewals of open accounts, and the day of each account's next review. */
import { type AccountRecord, type EarlierRecord, proofsOfAuthority, type Renewal } from '@clearing/domain'
import { documentsFor, renewalKinds } from '@clearing/protocol'
import { statement, unprepared } from '../database/statement.ts'
import type { Tx } from '../database/transaction.ts'
import { easternDay } from './books/calendar.ts'
import { Conditions, dayOf } from './conditions.ts'
import { queue } from './jobs.ts'

/** A renewal with the restriction that was placed for it. */
export interface StoredRenewal extends Renewal {
  readonly restrictionId: string | null
}

interface RenewalRow {
  readonly account_number: string
  readonly firm_id: string
  readonly kind: Renewal['kind']
  readonly subject: string
  readonly field: string
  readonly listed_on: string
  readonly state: Renewal['state']
  readonly follow_up_id: string
  readonly due_on: string | null
  readonly requested: boolean
  readonly restriction_id: string | null
}

const columns =
  'account_number, firm_id, kind, subject, field, listed_on, state, follow_up_id, due_on, requested, restriction_id'

const selectRenewals = statement<RenewalRow>(
  'select-renewals',
  `select ${columns} from clearing.renewal where account_number = $1 order by listed_on, kind, subject`,
)

export async function readRenewals(tx: Tx, accountNumber: string): Promise<StoredRenewal[]> {
  return (await tx.rows(selectRenewals, [accountNumber])).map((row) => ({
    kind: row.kind,
    subject: row.subject,
    field: row.field,
    listedOn: row.listed_on,
    state: row.state,
    followUpId: row.follow_up_id,
    dueOn: row.due_on,
    requested: row.requested,
    restrictionId: row.restriction_id,
  }))
}

const deleteRenewals = statement('delete-renewals', 'delete from clearing.renewal where account_number = $1')
const insertRenewals = statement(
  'insert-renewals',
  `insert into clearing.renewal (${columns})
   select $1, $2, new.* from unnest($3::text[], $4::text[], $5::text[], $6::date[], $7::text[], $8::text[], $9::date[],
     $10::boolean[], $11::uuid[]) as new`,
)
const upsertReview = statement(
  'upsert-account-review',
  `insert into clearing.account_review (account_number, firm_id, review_on) values ($1, $2, $3)
   on conflict (account_number) do update set review_on = excluded.review_on`,
)

/** Replaces the stored renewals of a reviewed account, and its next review. */
export function writeRenewals(
  tx: Tx,
  { accountNumber, firmId }: { readonly accountNumber: string; readonly firmId: string },
  renewals: readonly StoredRenewal[],
  reviewOn: string | null,
): void {
  tx.later(deleteRenewals, [accountNumber])
  if (renewals.length > 0) {
    tx.later(insertRenewals, [
      accountNumber,
      firmId,
      renewals.map(({ kind }) => kind),
      renewals.map(({ subject }) => subject),
      renewals.map(({ field }) => field),
      renewals.map(({ listedOn }) => listedOn),
      renewals.map(({ state }) => state),
      renewals.map(({ followUpId }) => followUpId),
      renewals.map(({ dueOn }) => dueOn),
      renewals.map(({ requested }) => requested),
      renewals.map(({ restrictionId }) => restrictionId),
    ])
  }
  tx.later(upsertReview, [accountNumber, firmId, reviewOn])
}

/** Sorts before every day, so that the account is reviewed on the next business day at the latest. */
const atOnce = '0001-01-01'

export const reviewTask = 'review-account'

export interface ReviewAccountPayload {
  readonly accountNumber: string
  readonly firmId: string
  readonly traceId: string
}

/** Marks an account that opens for review. */
export function markForReview(tx: Tx, accountNumber: string, firmId: string): void {
  tx.later(upsertReview, [accountNumber, firmId, atOnce])
}

/** Queues a review of an open account that changed, to run after the commit. */
export function queueReview(tx: Tx, payload: ReviewAccountPayload): void {
  markForReview(tx, payload.accountNumber, payload.firmId)
  queue(tx, { task: reviewTask, payload, key: `${reviewTask}:${payload.accountNumber}`, due: null })
}

export const reviewDayTask = 'review-accounts'

export interface ReviewDayPayload {
  /** The business day that was closed. A process of an earlier release does not name it. */
  readonly closed?: string
  /** The last account of the previous portion; absent at the beginning of a day. */
  readonly after?: { readonly reviewOn: string; readonly accountNumber: string }
}

/** Queues the review of the accounts that are due on a day: all accounts, or those after a position. */
export function queueDayReview(tx: Tx, day: string, payload: ReviewDayPayload = {}): void {
  const { reviewOn = '', accountNumber = '' } = payload.after ?? {}
  queue(tx, {
    task: reviewDayTask,
    payload,
    key: `${reviewDayTask}:${day}:${reviewOn}:${accountNumber}`,
    due: null,
  })
}

export interface DueAccount {
  readonly account_number: string
  readonly firm_id: string
  readonly review_on: string
}

const selectDue = statement<DueAccount>(
  'select-accounts-to-review',
  `select account_number, firm_id, review_on from clearing.account_review
   where review_on <= $1 and (review_on, account_number) > ($2::date, $3) order by review_on, account_number limit $4`,
)

/** Accounts with a renewal due until a day, after a position. */
export function readDueAccounts(
  tx: Tx,
  day: string,
  after: { readonly reviewOn: string; readonly accountNumber: string } | undefined,
  most: number,
): Promise<DueAccount[]> {
  return tx.rows(selectDue, [day, after?.reviewOn ?? atOnce, after?.accountNumber ?? '', most])
}

/**
 * The approved tax forms, evidence of a foreign status and proofs of authority of an account, of each kind and
 * follow-up, with and without a day of signature.
 */
export interface FormReceived {
  readonly reference: string
  /** The follow-up that it answered; null if it answered none. */
  readonly followUpId: string | null
  /** Of the newest, the day of the signature if it is known, otherwise the US Eastern day of the receipt. */
  readonly countsFrom: string
  readonly count: number
  /** Whether the day of the signature is known. */
  readonly isDated: boolean
}

/** The references of documents that are evidence of a foreign status. */
export const evidenceOfForeignStatus: readonly string[] = ['PASS', 'NATL']

const receivedForms = [
  ...documentsFor('TaxCertification'),
  ...evidenceOfForeignStatus,
  ...renewalKinds.flatMap(({ asks }) => proofsOfAuthority(asks)),
]

const selectForms = statement<{
  reference: string
  follow_up_id: string | null
  counts_from: string
  count: number
  is_dated: boolean
}>(
  'select-forms-received',
  `select reference, follow_up_id, count(*)::int as count, signed_on is not null as is_dated,
     max(coalesce(signed_on, ${dayOf('created_at')})) as counts_from
   from clearing.document
   where account_number = $1 and reference in (${receivedForms.map((one) => `'${one}'`).join(', ')}) and catalogued and status = 'Approved'
   group by reference, follow_up_id, signed_on is not null`,
)

export async function readFormsReceived(tx: Tx, accountNumber: string): Promise<FormReceived[]> {
  const rows = await tx.rows(selectForms, [accountNumber])
  return rows.map((row) => ({
    reference: row.reference,
    followUpId: row.follow_up_id,
    countsFrom: row.counts_from,
    count: row.count,
    isDated: row.is_dated,
  }))
}

export interface YearRow {
  /** Null for an account that never opened. */
  readonly opened_at: string | null
  /** Of a custodial account the record when it opened, without personal numbers; null if it has not changed since. */
  readonly record_at_opening: AccountRecord | null
}

const selectYear = statement<YearRow>(
  'select-account-year',
  `select opened_at,
     case when registration_type in ('CustodialUgma', 'CustodialUtma') then
       (select version.record from clearing.account_version as version
        where version.account_number = account.account_number and valid_to >= opened_at order by version.version limit 1)
     end as record_at_opening
   from clearing.account where account_number = $1`,
)

export function readYear(tx: Tx, accountNumber: string): Promise<YearRow | undefined> {
  return tx.row(selectYear, [accountNumber])
}

const selectEarlier = statement<{ record: AccountRecord; ended_at: string }>(
  'select-earlier-records',
  `select version.record, version.valid_to as ended_at
   from clearing.account_version as version join clearing.account using (account_number)
   where account_number = $1 and valid_to >= opened_at and valid_to < 'infinity'
   order by version.version desc limit 500`,
)

/** The records of an open account before the present one, without personal numbers, the newest first. */
export async function readEarlierRecords(tx: Tx, accountNumber: string): Promise<EarlierRecord[]> {
  const rows = await tx.rows(selectEarlier, [accountNumber])
  return rows.map((row) => ({
    record: row.record,
    endedAt: new Date(row.ended_at).toISOString(),
    endedOn: easternDay(new Date(row.ended_at)),
  }))
}

const enter = statement<{ account_number: string }>(
  'enter-accounts-to-review',
  `with place as (select after_account from clearing.review_entry where ended_at is null for update),
   portion as (
     select account_number, firm_id from clearing.account
     where account_number > (select after_account from place) and status in ('Open', 'Restricted')
     order by account_number limit $1
   ), entered as (
     insert into clearing.account_review (account_number, firm_id, review_on)
     select account_number, firm_id, $2::date from portion on conflict (account_number) do nothing
   )
   update clearing.review_entry set
     after_account = coalesce((select max(account_number) from portion), after_account),
     ended_at = case when (select count(*) from portion) < $1 then $3::timestamptz end
   where ended_at is null and exists (select from place)`,
)

/** Enters a portion of the accounts that opened before reviews existed, and returns whether there may be more. */
export async function enterAccounts(tx: Tx, most: number, at: Date): Promise<boolean> {
  await tx.run(enter, [most, atOnce, at])
  return (await tx.row(selectEntry))?.ended_at === null
}

const selectEntry = statement<{ ended_at: string | null }>(
  'select-review-entry',
  'select ended_at from clearing.review_entry',
)

export interface RenewalFilter {
  readonly accountNumber: string | undefined
  readonly firmId: string | undefined
  readonly kind: string | undefined
  readonly state: string | undefined
  readonly from: string | undefined
  readonly to: string | undefined
}

export type RenewalPlace = readonly [listedOn: string, accountNumber: string, kind: string, subject: string]

export interface ListedRenewal extends RenewalRow {
  readonly firm_name: string
  readonly account_name: string
  readonly account_status: string
}

/** Renewals of open accounts, ordered by day. */
export function findRenewals(
  tx: Tx,
  filter: RenewalFilter,
  after: RenewalPlace | undefined,
  most: number,
): Promise<ListedRenewal[]> {
  const c = new Conditions()
    .when(filter.accountNumber, (at) => `renewal.account_number = ${at}`)
    .when(filter.firmId, (at) => `renewal.firm_id = ${at}::uuid`)
    .when(filter.kind, (at) => `kind = ${at}`)
    .when(filter.state, (at) => `state = ${at}`)
    .when(filter.from, (at) => `listed_on >= ${at}::date`)
    .when(filter.to, (at) => `listed_on <= ${at}::date`)
  if (after !== undefined) {
    const [day, number, kind, subject] = after.map((value) => c.bind(value))
    c.and(
      `(listed_on, renewal.account_number, kind, subject) > (${day}::date, ${number}, ${kind}, ${subject})`,
    )
  }
  c.and("account.status in ('Open', 'Restricted')")
  const own = columns.split(', ').map((column) => `renewal.${column}`)
  return tx.rows(
    unprepared<ListedRenewal>(
      `select ${own.join(', ')}, firm.name as firm_name, account_name, account.status as account_status
       from clearing.renewal join clearing.account using (account_number) join clearing.firm on firm.firm_id = renewal.firm_id
       ${c.where()} order by listed_on, renewal.account_number, kind, subject limit ${most}`,
    ),
    c.values,
  )
}
