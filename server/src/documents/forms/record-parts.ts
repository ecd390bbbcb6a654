/**
 * Parts of forms that are filled from an account's record: persons, addresses, beneficiaries, and owners' financial
 * data.
 */
import {
  type Address,
  type AffiliationBlock,
  type Beneficiary,
  fullName,
  type GovernmentId,
  maskNumber,
  ownersOf,
  type Party,
  registrationOf,
} from '@clearing/domain'
import { type CodeListName, codeLists, codeRow, fieldLabel } from '@clearing/protocol'
import {
  type Box,
  box,
  boxes,
  checks,
  type FormCase,
  type Part,
  questions,
  type Section,
  signature,
  text,
} from './form.ts'

/** The label of a coded value in its list. */
export function labelOf(list: CodeListName, value: string | undefined): string {
  return value === undefined || value === '' ? '' : (codeRow(list, value)?.label ?? value)
}

function number(value: string | undefined, { personalNumbers }: FormCase): string {
  return value === undefined ? '' : personalNumbers ? value : maskNumber(value)
}

/** `219-09-9998` or `21-9099998`, masked when the reader may not see it. */
export function taxId(party: Pick<Party, 'taxIdType' | 'taxIdNumber'>, form: FormCase): string {
  const digits = number(party.taxIdNumber, form)
  if (digits.length !== 9) return digits
  return party.taxIdType === 'SSN'
    ? `${digits.slice(0, 3)}-${digits.slice(3, 5)}-${digits.slice(5)}`
    : `${digits.slice(0, 2)}-${digits.slice(2)}`
}

function phone(region: string | undefined, digits: string | undefined): string {
  return digits ? `${region ? `+${region} ` : ''}${digits}` : ''
}

function hasAddress(address: Address | undefined): address is Address {
  return address !== undefined && Object.keys(address).length > 0
}

export function addressBoxes(label: string, address: Address | undefined): Part[] {
  return hasAddress(address)
    ? [
        boxes(box(`${label}: street`, address.street, 3), box('City', address.city, 2)),
        boxes(
          box('State or province', address.stateProvince),
          box('Postal code', address.postalCode),
          box('Country', labelOf('country', address.country), 2),
        ),
      ]
    : [boxes(box(label, 'AS THE MAILING ADDRESS'))]
}

function addressLine(address: Address | undefined): string {
  return hasAddress(address)
    ? [
        address.street?.replaceAll('\n', ', '),
        address.city,
        [address.stateProvince, address.postalCode].filter(Boolean).join(' '),
        labelOf('country', address.country),
      ]
        .filter(Boolean)
        .join(', ')
    : ''
}

/** Every value of a list as a check box; the given values are checked. */
export function choices(label: string, list: CodeListName, ...given: readonly (string | undefined)[]): Part {
  return checks(
    label,
    codeLists[list].map((row) => ({ label: row.label, checked: given.includes(row.value) })),
  )
}

/** The first section of every form. */
export function accountSection(form: FormCase): Section {
  return {
    title: 'Account',
    parts: [
      boxes(
        box(fieldLabel('accountName'), form.accountName, 3),
        box(fieldLabel('accountNumber'), form.accountNumber),
      ),
      boxes(
        box(fieldLabel('registrationType'), labelOf('registrationType', form.record.registrationType), 2),
        box('Introducing firm', form.firmName, 2),
        box(fieldLabel('entityNumber'), form.record.entityNumber),
        box(fieldLabel('main.repCode'), form.record.main.repCode),
      ),
    ],
  }
}

/** The name of a person's field in the catalogue of fields. */
function label(name: string): string {
  return fieldLabel(`primaryOwner.${name}`)
}

