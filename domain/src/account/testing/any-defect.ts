/**
 * For property tests: one defect for each rule of account policy that applies to applications. In a valid
 * application, only that rule finds the defect.
 */
import type { AccountRule } from '@clearing/protocol'
import { type Registration, registrationRuleOf } from '../policy/registration-roles.ts'

type Given = Record<string, unknown>
/** The members of an application that a defect replaces, or undefined if the application cannot have the defect. */
export type Break = (
  application: Given & { primaryOwner: Given; associatedParties: Given[]; main: Given },
) => Given | undefined

function owner(changes: Given, isIt: (owner: Given) => boolean = () => true): Break {
  return (given) =>
    isIt(given.primaryOwner) ? { primaryOwner: { ...given.primaryOwner, ...changes } } : undefined
}
function isPerson({ nameType }: Given) {
  return nameType !== 'Entity'
}
function hasNumber(party: Given) {
  return isPerson(party) && party.taxIdNumber !== undefined
}
function ruleOf(given: Given) {
  return registrationRuleOf(given.registrationType as Registration)
}
function neededOf(given: Given) {
  return ruleOf(given).needs.flatMap(({ anyOf }) => anyOf)
}
function withParty(role: string, changes: Given = {}): Break {
  return (given) => {
    const party = {
      firstName: 'Daniel',
      lastName: 'Okafor',
      birthDate: '1971-10-30',
      citizenshipCountry: 'US',
      legalAddress: {},
      taxIdType: 'SSN',
      taxIdNumber: '229451234',
      phoneNumberCell: '2015550144',
      ...(role === '' ? {} : { role }),
      ...changes,
    }
    return { associatedParties: [...given.associatedParties, party] }
  }
}
function where(isIt: (given: Given) => boolean, broken: Break): Break {
  return (given) => (isIt(given) ? broken(given) : undefined)
}
function ofType(...types: string[]) {
  return (given: Given) => types.some((type) => String(given.registrationType).startsWith(type))
}
function main(changes: Given): Break {
  return (given) => ({ main: { ...given.main, ...changes } })
}
function all(...breaks: Break[]): Break {
  return (given) => {
    let broken: Given = {}
    for (const one of breaks) {
      const made = one({ ...given, ...broken } as never)
      if (made === undefined) return undefined
      broken = { ...broken, ...made }
    }
    return broken
  }
}
/** The first party with one of the roles that the registration needs. */
function needed(changes: Given): Break {
  return (given) => {
    const at = given.associatedParties.findIndex(({ role }) => neededOf(given).includes(role as never))
    if (at < 0) return undefined
    return {
      associatedParties: given.associatedParties.map((party, place) =>
        place === at ? { ...party, ...changes } : party,
      ),
    }
  }
}
const entityType = ofType('Corporation', 'Llc', 'Partnership')
function spouses(given: Given) {
  return ruleOf(given).spousesOnly
}
function cannotBorrow(given: Given) {
  return !ruleOf(given).mayBorrow
}

const anEntity: Given = {
  nameType: 'Entity',
  name1: 'Harbor Trust',
  firstName: undefined,
  lastName: undefined,
  birthDate: undefined,
  citizenshipCountry: 'US',
  occupation: undefined,
  trustedContact: undefined,
  governmentIdentification: undefined,
  taxIdType: 'TaxId',
  taxIdNumber: '471203346',
}

const passportOfFrance: Given = {
  governmentIdentification: {
    governmentId1: { idType: 'Passport', idNumber: '19AB77881', idLocation: 'FR' },
  },
}

