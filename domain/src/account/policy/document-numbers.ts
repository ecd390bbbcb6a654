/**
 * The numbers of passports and other identifications. A foreign person without a tax id is identified by such a number
 * alone (31 CFR 1023.220(a)(2)(i)(A)(4)(ii)).
 */
import type { GovernmentId, Party } from '../record.ts'
import type { Judged } from './judge-account.ts'
import { isPerson, type PlacedParty, partiesOf } from './parties.ts'

const places = ['governmentId1', 'governmentId2'] as const

export function judgeDocumentNumbers(judged: Judged): void {
  const { record, facts, report } = judged
  for (const placed of partiesOf(record)) {
    const field = `${placed.path}.governmentIdentification`
    for (const place of places) {
      const id = placed.party.governmentIdentification?.[place]
      if (!id?.idNumber || isDocumentNumber(id, facts.sandbox)) continue
      const reason = 'The number of the identification is a placeholder, not the number of a document.'
      report('IdNumberIsNumber', `${field}.${place}.idNumber`, reason)
    }
    if (hasDocumentOfOther(placed, judged)) {
      const reason = 'A person with another birth date has an identification with the same number.'
      report('IdentificationOfAnother', field, reason)
    }
  }
}

/**
 * German passports and identity cards that were issued before November 2023 may have letters alone, of those that form
 * no words (Passverordnung, annex 11).
 */
const lettersOfGermany = /^[CFGHJKLMNPRTVWXYZ]{9}$/
const lengthMin = 4

/**
 * Whether an authority can have given out the number. Some States number licenses from 1, so that a license may have a
 * short number. The sandbox accepts the short numbers of examples.
 */
function isDocumentNumber({ idType, idNumber = '' }: GovernmentId, sandbox: boolean): boolean {
  const text = plainNumber(idNumber)
  if (new Set(text).size < 2) return false
  if (!/\p{Nd}/u.test(text)) return lettersOfGermany.test(text)
  const mayBeShort = sandbox || (idType !== 'Passport' && idType !== 'NationalId')
  return mayBeShort || text.length >= lengthMin
}

/** A number in its letters and digits, as it can be written with spaces and hyphens. */
function plainNumber(number: string): string {
  return number.toUpperCase().replace(/[^\p{L}\p{Nd}]/gu, '')
}

/** The kind, the place of issue and the number of a document, which one person has. */
function documentOf(id: GovernmentId | undefined): string[] {
  const { idType, idLocation, idNumber } = id ?? {}
  if (!idType || !idLocation || !idNumber) return []
  return isDocumentNumber({ idType, idNumber }, true)
    ? [`${idType}/${idLocation}/${plainNumber(idNumber)}`]
    : []
}

function documentsOf({ governmentIdentification: ids }: Party): string[] {
  return places.flatMap((place) => documentOf(ids?.[place]))
}

/**
 * The document by which a party without a tax id is found: a passport, or else a national id, of a person, and the
 * registration of an entity; undefined for others.
 */
export function documentInPlaceOfTaxId(party: Party): string | undefined {
  if (party.taxIdNumber) return undefined
  const documents = documentsOf(party)
  const ofKind = (kind: string) => documents.find((document) => document.startsWith(`${kind}/`))
  return isPerson(party) ? (ofKind('Passport') ?? ofKind('NationalId')) : ofKind('CompanyRegistration')
}

/** Another person has another birth date, as for tax ids (`TaxIdOfAnother`). */
function hasDocumentOfOther({ party, path }: PlacedParty, { record, facts }: Judged): boolean {
  const { customerId = '', birthDate } = party
  if (!isPerson(party) || !birthDate) return false
  if (documentInPlaceOfTaxId(party) !== undefined && facts.numbersOfOthers?.has(customerId)) return true
  const documents = documentsOf(party)
  const parties = partiesOf(record)
  const earlier = parties.slice(
    0,
    parties.findIndex((one) => one.path === path),
  )
  return earlier.some(
    ({ party: other }) =>
      isPerson(other) &&
      other.birthDate !== undefined &&
      other.birthDate !== birthDate &&
      documentsOf(other).some((document) => documents.includes(document)),
  )
}
