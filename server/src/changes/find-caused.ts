/** The findings of account policy that a change of an open account would cause (decision 243). */
import { type FieldChange, type Finding, newlyFound, residenceOf } from '@clearing/domain'
import type { FirmContext } from '../firm-rules/context.ts'
import { findInRecord } from '../onboarding/find-in-record.ts'
import { readResidenceAtTransfer } from '../onboarding/residence-at-transfer.ts'
import type { Account } from '../store/accounts.ts'
import { easternDay } from '../store/books/calendar.ts'
import type { ChangedField, StoredChange } from '../store/changes.ts'
import { findNumbersOfOthers } from '../store/parties.ts'
import type { Amendment } from './amend-record.ts'

export interface Caused {
  /** What operations review before the change takes effect. */
  readonly reviewed: readonly Finding[]
  readonly noted: readonly Finding[]
}

export async function findCaused(
  context: FirmContext,
  account: Account,
  { amended, changes }: Pick<Amendment, 'amended' | 'changes'>,
): Promise<Caused> {
  const { tx, keys, now, parts } = context
  const { accountNumber, record, status } = account
  const numbersOfOthers = changes.some(identifies)
    ? await findNumbersOfOthers(tx, keys, amended, accountNumber)
    : none
  const residenceAtTransfer =
    (await readResidenceAtTransfer(tx, account)) ?? residenceOf(record.primaryOwner, record)
  const settings = { now, sandbox: parts.sandbox, residenceAtTransfer }
  const found = newlyFound(
    { record, findings: findInRecord({ record, status }, settings) },
    {
      record: amended,
      findings: findInRecord({ record: amended, status }, { ...settings, numbersOfOthers }),
    },
    easternDay(now),
  )
  return { reviewed: found.filter(isReviewed), noted: found.filter(({ effect }) => effect === 'note') }
}

const none: ReadonlySet<string> = new Set()

/** Screening makes a change with a sanctioned place wait for a match, so that it needs no other review. */
function isReviewed({ rule, effect }: Finding): boolean {
  return effect === 'review' && rule !== 'PlaceNotSanctioned'
}

/**
 * Whether the change adds a person, or changes a tax id, a birth date or an identification: what the rules
 * TaxIdOfAnother and IdentificationOfAnother compare.
 */
function identifies({ field }: FieldChange): boolean {
  return /\.(taxIdNumber|birthDate)$|\.governmentIdentification\b|^associatedParties\[[^\]]*\]$/.test(field)
}

/** The person who decides sees the finding beside the fields of the change. */
export function asField({ rule, reason }: Finding): ChangedField {
  return { field: 'finding', before: '', after: `${rule}: ${reason}` }
}

/** Whether the person who decides, or decided, on the change sees all that it causes. */
export function showsAll({ fields }: StoredChange, { reviewed }: Caused): boolean {
  return reviewed
    .map(asField)
    .every(({ after }) => fields.some((shown) => shown.field === 'finding' && shown.after === after))
}

/** The reasons as sentences, each once. */
export function reasonsOf(findings: readonly Finding[]): string {
  return [...new Set(findings.map(({ reason }) => reason))].join(' ')
}
