/** Whether a question that is no longer asked was answered. Otherwise a change of the record has ended it. */
import { isCustodial } from '../policy/minors.ts'
import { isPerson, ownersIn } from '../policy/parties.ts'
import { type CertificationRule, certificationsOf } from '../policy/tax-identification.ts'
import type { AccountRecord } from '../record.ts'
import { isForeignByForm } from './certification-due.ts'
import { type DueItem, type FormDays, identifiedPersons, type YearFacts } from './falls-due.ts'

export interface Question extends Pick<DueItem, 'kind' | 'field'> {
  /** The day under which it was stored; absent for a follow-up of the opening. */
  readonly listedOn?: string
}

/**
 * Whether the rule of the question still applies to the record. Then the question was answered: the form was received,
 * or the record has the fact. False if a change of the record ended the question, and for a question that only a
 * document or an instruction answers.
 */
export function isAnswered(
  record: AccountRecord,
  facts: YearFacts,
  { kind, field, listedOn }: Question,
): boolean {
  const path = field.replace(/\.governmentIdentification$/, '')
  const certifies = (wanted: CertificationRule) =>
    certificationsOf(record, facts.magicTaxIds, isForeignByForm(facts)).some(
      (one) => one.path === path && one.rule === wanted,
    )
  // Without a form, an alien who moved to the United States is asked for another one.
  const isAlienWithForm = () => {
    const { w8On, w9On } = formsAt(path, facts)
    return certifies('AlienOwnerCertified') && (w8On ?? w9On) !== undefined
  }
  switch (kind) {
    case 'W9Certification':
      return certifies('UsOwnerCertified')
    case 'W8Certification':
      return (certifies('ForeignOwnerCertified') || isAlienWithForm()) && isFormThere(path, listedOn, facts)
    case 'W9OrW8Certification':
      return certifies('AlienOwnerCertified')
    case 'W8EntityCertification':
      return certifies('ForeignEntityCertified')
    case 'ForeignStatusEvidence':
      return (
        (certifies('ForeignOwnerCertified') || isAlienWithForm()) && facts.usAddressSince?.has(path) === true
      )
    case 'IdentityDocument':
    case 'IdentityRecord':
      return identifiedPersons(record).some((one) => one.path === path)
    case 'CustodianshipEnded':
      return !isCustodial(record)
    case 'Occupation':
      return ownersIn(record).some((one) => `${one.path}.occupation` === field && one.party.occupation)
    case 'Employer':
      return ownersIn(record).some((one) => `${one.path}.employerName` === field && one.party.employerName)
    case 'TrustedContact':
      return isPerson(record.primaryOwner)
    default:
      return false
  }
}

/**
 * A form that was asked for after a move to the United States is there if it, or Form W-9, was signed after the move. A
 * form that was missing or has lapsed is there, because the question is no longer asked.
 */
function isFormThere(path: string, listedOn: string | undefined, facts: YearFacts): boolean {
  if (listedOn === undefined || !isDayOfMove(listedOn) || listedOn === facts.openedOn) return true
  const { w8On = '', w9On = '' } = formsAt(path, facts)
  return w8On >= listedOn || w9On > w8On
}

function formsAt(path: string, facts: YearFacts): Partial<FormDays> {
  return path === 'primaryOwner' ? facts : (facts.formsOfJointOwners?.get(path) ?? {})
}

/** Forms lapse on 1 January. */
export function isDayOfMove(day: string): boolean {
  return !day.endsWith('-01-01')
}
