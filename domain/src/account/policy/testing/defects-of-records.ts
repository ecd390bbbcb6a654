/**
 * For tests: accounts with one number, entitlement, identity or answer changed, and the findings of account policy in
 * each.
 */
import { person } from '../../testing/right-accounts.ts'
import {
  add,
  all,
  mailing,
  main,
  options,
  owner,
  party,
  profile,
  stated,
  withPassport,
} from './changed-accounts.ts'
import type { FindingRow } from './find-table.ts'

export const defectsOfRecords: readonly FindingRow[] = [
  // Tax identification
  [
    'an entity with an SSN',
    'Corporation',
    owner({ taxIdType: 'SSN', taxIdNumber: '401128888' }),
    'EntityNumber primaryOwner.taxIdType',
  ],
  [
    'a revocable trust with the SSN of its grantor',
    'Trust',
    all(
      owner({ taxIdType: 'SSN', taxIdNumber: '401128888' }),
      add(person({ role: 'Grantor', taxIdNumber: '401128888' })),
    ),
  ],
  [
    'a trust with the SSN of its trustee',
    'Trust',
    all(owner({ taxIdType: 'SSN', taxIdNumber: '401128888' }), party({ taxIdNumber: '401128888' })),
    'EntityNumber primaryOwner.taxIdType',
  ],
  [
    'an LLC with the SSN of its only member',
    'Llc',
    all(
      owner({ taxIdType: 'SSN', taxIdNumber: '401128888' }),
      add(person({ role: 'Member', taxIdNumber: '401128888' })),
    ),
  ],
  [
    'an LLC of two members with the SSN of one',
    'Llc',
    all(
      owner({ taxIdType: 'SSN', taxIdNumber: '401128888' }),
      add(person({ role: 'Member', taxIdNumber: '401128888' }), person({ role: 'Member' })),
    ),
    'EntityNumber primaryOwner.taxIdType',
  ],
  [
    'a number that was printed as an example in wallets',
    'Individual',
    owner({ taxIdNumber: '078051120' }),
    'PublishedNumber primaryOwner.taxIdNumber',
  ],
  [
    'an attorney with the number of the owner, born on another day',
    'Individual',
    all(
      owner({ taxIdNumber: '401125555' }),
      add(person({ role: 'PowerOfAttorney', taxIdNumber: '401125555', birthDate: '1981-12-25' })),
    ),
    'TaxIdOfAnother associatedParties[0].taxIdNumber',
  ],
  [
    'an attorney with the number and the birth date of the owner, under another name',
    'Individual',
    all(
      owner({ taxIdNumber: '401125555' }),
      add(person({ role: 'PowerOfAttorney', taxIdNumber: '401125555', lastName: 'OKAFOR' })),
    ),
  ],
  [
    'an ITIN of a citizen',
    'Individual',
    owner({ taxIdType: 'TaxId', taxIdNumber: '912881234' }),
    'PersonNumber primaryOwner.taxIdNumber',
  ],
  [
    'a number between the ranges of ITINs',
    'Individual',
    owner({ taxIdType: 'TaxId', taxIdNumber: '912891234' }),
    'PersonNumber primaryOwner.taxIdNumber',
  ],
  [
    'an ITIN of the group 93',
    'Individual',
    owner({ taxIdType: 'TaxId', taxIdNumber: '912931234' }),
    'PersonNumber primaryOwner.taxIdNumber',
  ],
  [
    'an EIN of the prefix 07',
    'Corporation',
    owner({ taxIdNumber: '073907716' }),
    'EinPrefix primaryOwner.taxIdNumber',
  ],
  [
    'a foreign person with an SSN',
    'Individual',
    owner({ caisInformation: { customerType: ['Foreign'] } }),
    'ForeignWithSsn primaryOwner.caisInformation.customerType',
  ],

  [
    'a registered corporation of another country without a tax number',
    'Corporation',
    owner({
      citizenshipCountry: 'DE',
      taxIdType: undefined,
      taxIdNumber: undefined,
      governmentIdentification: {
        governmentId1: { idType: 'CompanyRegistration', idNumber: 'HRB 1', idLocation: 'DE' },
      },
    }),
    'ForeignEntityDocumented primaryOwner.governmentIdentification',
  ],

  // Entitlements
  ['an IRA with margin', 'IraSep', main({ marginIndicator: 'true' }), 'NoBorrowing main.marginIndicator'],
  ['an estate with margin', 'Estate', main({ marginIndicator: 'true' }), 'NoBorrowing main.marginIndicator'],
  ['a trust with margin', 'Trust', main({ marginIndicator: 'true' })],
  [
    'spreads in an IRA',
    'IraSep',
    all(stated, main({ ...options, optionTradingLevel: '3' })),
    'OptionLevelBorrows main.optionTradingLevel',
  ],
  ['long options in an IRA', 'IraSep', all(stated, main(options))],
  [
    'a level without options',
    'Individual',
    all(stated, main({ optionTradingLevel: '1' })),
    'OptionContradiction main.optionTradingIndicator',
  ],
  ['no level and no options', 'Individual', main({ optionTradingLevel: '' })],
  [
    'options without a level',
    'Individual',
    main({ optionTradingIndicator: 'true' }),
    'OptionLevelKnown main.optionTradingLevel',
  ],
  [
    'spreads without margin',
    'Individual',
    all(stated, main({ ...options, optionTradingLevel: '3' })),
    'OptionLevelNeedsMargin main.marginIndicator',
  ],
  [
    'spreads with margin',
    'Individual',
    all(stated, main({ ...options, optionTradingLevel: '3', marginIndicator: 'true' })),
  ],
  [
    'options of an owner without a stated experience',
    'Individual',
    main(options),
    'OptionSuitability financialProfile.investmentExperience.options',
    'OptionSuitability financialProfile',
  ],

  [
    'spreads of an owner without experience',
    'Individual',
    all(
      profile({ investmentProfile: 'Moderate', investmentExperience: { options: 'None' } }),
      main({ ...options, optionTradingLevel: '3', marginIndicator: 'true' }),
    ),
    'OptionRiskBorne financialProfile.investmentExperience.options',
  ],
  [
    'long options of an owner without experience',
    'Individual',
    all(
      profile({
        investmentProfile: 'Conservative',
        netWorth: 'A',
        investmentExperience: { options: 'None' },
      }),
      main(options),
    ),
  ],
  ...(['A', 'B', 'C'] as const).map(
    (netWorth): FindingRow => [
      `uncovered options with the net worth ${netWorth}`,
      'Individual',
      all(
        profile({ investmentProfile: 'Moderate', netWorth, investmentExperience: { options: 'Limited' } }),
        main({ ...options, optionTradingLevel: '4', marginIndicator: 'true' }),
      ),
      ...(netWorth === 'C' ? [] : ['OptionRiskBorne financialProfile.netWorth']),
    ],
  ),
  [
    'spreads with a conservative objective and a low net worth',
    'Individual',
    all(
      profile({
        investmentProfile: 'Conservative',
        netWorth: 'A',
        investmentExperience: { options: 'Limited' },
      }),
      main({ ...options, optionTradingLevel: '3', marginIndicator: 'true' }),
    ),
  ],
  [
    'uncovered options of the index with a conservative objective',
    'Individual',
    all(
      profile({ investmentProfile: 'Conservative', investmentExperience: { options: 'Limited' } }),
      main({ ...options, optionTradingLevel: '5', marginIndicator: 'true' }),
    ),
    'OptionRiskBorne financialProfile.investmentProfile',
  ],
  [
    'uncovered options with a moderately conservative objective',
    'Individual',
    all(
      profile({ investmentProfile: 'ModeratelyConservative', investmentExperience: { options: 'Limited' } }),
      main({ ...options, optionTradingLevel: '5', marginIndicator: 'true' }),
    ),
  ],

  // Owners
  [
    'two owners with one name and birth date, and two numbers',
    'JointWROS',
    party({ firstName: 'NOOR', taxIdNumber: '229451234' }),
    'OwnerWithTwoNumbers associatedParties[0].taxIdNumber',
  ],
  [
    'two owners with one name, born on two days',
    'JointWROS',
    party({ firstName: 'NOOR', taxIdNumber: '229451234', birthDate: '1981-12-25' }),
  ],
  [
    'father and son with one birth date by mistake, and a suffix',
    'JointWROS',
    party({ firstName: 'NOOR', taxIdNumber: '229451234', suffix: 'JR' }),
  ],
  [
    'owners born on one day with two names',
    'JointWROS',
    party({ firstName: 'SAMI', taxIdNumber: '229451234' }),
  ],
  [
    'an agent with the name and birth date of the owner and another number',
    'Individual',
    add(person({ role: 'PowerOfAttorney', taxIdNumber: '229451234' })),
  ],
  [
    'two owners of one name, without birth dates',
    'JointWROS',
    all(owner({ birthDate: undefined }), party({ firstName: 'NOOR', birthDate: undefined })),
  ],
  [
    'a namesake with a number of the sandbox',
    'JointWROS',
    party({ firstName: 'NOOR', taxIdNumber: '000000004' }),
  ],
  [
    'a trust of the living without its grantor',
    'Trust',
    owner({ firstName: 'SMITH LIVING TRUST' }),
    'GrantorNamed associatedParties',
  ],
  [
    'a revocable trust without its grantor',
    'Trust',
    owner({ firstName: 'Smith', lastName: 'Revocable Trust' }),
    'GrantorNamed associatedParties',
  ],
  [
    'a revocable trust with its grantor',
    'Trust',
    all(owner({ firstName: 'SMITH REVOCABLE LIVING TRUST' }), add(person({ role: 'Grantor' }))),
  ],
  ['an irrevocable trust', 'Trust', owner({ firstName: 'SMITH IRREVOCABLE TRUST' })],
  ['an irrevocable living trust', 'Trust', owner({ firstName: 'SMITH IRREVOCABLE LIVING TRUST' })],
  ['a trust named after living water', 'Trust', owner({ firstName: 'LIVING WATER TRUST' })],
  ['a corporation with such a name', 'Corporation', owner({ firstName: 'REVOCABLE CORP' })],

  // Identity
  [
    'a post office box',
    'Individual',
    mailing({ street: 'PO BOX 77' }),
    'AddressNotBox primaryOwner.legalAddress',
  ],
  [
    'a residence in Havana',
    'Individual',
    owner({ legalAddress: { street: 'CALLE 1', city: 'HAVANA', country: 'CU' } }),
    'PlaceNotSanctioned primaryOwner.legalAddress',
  ],
  [
    'an owner aged 111',
    'Individual',
    owner({ birthDate: '1915-11-20' }),
    'AgePlausible primaryOwner.birthDate',
  ],
  [
    'a foreign person without a passport',
    'Individual',
    owner({ citizenshipCountry: 'FR' }),
    'OwnerIdentified primaryOwner.governmentIdentification.governmentId1',
  ],
  [
    'a foreign owner with a driver license',
    'Individual',
    owner({
      citizenshipCountry: 'FR',
      governmentIdentification: { governmentId1: { idType: 'DriversLicense', idNumber: 'D1' } },
    }),
    'OwnerDocumentKind primaryOwner.governmentIdentification.governmentId1.idType',
  ],
  [
    'an unknown number of a passport',
    'IndividualJointForeign',
    owner(withPassport('UNKNOWN')),
    'IdNumberIsNumber primaryOwner.governmentIdentification.governmentId1.idNumber',
  ],
  [
    'an agent born on another day with the passport of the owner',
    'IndividualJointForeign',
    add(person({ role: 'PowerOfAttorney', birthDate: '1981-12-25', ...withPassport('P-7712345') })),
    'IdentificationOfAnother associatedParties[0].governmentIdentification',
  ],
  [
    'a foreign associate without a passport',
    'Individual',
    add(person({ role: 'Associate', citizenshipCountry: 'FR' })),
    'ForeignPersonIdentified associatedParties[0].governmentIdentification',
  ],

  // Due diligence
  [
    'political office of a foreign person',
    'IndividualJointForeign',
    owner({ affiliation: { political: 'True', organization: 'MINISTRY OF FINANCE' } }),
    'PoliticalForeign primaryOwner.affiliation.political',
  ],
  ['political office of a citizen', 'Individual', owner({ affiliation: { political: 'True' } })],
  [
    'general delivery',
    'Individual',
    mailing({ street: 'GENERAL DELIVERY' }),
    'AddressIsPlace primaryOwner.legalAddress',
  ],
  [
    'a private mailbox',
    'Individual',
    mailing({ street: '12 MAIN ST PMB 441' }),
    'AddressIsPlace primaryOwner.legalAddress',
  ],
  ['a street named Unknown Soldier', 'Individual', mailing({ street: '4 SOLDIER ROAD' })],
  ['nobody', 'Individual', owner({ firstName: 'UNKNOWN', lastName: 'UNKNOWN' }), 'NameIsName primaryOwner'],
  ['TEST TEST', 'Individual', owner({ firstName: 'TEST', lastName: 'TEST' }), 'NameIsName primaryOwner'],
  ['a person named Testa', 'Individual', owner({ firstName: 'MARIA', lastName: 'TESTA' })],
  [
    'industry without a company',
    'Individual',
    owner({ affiliation: { industry: 'True' } }),
    'AffiliationNamed primaryOwner.affiliation.organization',
  ],
  [
    'industry with a company',
    'Individual',
    owner({ affiliation: { industry: 'True', organization: 'BAYSIDE' } }),
  ],
  [
    'another source of funds',
    'Individual',
    owner({ sourceOfFunds: ['Other'] }),
    'SourceOfFundsNamed primaryOwner.otherSourceOfFund',
  ],
  [
    'a described source of funds',
    'Individual',
    owner({ sourceOfFunds: ['Other'], otherSourceOfFund: 'LOTTERY' }),
  ],
  [
    'an occupation without an employer',
    'Individual',
    owner({ occupation: 'Computers' }),
    'EmploymentKnown primaryOwner.employerName',
  ],
  ['no occupation', 'Individual', owner({ occupation: '' }), 'EmploymentKnown primaryOwner.occupation'],
  [
    'no trusted contact',
    'Individual',
    owner({ trustedContact: {} }),
    'TrustedContactAsked primaryOwner.trustedContact',
  ],
  ...(
    [
      ['NOOR HADDAD', true],
      ['noor  haddad', true],
      ['HADDAD, NOOR', false],
      ['NOOR HADDAD SR', false],
      ['UNKNOWN UNKNOWN', true],
      ['UNKNOWN', true],
      ['N/A', true],
      ['SANA UNKNOWN', true],
      ['FNU HADDAD', false],
      ['SANA NULL', false],
      ['SANA', false],
    ] as const
  ).map(
    ([name, isAsked]): FindingRow => [
      `the trusted contact ${name}`,
      'Individual',
      owner({ trustedContact: { name, phoneRegionCode: '1', phoneNumber: '2015550188' } }),
      ...(isAsked ? ['TrustedContactAsked primaryOwner.trustedContact'] : []),
    ],
  ),
  [
    'the owner with a middle name as the trusted contact, without it',
    'Individual',
    owner({ middleName: 'ANN', trustedContact: { name: 'NOOR HADDAD', email: 'NOOR@EXAMPLE.COM' } }),
    'TrustedContactAsked primaryOwner.trustedContact',
  ],
  [
    'a postal code of another state',
    'Individual',
    mailing({ postalCode: '10001' }),
    'PostalCodeOfState mailingAddress.postalCode',
  ],
  [
    'a liquid net worth above the net worth',
    'Individual',
    profile({ netWorth: 'D', liquidNetWorth: 'E' }),
    'LiquidWithinNet financialProfile.liquidNetWorth',
  ],
  [
    'a liquid net worth equal to the net worth',
    'Individual',
    profile({ netWorth: 'E', liquidNetWorth: 'E' }),
  ],
]
