/**
 * Persons and entities of an account: the primary owner and the associated parties (Specification, Primary Owner and
 * Associated Party).
 */
import Type from 'typebox'
import type { CodeListName } from '../codes/index.ts'
import {
  answeredCode,
  birthDate,
  block,
  code,
  codes,
  count,
  country,
  customerId,
  date,
  described,
  email,
  extension,
  flag,
  maskedAccepted,
  name,
  optional,
  percent,
  phone,
  region,
  taxId,
  text,
} from '../field.ts'
import { limits } from '../limits.ts'
import { partyMeanings as meanings } from '../party-meanings.ts'
import { addressRequest, addressShape } from './address.ts'
import { affiliationRequest, affiliationShape } from './affiliation.ts'
import {
  allOrNone,
  caisInformationRequest,
  caisInformationShape,
  investmentExperienceRequest,
  investmentExperienceShape,
} from './main.ts'
import { trustedContactRequest, trustedContactShape } from './trusted-contact.ts'

const idEntryRequest = block({
  idType: optional(code('governmentIdType', { description: meanings.idType })),
  idNumber: optional(text(limits.governmentIdNumberLengthMax, { description: meanings.idNumber })),
  idLocation: optional(text(2, { description: meanings.idLocation })),
  idIssueDate: optional(
    date({
      description: 'Day of issue, which is not in the future and not before the birth date of a person.',
    }),
  ),
  idExpiration: optional(
    date({ description: 'Day of expiration, which is after the issue date and not in the past.' }),
  ),
})

/** A text that is absent if it was not given. */
function answered(description: string) {
  return Type.Optional(Type.String({ description }))
}
function answeredOf<L extends CodeListName>(list: L, description: string) {
  return Type.Optional(answeredCode(list, { description }))
}

const masked = 'Masked to the last four characters without the scope pii:read.'

const idEntryShape = Type.Object(
  {
    idType: answeredOf('governmentIdType', meanings.idType),
    idNumber: answered(`${meanings.idNumber} ${masked}`),
    idLocation: answered(meanings.idLocation),
    idIssueDate: answered('Day of issue, `yyyy-MM-dd`.'),
    idExpiration: answered('Day of expiration, `yyyy-MM-dd`.'),
  },
  { additionalProperties: false },
)

const governmentIdentificationRequest = block(
  {
    governmentId1: optional(described(idEntryRequest, meanings.governmentId1)),
    governmentId2: optional(described(idEntryRequest, meanings.governmentId2)),
  },
  { description: meanings.governmentIdentification },
)

const governmentIdentificationShape = Type.Object(
  {
    governmentId1: Type.Optional(described(idEntryShape, meanings.governmentId1)),
    governmentId2: Type.Optional(described(idEntryShape, meanings.governmentId2)),
  },
  {
    additionalProperties: false,
    description: `${meanings.governmentIdentification} ${allOrNone}`,
  },
)

function freeText(description: string) {
  return optional(text(limits.freeTextLengthMax, { description }))
}

const employerProperties = {
  employerName: freeText(meanings.employerName),
  employerPhoneRegionCode: optional(region({ description: meanings.employerPhoneRegionCode })),
  employerPhoneNumber: optional(phone({ description: meanings.employerPhoneNumber })),
  employerPhoneExtension: optional(extension({ description: meanings.employerPhoneExtension })),
  employerAddress: optional(described(addressRequest, meanings.employerAddress)),
}

/** The employer as one object (second create variant). Its members are equivalent to the flat employer fields. */
const employerRequest = block(employerProperties, {
  aliases: {
    name: 'employerName',
    phoneregioncode: 'employerPhoneRegionCode',
    phonenumber: 'employerPhoneNumber',
    phoneextension: 'employerPhoneExtension',
    address: 'employerAddress',
  },
  description: 'The employer as one block, in place of the fields `employerName` to `employerAddress`.',
})

const needed = 'Required in new-account.'
const neededOfPerson = 'Required in new-account for a person.'

