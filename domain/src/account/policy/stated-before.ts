/**
 * The findings of earlier versions of an application that the firm cannot end by another statement: who holds an office
 * or has a tie to a sanctioned place does not change with what the firm states (decision 276). Operations decide on
 * them as long as no approval has.
 */
import type { AccountRule } from '@clearing/protocol'
import type { AccountRecord } from '../record.ts'
import type { Finding } from './finding.ts'
import { type JudgedRecord, keyOfFinding } from './newly-found.ts'

/** Other rules ask whether a name, an address or a number is right. A correction answers them. */
const rulesOfFacts: ReadonlySet<AccountRule> = new Set(['PoliticalForeign', 'PlaceNotSanctioned'])

/** A finding with the record that has it. */
export interface StatedBefore {
  readonly finding: Finding
  readonly record: AccountRecord
}

/** Each once, with the record of the first version that has it. */
export function statedBefore(earlier: readonly JudgedRecord[], present: JudgedRecord): StatedBefore[] {
  const known = new Set(present.findings.map((finding) => keyOfFinding(finding, present.record)))
  return earlier.flatMap(({ record, findings }) =>
    findings.flatMap((finding): StatedBefore[] => {
      const key = keyOfFinding(finding, record)
      if (!rulesOfFacts.has(finding.rule) || known.has(key)) return []
      known.add(key)
      const reason = `${finding.reason} This was stated in the application and is not any more.`
      return [{ record, finding: { ...finding, reason } }]
    }),
  )
}
