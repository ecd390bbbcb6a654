/**
 * The findings that a change of an open account causes: those that the record did not have before, and those that it
 * had about another value (`about.ts`). A finding that the change only keeps is not among them: it was decided
 * on or noted before (decisions 243 and 253).
 */
import { adultAgeYears, ageOn } from '../age.ts'
import type { AccountRecord } from '../record.ts'
import { aboutOf } from './about.ts'
import { type Finding, findingOf } from './finding.ts'
import { isCustodial, isGuardedIra } from './minors.ts'

/** A record with its findings. */
export interface JudgedRecord {
  readonly record: AccountRecord
  readonly findings: readonly Finding[]
}

/** `today` is the calendar day in New York, `yyyy-MM-dd`. */
export function newlyFound(before: JudgedRecord, after: JudgedRecord, today: string): Finding[] {
  const known = new Set(before.findings.map((finding) => keyOfFinding(finding, before.record)))
  const caused = after.findings.filter((finding) => !known.has(keyOfFinding(finding, after.record)))
  const ofMinor = birthDateOfMinorChanged(before.record, after.record, today)
  return ofMinor === undefined ? caused : [...caused, ofMinor]
}

/**
 * The birth date decides when a custodianship or guardianship ends, and may end or begin the question for the owner's
 * instruction.
 */
export function birthDateOfMinorChanged(
  before: AccountRecord,
  after: AccountRecord,
  today: string,
): Finding | undefined {
  const from = before.primaryOwner.birthDate
  const to = after.primaryOwner.birthDate
  if (from === to) return undefined
  const isMinor = (birthDate: string | undefined) =>
    birthDate !== undefined && ageOn(birthDate, today) < adultAgeYears
  const isGuarded = [before, after].some(isGuardedIra) && [from, to].some(isMinor)
  if (!isCustodial(after) && !isGuarded) return undefined
  const reason =
    'The birth date decides when the owner comes of age: a second person compares it with a document.'
  return findingOf('BirthDateOfMinor', 'primaryOwner.birthDate', reason, { moment: 'change', sandbox: false })
}

/** Equal for the same finding about the same value. */
export function keyOfFinding(finding: Finding, record: AccountRecord): string {
  return `${finding.rule} ${finding.field} ${aboutOf(finding, record)}`
}
