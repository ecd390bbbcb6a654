/** Whether the parties can be the persons that the record describes: their addresses, ages, documents and tax numbers. */
import { ageOn } from '../age.ts'
import { findSanctionedPlaces } from '../find-sanctioned-places.ts'
import type { AccountRecord } from '../record.ts'
import { screenedAddresses } from '../screened-parts.ts'
import type { Judged } from './judge-account.ts'
import { isPerson, type PlacedParty, partiesOf, residenceOf } from './parties.ts'
import { isBoxOnly } from './street-address.ts'

export function judgeIdentities(judged: Judged): void {
  for (const placed of partiesOf(judged.record)) {
    judgeResidence(placed, judged)
    judgeAge(placed, judged)
    judgeForeignPerson(placed, judged)
  }
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

/** Citizenships, and addresses other than those of mailing and residence. */
function judgeOtherPlaces({ record, report }: Judged): void {
  const found = screenedAddresses(record).find(
    ({ field, address }) =>
      !/^mailingAddress$|\.legalAddress$/.test(field) && findSanctionedPlaces(address).length > 0,
  )
  if (found === undefined) return
  const reason =
    'A citizenship, or the address of a person named, is of a country or region under comprehensive sanctions.'
  report('PlaceNotSanctioned', byPosition(found.field, record), reason)
}

/** The path with the position of a party or beneficiary in place of its customer id. */
function byPosition(field: string, record: AccountRecord): string {
  return field.replace(/^(associatedParties|beneficiaries)\[(\w*)\]/, (whole, list: string, id: string) => {
    const items = list === 'beneficiaries' ? record.beneficiaries : record.associatedParties
    const position = items.findIndex(({ customerId }) => customerId === id)
    return position < 0 ? whole : `${list}[${position}]`
  })
}

/** Only a handful of living persons are known to be older; an older birth date is nearly always a mistake. */
const ageYearsMax = 110

function judgeAge({ party, path }: PlacedParty, { facts, report }: Judged): void {
  if (!isPerson(party) || party.birthDate === undefined) return
  if (ageOn(party.birthDate, facts.today) <= ageYearsMax) return
  const reason = `By the birth date the person is older than ${ageYearsMax}; a document must prove it.`
  report('AgePlausible', `${path}.birthDate`, reason)
}

function judgeForeignPerson({ party, path }: PlacedParty, { report }: Judged): void {
  const { citizenshipCountry, governmentIdentification: ids } = party
  if (!isPerson(party) || citizenshipCountry === undefined || citizenshipCountry === 'US') return
  const proves = [ids?.governmentId1, ids?.governmentId2].some(
    (id) => (id?.idType === 'Passport' || id?.idType === 'NationalId') && Boolean(id.idNumber),
  )
  if (proves) return
  const reason = 'A person who is not a US citizen is identified by a passport or a national identity card.'
  report('ForeignPersonIdentified', `${path}.governmentIdentification`, reason)
}
