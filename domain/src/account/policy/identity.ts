/** The rules on the identity of the parties: their addresses, ages, documents and citizenships. */
import { ageOn } from '../age.ts'
import { findSanctionedPlaces } from '../find-sanctioned-places.ts'
import type { AccountRecord, GovernmentId, Party } from '../record.ts'
import { registrationOf } from '../registration.ts'
import { screenedAddresses } from '../screened-parts.ts'
import { isForeignCitizen } from '../united-states.ts'
import type { Judged } from './judge-account.ts'
import {
  excusedRoles,
  isPerson,
  ownersIn,
  type PlacedParty,
  partiesOf,
  residenceOf,
  rolesIn,
  standsBy,
} from './parties.ts'
import { isBoxOnly } from './street-address.ts'

export function judgeIdentities(judged: Judged): void {
  for (const placed of partiesOf(judged.record)) {
    judgeResidence(placed, judged)
    judgeAge(placed, judged)
  }
  judgeForeignPersons(judged)
  judgeOtherPlaces(judged)
}

function judgeResidence({ party, path }: PlacedParty, { record, report }: Judged): void {
  const residence = residenceOf(party, record)
  const field = `${path}.legalAddress`
  if (isBoxOnly(residence)) {
    const reason =
      'The legal address must be a residential or business street address, not a post office box.'
    report('AddressNotBox', field, reason)
  }
  if (findSanctionedPlaces(residence).length > 0) {
    const reason = 'A party has its address in a country or region under comprehensive sanctions.'
    report('PlaceNotSanctioned', field, reason)
  }
}

/** Citizenships, issuers of identifications, and addresses other than those of residence. */
function judgeOtherPlaces({ record, report }: Judged): void {
  const isResidence = partiesOf(record).some(
    ({ party }) => residenceOf(party, record) === record.mailingAddress,
  )
  const isJudged = (field: string) =>
    field.endsWith('.legalAddress') || (isResidence && field === 'mailingAddress')
  for (const { field, address } of screenedAddresses(record)) {
    if (isJudged(field) || findSanctionedPlaces(address).length === 0) continue
    const reason =
      field === 'mailingAddress'
        ? 'The mailing address is in a country or region under comprehensive sanctions.'
        : 'A citizenship, an identification, or the address of a person named is of a country or region under comprehensive sanctions.'
    report('PlaceNotSanctioned', byPosition(field, record), reason)
  }
}

/** The path with the position of a party or beneficiary in place of its customer id. */
function byPosition(field: string, record: AccountRecord): string {
  return field.replace(/(associatedParties|beneficiaries)\[(\w*)\]/, (_, list: string, id: string) => {
    const items = list === 'beneficiaries' ? record.beneficiaries : record.associatedParties
    return `${list}[${items.findIndex(({ customerId = '' }) => customerId === id)}]`
  })
}

/** Very few living persons are older, so an older birth date is nearly always a mistake. */
const ageYearsMax = 110

function judgeAge({ party, path }: PlacedParty, { record, facts, report }: Judged): void {
  if (!isPerson(party) || party.birthDate === undefined) return
  if (ageOn(party.birthDate, facts.today) <= ageYearsMax) return
  if (hasEarlierRole(record, { party, path }, (one) => one.birthDate !== undefined)) return
  const reason = `According to the birth date, the person is older than ${ageYearsMax}; a document must prove it.`
  report('AgePlausible', `${path}.birthDate`, reason)
}

/** Whether the person was judged in an earlier role: a person is asked once. */
function hasEarlierRole(
  record: AccountRecord,
  { party, path }: PlacedParty,
  counts: (role: Party) => boolean,
): boolean {
  const [first] = rolesIn(record, party).filter((role) => role.path === path || counts(role.party))
  return first?.path !== path
}

/**
 * Owners are identified when the account opens. Other foreign persons who control it or act for it may be identified
 * while it waits, each in one of the roles.
 */
function judgeForeignPersons({ record, registration, report }: Judged): void {
  const owners = new Set(ownersIn(record).map(({ path }) => path))
  for (const { party, path } of partiesOf(record)) {
    const isForeign = isForeignCitizen(party)
    if (!isPerson(party)) continue
    if (owners.has(path)) {
      const isAsked =
        path === 'primaryOwner' && registrationOf(registration)?.needsGovernmentIdentification === true
      if (isForeign || isAsked)
        judgeOwnerDocument(party.governmentIdentification?.governmentId1, {
          path,
          isForeign,
          registration,
          report,
        })
    } else if (
      isForeign &&
      !standsBy(party, record, excusedRoles) &&
      !rolesIn(record, party).some((role) => isIdentified(role.party)) &&
      !hasEarlierRole(
        record,
        { party, path },
        (role) => isForeignCitizen(role) && !standsBy(role, record, excusedRoles),
      )
    ) {
      const reason =
        'A person who is not a US citizen is identified by a passport or a national identity card.'
      report('ForeignPersonIdentified', `${path}.governmentIdentification`, reason)
    }
  }
}

function isIdentified({ governmentIdentification: ids }: Party): boolean {
  return [ids?.governmentId1, ids?.governmentId2].some(isIdentity)
}

function isIdentity(id: GovernmentId | undefined): boolean {
  return isIdentityKind(id?.idType) && Boolean(id?.idNumber)
}

function isIdentityKind(idType: string | undefined): boolean {
  return idType === 'Passport' || idType === 'NationalId'
}

interface AskedOwner extends Pick<Judged, 'registration' | 'report'> {
  readonly path: string
  readonly isForeign: boolean
}

function judgeOwnerDocument(
  first: GovernmentId | undefined,
  { path, isForeign, registration, report }: AskedOwner,
): void {
  const field = `${path}.governmentIdentification.governmentId1`
  if (first === undefined) {
    const whom = isForeign
      ? 'an owner who is not a US citizen'
      : `the owner of a registration ${registration}`
    report('OwnerIdentified', field, `A passport or national id is required of ${whom}.`)
  } else if (first.idType && !isIdentityKind(first.idType)) {
    report(
      'OwnerDocumentKind',
      `${field}.idType`,
      'The first identification must be a NationalId or Passport.',
    )
  }
}