const partyProperties = {
  customerId: optional(
    customerId({
      description: `${meanings.customerId} In new-account, it names a person of another account. In update-account, it selects the party to change.`,
    }),
  ),
  nameType: optional(code('nameType', { description: `${meanings.nameType} The default is Individual.` })),
  firstName: optional(name({ description: `${meanings.firstName} ${needed}` })),
  middleName: optional(name({ description: meanings.middleName })),
  lastName: optional(name({ description: `${meanings.lastName} ${neededOfPerson}` })),
  suffix: optional(name({ description: meanings.suffix })),
  citizenshipCountry: optional(country({ description: `${meanings.citizenshipCountry} ${needed}` })),
  birthDate: optional(birthDate({ description: `Day of birth. ${neededOfPerson}` })),
  email: optional(email()),
  legalAddress: optional(described(addressRequest, `${meanings.legalAddress} ${needed}`)),
  occupation: optional(code('occupation', { description: meanings.occupation })),
  jobTitle: freeText(meanings.jobTitle),
  jobIndustry: optional(code('jobIndustry', { description: meanings.jobIndustry })),
  ...employerProperties,
  employer: optional(employerRequest),
  taxIdType: optional(code('taxIdType', { description: meanings.taxIdType })),
  taxIdNumber: optional(
    taxId({
      description: `${meanings.taxIdNumber} Required in new-account, except for some parties of other countries. ${maskedAccepted}`,
    }),
  ),
  governmentIdentification: optional(governmentIdentificationRequest),
  sourceOfFunds: optional(codes('sourceOfFunds', { description: meanings.sourceOfFunds })),
  otherSourceOfFund: freeText('The source of funds in words, if `sourceOfFunds` has `Other`.'),
  phoneRegionCell: optional(region({ description: meanings.phoneRegionCell })),
  phoneNumberCell: optional(
    phone({ description: `${meanings.phoneNumberCell} A party needs one of the three phone numbers.` }),
  ),
  phoneRegionHome: optional(region({ description: meanings.phoneRegionHome })),
  phoneNumberHome: optional(phone({ description: meanings.phoneNumberHome })),
  phoneRegionBusiness: optional(region({ description: meanings.phoneRegionBusiness })),
  phoneNumberBusiness: optional(phone({ description: meanings.phoneNumberBusiness })),
  caisInformation: optional(caisInformationRequest),
  caisCustomerType: optional(codes('caisCustomerType', { description: meanings.caisCustomerType })),
  trustedContact: optional(trustedContactRequest),
  affiliation: optional(affiliationRequest),
  maritalStatus: optional(code('maritalStatus', { description: meanings.maritalStatus })),
  dependents: optional(count({ description: 'Number of dependents.' })),
  institutionalInvestor: optional(flag('true', { description: meanings.institutionalInvestor })),
}

/** Alternative names of the parts of a name (Reading 1.1). The guides name an entity by `name1`. */
const nameParts = { name1: 'firstName', name2: 'middleName', name3: 'lastName', name4: 'suffix' } as const

type NamePart = (typeof partyProperties)['firstName']

/**
 * A person or an entity in a request. Its type and the contract also have the alternative names, so that a typed
 * program can send them. The reader never returns them: they become `firstName` to `suffix`.
 */
function partyBlock<P extends typeof partyProperties>(properties: P, description: string) {
  return block(properties as P & Record<keyof typeof nameParts, NamePart>, {
    description,
    aliases: { ...nameParts, othersourceoffunds: 'otherSourceOfFund' },
    shownAliases: Object.keys(nameParts),
  })
}

/** The primary owner in a request. */
export const primaryOwnerRequest = partyBlock(partyProperties, 'The primary owner of the account.')

/** An associated party in a request. */
export const associatedPartyRequest = partyBlock(
  {
    ...partyProperties,
    role: optional(
      code('partyRole', {
        description: `${meanings.role} The default depends on the registration type.`,
      }),
    ),
    tradingAuthority: optional(code('tradingAuthority', { description: meanings.tradingAuthority })),
    ownershipPercent: optional(percent({ description: meanings.ownershipPercent })),
    financialProfile: optional(
      block(
        { investmentExperience: optional(investmentExperienceRequest) },
        { description: meanings.financialProfile },
      ),
    ),
  },
  'A person or an entity of the account beside the primary owner.',
)

