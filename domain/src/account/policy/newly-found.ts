/**
 * The findings that a change of an open account causes: those that the record did not have before, and those that it
 * had for another name or address. A finding that the change only keeps is not among them: it was decided on or noted
 * before (decision 243).
 */
import type { AccountRule } from '@clearing/protocol'
import { fullName } from '../name.ts'
import type { AccountRecord } from '../record.ts'
import type { Finding } from './finding.ts'
import { type PlacedParty, partiesOf, residenceOf } from './parties.ts'

/** A record with its findings. */
export interface JudgedRecord {
  readonly record: AccountRecord
  readonly findings: readonly Finding[]
}

export function newlyFound(before: JudgedRecord, after: JudgedRecord): Finding[] {
  const known = new Set(before.findings.map((finding) => keyOf(finding, before.record)))
  return after.findings.filter((finding) => !known.has(keyOf(finding, after.record)))
}

type About = (placed: PlacedParty, record: AccountRecord) => string

/** What a finding is about, beside its field: another placeholder, or another address that is no place, is new. */
const abouts: Partial<Record<AccountRule, About>> = {
  NameIsName: ({ party }) => fullName(party),
  CustodianTrustCompany: ({ party }) => fullName(party),
  AddressIsPlace({ party }, record) {
    const { street = '', city = '' } = residenceOf(party, record)
    return `${street}, ${city}`
  },
}

function keyOf({ rule, field }: Finding, record: AccountRecord): string {
  const placed = partiesOf(record).find(({ path }) => field === path || field.startsWith(`${path}.`))
  const about = placed && abouts[rule]?.(placed, record)
  return `${rule} ${field} ${about ?? ''}`
}
