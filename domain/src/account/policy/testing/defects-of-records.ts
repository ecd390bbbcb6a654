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
