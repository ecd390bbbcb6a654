/** A question that is asked no more was answered, or a change of the record has ended it. */
import { isPerson } from '../policy/parties.ts'
import { type CertificationRule, certificationsOf } from '../policy/tax-identification.ts'
import type { AccountRecord } from '../record.ts'
import { type DueItem, identifiedParties, isCustodial, type YearFacts } from './falls-due.ts'

/**
 * Whether the record still asks what it does not lack any more: the form is there, or the record has the fact. False
 * for a question that the record has ended, and for one that only a document or an instruction answers.
 */
export function isAnswered(
  record: AccountRecord,
  facts: Pick<YearFacts, 'magicTaxIds' | 'usAddressSince'>,
  { kind, field }: Pick<DueItem, 'kind' | 'field'>,
): boolean {
  const path = field.replace(/\.governmentIdentification$/, '')
  const certifies = (wanted: CertificationRule) =>
    certificationsOf(record, facts.magicTaxIds).some((one) => one.path === path && one.rule === wanted)
  switch (kind) {
    case 'W9Certification':
      return certifies('UsOwnerCertified')
    case 'W8Certification':
      return certifies('ForeignOwnerCertified')
    case 'W8EntityCertification':
      return certifies('ForeignEntityCertified')
    case 'ForeignStatusEvidence':
      return certifies('ForeignOwnerCertified') && facts.usAddressSince?.has(path) === true
    case 'IdentityDocument':
    case 'IdentityRecord':
      return identifiedParties(record).some((one) => one.path === path)
    case 'CustodianshipEnded':
      return !isCustodial(record)
    case 'TrustedContact':
      return isPerson(record.primaryOwner)
    default:
      return false
  }
}
