/**
 * The rules on tax numbers: the kinds that each party may have, the parties that need none, and the certification
 * that is requested.
 */
import { canonicalCode } from '@clearing/protocol/values'
import { type Decimal, decimal } from '../../decimal.ts'
import { readPercentage } from '../percentage.ts'
import type { AccountRecord, Party } from '../record.ts'
import { isForeignCitizen, isInStates, isUnitedStates } from '../united-states.ts'
import type { Judged } from './judge-account.ts'
import {
  isPerson,
  isSamePerson,
  ownersIn,
  type PlacedParty,
  partiesOf,
  residenceOf,
  roleOf,
} from './parties.ts'
import { guardingRoles, type PartyRole } from './registration-roles.ts'
import { isAssignedEin, isItin, isPublishedNumber } from './tax-numbers.ts'

const noPercent = decimal('0')
const wholePercent = decimal('100')

export function judgeTaxNumbers(judged: Judged): void {
  for (const placed of partiesOf(judged.record)) {
    judgeNumber(placed, judged)
    if (isForeignCustomer(placed.party) && placed.party.taxIdType === 'SSN') {
      const reason = 'The party is reported as a foreign person and has a social security number.'
      judged.report('ForeignWithSsn', `${placed.path}.caisInformation.customerType`, reason)
    }
  }
  judgeCertification(judged)
}

function judgeNumber({ party, path }: PlacedParty, judged: Judged): void {
  const { taxIdType, taxIdNumber: number } = party
  const { report, facts } = judged
  if (!isPerson(party) && !number && mayLackTaxNumber(party, judged.registration)) {
    const reason = 'A foreign entity without a tax id shows a document of its government that it exists.'
    report('ForeignEntityDocumented', `${path}.governmentIdentification`, reason)
  }
  if (!taxIdType || !number || !/^\d{9}$/.test(number) || facts.magicTaxIds.has(number)) return
  const field = `${path}.taxIdNumber`
  const isOfPerson = isNumberOfPerson(party, judged)
  if (!isPerson(party) && (taxIdType === 'SSN' || isOfPerson) && !isLentNumber(party, judged)) {
    const reason =
      'An entity has a TaxId of its own; the number of its grantor or only owner is accepted when that person is a party with this number.'
    report('EntityNumber', taxIdType === 'SSN' ? `${path}.taxIdType` : field, reason)
  }
  if (isPublishedNumber(number)) {
    report('PublishedNumber', field, 'The tax id is one that was published as an example.')
    return
  }
  if (isNumberOfOther({ party, path }, judged)) {
    report('TaxIdOfAnother', field, 'A person with another birth date has the same tax id.')
  }
  if (taxIdType === 'SSN') return
  const isOwnEin = !isPerson(party) && !isOfPerson && party === judged.record.primaryOwner
  if (isOwnEin && facts.numbersOfOthers?.has(party.customerId ?? '')) {
    report('EinOfAnother', field, 'Another account of the firm has this EIN under another name.')
  }
  if (isPerson(party) && !isItin(number)) {
    report(
      'PersonNumber',
      field,
      'The TaxId of a person is not in the range of individual taxpayer numbers (ITIN).',
    )
  } else if (isPerson(party) && party.citizenshipCountry !== undefined && !isForeignCitizen(party)) {
    report(
      'PersonNumber',
      field,
      'A citizen or national of the United States has a social security number, not an ITIN.',
    )
  }
  if (!isPerson(party) && !isOfPerson && !isAssignedEin(number)) {
    report(
      'EinPrefix',
      field,
      'The Internal Revenue Service has not assigned the first two digits of this EIN.',
    )
  }
}

/**
 * A person has one tax id, and another name after a marriage: a number with two birth dates is of two persons. A
 * custodian or guardian with the owner's number is refused, and the minor of the account is its owner.
 */
function isNumberOfOther({ party, path }: PlacedParty, { record, facts }: Judged): boolean {
  const { customerId = '', taxIdNumber, birthDate } = party
  if (!isPerson(party) || !birthDate) return false
  if (facts.numbersOfOthers?.has(customerId)) return true
  const role = roleOf(party, record) ?? ''
  if (guardingRoles.has(role) || role === 'Minor') return false
  const parties = partiesOf(record)
  return parties
    .slice(
      0,
      parties.findIndex((one) => one.path === path),
    )
    .some(
      ({ party: other }) =>
        isPerson(other) &&
        other.taxIdNumber === taxIdNumber &&
        other.birthDate !== undefined &&
        other.birthDate !== birthDate,
    )
}

