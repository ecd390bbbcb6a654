/**
 * The identification that an approved document renews, as the change of the record that it makes. A firm keeps the
 * type, the number, the place and the dates of each document that it relied on (31 CFR 1023.220(a)(3)(i)(B)).
 */
import type { CodeOf } from '@clearing/protocol'
import { type Rejection, reject } from '@clearing/protocol/values'
import { isBlank } from './blank.ts'
import { type PlacedParty, partiesOf, rolesIn } from './policy/parties.ts'
import type { AccountRecord, GovernmentId, Party } from './record.ts'

/** The type of identification that a document is, by its reference. */
const identifications: Readonly<Record<string, CodeOf<'governmentIdType'>>> = {
  PASS: 'Passport',
  DRLC: 'DriversLicense',
  NATL: 'NationalId',
}

export function isIdentification(reference: string): boolean {
  return reference in identifications
}

/** What the document shows. A member that was not stated is undefined. */
export interface ShownId {
  readonly idNumber: string | undefined
  readonly idLocation: string | undefined
  readonly idIssueDate: string | undefined
  readonly idExpiration: string | undefined
}

export function isStated(shown: ShownId): boolean {
  return Object.values(shown).some((value) => value !== undefined)
}

const place = '.governmentIdentification'
const noParty =
  'The follow-up that the document answers names no party of the record. Leave out idNumber, idLocation, idIssueDate and idExpiration.'

/** The owner or party whose identification is at the field of a follow-up. */
function partyAt(record: AccountRecord, field: string) {
  return partiesOf(record).find(({ path }) => `${path}${place}` === field)
}

/**
 * The blocks of update-account that write the document to the record of the party at `field` and to the other roles of
 * the person, in the place of a document of its type, in an empty place, or in that of the document that expires first;
 * or the missing members.
 */
export function renewIdentification(
  record: AccountRecord,
  field: string,
  reference: string,
  shown: ShownId,
): { readonly blocks: object } | { readonly rejections: readonly Rejection[] } {
  const found = partyAt(record, field)
  const idType = identifications[reference]
  if (found === undefined || idType === undefined)
    return { rejections: [reject('ERR.1015', 'idNumber', noParty)] }
  const roles = rolesIn(record, found.party)
  const isIssued = roles.some(
    ({ party }) => party.governmentIdentification?.[memberFor(idType, party)]?.idIssueDate,
  )
  const needed = ['idNumber', 'idLocation', 'idExpiration', ...(isIssued ? ['idIssueDate'] : [])]
  const missing = needed.filter((name) => shown[name as keyof ShownId] === undefined)
  if (missing.length > 0) {
    return {
      rejections: missing.map((name) =>
        reject(
          'ERR.1000',
          name,
          `${name} is required: the record of a renewed identification has its number, place and dates.`,
        ),
      ),
    }
  }
  const blockOf = ({ party }: PlacedParty) => ({
    governmentIdentification: { [memberFor(idType, party)]: { idType, ...given(shown) } },
  })
  const owner = roles.find(({ path }) => path === 'primaryOwner')
  const others = roles.filter((role) => role !== owner)
  return {
    blocks: {
      ...(owner && { primaryOwner: blockOf(owner) }),
      ...(others.length > 0 && {
        associatedParties: others.map((role) => ({ customerId: role.party.customerId, ...blockOf(role) })),
      }),
    },
  }
}

function memberFor(
  idType: string,
  { governmentIdentification: { governmentId1, governmentId2 } = {} }: Party,
): 'governmentId1' | 'governmentId2' {
  if (governmentId1?.idType === idType) return 'governmentId1'
  if (governmentId2?.idType === idType) return 'governmentId2'
  if (isBlank(governmentId1)) return 'governmentId1'
  if (isBlank(governmentId2)) return 'governmentId2'
  // One without a date does not expire.
  const ends = (id: GovernmentId | undefined) => id?.idExpiration || '9999-12-31'
  return ends(governmentId2) < ends(governmentId1) ? 'governmentId2' : 'governmentId1'
}

function given(shown: ShownId): GovernmentId {
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined))
}