/** The name and identification of a person or an entity. */
export function identityParts(party: Party, form: FormCase): Part[] {
  const entity = party.nameType === 'Entity'
  return [
    entity
      ? boxes(
          box('Name', fullName(party), 3),
          box('Tax id type', party.taxIdType),
          box('Tax id', taxId(party, form)),
        )
      : boxes(
          box(label('firstName'), party.firstName, 2),
          box(label('middleName'), party.middleName, 2),
          box(label('lastName'), party.lastName, 2),
          box(label('suffix'), party.suffix),
        ),
    ...(entity
      ? [
          boxes(
            box('Country of organization', labelOf('country', party.citizenshipCountry)),
            box(label('email'), party.email, 2),
          ),
        ]
      : [
          boxes(
            box(label('birthDate'), party.birthDate),
            box('Tax id type', party.taxIdType === 'SSN' ? 'SSN' : 'Tax id'),
            box('Tax id', taxId(party, form)),
            box(label('citizenshipCountry'), labelOf('country', party.citizenshipCountry), 2),
          ),
        ]),
    ...addressBoxes(label('legalAddress'), party.legalAddress),
  ]
}

/** All data about a person in the record. */
export function partyParts(party: Party, form: FormCase): Part[] {
  return [
    ...identityParts(party, form),
    ...(party.nameType === 'Entity'
      ? []
      : [
          boxes(
            box(label('email'), party.email, 3),
            box(label('maritalStatus'), labelOf('maritalStatus', party.maritalStatus)),
            box(label('dependents'), party.dependents),
          ),
        ]),
    boxes(
      box(label('phoneNumberCell'), phone(party.phoneRegionCell, party.phoneNumberCell)),
      box(label('phoneNumberHome'), phone(party.phoneRegionHome, party.phoneNumberHome)),
      box(label('phoneNumberBusiness'), phone(party.phoneRegionBusiness, party.phoneNumberBusiness)),
    ),
    ...employmentParts(party),
    ...identificationParts(party, form),
    ...affiliationParts(party),
    ...trustedContactParts(party),
  ]
}

function employmentParts(party: Party): Part[] {
  return [
    boxes(
      box(label('occupation'), labelOf('occupation', party.occupation), 2),
      box(label('jobTitle'), party.jobTitle, 2),
      box(label('jobIndustry'), labelOf('jobIndustry', party.jobIndustry), 2),
    ),
    boxes(
      box(label('employerName'), party.employerName, 2),
      box(
        label('employerPhoneNumber'),
        [
          phone(party.employerPhoneRegionCode, party.employerPhoneNumber),
          party.employerPhoneExtension ? `ext. ${party.employerPhoneExtension}` : '',
        ]
          .filter(Boolean)
          .join(' '),
      ),
      box(label('employerAddress'), addressLine(party.employerAddress), 3),
    ),
    boxes(
      box(
        label('sourceOfFunds'),
        [...(party.sourceOfFunds ?? []).map((one) => labelOf('sourceOfFunds', one)), party.otherSourceOfFund]
          .filter(Boolean)
          .join(', '),
      ),
    ),
  ]
}

/** Passports and similar documents, one per line. */
export function identificationParts({ governmentIdentification: ids }: Party, form: FormCase): Part[] {
  return [ids?.governmentId1, ids?.governmentId2].flatMap((id, at) => (id ? [idBoxes(id, at + 1, form)] : []))
}

function idBoxes(id: GovernmentId, position: number, form: FormCase): Part {
  return boxes(
    box(`Identification ${position}`, labelOf('governmentIdType', id.idType), 2),
    box('Number', number(id.idNumber, form), 2),
    box('Issued by', id.idLocation),
    box('Issued on', id.idIssueDate, 1.4),
    box('Expires on', id.idExpiration, 1.4),
  )
}

const affiliationQuestions = {
  publicCompany: label('affiliation.publicCompany'),
  industry: label('affiliation.industry'),
  political: label('affiliation.political'),
  service: label('affiliation.service'),
}

