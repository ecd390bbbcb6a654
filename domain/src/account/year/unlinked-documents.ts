/** Approved documents that answered no follow-up, of an account with several parties: nothing says whose they are. */
import { partiesOf } from '../policy/parties.ts'
import { certificationsOf } from '../policy/tax-identification.ts'
import type { AccountRecord } from '../record.ts'

/** Which documents without a follow-up count as those of the primary owner. */
export interface UnlinkedDocuments {
  /** Form W-9, which would end the foreign status of the primary owner. */
  readonly w9: boolean
  /** A passport or national identity card as evidence of a foreign status. */
  readonly evidence: boolean
}

export function unlinkedDocumentsOf(
  record: AccountRecord,
  magicTaxIds: ReadonlySet<string>,
): UnlinkedDocuments {
  const owners = certificationsOf(record, magicTaxIds)
  const isOfOther = owners.some(({ path, rule }) => path !== 'primaryOwner' && rule === 'UsOwnerCertified')
  return { w9: !isOfOther, evidence: partiesOf(record).length === 1 }
}