/** For each rule, a change of a valid application that only this rule finds. */
export const defectByRule: Partial<Record<AccountRule, Break>> = {
  RoleRequired: where(
    ({ registrationType }) => registrationType === 'Individual' || registrationType === 'Trust',
    withParty(''),
  ),
  RoleAllowed: where((given) => !ofType('Trust')(given), withParty('Grantor')),
  RoleMissing: where(
    (given) => neededOf(given).length > 0,
    (given) => ({
      associatedParties: given.associatedParties.filter(
        ({ role }) => !neededOf(given).includes(role as never),
      ),
    }),
  ),
  RoleRepeated: where(ofType('Custodial'), withParty('Custodian')),
  CustodianNotOwner: where(ofType('Custodial'), (given) =>
    hasNumber(given.primaryOwner)
      ? needed({ taxIdNumber: given.primaryOwner.taxIdNumber })(given)
      : undefined,
  ),
  JointOwnerNamed: where(ofType('JointWROS', 'JointTIC'), needed({ role: 'Associate' })),
  SecondaryNotOwner: where(
    ({ registrationType }) => registrationType === 'Individual',
    withParty('Secondary'),
  ),
  RoleKind: where(entityType, needed(anEntity)),
  CustodianTrustCompany: where(ofType('Custodial'), (given) => ({
    associatedParties: given.associatedParties.map((party) =>
      party.role === 'Custodian' ? { ...party, ...anEntity } : party,
    ),
  })),
  PersonNamed: where(
    ({ registrationType }) => registrationType === 'Trust',
    (given) => ({
      associatedParties: given.associatedParties.slice(0, 1).map((party) => ({ ...party, ...anEntity })),
    }),
  ),
  OwnerKind: where(
    ({ registrationType, associatedParties }) =>
      registrationType === 'Individual' && (associatedParties as Given[]).length === 0,
    owner(anEntity),
  ),
  BeneficiariesNamed: where(ofType('Ira'), () => ({ beneficiaries: undefined, retirementBenes: undefined })),
  ActingAdult: needed({ birthDate: '2012-05-06' }),
  CustodialMinor: where(ofType('Custodial'), owner({ birthDate: '1996-05-06' })),
  OwnersMarried: where(
    spouses,
    all(owner({ maritalStatus: 'Divorced' }), needed({ maritalStatus: 'Married' })),
  ),
  OwnersResidence: where(ofType('JointCP', 'JointTBE'), (given) => ({
    mailingAddress: {
      ...(given.mailingAddress as Given),
      city: 'CHICAGO',
      stateProvince: 'MN',
      postalCode: '55401',
    },
  })),
  EntiretyOfSecurities: where(ofType('JointTBE'), (given) => ({
    mailingAddress: {
      ...(given.mailingAddress as Given),
      city: 'ALBANY',
      stateProvince: 'NY',
      postalCode: '12207',
    },
  })),
  OwnershipTotal: where(
    entityType,
    all(
      withParty('BeneficialOwner', { ownershipPercent: '75.01' }),
      withParty('BeneficialOwner', { ownershipPercent: '25', firstName: 'Grace', taxIdNumber: '229451235' }),
    ),
  ),
  BeneficialOwnerNamed: where(entityType, (given) =>
    given.associatedParties.length === 1
      ? withParty('Officer', { ownershipPercent: '25' })(given)
      : undefined,
  ),
  BeneficialOwnersStated: where(entityType, (given) =>
    given.associatedParties.some(({ role }) => role === 'BeneficialOwner') ? undefined : {},
  ),
  OwnershipKnown: where(entityType, withParty('BeneficialOwner')),
  ForeignEntityDocumented: where(
    entityType,
    owner({
      citizenshipCountry: 'DE',
      taxIdType: undefined,
      taxIdNumber: undefined,
      governmentIdentification: {
        governmentId1: { idType: 'CompanyRegistration', idNumber: 'HRB 1', idLocation: 'DE' },
      },
    }),
  ),
  PersonRepeated: where(
    (given) => given.registrationType === 'Individual',
    all(withParty('InterestedParty'), withParty('InterestedParty')),
  ),
  BeneficiariesAllowed: where(
    (given) => !ruleOf(given).beneficiaries,
    () => ({
      beneficiaries: [{ name: 'Leila Haddad', primaryContingent: 'Primary', percentageAllocation: '100' }],
    }),
  ),
  EntityNumber: owner({ taxIdType: 'SSN', taxIdNumber: '229451239' }, (one) => !isPerson(one)),
  PublishedNumber: owner({ taxIdType: 'SSN', taxIdNumber: '078051120' }, hasNumber),
  TaxIdOfAnother: where(
    ({ registrationType }) => registrationType === 'Individual',
    all(withParty('InterestedParty'), withParty('PowerOfAttorney', { birthDate: '1972-10-30' })),
  ),
  PersonNumber: owner({ taxIdType: 'TaxId', taxIdNumber: '470123456' }, hasNumber),
  EinPrefix: owner({ taxIdNumber: '070123456' }, (one) => !isPerson(one)),
  ForeignWithSsn: owner({ caisInformation: { customerType: ['Foreign'] } }, hasNumber),
  NoBorrowing: where(cannotBorrow, main({ marginIndicator: 'true' })),
  OptionLevelBorrows: where(
    cannotBorrow,
    all(main({ optionTradingIndicator: 'true', optionTradingLevel: '3' }), () => ({
      financialProfile: { investmentProfile: 'Moderate', investmentExperience: { options: 'Limited' } },
    })),
  ),
  OptionContradiction: all(main({ optionTradingIndicator: 'false', optionTradingLevel: '1' }), () => ({
    financialProfile: { investmentProfile: 'Moderate', investmentExperience: { options: 'Limited' } },
  })),
  OptionLevelKnown: main({ optionTradingIndicator: 'true', optionTradingLevel: '' }),
  OptionLevelNeedsMargin: where(
    (given) => ruleOf(given).mayBorrow,
    all(main({ marginIndicator: 'false', optionTradingIndicator: 'true', optionTradingLevel: '3' }), () => ({
      financialProfile: { investmentProfile: 'Moderate', investmentExperience: { options: 'Limited' } },
    })),
  ),
  OptionSuitability: all(main({ optionTradingIndicator: 'true', optionTradingLevel: '1' }), () => ({
    financialProfile: {},
  })),
  OptionRiskBorne: where(
    (given) => ruleOf(given).mayBorrow,
    all(main({ marginIndicator: 'true', optionTradingIndicator: 'true', optionTradingLevel: '3' }), () => ({
      financialProfile: { investmentProfile: 'Moderate', investmentExperience: { options: 'None' } },
    })),
  ),
  OwnerWithTwoNumbers: where(ofType('JointWROS', 'JointTIC'), (given) => {
    const { firstName, lastName, birthDate } = given.primaryOwner
    const same = { firstName, lastName, birthDate, middleName: undefined, suffix: undefined }
    return hasNumber(given.primaryOwner)
      ? all(owner({ middleName: undefined, suffix: undefined }), needed(same))(given)
      : undefined
  }),
  GrantorNamed: where(
    (given) =>
      ofType('Trust')(given) && !(given.associatedParties as Given[]).some(({ role }) => role === 'Grantor'),
    owner({ name1: 'Harbor Revocable' }),
  ),
  PoliticalForeign: owner(
    {
      citizenshipCountry: 'DE',
      affiliation: { political: 'True', organization: 'Ministry', relationship: 'Parent', name: 'Luis' },
    },
    (one) => one.citizenshipCountry === 'DE',
  ),
  AddressNotBox: (given) =>
    owner({ legalAddress: { ...(given.mailingAddress as Given), street: 'PO Box 77' } })(given),
  PlaceNotSanctioned: where(
    (given) => !ofType('JointCP', 'JointTBE', 'Custodial')(given),
    owner(
      { legalAddress: { street: 'Calle 1', city: 'Havana', country: 'CU', postalCode: '10400' } },
      isPerson,
    ),
  ),
  AgePlausible: where((given) => !ofType('Custodial')(given), owner({ birthDate: '1905-04-05' }, isPerson)),
  OwnerIdentified: owner({ citizenshipCountry: 'DE', governmentIdentification: undefined }, isPerson),
  OwnerDocumentKind: owner(
    {
      citizenshipCountry: 'DE',
      governmentIdentification: {
        governmentId1: { idType: 'DriversLicense', idNumber: 'D1234567', idLocation: 'DE' },
      },
    },
    isPerson,
  ),
  IdNumberIsNumber: owner(
    {
      governmentIdentification: {
        governmentId1: { idType: 'Passport', idNumber: 'UNKNOWN', idLocation: 'DE' },
      },
    },
    hasNumber,
  ),
  IdentificationOfAnother: where(
    ({ registrationType }) => registrationType === 'Individual',
    all(
      withParty('InterestedParty', passportOfFrance),
      withParty('PowerOfAttorney', {
        ...passportOfFrance,
        birthDate: '1972-10-30',
        taxIdNumber: '229451235',
      }),
    ),
  ),
  ForeignPersonIdentified: withParty('Associate', { citizenshipCountry: 'DE' }),
  AddressIsPlace: (given) =>
    owner({ legalAddress: { ...(given.mailingAddress as Given), street: 'GENERAL DELIVERY' } })(given),
  NameIsName: where(
    (given) => !ofType('Joint')(given),
    owner({ firstName: 'Unknown', lastName: 'Unknown' }, isPerson),
  ),
  AffiliationNamed: owner({ affiliation: { publicCompany: 'True' } }),
  SourceOfFundsNamed: owner({ sourceOfFunds: ['Other'] }),
  PostalCodeOfState: (given) => ({
    mailingAddress: { ...(given.mailingAddress as Given), postalCode: '60601' },
  }),
  LiquidWithinNet: (given) => ({
    financialProfile: {
      ...(given.financialProfile as Given | undefined),
      netWorth: 'C',
      liquidNetWorth: 'D',
    },
  }),
  CustodialAgeChosen: where(
    ({ registrationType }) => registrationType === 'CustodialUtma',
    all(
      (given) => ({
        mailingAddress: {
          ...(given.mailingAddress as Given),
          city: 'OAKLAND',
          stateProvince: 'CA',
          postalCode: '94607',
        },
      }),
      owner({ birthDate: '2006-05-06' }),
    ),
  ),
  MaritalStatusKnown: where(spouses, owner({ maritalStatus: undefined })),
  EmploymentKnown: where((given) => !ofType('Custodial')(given), owner({ occupation: undefined }, isPerson)),
  TrustedContactAsked: owner({ trustedContact: undefined }, isPerson),
  AuthorityDocumented: where((given) => ofType('Individual')(given), withParty('PowerOfAttorney')),
  GuardianshipDocumented: where(ofType('Individual'), withParty('Guardian')),
  LettersDocumented: where(ofType('Estate'), () => ({})),
  ResolutionDocumented: where(entityType, withParty('AuthorizedSigner')),
  TrustDocumented: where(ofType('Trust'), () => ({})),
  // Every valid application gets this follow-up.
  UsOwnerCertified: owner({}, ({ citizenshipCountry }) => citizenshipCountry === 'US'),
  ForeignOwnerCertified: where(ofType('IndividualJointForeign'), owner({})),
  AlienOwnerCertified: where(
    ({ registrationType }) => registrationType === 'Individual',
    owner(
      {
        citizenshipCountry: 'DE',
        governmentIdentification: {
          governmentId1: { idType: 'Passport', idNumber: 'P8812345', idLocation: 'DE' },
        },
      },
      hasNumber,
    ),
  ),
  ForeignEntityCertified: where(entityType, owner({ citizenshipCountry: 'CA' })),
}