function affiliationParts({ affiliation }: Party): Part[] {
  if (affiliation === undefined) return []
  const answers = Object.entries(affiliationQuestions).flatMap(([name, question]) => {
    const given = affiliation[name as keyof typeof affiliationQuestions]
    if (given === undefined) return []
    const block: AffiliationBlock = typeof given === 'string' ? { associated: given } : given
    const { associated, ...rest } = block
    const details = Object.values(rest).filter(Boolean).join(', ')
    return [questions([[question, associated]]), ...(details === '' ? [] : [boxes(box('Details', details))])]
  })
  const about = [
    affiliation.name,
    affiliation.relationship,
    affiliation.organization,
    addressLine(affiliation.address),
  ]
  const details = about.filter(Boolean).join(', ')
  return [...answers, ...(details === '' ? [] : [boxes(box('Affiliated person', details))])]
}

function trustedContactParts({ trustedContact: contact }: Party): Part[] {
  return contact === undefined
    ? []
    : [
        boxes(
          box('Trusted contact', contact.name, 2),
          box('Relationship', labelOf('relationship', contact.relationship)),
          box('Phone', phone(contact.phoneRegionCode, contact.phoneNumber)),
          box('E-mail', contact.email, 2),
        ),
        ...(contact.address ? [boxes(box('Trusted contact’s address', addressLine(contact.address)))] : []),
      ]
}

/** The owners, with the data that every form about them needs. */
export function ownerSections(form: FormCase): Section[] {
  return ownersWithPlace(form).map(({ party, place }) => ({
    title: place,
    parts: identityParts(party, form),
  }))
}

function ownersWithPlace({ record }: FormCase): { party: Party; place: string }[] {
  const type = registrationOf(record.registrationType)
  const owners = type ? ownersOf(record, type) : [record.primaryOwner]
  return owners.map((party, at) => ({ party, place: at === 0 ? 'Primary owner' : `Joint owner ${at}` }))
}

function perCent(value: string | undefined): string {
  return value ? `${value}%` : ''
}

/** Beneficiaries in the order primary, contingent. */
export function beneficiariesSection(form: FormCase): Section {
  const { beneficiaries } = form.record
  const ranks = ['Primary', 'Contingent'].flatMap((rank) =>
    beneficiaries.filter((one) => (one.primaryContingent ?? 'Primary') === rank),
  )
  return {
    title: 'Beneficiaries',
    parts:
      ranks.length > 0
        ? ranks.flatMap((one) => beneficiaryParts(one, form))
        : [text('No beneficiary is on record. Enter beneficiaries on a separate, signed page.')],
  }
}

function beneficiaryParts(one: Beneficiary, form: FormCase): Part[] {
  const about: Box[] = [
    box('Rank', one.primaryContingent ?? 'Primary'),
    box('Name', fullName(one), 3),
    box('Share', perCent(one.percentageAllocation)),
    box('Relationship', labelOf('relationship', one.relationship), 1.3),
  ]
  const more: Box[] = [
    box('Date of birth', one.birthDate),
    box('Tax id', taxId(one, form)),
    box('Address', addressLine(one.address), 3),
  ]
  return [boxes(...about), boxes(...more)]
}

/** A signature for each owner, or for the persons who act for the account when owners do not sign themselves. */
export function signatureSection(form: FormCase, before: string): Section {
  const { record } = form
  const type = registrationOf(record.registrationType)
  const acts = type?.group === 'custodial' || type?.group === 'trust' || type?.group === 'entity'
  const signers = acts
    ? record.associatedParties
        .filter(({ nameType }) => nameType !== 'Entity')
        .map((party) => ({
          party,
          place:
            type?.group === 'custodial'
              ? 'Custodian'
              : labelOf('partyRole', party.role) || 'Authorized signer',
        }))
    : ownersWithPlace(form)
  return {
    title: 'Signatures',
    parts: [text(before), ...signers.map(({ party, place }) => signature(fullName(party), place))],
  }
}
