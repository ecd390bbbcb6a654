/** Whether the owner has a trusted contact: the name of and contact information for a person (FINRA 4512(a)(1)(F)). */
import type { AccountRecord } from '../record.ts'
import { isPerson } from './parties.ts'

export const trustedContactField = 'primaryOwner.trustedContact'

/** Why the owner is asked for a trusted contact; undefined if one is known, or if the owner is an entity. */
export function whyContactAsked({ primaryOwner: owner }: AccountRecord): string | undefined {
  if (!isPerson(owner)) return undefined
  const { name, phoneNumber, email, address } = owner.trustedContact ?? {}
  if (!name) return 'The owner may name a trusted contact, or decline to.'
  if (phoneNumber || email || address?.street) return undefined
  return 'The trusted contact has no phone number, e-mail address or address: give one of them, or decline to name a contact.'
}
