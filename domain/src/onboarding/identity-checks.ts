/**
 * The outcome of the stage IdentityCheck from the findings of account policy (Reading 4.4; 31 CFR 1023.220, the
 * customer identification program of broker-dealers).
 */
import { type CodeOf, reject } from '@clearing/protocol/values'
import { documentInPlaceOfTaxId } from '../account/policy/document-numbers.ts'
import { type Finding, findingOf } from '../account/policy/finding.ts'
import type { Party } from '../account/record.ts'
import { type FollowUpRequest, type Found, type StageOutcome, succeeded } from './stage-outcome.ts'

export interface IdentityFinding extends Finding {
  /** A fingerprint of the value that it is about (`aboutOf`); absent if the rule and the field say it all. */
  readonly about?: string
}

export interface IdentityCase {
  /** The findings of account policy in the record. */
  readonly policy: readonly IdentityFinding[]
  /** Number of accounts of the firm with the same tax id, birth date and registration type (Reading 3.6). */
  readonly possibleDuplicates: number
  readonly duplicatePolicy: CodeOf<'duplicatePolicy'>
  /** The number by which the owner is known (`duplicateFieldOf`). */
  readonly duplicateField?: string
}

/** The tax id of the owner, or the identification in its place. */
export function duplicateFieldOf(owner: Party): string {
  return documentInPlaceOfTaxId(owner) === undefined
    ? 'primaryOwner.taxIdNumber'
    : 'primaryOwner.governmentIdentification'
}

/** All findings in the order of the rules; none if everything passes. */
export function findOnApplication({
  policy,
  possibleDuplicates,
  duplicatePolicy,
  duplicateField = 'primaryOwner.taxIdNumber',
}: IdentityCase): IdentityFinding[] {
  return possibleDuplicates === 0 ? [...policy] : [...policy, duplicateOf(duplicatePolicy, duplicateField)]
}

const duplicateEffects = { Flag: 'note', Review: 'review', Refuse: 'refuse' } as const

/** The effect of a possible duplicate is a setting of the firm. */
function duplicateOf(policy: IdentityCase['duplicatePolicy'], field: string): Finding {
  const effect = duplicateEffects[policy]
  const reason =
    effect === 'note'
      ? 'Possible duplicate of an account.'
      : 'The same person already has an account of this registration type.'
  const opening = { moment: 'opening', sandbox: false } as const
  const finding = findingOf('PossibleDuplicate', field, reason, opening)
  if (finding === undefined) throw new Error('PossibleDuplicate applies to applications')
  return { ...finding, effect, code: effect === 'refuse' ? 'ERR.2012' : '' }
}

/**
 * A refusal comes first, then the requests to the firm, then a review, because operations can review better when the
 * documents have arrived. The only refusal at this stage is that of a duplicate: other violations of account policy
 * are refused before an application exists.
 */
export function judgeIdentity(findings: readonly IdentityFinding[]): StageOutcome {
  const errors = findings.flatMap(({ rule, code, field, reason }) =>
    rule === 'PossibleDuplicate' && code !== '' ? [reject(code, field, reason, rule)] : [],
  )
  if (errors[0]) return { kind: 'failed', reason: errors[0].reason, errors }
  const asked = findings.filter(({ effect }) => effect === 'ask')
  const requests = asked.filter(({ holdsUp }) => holdsUp).map(requestOf)
  const later = asked.filter(({ holdsUp }) => !holdsUp).map(requestOf)
  const otherwise = judgeReviews(findings, later)
  return requests.length > 0 ? { kind: 'asked', requests, otherwise } : otherwise
}

function requestOf(finding: IdentityFinding): FollowUpRequest {
  return { code: finding.asks as FollowUpRequest['code'], ...foundOf(finding) }
}

function foundOf({ rule, field, reason, about }: IdentityFinding): Found {
  return { rule, field, reason, ...(about !== undefined && { about }) }
}

function judgeReviews(findings: readonly IdentityFinding[], later: readonly FollowUpRequest[]): StageOutcome {
  const reviewed = findings.filter(({ effect }) => effect === 'review')
  if (reviewed.length > 0) {
    const onlyDuplicate = reviewed.every(({ rule }) => rule === 'PossibleDuplicate')
    const code = onlyDuplicate ? 'DuplicateReview' : 'IdentityReview'
    const reason = [...new Set(reviewed.map((finding) => finding.reason))].join(' ')
    const found = reviewed.map(foundOf)
    return { kind: 'referred', code, reason, later, found }
  }
  const noted = findings.filter(({ effect }) => effect === 'note').map(({ reason }) => reason)
  return later.length > 0 ? { ...succeeded(noted.join(' ')), later } : succeeded(noted.join(' '))
}