/** Whether the TaxId of the entity that owns the account is the SSN or ITIN of a party. */
function isNumberOfPerson(entity: Party, { record }: Judged): boolean {
  const { taxIdNumber: number = '' } = entity
  return (
    entity === record.primaryOwner &&
    record.associatedParties.some(
      (party) =>
        isPerson(party) && party.taxIdNumber === number && (party.taxIdType === 'SSN' || isItin(number)),
    )
  )
}

function isLentNumber(entity: Party, { record }: Judged): boolean {
  return entity === record.primaryOwner && hasLentNumber(record)
}

/** Whether the owning entity has the number of a grantor or only owner. */
export function hasLentNumber(record: AccountRecord): boolean {
  return lendersOf(record).length > 0
}

/**
 * The persons whose number the owning entity has. A revocable trust may use its grantor's number, an LLC with one owner
 * that owner's; the person is a party with the number.
 */
export function lendersOf({
  registrationType,
  primaryOwner,
  associatedParties,
}: AccountRecord): readonly Party[] {
  const lenders =
    registrationType === 'Trust'
      ? associatedParties.filter(({ role }) => role === 'Grantor')
      : registrationType === 'Llc'
        ? onlyOwnerOf(associatedParties)
        : []
  const { taxIdNumber: number } = primaryOwner
  return lenders.filter((party) => isPerson(party) && Boolean(number) && party.taxIdNumber === number)
}

const owning: ReadonlySet<string> = new Set<PartyRole>(['Member', 'BeneficialOwner'])

/**
 * The only owner of an LLC, who is its member or owns 100 percent of it; none if another party has a share, or the role
 * of an owner, or if the owner has less. With two owners it is a partnership or a corporation (26 CFR
 * 301.7701-3(b)(1)).
 */
function onlyOwnerOf(parties: readonly Party[]): readonly Party[] {
  const owners = parties.filter(
    (party) => owning.has(party.role ?? '') || (shareOf(party) ?? noPercent) > noPercent,
  )
  const isOne = owners.every(
    (party, _, [first = party]) =>
      isSamePerson(party, first) && (shareOf(party) ?? wholePercent) === wholePercent,
  )
  return isOne ? owners.filter((party) => party.role === 'Member' || shareOf(party) === wholePercent) : []
}

function shareOf({ ownershipPercent }: Party): Decimal | undefined {
  return readPercentage(ownershipPercent)
}

/** Whether the party is reported as a foreign person (CAIS). */
function isForeignCustomer({ caisInformation }: Party): boolean {
  return caisInformation?.customerType?.includes('Foreign') ?? false
}

/**
 * Whether a party may be without a tax number: a person who is no US citizen, is known as foreign by CAIS or by the
 * registration, and has the passport or national id of a country; or an entity of another country that its government
 * has registered (31 CFR 1023.220(a)(2)(i)(A)(4)(ii)). For identification, an entity of a territory is a US person (31
 * CFR 1010.100(hhh)).
 */
export function mayLackTaxNumber(party: Party, registrationType: string): boolean {
  if (!isForeignCitizen(party)) return false
  if (!isPerson(party)) return hasForeignId(party, ['CompanyRegistration'])
  if (!isForeignCustomer(party) && registrationType !== 'IndividualJointForeign') return false
  return hasForeignId(party, ['Passport', 'NationalId'])
}

/** Whether the party has a numbered document of one of the kinds, of another country. */
function hasForeignId({ governmentIdentification: ids }: Party, kinds: readonly string[]): boolean {
  return [ids?.governmentId1, ids?.governmentId2].some(
    (id) => kinds.includes(id?.idType ?? '') && Boolean(id?.idNumber) && isForeignCountry(id?.idLocation),
  )
}

/** A place of issue may also be a state or a province, which is not a country of issuance. */
function isForeignCountry(place = ''): boolean {
  return !isUnitedStates(place) && canonicalCode('country', place) !== undefined
}

