/**
 * The rules that refuse an application are asked again before an application that has waited opens: an identification
 * may have expired meanwhile, or a minor come of age.
 */
import type { Rejection } from '@clearing/protocol'
import { checkAccount } from '../account/check-account.ts'
import { placedBeneficiaries } from '../account/merge-lists.ts'
import type { AccountRecord } from '../account/record.ts'
import type { RuleSettings } from '../account/rule-scope.ts'
import type { FollowUpRequest, StageOutcome } from './stage-outcome.ts'

const meanwhile =
  'This became so while the application waited: correct the field, or send another application.'

interface OpeningFacts extends Pick<RuleSettings, 'today' | 'magicTaxIds'> {
  /** The day on which the application was sent. */
  readonly submittedOn: string
}

/** The corrections to ask for; null if every rule that held when the application was sent still holds. */
export function judgeOpening(
  record: AccountRecord,
  { submittedOn, today, magicTaxIds }: OpeningFacts,
): StageOutcome | null {
  if (today === submittedOn) return null
  const brokenOn = (day: string) =>
    checkAccount(record, placedBeneficiaries(record), { today: day, magicTaxIds, refusedPaths: new Set() })
  const before = new Set(brokenOn(submittedOn).map(keyOf))
  const broken = brokenOn(today).filter((one) => !before.has(keyOf(one)))
  const requests = broken.map(
    ({ field, reason, rule }): FollowUpRequest => ({
      code: 'FieldCorrection',
      field,
      reason: `${reason} ${meanwhile}`,
      ...(rule !== undefined && { rule }),
    }),
  )
  return requests.length === 0 ? null : { kind: 'asked', requests }
}

function keyOf({ code, field, rule = '' }: Rejection): string {
  return `${code} ${field} ${rule}`
}
