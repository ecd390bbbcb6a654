/** The rules of a single person or entity of an account (Reading 3.4, 3.5, 3.6). */
import {
  canonicalCode,
  checkAddress,
  faultOfPersonName,
  limits,
  plainMarks,
  slowLastName,
} from '@clearing/protocol/values'
import { isBlank } from './blank.ts'
import { mayLackTaxNumber } from './policy/tax-identification.ts'
import type { Affiliation, AffiliationBlock, GovernmentId, Party } from './record.ts'
import type { Findings, RuleSettings } from './rule-scope.ts'
import { whyNoTaxId } from './tax-id.ts'
import { isForeignCitizen } from './united-states.ts'

/** The whole check of a party at `path` of an account with the registration. */
export function checkParty(
  party: Party,
  path: string,
  registrationType: string,
  settings: RuleSettings,
  findings: Findings,
): void {
  checkNames(party, path, settings, findings)
  checkRequired(party, path, registrationType, findings)
  checkBirthDate(party, path, settings, findings)
  checkTaxId(party, path, settings, findings)
  checkPhones(party, path, findings)
  for (const [name, address] of [
    ['legalAddress', party.legalAddress],
    ['employerAddress', party.employerAddress],
    ['trustedContact.address', party.trustedContact?.address],
    ['affiliation.address', party.affiliation?.address],
  ] as const) {
    if (!address || isBlank(address)) continue
    for (const found of checkAddress(address, `${path}.${name}`)) {
      // The specification shows the address of an affiliation without a state (Reading 1.7).
      const mayLack = name === 'affiliation.address' && isBlank(address.stateProvince)
      if (!(mayLack && found.field.endsWith('.stateProvince'))) {
        findings.add(found.code, found.field, found.reason)
      }
    }
  }
  if (party.trustedContact && !isBlank(party.trustedContact) && !party.trustedContact.name) {
    findings.add('ERR.1000', `${path}.trustedContact.name`, 'The name of the trusted contact is required.')
  }
  if (party.affiliation) checkAffiliation(party.affiliation, `${path}.affiliation`, findings)
  for (const which of idPlaces) {
    const id = party.governmentIdentification?.[which]
    if (!id) continue
    const field = `${path}.governmentIdentification.${which}`
    checkGovernmentId(id, field, settings, findings)
    if (id.idType === 'CompanyRegistration' && party.nameType !== 'Entity') {
      findings.add('ERR.1015', `${field}.idType`, 'A person has no company registration.')
    }
  }
}

const idPlaces = ['governmentId1', 'governmentId2'] as const

/** A birth date that another rule rejects is the only error: the issue dates may be right. */
export function checkIssuedAfterBirth(party: Party, path: string, findings: Findings): void {
  const { birthDate = '', governmentIdentification: ids } = party
  const isRejected = findings.rejections.some(({ field }) => field === `${path}.birthDate`)
  if (party.nameType === 'Entity' || isRejected) return
  for (const which of idPlaces) {
    const issued = ids?.[which]?.idIssueDate
    if (!issued || issued >= birthDate) continue
    const reason = 'The issue date must not be before the birth date.'
    findings.add('ERR.1024', `${path}.governmentIdentification.${which}.idIssueDate`, reason)
  }
}

const nameParts = [
  ['firstName', 'First name'],
  ['middleName', 'Middle name'],
  ['lastName', 'Last name'],
  ['suffix', 'Suffix'],
] as const

function checkNames(party: Party, path: string, settings: RuleSettings, findings: Findings): void {
  const entity = party.nameType === 'Entity'
  if (!party.firstName && !findings.wasRefused(`${path}.firstName`)) {
    if (entity) findings.add('ERR.1000', `${path}.name1`, 'The name of the entity is required.')
    else findings.add('ERR.1000', `${path}.firstName`, 'First name is required.')
  }
  if (!party.lastName && !entity) findings.add('ERR.1000', `${path}.lastName`, 'Last name is required.')
  if (entity) return
  const inSandbox = settings.magicTaxIds.size > 0
  for (const [part, label] of nameParts) {
    const name = party[part]
    if (!name) continue
    const isSlow = name === slowLastName && !inSandbox
    const fault = isSlow ? 'A name has no digits.' : faultOfPersonName(label, plainMarks(name))
    if (fault !== undefined) findings.add('ERR.1016', `${path}.${part}`, fault)
  }
}

function checkRequired(party: Party, path: string, registrationType: string, findings: Findings): void {
  if (!party.citizenshipCountry) {
    findings.add('ERR.1000', `${path}.citizenshipCountry`, 'Citizenship country is required.')
  }
  if (!party.birthDate && party.nameType !== 'Entity') {
    findings.add('ERR.1000', `${path}.birthDate`, 'Birth date is required.')
  }
  if (party.legalAddress === undefined) {
    findings.add(
      'ERR.1000',
      `${path}.legalAddress`,
      'Legal address is required; an empty object means the same as the mailing address.',
    )
  }
  if (!party.taxIdType && !party.taxIdNumber && mayLackTaxNumber(party, registrationType)) return
  if (!party.taxIdType) findings.add('ERR.1000', `${path}.taxIdType`, whyTaxIdType(party))
  if (!party.taxIdNumber) findings.add('ERR.1000', `${path}.taxIdNumber`, 'Tax id number is required.')
}

function whyTaxIdType(party: Party): string {
  if (!isForeignCitizen(party)) return 'Tax id type is required.'
  return party.nameType === 'Entity'
    ? 'Tax id type is required, or as governmentId1 a CompanyRegistration of another country (idLocation).'
    : 'Tax id type is required, unless the person has a passport or national id of another country (governmentId1.idLocation), and the registration is IndividualJointForeign or the person is reported as Foreign (caisInformation.customerType).'
}

