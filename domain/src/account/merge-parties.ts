/** Merges submitted parties into those of an account. Items without a match are appended, and none is removed. */
import { reject } from '@clearing/protocol/values'
import { completeParty, withRole } from './application.ts'
import { compact } from './blank.ts'
import type { Placed } from './canonical-request.ts'
import { fixedOf } from './fixed-fields.ts'
import type { Merge } from './merge-blocks.ts'
import { isUnread, MergedItems, type MergeSettings } from './merged-items.ts'
import type { AccountRecord, Address, Party } from './record.ts'

/** A changed party with the values that the service completes, which are changes too. */
export function completed(
  merge: Merge,
  party: Party,
  place: string,
  mailingAddress: Address,
  { nextCustomerId }: { nextCustomerId: () => string },
): Party {
  const complete = completeParty(party, mailingAddress, nextCustomerId)
  for (const [name, to] of Object.entries(complete)) {
    if (party[name as keyof Party] === undefined)
      merge.changes.push({ field: `${place}.${name}`, from: undefined, to })
  }
  return complete
}

/** Whether an item without customerId repeats a party, by its tax id, without another role. */
function isRepeat(added: Party, party: Party): boolean {
  const isSamePerson = added.taxIdNumber !== undefined && added.taxIdNumber === party.taxIdNumber
  return isSamePerson && (added.role === undefined || added.role === party.role)
}

/** Parties match by customerId; an item without it is appended, unless its customerId cannot be read. */
export function mergeParties(
  merge: Merge,
  record: AccountRecord,
  given: readonly Placed<Party>[],
  mailingAddress: Address,
  settings: MergeSettings,
): MergedItems<Party> {
  const parties = new MergedItems('associatedParties', record.associatedParties)
  for (const { value, path } of given) {
    const { refusedPaths } = settings
    if (isUnread(value, path, refusedPaths) || refusedPaths.has(`${path}.customerId`)) continue
    if (!value.customerId) {
      const added = withRole(completeParty(compact(value), mailingAddress, settings.nextCustomerId), record)
      if (record.associatedParties.some((party) => isRepeat(added, party))) {
        const reason = 'This person is a party of the account already; a change names its customerId.'
        merge.rejections.push(reject('ERR.1014', `${path}.taxIdNumber`, reason))
        continue
      }
      merge.changes.push({ field: `associatedParties[${added.customerId}]`, from: undefined, to: added })
      parties.put(parties.values.length, added, path)
      continue
    }
    const index = parties.values.findIndex(({ customerId }) => customerId === value.customerId)
    if (index < 0) {
      merge.rejections.push(
        reject('ERR.1015', `${path}.customerId`, 'No associated party of this account has this customer id.'),
      )
      continue
    }
    if (parties.isNamed(index)) {
      merge.rejections.push(reject('ERR.1014', `${path}.customerId`, 'The same party is given twice.'))
      continue
    }
    const place = `associatedParties[${value.customerId}]`
    const before = parties.values[index]
    const changed = merge.block(before, value, path, { fixed: fixedOf(before), place })
    parties.put(index, completed(merge, changed, place, mailingAddress, settings), path)
  }
  return parties
}
