/**
 * Foreign owners with an address in the United States. A Form W-8BEN that was signed before such an address is not
 * reliable any more (26 CFR 1.1441-1(e)(4)(ii)(D) and 1.1441-7(b)(5)).
 */
import { certificationsOf, isUsAddressOf } from '../policy/tax-identification.ts'
import type { AccountRecord } from '../record.ts'

const mayBeForeign: ReadonlySet<string> = new Set(['ForeignOwnerCertified', 'AlienOwnerCertified'])

/** The paths of the owners who may be foreign and whose residence or mailing address is in the United States. */
export function foreignOwnersInStates(record: AccountRecord, magicTaxIds: ReadonlySet<string>): string[] {
  return certificationsOf(record, magicTaxIds, true)
    .filter(({ party, rule }) => mayBeForeign.has(rule) && isUsAddressOf(party, record))
    .map(({ path }) => path)
}

/** A record of the open account before the present one, and the day and the time (ISO 8601 UTC) at which it ended. */
export interface EarlierRecord {
  readonly record: AccountRecord
  readonly endedAt: string
  readonly endedOn: string
}

/**
 * The day on which each foreign owner got an address in the United States, by the path of the owner; without owners
 * who have had one since the opening. `earlier` begins with the newest record.
 */
export function usAddressSince(
  record: AccountRecord,
  magicTaxIds: ReadonlySet<string>,
  earlier: readonly EarlierRecord[],
): ReadonlyMap<string, string> {
  const since = new Map<string, string>()
  for (const path of foreignOwnersInStates(record, magicTaxIds)) {
    const { customerId } = partyAt(record, path) ?? {}
    const before = earlier.find((one) => {
      const party = ownerIn(one.record, path, customerId)
      return party === undefined || !isUsAddressOf(party, one.record)
    })
    if (before !== undefined) since.set(path, before.endedOn)
  }
  return since
}

function partyAt(record: AccountRecord, path: string) {
  return path === 'primaryOwner'
    ? record.primaryOwner
    : record.associatedParties[Number(path.replace(/\D/g, ''))]
}

function ownerIn(record: AccountRecord, path: string, customerId: string | undefined) {
  if (path === 'primaryOwner') return record.primaryOwner
  return record.associatedParties.find((party) => party.customerId === customerId)
}
