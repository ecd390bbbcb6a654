/**
 * Account policy: one pure function over a record and the facts of the moment. It is applied to applications, to
 * changes and by the business day. The rules are rows of `accountRules`; the groups of rules below decide whether a
 * rule is broken.
 */
import type { RuleMoment } from '@clearing/protocol'
import type { AccountRecord, Address } from '../record.ts'
import { registrationOf } from '../registration.ts'
import { judgeAuthority } from './authority.ts'
import { judgeDocumentNumbers } from './document-numbers.ts'
import { judgeDueDiligence } from './due-diligence.ts'
import { judgeEntitlements } from './entitlements.ts'
import { type Finding, findingOf, type Report } from './finding.ts'
import { judgeIdentities } from './identity.ts'
import { judgeOwners } from './owners.ts'
import { type Registration, type RegistrationRule, registrationRuleOf } from './registration-roles.ts'
import { judgeRoles } from './roles.ts'
import { judgeTaxNumbers } from './tax-identification.ts'

export interface AccountFacts {
  readonly moment: RuleMoment
  /** The calendar day in New York, `yyyy-MM-dd`. */
  readonly today: string
  readonly sandbox: boolean
  /** Tax ids that select an outcome in the sandbox and belong to no person. */
  readonly magicTaxIds: ReadonlySet<string>
  /**
   * Customer ids of the persons whose tax id, or document in place of one, another person has in another account of the
   * firm, and of the entity whose EIN another one has; absent if the rules cannot be broken.
   */
  readonly numbersOfOthers?: ReadonlySet<string> | undefined
  /** The owner's residence when the property was transferred to the custodian; absent if it is that of the record. */
  readonly residenceAtTransfer?: Address | undefined
  /** Whether the reader rejected a path or a path inside it: a value that is absent for this reason is not missing. */
  readonly wasRefused: (path: string) => boolean
  /** Whether a rule cannot judge a path because of what the reader rejected. */
  readonly isUnknown: (path: string) => boolean
}

/** The input of every group of rules. */
export interface Judged {
  readonly record: AccountRecord
  readonly registration: Registration
  readonly rule: RegistrationRule
  readonly facts: AccountFacts
  readonly report: Report
}

/** All findings on an account in the order of the rules; none on a record whose registration type is unknown. */
export function judgeAccount(record: AccountRecord, facts: AccountFacts): Finding[] {
  const type = registrationOf(record.registrationType)
  if (type === undefined) return []
  const findings: Finding[] = []
  const report: Report = (rule, field, reason) => {
    if (facts.isUnknown(field)) return
    const finding = findingOf(rule, field, reason, facts)
    if (finding) findings.push(finding)
  }
  const judged = { record, registration: type.value, rule: registrationRuleOf(type.value), facts, report }
  judgeRoles(judged)
  judgeOwners(judged)
  judgeTaxNumbers(judged)
  judgeEntitlements(judged)
  judgeIdentities(judged)
  judgeDocumentNumbers(judged)
  judgeDueDiligence(judged)
  judgeAuthority(judged)
  return findings
}
