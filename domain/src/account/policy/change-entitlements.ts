/**
 * The margin and the option level of an open account, changed by operations (set-entitlements). The firm cannot change
 * them (Specification, update-account, rule 2). What is raised needs what an application needs, and the agreement of
 * what the account did not have before. A pure function; decision 190.
 */
import {
  codeRow,
  type DocumentReferenceRow,
  documentsFor,
  type Evidence,
  type Rejection,
  reject,
} from '@clearing/protocol/values'
import type { FieldChange } from '../merge-blocks.ts'
import type { AccountRecord, Main } from '../record.ts'
import { hasMargin, optionLevelOf } from './entitlements.ts'
import { accountRuleOf, type Finding } from './finding.ts'
import { judgeAccount } from './judge-account.ts'

export interface AskedEntitlements {
  /** `true` or `false`. Absent if it does not change. */
  readonly marginIndicator?: string | undefined
  /** `0` for no options. Absent if it does not change. */
  readonly optionTradingLevel?: string | undefined
}

export type EntitlementsChange =
  | { readonly amended: AccountRecord; readonly changes: readonly FieldChange[] }
  | { readonly rejections: readonly Rejection[] }

interface AgreementNeeded {
  readonly field: 'marginIndicator' | 'optionTradingLevel'
  readonly isNew: (before: Main, after: Main) => boolean
  readonly what: string
  readonly evidence: Evidence
  readonly source: string
}

const agreements: readonly AgreementNeeded[] = [
  {
    field: 'marginIndicator',
    isNew: (before, after) => hasMargin(after) && !hasMargin(before),
    what: 'Margin',
    evidence: 'MarginAgreement',
    source: '17 CFR 240.17a-3(a)(9)',
  },
  {
    field: 'optionTradingLevel',
    isNew: (before, after) => optionLevelOf(after) > 0 && optionLevelOf(before) === 0,
    what: 'Option trading',
    evidence: 'OptionAgreement',
    source: 'FINRA Rule 2360(b)(16)(D)',
  },
]

/** `onFile` has the references of the approved documents of the account. */
export function changeEntitlements(
  record: AccountRecord,
  asked: AskedEntitlements,
  { today, onFile }: { readonly today: string; readonly onFile: ReadonlySet<string> },
): EntitlementsChange {
  const { main: before } = record
  const after = withAsked(before, asked)
  const changes = changesOf(before, after)
  if (changes.length === 0)
    return { rejections: [reject('ERR.2010', '', 'The account has these entitlements already.')] }
  const amended = { ...record, main: after }
  const raised = optionLevelOf(after) > optionLevelOf(before)
  const known = new Set(findingsOn(record, today).map(({ rule }) => rule))
  const rejections = [
    ...findingsOn(amended, today)
      // A rule that the account broke before does not prevent that its level is lowered.
      .filter(({ rule }) => raised || !known.has(rule))
      .map(rejectionOf),
    ...agreements.filter(({ isNew }) => isNew(before, after)).flatMap((one) => whyNotAgreed(one, onFile)),
  ]
  return rejections.length > 0 ? { rejections } : { amended, changes }
}

/** An option level of 0 means that no options are traded, and any other that they are. */
function withAsked(main: Main, { marginIndicator, optionTradingLevel }: AskedEntitlements): Main {
  return {
    ...main,
    ...(marginIndicator === undefined ? {} : { marginIndicator }),
    ...(optionTradingLevel === undefined
      ? {}
      : { optionTradingIndicator: String(optionTradingLevel !== '0'), optionTradingLevel }),
  }
}

/** The values of an account that has never named them. */
const unnamed = { marginIndicator: 'false', optionTradingIndicator: 'false', optionTradingLevel: '0' }

function changesOf(before: Main, after: Main): FieldChange[] {
  return (['marginIndicator', 'optionTradingIndicator', 'optionTradingLevel'] as const).flatMap((name) =>
    (before[name] || unnamed[name]) === (after[name] || unnamed[name])
      ? []
      : [{ field: `main.${name}`, from: before[name], to: after[name] }],
  )
}

/** The findings on margin and options, as on an application with this record. */
function findingsOn(record: AccountRecord, today: string): Finding[] {
  return judgeAccount(record, {
    moment: 'opening',
    today,
    sandbox: false,
    magicTaxIds: new Set(),
    wasRefused: () => false,
    isUnknown: () => false,
  }).filter(({ rule }) => accountRuleOf(rule).area === 'Entitlements')
}

/** What an application is asked for holds up the change: no follow-up is opened for it. */
function rejectionOf({ rule, code, field, reason }: Finding): Rejection {
  const place = field === 'main.marginIndicator' ? 'marginIndicator' : 'optionTradingLevel'
  return reject(code === '' ? 'ERR.2047' : code, place, reason, rule)
}

function whyNotAgreed(
  { field, what, evidence, source }: AgreementNeeded,
  onFile: ReadonlySet<string>,
): Rejection[] {
  const accepted = documentsFor(evidence)
  if (accepted.some((reference) => onFile.has(reference))) return []
  const named = accepted.map(nameOf).join(' or ')
  const reason = `${what} needs the ${named}, approved on this account, and there is none (${source}).`
  return [reject('ERR.2047', field, reason)]
}

function nameOf(reference: DocumentReferenceRow['value']): string {
  const { label = '' } = codeRow('documentReference', reference) ?? {}
  return `${label.toLowerCase()} (${reference})`
}