const partyCommonShape = {
  customerId: answered(meanings.customerId),
  nameType: answeredCode('nameType', { description: meanings.nameType }),
  suffix: answered(meanings.suffix),
  citizenshipCountry: answered(meanings.citizenshipCountry),
  birthDate: answered('Day of birth, `yyyy-MM-dd`.'),
  email: answered(meanings.email),
  legalAddress: Type.Optional(described(addressShape, meanings.legalAddress)),
  occupation: answeredOf('occupation', meanings.occupation),
  jobTitle: answered(meanings.jobTitle),
  jobIndustry: answeredOf('jobIndustry', meanings.jobIndustry),
  employerName: answered(meanings.employerName),
  employerPhoneRegionCode: answered(meanings.employerPhoneRegionCode),
  employerPhoneNumber: answered(meanings.employerPhoneNumber),
  employerPhoneExtension: answered(meanings.employerPhoneExtension),
  employerAddress: Type.Optional(described(addressShape, meanings.employerAddress)),
  taxIdType: answeredOf('taxIdType', meanings.taxIdType),
  taxIdNumber: answered(`${meanings.taxIdNumber} ${masked}`),
  governmentIdentification: Type.Optional(governmentIdentificationShape),
  otherSourceOfFund: answered(meanings.otherSourceOfFund),
  phoneRegionCell: answered(meanings.phoneRegionCell),
  phoneNumberCell: answered(meanings.phoneNumberCell),
  phoneRegionHome: answered(meanings.phoneRegionHome),
  phoneNumberHome: answered(meanings.phoneNumberHome),
  phoneRegionBusiness: answered(meanings.phoneRegionBusiness),
  phoneNumberBusiness: answered(meanings.phoneNumberBusiness),
  trustedContact: Type.Optional(trustedContactShape),
  affiliation: Type.Optional(affiliationShape),
  maritalStatus: answeredOf('maritalStatus', meanings.maritalStatus),
  dependents: answered(meanings.dependents),
  institutionalInvestor: answered('Whether the entity is an institutional investor: `true` or `false`.'),
}

const partyRoleShape = {
  role: answeredOf('partyRole', meanings.role),
  tradingAuthority: answeredOf('tradingAuthority', meanings.tradingAuthority),
  ownershipPercent: answered('Percentage of the entity that the party owns, with two decimals.'),
  financialProfile: Type.Optional(
    Type.Object(
      { investmentExperience: Type.Optional(investmentExperienceShape) },
      { additionalProperties: false, description: meanings.financialProfile },
    ),
  ),
}

const shape1 = {
  ...partyCommonShape,
  firstName: answered(meanings.firstName),
  middleName: answered(meanings.middleName),
  lastName: answered(meanings.lastName),
  sourceOfFunds: Type.Optional(
    Type.Array(answeredCode('sourceOfFunds'), { description: meanings.sourceOfFunds }),
  ),
  caisInformation: Type.Optional(caisInformationShape),
}

const shape2 = {
  ...partyCommonShape,
  name1: answered(meanings.firstName),
  name2: answered(meanings.middleName),
  name3: answered(meanings.lastName),
  name4: answered(meanings.suffix),
  sourceOfFunds: Type.Optional(
    Type.String({
      description:
        'Where the funds of the account come from: values of the code list `sourceOfFunds`, joined by `, `.',
    }),
  ),
  caisCustomerType: Type.Optional(
    Type.Array(answeredCode('caisCustomerType'), {
      description: meanings.caisCustomerType,
    }),
  ),
}

const strict = { additionalProperties: false }
const owner = { ...strict, description: 'The primary owner of the account.' }

/** Primary owner in shape 1: names as firstName, middleName, lastName; sourceOfFunds an array (Reading 1.11). */
export const primaryOwnerShape1 = Type.Object(shape1, owner)
/** Primary owner in shape 2: names as name1 to name4; sourceOfFunds one text (Reading 1.11). */
export const primaryOwnerShape2 = Type.Object(shape2, owner)
/**
 * Primary owner in the echo of a shape 2 new-account: CAIS and employer are blocks if they were submitted as
 * blocks.
 */
export const primaryOwnerEcho = Type.Object(
  {
    ...shape2,
    caisInformation: Type.Optional(caisInformationShape),
    employer: Type.Optional(
      Type.Object(
        {
          employerName: answered(meanings.employerName),
          employerPhoneRegionCode: answered(meanings.employerPhoneRegionCode),
          employerPhoneNumber: answered(meanings.employerPhoneNumber),
          employerPhoneExtension: answered(meanings.employerPhoneExtension),
          employerAddress: Type.Optional(described(addressShape, meanings.employerAddress)),
          name: answered(meanings.employerName),
          phoneRegionCode: answered(meanings.employerPhoneRegionCode),
          phoneNumber: answered(meanings.employerPhoneNumber),
          phoneExtension: answered(meanings.employerPhoneExtension),
          address: Type.Optional(described(addressShape, meanings.employerAddress)),
        },
        {
          ...strict,
          description:
            'The employer, if it was submitted as a block: with the members `name` to `address` if it was submitted with one of them, otherwise with `employerName` to `employerAddress`.',
        },
      ),
    ),
  },
  owner,
)
/** Another party in the echo of a shape 2 new-account: CAIS is a block if it was submitted as a block. */
export const associatedPartyEcho = Type.Object(
  { ...shape2, caisInformation: Type.Optional(caisInformationShape), ...partyRoleShape },
  strict,
)
export const associatedPartyShape1 = Type.Object({ ...shape1, ...partyRoleShape }, strict)
export const associatedPartyShape2 = Type.Object({ ...shape2, ...partyRoleShape }, strict)
