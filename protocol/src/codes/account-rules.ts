// The rules of account policy in one table. The domain's policy reads the effects from it, `code-lists`
// returns it, the documentation shows it, and the console shows the row of each finding.

import {
  type AccountRuleRow,
  asked,
  askedAgain,
  askedOrReviewed,
  noted,
  refused,
  refusedUntilOpen,
  renewed,
  reviewed,
  reviewedUntilOpen,
} from './account-rule-rows.ts'
import { firstVersion } from './code-list.ts'
import { dueDiligenceRules } from './due-diligence-rules.ts'
import { renewalRules } from './renewal-rules.ts'

const ownership = '31 CFR 1010.230, beneficial ownership of legal entity customers'
const verification = '31 CFR 1023.220(a)(2)(ii)(A)'
const taxNumbers = '26 CFR 301.6109-1, taxpayer identifying numbers'
// Majority is 19 in Alabama and Nebraska and 21 in Mississippi, where persons of 18 enter into binding contracts
// nevertheless.
const adults =
  'Reading 3.6; State law of contracts from the age of 18, such as Ala. Code 26-1-1(f), Miss. Code 93-19-13 and Neb. Rev. Stat. 43-2101'
const options = 'FINRA Rule 2360(b)(16), opening of options accounts'

const rows = [
  refused('Roles', 'ERR.1000', {
    value: 'RoleRequired',
    label: 'An associated party names its role',
    source: 'Reading 3.4',
  }),
  refused('Roles', 'ERR.1015', {
    value: 'RoleAllowed',
    label: 'The registration allows the role',
    source: 'Reading 3.4',
  }),
  refused('Roles', 'ERR.1000', {
    value: 'RoleMissing',
    label: 'The registration has every required party',
    source: `${ownership}; FINRA Rule 4512(a)(1)`,
  }),
  refused('Roles', 'ERR.1015', {
    value: 'RoleRepeated',
    label: 'The registration has no more parties of a role than allowed',
    source: 'Reading 3.4',
  }),
  asked('Roles', 'FieldCorrection', true, {
    value: 'JointOwnerNamed',
    label: 'A joint registration names its other owner',
    source: 'Reading 3.4',
  }),
  noted('Roles', {
    value: 'SecondaryNotOwner',
    label: 'A secondary party of a registration Individual is not an owner',
    source: 'Reading 3.4',
  }),
  refused('Roles', 'ERR.1015', {
    value: 'RoleKind',
    label: 'Each role is held by a person or by an entity, as the role requires',
    source: ownership,
  }),
  asked('Roles', 'FieldCompletion', false, {
    value: 'GrantorNamed',
    label: 'A trust whose name says that it is revocable or living names its grantor',
    source: '31 CFR 1023.220(a)(2)(ii)(C), persons with authority or control; 26 CFR 1.671-4(b)(2)',
  }),
  askedAgain('Roles', 'FieldCompletion', {
    value: 'PersonNamed',
    label: 'A person acts for the entities that act for an account',
    source: 'FINRA Rule 4512(a)(1)(E); Reading 3.4',
  }),
  refused('Roles', 'ERR.1012', {
    value: 'ActingAdult',
    label: 'Owners, and persons who act for the account, are adults',
    source: adults,
  }),
  refused('Roles', 'ERR.1012', {
    value: 'CustodialMinor',
    label: 'The owner of a custodial account is under the age at which the state ends the custodianship',
    source:
      'Uniform Transfers to Minors Act, section 20, and Uniform Gifts to Minors Act, as each state enacted it',
  }),
  noted('Roles', {
    value: 'CustodialAgeChosen',
    label: 'The custodianship lasts longer than usual only if the transfer names the later age',
    source: 'Uniform Transfers to Minors Act, section 20, as each state enacted it',
  }),
  refusedUntilOpen('ERR.1015', {
    value: 'OwnersMarried',
    label: 'Only spouses hold community property or a tenancy by the entirety',
    source: 'State law of community property and of tenancy by the entirety',
  }),
  asked('Roles', 'FieldCompletion', false, {
    value: 'MaritalStatusKnown',
    label: 'The marital status of spouses who own together is known',
    source: 'State law of community property and of tenancy by the entirety',
  }),
  refusedUntilOpen('ERR.1015', {
    value: 'OwnersResidence',
    label: "The owner's state has the registration",
    source: 'State law of community property and of tenancy by the entirety',
  }),
  noted('Roles', {
    value: 'EntiretyOfSecurities',
    label: "The owners' state has a new tenancy by the entirety for securities, not for land alone",
    source:
      'State law of tenancy by the entirety for land: 765 ILCS 1005/1c, Ind. Code 32-17-3-1, N.C. Gen. Stat. 41-56, N.Y. EPTL 6-2.2, Or. Rev. Stat. 93.180, and of its end: Ohio Rev. Code 5302.21',
  }),
  refused('Roles', 'ERR.1015', {
    value: 'OwnershipTotal',
    label: 'The owners of an entity own no more than all of it',
    source: ownership,
  }),
  refused('Roles', 'ERR.1015', {
    value: 'BeneficialOwnerNamed',
    label: 'A person who owns 25 percent or more is named as beneficial owner',
    source: '31 CFR 1010.230(d)(1)',
  }),
  askedAgain('Roles', 'FieldCompletion', {
    value: 'OwnershipKnown',
    label: 'The share of each beneficial owner is known',
    source: ownership,
  }),
  askedAgain('Roles', 'FieldCompletion', {
    value: 'BeneficialOwnersStated',
    label:
      'An entity names its beneficial owners, also behind an entity that owns 25 percent or more, or states that it has none',
    source: '31 CFR 1010.230(b)(1) and (d)(1), for entities that 31 CFR 1010.230(e) does not exclude',
  }),
  refused('Roles', 'ERR.1014', {
    value: 'PersonRepeated',
    label: 'One person has a role of the account once, and owns it once',
    source: 'Reading 3.6',
  }),
  refused('Roles', 'ERR.1014', {
    value: 'CustodianNotOwner',
    label: 'A custodian, guardian, trustee or executor is another than the owner',
    source:
      'Uniform Transfers to Minors Act, section 9(a); State law of trusts and estates, such as Ala. Code 19-3B-401 and Utah Code 75-3-701; Reading 3.4',
  }),
  reviewed('Roles', '', {
    value: 'CustodianTrustCompany',
    label: 'A custodian that is an entity is a trust company',
    source: 'Uniform Transfers to Minors Act, section 9(a), such as N.Y. EPTL 7-6.9 and Wyo. Stat. 34-13-122',
  }),
  refused('Roles', 'ERR.1015', {
    value: 'OwnerKind',
    label: 'The primary owner is a person or an entity, as the registration requires',
    source: 'Reading 3.3',
  }),
  refused('Roles', 'ERR.1000', {
    value: 'BeneficiariesNamed',
    label: 'An IRA names who receives it when the owner dies',
    source: 'Reading 3.3',
  }),
  refused('Roles', 'ERR.1015', {
    value: 'BeneficiariesAllowed',
    label: 'The registration can pass to beneficiaries on death',
    source: 'Uniform TOD Security Registration Act, section 2; Reading 3.4',
  }),

  refused('Tax identification', 'ERR.1015', {
    value: 'EntityNumber',
    label: 'An entity has an EIN, or the number of its grantor or only owner',
    source: `${taxNumbers}, (a)(1)(ii)(C) for entities and (h)(2) for single owners; 26 CFR 1.671-4(b)(2) for grantors; 26 CFR 301.7701-3(b)(1), single owners of an LLC`,
  }),
  reviewed('Tax identification', 'note', {
    value: 'PublishedNumber',
    label: 'The tax number is a published number that no applicant can have',
    source: 'Social Security Administration, misused and never-issued numbers',
  }),
  reviewedUntilOpen('Tax identification', 'note', {
    value: 'TaxIdOfAnother',
    label: 'No other person of the account, or of another account of the firm, has the tax number',
    source:
      '17 CFR 248.201, appendix A, supplement A, no. 14, red flags of identity theft; 31 CFR 1023.220(a)(2)',
  }),
  reviewed('Tax identification', 'note', {
    value: 'OwnerWithTwoNumbers',
    label: 'Two owners with one name and one birth date have one tax number',
    source:
      'Reading 3.6; 17 CFR 248.201, appendix A, supplement A, no. 14, red flags of identity theft; 31 CFR 1023.220(a)(2)',
  }),
  reviewed('Tax identification', 'note', {
    value: 'PersonNumber',
    label: "A person's TaxId is an ITIN, and the person is an alien",
    source: `${taxNumbers}, (d)(3) and (d)(4) for aliens; Internal Revenue Service, ranges of individual taxpayer identification numbers`,
  }),
  reviewed('Tax identification', 'note', {
    value: 'EinPrefix',
    label: 'The Internal Revenue Service has assigned the prefix of the EIN',
    source: 'Internal Revenue Service, valid EIN prefixes',
  }),
  noted('Tax identification', {
    value: 'EinOfAnother',
    label:
      'The accounts of the firm with an EIN have one name, unless it is the number of a grantor or only owner',
    source: `17 CFR 248.201, appendix A, supplement A, no. 14, red flags of identity theft; ${taxNumbers}`,
  }),
  reviewed('Tax identification', '', {
    value: 'ForeignWithSsn',
    label: 'A foreign person has no social security number',
    source: '26 CFR 1.1441-1(e), foreign status of payees',
  }),
  askedAgain('Tax identification', 'W9Certification', {
    value: 'UsOwnerCertified',
    label: 'A US owner has certified the tax status on Form W-9',
    source: '26 CFR 31.3406(h)-3',
  }),
  askedAgain('Tax identification', 'W8Certification', {
    value: 'ForeignOwnerCertified',
    label:
      'A foreign owner, or one who is not a US citizen and lives abroad, has certified the tax status on Form W-8BEN or W-8ECI, this year or in the three calendar years before, or later on Form W-9',
    source: '26 CFR 1.1441-1(e)(2) and (e)(4)(ii)(A)',
  }),
  askedAgain('Tax identification', 'W9OrW8Certification', {
    value: 'AlienOwnerCertified',
    label:
      'An owner who is not a US citizen and lives in the United States has certified the tax status: on Form W-9 as a resident alien, otherwise on Form W-8BEN or W-8ECI',
    source: '26 CFR 301.7701(b)-1; 26 CFR 31.3406(h)-3; 26 CFR 1.1441-1(e)(2) and (e)(4)(ii)(A)',
  }),
  askedAgain('Tax identification', 'W8EntityCertification', {
    value: 'ForeignEntityCertified',
    label:
      'A foreign entity has certified the tax status on Form W-8BEN-E, W-8ECI or W-8EXP, this year or in the three calendar years before, or on a form that does not lapse: Form W-8IMY, or Form W-8EXP of a government',
    source: '26 CFR 1.1441-1(e)(2), (e)(3) and (e)(4)(ii)',
  }),
  renewed('ForeignIdentityDocument', {
    value: 'ForeignOwnerUsAddress',
    label:
      'A foreign owner who got a residence or mailing address in the United States has signed Form W-8BEN afterwards, and has shown documentary evidence of the foreign status',
    source: '26 CFR 1.1441-1(e)(4)(ii)(D) and 1.1441-7(b)(5)',
  }),
  asked('Tax identification', 'EntityDocument', true, {
    value: 'ForeignEntityDocumented',
    label: 'A foreign entity without a tax number has shown that it exists by a document of its government',
    source: '31 CFR 1023.220(a)(2)(i)(A)(4)(ii), and the note on foreign businesses',
  }),

  refused('Entitlements', 'ERR.1015', {
    value: 'NoBorrowing',
    label: 'IRA, custodial and estate accounts do not borrow',
    source: '26 USC 408(e); Uniform Transfers to Minors Act, section 12',
  }),
  refused('Entitlements', 'ERR.1015', {
    value: 'OptionLevelBorrows',
    label: 'Accounts that do not borrow have no option level that borrows or goes short',
    source: '26 USC 408(e); Regulation T, 12 CFR 220.12',
  }),
  refused('Entitlements', 'ERR.1015', {
    value: 'OptionContradiction',
    label: 'An option level contradicts an option indicator of false',
    source: 'Reading 3.4',
  }),
  asked('Entitlements', 'OptionAgreement', true, {
    value: 'OptionLevelKnown',
    label: 'An account that trades options has its level',
    source: options,
  }),
  asked('Entitlements', 'MarginAgreement', true, {
    value: 'OptionLevelNeedsMargin',
    label: 'Spreads and uncovered options are held in a margin account',
    source: 'Regulation T, 12 CFR 220.12; FINRA Rule 4210(f)(2)',
  }),
  asked('Entitlements', 'FieldCorrection', true, {
    value: 'OptionSuitability',
    label: 'An options customer has given the financial profile and the experience with options',
    source: options,
  }),

  noted('Entitlements', {
    value: 'OptionRiskBorne',
    label:
      'Experience with options is known for spreads, and the net worth and the objective of the owner agree with uncovered options',
    source: options,
  }),

  asked('Identity', 'FieldCorrection', true, {
    value: 'AddressNotBox',
    label: 'The legal address is a street, not a post office box alone',
    source: '31 CFR 1023.220(a)(2)(i)(A)(3)',
  }),
  reviewed('Identity', '', {
    value: 'PlaceNotSanctioned',
    label:
      'No address, citizenship, passport, national id or company registration is of a comprehensively sanctioned country or region',
    source: '31 CFR chapter V, sanctions programs of the Office of Foreign Assets Control',
  }),
  askedOrReviewed('Identity', 'BirthDateDocument', {
    value: 'AgePlausible',
    label: 'A person is no older than 110 years, unless a document proves it',
    source: `${verification}, documents that verify identity`,
  }),
  reviewed('Identity', '', {
    value: 'BirthDateOfMinor',
    label:
      'Two people change the birth date of a minor, and that of the owner of a custodial account: it decides when the owner comes of age',
    source: `Uniform Transfers to Minors Act, section 20, and Uniform Gifts to Minors Act, as each state enacted it; ${verification}, documents that verify identity`,
  }),
  refused('Identity', 'ERR.1000', {
    value: 'OwnerIdentified',
    label: 'An owner who is not a US citizen, or of the registration for foreign persons, is identified',
    source: '31 CFR 1023.220(a)(2)(i)(A)(4)(ii)',
  }),
  refused('Identity', 'ERR.1015', {
    value: 'OwnerDocumentKind',
    label: 'Such an owner is identified first by a passport or a national identity card',
    source: '31 CFR 1023.220(a)(2)(i)(A)(4)(ii); Reading 3.4',
  }),
  reviewed('Identity', '', {
    value: 'IdNumberIsNumber',
    label: 'The number of an identification is that of a document, not a placeholder',
    source: '31 CFR 1023.220(a)(2)(i)(A)(4)(ii)',
  }),
  reviewedUntilOpen('Identity', 'note', {
    value: 'IdentificationOfAnother',
    label:
      'No other person of the account has the identification, nor, in place of a tax number, a person of another account of the firm',
    source:
      '17 CFR 248.201, appendix A, supplement A, no. 14, red flags of identity theft; 31 CFR 1023.220(a)(2)(i)(A)(4)(ii)',
  }),
  asked('Identity', 'ForeignIdentityDocument', true, {
    value: 'ForeignPersonIdentified',
    label:
      'A person who is not a US citizen has shown a passport or a national identity card, unless the person is a beneficiary or interested party who does not trade',
    source: '31 CFR 1023.100(d) and 1023.220(a)(2)(i)(A)(4)(ii)',
  }),
  noted('Identity', {
    value: 'PossibleDuplicate',
    label:
      'The person does not have the same registration already; a setting of the firm says whether it is noted, reviewed or refused',
    source: 'Reading 3.6',
  }),

  ...dueDiligenceRules,
  ...renewalRules,
] as const satisfies readonly Omit<AccountRuleRow, 'since'>[]

/** The name of a rule. */
export type AccountRule = (typeof rows)[number]['value']

/** Every rule of account policy, in the order in which the rules are applied. */
export const accountRules: readonly (AccountRuleRow & { readonly value: AccountRule })[] = rows.map(
  (row) => ({
    ...row,
    since: firstVersion,
  }),
)
