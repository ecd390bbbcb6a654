/**
 * Whether the owner has a trusted contact: the name of and contact information for a person who may be contacted about
 * the owner, and therefore is another person (FINRA 4512(a)(1)(F)).
 */
import { fullName, splitName } from '../name.ts'
import type { AccountRecord, Party } from '../record.ts'
import { isPerson } from './parties.ts'
import { hasPlaceholderName } from './placeholder-names.ts'

export const trustedContactField = 'primaryOwner.trustedContact'

/** Why the owner is asked for a trusted contact; undefined if one is known, or if the owner is an entity. */
export function whyContactAsked({ primaryOwner: owner }: AccountRecord): string | undefined {
  if (!isPerson(owner)) return undefined
  const { name, phoneNumber, email, address } = owner.trustedContact ?? {}
  if (!name) return 'The owner may name a trusted contact, or decline to.'
  const contact: Party = { nameType: 'Individual', ...splitName(name) }
  if (hasPlaceholderName(contact, true) || lettersOf(name) === '')
    return 'The name of the trusted contact is a placeholder: name a person, or decline to name a contact.'
  if (isNameOf(name, owner))
    return 'The owner is not the own trusted contact: name another person, or decline to name a contact.'
  if (phoneNumber || email || address?.street) return undefined
  return 'The trusted contact has no phone number, e-mail address or address: give one of them, or decline to name a contact.'
}

/** The whole name of the owner, or the first and the last name. A namesake of the family has another suffix. */
function isNameOf(name: string, owner: Party): boolean {
  const names = [fullName(owner), fullName({ ...owner, middleName: '' })]
  return names.some((one) => lettersOf(one) === lettersOf(name))
}

function lettersOf(name: string): string {
  return name.toUpperCase().replace(/[^\p{L}]+/gu, '')
}