function checkBirthDate(party: Party, path: string, settings: RuleSettings, findings: Findings): void {
  if (!party.birthDate) return
  const field = `${path}.birthDate`
  if (party.birthDate > settings.today) {
    findings.add('ERR.1012', field, 'Birth date must not be in the future.')
  } else if (party.birthDate < limits.birthDateMin) {
    findings.add('ERR.1012', field, `Birth date must not be before ${limits.birthDateMin}.`)
  }
}

function checkTaxId(party: Party, path: string, settings: RuleSettings, findings: Findings): void {
  if (!party.taxIdNumber) return
  const why = whyNoTaxId(party.taxIdType ?? 'TaxId', party.taxIdNumber, { magicValues: settings.magicTaxIds })
  if (why) findings.add('ERR.1016', `${path}.taxIdNumber`, `Tax id number cannot be right: ${why}.`)
}

const phones = [
  ['phoneRegionCell', 'phoneNumberCell'],
  ['phoneRegionHome', 'phoneNumberHome'],
  ['phoneRegionBusiness', 'phoneNumberBusiness'],
] as const

/**
 * At least one complete phone; a number of ten digits without a region is taken for a US number before this (Reading
 * 3.4).
 */
function checkPhones(party: Party, path: string, findings: Findings): void {
  const given = phones.filter(([, number]) => party[number] || findings.wasRefused(`${path}.${number}`))
  if (given.length === 0) {
    findings.add(
      'ERR.1017',
      `${path}.phoneNumberCell`,
      'At least one phone (cell, home or business) is required.',
    )
  }
  // A country that cannot be read is the only error: with it, the number may have its region.
  const isForeign = Boolean(party.legalAddress?.country) || !findings.has('mailingAddress.country')
  for (const [region, number] of phones) {
    if (party[number] && !party[region] && isForeign) {
      findings.add('ERR.1013', `${path}.${region}`, 'A phone number outside the US needs its region code.')
    }
    if (party[region] && !party[number]) {
      findings.add('ERR.1011', `${path}.${number}`, 'A phone region code needs its phone number.')
    }
  }
}

/** The lists of places that may issue an identification (Specification, Government identification entry). */
const placeLists = ['country', 'usState', 'canadianProvince'] as const

function checkGovernmentId(id: GovernmentId, path: string, settings: RuleSettings, findings: Findings): void {
  if (!id.idType) findings.add('ERR.1000', `${path}.idType`, 'The type of the identification is required.')
  if (!id.idNumber)
    findings.add('ERR.1000', `${path}.idNumber`, 'The number of the identification is required.')
  if (id.idNumber?.includes('*')) {
    findings.add(
      'ERR.1016',
      `${path}.idNumber`,
      'A masked number is accepted only if it is the number on record.',
    )
  }
  if (id.idLocation && !placeLists.some((list) => canonicalCode(list, id.idLocation as string))) {
    findings.add(
      'ERR.1015',
      `${path}.idLocation`,
      'Id location must be the two-letter code of a country, a US state or a Canadian province.',
    )
  }
  if (id.idIssueDate && id.idIssueDate > settings.today) {
    findings.add('ERR.1024', `${path}.idIssueDate`, 'The issue date must not be in the future.')
  }
  if (id.idIssueDate && id.idExpiration && id.idExpiration <= id.idIssueDate) {
    findings.add('ERR.1025', `${path}.idExpiration`, 'The expiration must be after the issue date.')
  } else if (id.idExpiration && id.idExpiration < settings.today) {
    findings.add('ERR.1024', `${path}.idExpiration`, 'The identification has expired.')
  }
}

const affiliationMembers = {
  industry: ['firmClearing', 'companyName'],
  publicCompany: ['name', 'symbol'],
  service: ['name', 'position', 'relationship', 'affiliatedEntity'],
} as const

/** When `associated` is true, the other attributes of the block are required (Reading 3.5). */
function checkAffiliation(affiliation: Affiliation, path: string, findings: Findings): void {
  for (const [name, members] of Object.entries(affiliationMembers)) {
    const given = affiliation[name as keyof typeof affiliationMembers]
    if (typeof given !== 'object' || given.associated !== 'True') continue
    for (const member of members) {
      if (!given[member]) requireMember(findings, `${path}.${name}.${member}`)
    }
  }
  const political = affiliation.political
  if (typeof political !== 'object' || political.associated !== 'True') return
  requirePoliticalName(political, `${path}.political`, findings)
  if (!political.organization) requireMember(findings, `${path}.political.organization`)
  if (!political.relationship) requireMember(findings, `${path}.political.relationship`)
}

/** The name is in one field or in two. If one of the two is given, the other one is missing. */
function requirePoliticalName(
  { name, firstName, lastName }: AffiliationBlock,
  path: string,
  findings: Findings,
): void {
  const given = (part: string, value: unknown) => Boolean(value) || findings.wasRefused(`${path}.${part}`)
  if (given('name', name)) return
  const hasFirst = given('firstName', firstName)
  const hasLast = given('lastName', lastName)
  if (hasFirst && !hasLast) requireMember(findings, `${path}.lastName`)
  else if (hasLast && !hasFirst) requireMember(findings, `${path}.firstName`)
  else if (!hasFirst) requireMember(findings, `${path}.name`)
}

function requireMember(findings: Findings, field: string): void {
  findings.add('ERR.1000', field, 'Required because associated is true.')
}
