/** The certifications of the tax status of an account's owners that are missing or lapse. */
import type { RenewalKind } from '@clearing/protocol/values'
import { type Certified, certificationsOf } from '../policy/tax-identification.ts'
import type { AccountRecord } from '../record.ts'
import { type DueItem, item, subjectOf } from './due-item.ts'

/**
 * The days from which the newest approved tax forms of an owner count: the day of the signature if it is known,
 * otherwise the day of the receipt.
 */
export interface FormDays {
  readonly w9On: string | undefined
  /** Of Form W-8BEN or W-8ECI. */
  readonly w8On: string | undefined
  /** Of Form W-8BEN-E or W-8ECI, or a Form W-8EXP that lapses. */
  readonly w8EntityOn: string | undefined
  /** Of a form that does not lapse: Form W-8IMY, and Form W-8EXP of a government. */
  readonly w8FlowThroughOn: string | undefined
}

/** The forms are those of the primary owner. */
export interface CertificationFacts extends FormDays {
  /** The forms of joint owners, by the path of the owner; absent if there are none. */
  readonly formsOfJointOwners?: ReadonlyMap<string, FormDays>
  /** The day since which foreign owners have an address in the United States, by path; without those of the opening. */
  readonly usAddressSince?: ReadonlyMap<string, string>
  /** The paths of owners who have shown documentary evidence of a foreign status. */
  readonly foreignEvidence?: ReadonlySet<string>
  /** The day on which the account was opened. */
  readonly openedOn: string
  /** Tax ids that stand for an outcome in the sandbox and belong to no person. */
  readonly magicTaxIds: ReadonlySet<string>
}

/**
 * Forms W-8BEN, W-8BEN-E, W-8ECI and W-8EXP are valid for this many calendar years after the year of their signature
 * (26 CFR 1.1441-1(e)(4)(ii)(A)). Form W-8EXP of a government, a central bank of issue or an international organization
 * does not lapse (paragraph (e)(4)(ii)(B)).
 */
const w8ValidYears = 3

/** The last year in which a form that lapses is valid, by the day from which it counts. */
export function lastYearOfW8(countsFrom: string): number {
  return Number(countsFrom.slice(0, 4)) + w8ValidYears
}

const noForms: FormDays = {
  w9On: undefined,
  w8On: undefined,
  w8EntityOn: undefined,
  w8FlowThroughOn: undefined,
}

/** Forms that are missing, forms that no longer count after a move, and the days on which forms lapse. */
export function certification(record: AccountRecord, facts: CertificationFacts): DueItem[] {
  return certificationsOf(record, facts.magicTaxIds, isForeignByForm(facts)).flatMap((certified) => {
    const forms =
      certified.path === 'primaryOwner' ? facts : (facts.formsOfJointOwners?.get(certified.path) ?? noForms)
    return certificationOfOwner(certified, forms, facts)
  })
}

/** Whether the owner has certified a foreign status. A later Form W-9 ends it. */
export function isForeignByForm({ w9On, w8On }: FormDays): boolean {
  return w8On !== undefined && (w9On === undefined || w9On <= w8On)
}

const newFormAfterMove =
  'The foreign owner got an address in the United States after Form W-8BEN was signed: the owner signs a new Form W-8BEN, or Form W-9.'
const evidenceAfterMove =
  'The foreign owner got an address in the United States: the owner shows documentary evidence of the foreign status without an address in the United States, and explains the address in writing; or certifies on Form W-9.'

function certificationOfOwner(
  { party, path, rule }: Certified,
  { w9On, w8On, w8EntityOn, w8FlowThroughOn }: FormDays,
  facts: CertificationFacts,
): DueItem[] {
  const owner = { subject: subjectOf(party), field: path }
  const movedOn = facts.usAddressSince?.get(path)
  const missing = (kind: RenewalKind, reason: string) => [
    item(kind, { ...owner, fallsOn: facts.openedOn, reason }),
  ]
  const lapsing = (kind: RenewalKind, countsFrom: string, form: string) => {
    const lastYear = lastYearOfW8(countsFrom)
    const reason = `The Form ${form} is valid until ${lastYear}-12-31.`
    return [item(kind, { ...owner, fallsOn: `${lastYear + 1}-01-01`, reason })]
  }
  switch (rule) {
    case 'UsOwnerCertified':
      return w9On === undefined
        ? missing('W9Certification', 'The owner has not certified the tax status on Form W-9.')
        : []
    case 'ForeignOwnerCertified':
    case 'AlienOwnerCertified':
      if (w9On !== undefined && (w8On === undefined || w9On > w8On)) return []
      if (w8On === undefined)
        return rule === 'AlienOwnerCertified'
          ? missing(
              'W9OrW8Certification',
              'The owner, who is not a US citizen and lives in the United States, has certified the tax status neither on Form W-9 nor on Form W-8BEN or W-8ECI.',
            )
          : missing(
              'W8Certification',
              'The foreign owner has not certified the tax status on Form W-8BEN or W-8ECI.',
            )
      return [
        ...(movedOn !== undefined && w8On < movedOn
          ? [item('W8Certification', { ...owner, fallsOn: movedOn, reason: newFormAfterMove })]
          : lapsing('W8Certification', w8On, 'W-8BEN or W-8ECI of the foreign owner')),
        ...(movedOn !== undefined && !facts.foreignEvidence?.has(path)
          ? [item('ForeignStatusEvidence', { ...owner, fallsOn: movedOn, reason: evidenceAfterMove })]
          : []),
      ]
    case 'ForeignEntityCertified':
      // Some forms do not lapse. An entity whose Form W-9 was approved has certified that it is a US person.
      if (w9On !== undefined || w8FlowThroughOn !== undefined) return []
      return w8EntityOn === undefined
        ? missing(
            'W8EntityCertification',
            'The foreign entity has not certified the tax status on Form W-8BEN-E, W-8ECI, W-8EXP or W-8IMY.',
          )
        : lapsing('W8EntityCertification', w8EntityOn, 'W-8BEN-E, W-8ECI or W-8EXP of the foreign entity')
    default:
      return rule satisfies never
  }
}