/**
 * Whether the party is an entity that was not organized in the United States. The tax law counts the States and the
 * District of Columbia only, so that an entity of a territory is foreign (26 USC 7701(a)(4), (5) and (9)).
 */
export function isForeignEntity(party: Party): boolean {
  const { citizenshipCountry: country } = party
  return !isPerson(party) && country !== undefined && country !== 'US'
}

export type CertificationRule =
  | 'ForeignOwnerCertified'
  | 'AlienOwnerCertified'
  | 'ForeignEntityCertified'
  | 'UsOwnerCertified'

/** An owner who certifies the tax status, and the rule that requires it. */
export interface Certified extends PlacedParty {
  readonly rule: CertificationRule
}

/**
 * The owners who certify their tax status. The payee of an account is the owner named first, so that the form of a US
 * person covers all owners (26 CFR 31.3406(h)-2(a)). If the first owner is foreign, every owner certifies: without the
 * documentation of all of them, the payments count as made to an unidentified US person (26 CFR 1.1441-1(b)(3)(vii) and
 * 31.3406(h)-2(a)(3)). An alien who lives in the United States is foreign only if the alien has certified so
 * (`isForeign`).
 */
export function certificationsOf(
  record: AccountRecord,
  magicTaxIds: ReadonlySet<string>,
  isForeign = false,
): Certified[] {
  const owners = ownersIn(record)
  const first = certificationOf(record, magicTaxIds)
  const all = first === 'ForeignOwnerCertified' || (first === 'AlienOwnerCertified' && isForeign)
  const asked = all ? owners : owners.slice(0, 1)
  return asked.flatMap((placed) => {
    const rule = certificationOf({ ...record, primaryOwner: placed.party }, magicTaxIds)
    return rule === undefined ? [] : [{ ...placed, rule }]
  })
}

/**
 * The rule by which the primary owner certifies its status: a foreign person on Form W-8BEN, an entity of another
 * country on Form W-8BEN-E, or on Form W-8IMY if the income is that of its partners or grantors, every other owner on
 * Form W-9. An alien is foreign unless a lawful permanent resident or present for long enough (26 CFR 301.7701(b)-1).
 * The record shows neither, so that an alien who lives in the United States may certify on either form. Undefined where
 * a number of the sandbox stands for the owner.
 */
export function certificationOf(
  record: AccountRecord,
  magicTaxIds: ReadonlySet<string>,
): CertificationRule | undefined {
  const { primaryOwner: owner, registrationType } = record
  if (magicTaxIds.has(owner.taxIdNumber ?? '')) return undefined
  if (!isPerson(owner)) return isForeignEntity(owner) ? 'ForeignEntityCertified' : 'UsOwnerCertified'
  if (!isForeignCitizen(owner)) return 'UsOwnerCertified'
  const isForeign =
    registrationType === 'IndividualJointForeign' ||
    isForeignCustomer(owner) ||
    owner.taxIdNumber === undefined ||
    !isInStates(residenceOf(owner, record))
  return isForeign ? 'ForeignOwnerCertified' : 'AlienOwnerCertified'
}

const certifications: Readonly<Record<CertificationRule, string>> = {
  ForeignOwnerCertified: 'A foreign owner certifies the tax status on Form W-8BEN, or on Form W-8ECI.',
  AlienOwnerCertified:
    'An owner who is not a US citizen and lives in the United States certifies the tax status on Form W-9 as a resident alien, or otherwise on Form W-8BEN or W-8ECI.',
  ForeignEntityCertified:
    'A foreign entity certifies the tax status on Form W-8BEN-E, W-8ECI, W-8EXP or W-8IMY.',
  UsOwnerCertified: 'The owner certifies the tax status on Form W-9.',
}

/** Whether the residence of a party or the mailing address of the account is in the United States. */
export function isUsAddressOf(party: Party, record: AccountRecord): boolean {
  return isInStates(residenceOf(party, record)) || isInStates(record.mailingAddress)
}

function judgeCertification({ record, report, facts }: Judged): void {
  for (const { rule, path } of certificationsOf(record, facts.magicTaxIds)) {
    report(rule, path, certifications[rule])
  }
}
