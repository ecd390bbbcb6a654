// The rules of account policy on due diligence: part of the table in `account-rules.ts`.

import { asked, askedAgain, noted, reviewed } from './account-rule-rows.ts'

const identity = '31 CFR 1023.220(a)(2), customer identification program of broker-dealers'
const verification = '31 CFR 1023.220(a)(2)(ii)(A)'
const discretion =
  'FINRA Rule 3260(b) and FINRA Rule 4512(a)(3); 17 CFR 240.17a-3(a)(17)(ii) and 240.17a-4(b)(6), authority over accounts'

export const dueDiligenceRules = [
  reviewed('Due diligence', '', {
    value: 'PoliticalForeign',
    label: 'A foreign person holds political office, or is close to a person who does',
    source: '31 CFR 1010.620(c), senior foreign political figures',
  }),
  reviewed('Due diligence', '', {
    value: 'AddressIsPlace',
    label: 'The legal address is a residence or a place of business',
    source: '31 CFR 1023.220(a)(2)(i)(A)(3)',
  }),
  reviewed('Due diligence', '', {
    value: 'NameIsName',
    label: 'The name is the name of a real person',
    source: identity,
  }),
  asked('Due diligence', 'FieldCorrection', true, {
    value: 'AffiliationNamed',
    label: 'A person of the industry or of a public company names the company',
    source: 'FINRA Rule 3210; 17 CFR 240.17a-3(a)(17)',
  }),
  asked('Due diligence', 'FieldCorrection', true, {
    value: 'SourceOfFundsNamed',
    label: 'A source of funds Other is described',
    source: '31 CFR 1023.210(b), anti-money laundering programs',
  }),
  askedAgain('Due diligence', 'FieldCompletion', {
    value: 'EmploymentKnown',
    label: 'Occupation and employer of an owner who works are known',
    source: 'FINRA Rule 4512(a)(2)',
  }),
  askedAgain('Due diligence', 'FieldCompletion', {
    value: 'TrustedContactAsked',
    label:
      'The owner was asked for a trusted contact, who is another person, with a phone number, an e-mail address or an address',
    source: 'FINRA Rule 4512(a)(1)(F)',
  }),
  askedAgain('Due diligence', 'AuthorityDocument', {
    value: 'AuthorityDocumented',
    label: 'An agent has shown a power of attorney or trading authorization of the owner',
    source: discretion,
  }),
  askedAgain('Due diligence', 'GuardianshipDocument', {
    value: 'GuardianshipDocumented',
    label: 'A guardian has shown the order of the court',
    source: '17 CFR 240.17a-4(b)(6), evidence of authority; State law of guardianship',
  }),
  askedAgain('Due diligence', 'LettersDocument', {
    value: 'LettersDocumented',
    label: 'The executors of an estate have shown the letters of the court',
    source: '17 CFR 240.17a-4(b)(6), evidence of authority; State law of estates',
  }),
  askedAgain('Due diligence', 'ResolutionDocument', {
    value: 'ResolutionDocumented',
    label: 'A person with authority over the account of an entity has shown its resolution',
    source: '17 CFR 240.17a-4(b)(6); FINRA Rule 4512(a)(1)(E), persons who act for an entity',
  }),
  askedAgain('Due diligence', 'TrustDocument', {
    value: 'TrustDocumented',
    label: 'The trustees have shown the trust agreement or a certification of the trust',
    source: `${verification}(2), such as a trust instrument`,
  }),
  noted('Due diligence', {
    value: 'PostalCodeOfState',
    label: 'State and postal code agree',
    source: 'United States Postal Service, three-digit ZIP Code prefixes',
  }),
  noted('Due diligence', {
    value: 'LiquidWithinNet',
    label: 'The liquid net worth is no more than the net worth',
    source: 'Reading 3.7',
  }),
] as const
