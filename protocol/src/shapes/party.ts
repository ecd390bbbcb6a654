/**
 * Persons and entities of an account: the primary owner and the associated parties (Specification, Primary Owner and
 * Associated Party).
 */
import Type, { type TProperties } from 'typebox'
import {
  birthDate,
  block,
  code,
  codeOrText,
  codes,
  count,
  country,
  customerId,
  date,
  email,
  extension,
  flag,
  flagOrText,
  name,
  optional,
  percent,
  phone,
  region,
  taxId,
  text,
  wholeName,
} from '../field.ts'
import { limits } from '../limits.ts'
import { addressRequest, addressShape } from './address.ts'
import {
  caisInformationRequest,
  caisInformationShape,
  investmentExperienceRequest,
  investmentExperienceShape,
} from './main.ts'

const idEntryRequest = block({
  idType: optional(code('governmentIdType')),
  idNumber: optional(text(limits.governmentIdNumberLengthMax)),
  idLocation: optional(text(2)),
  idIssueDate: optional(date()),
  idExpiration: optional(date()),
})

const idEntryShape = Type.Object(
  {
    idType: Type.Optional(Type.String()),
    idNumber: Type.Optional(Type.String()),
    idLocation: Type.Optional(
      Type.String({ description: 'Code of the country or state that issued the document.' }),
    ),
    idIssueDate: Type.Optional(Type.String()),
    idExpiration: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)

const governmentIdentificationRequest = block({
  governmentId1: optional(idEntryRequest),
  governmentId2: optional(idEntryRequest),
})

const governmentIdentificationShape = Type.Object(
  { governmentId1: Type.Optional(idEntryShape), governmentId2: Type.Optional(idEntryShape) },
  { additionalProperties: false },
)

export const trustedContactRequest = block({
  name: optional(wholeName(limits.freeTextLengthMax)),
  relationship: optional(code('relationship')),
  phoneRegionCode: optional(region()),
  phoneNumber: optional(phone()),
  email: optional(email()),
  address: optional(addressRequest),
})

export const trustedContactShape = Type.Object(
  {
    name: Type.Optional(Type.String()),
    relationship: Type.Optional(Type.String()),
    phoneRegionCode: Type.Optional(Type.String()),
    phoneNumber: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    address: Type.Optional(addressShape),
  },
  { additionalProperties: false },
)

function affiliationBlock(properties: TProperties) {
  return block({ associated: optional(flag('True')), ...properties })
}

const affiliationProperties = {
  industry: optional(
    Type.Union([
      flag('True'),
      affiliationBlock({
        firmClearing: optional(flagOrText(limits.freeTextLengthMax)),
        companyName: optional(text(limits.freeTextLengthMax)),
      }),
    ]),
  ),
  political: optional(
    Type.Union([
      flag('True'),
      affiliationBlock({
        name: optional(wholeName(limits.freeTextLengthMax)),
        firstName: optional(name()),
        lastName: optional(name()),
        organization: optional(text(limits.freeTextLengthMax)),
        relationship: optional(text(30)),
      }),
    ]),
  ),
  publicCompany: optional(
    Type.Union([
      flag('True'),
      affiliationBlock({ name: optional(text(limits.freeTextLengthMax)), symbol: optional(text(10)) }),
    ]),
  ),
  service: optional(
    affiliationBlock({
      name: optional(text(limits.freeTextLengthMax)),
      position: optional(text(limits.freeTextLengthMax)),
      relationship: optional(text(30)),
      affiliatedEntity: optional(text(limits.freeTextLengthMax)),
    }),
  ),
}

/** Affiliation, in the flat form of the specification or in its extended form (Reading 3.5). */
export const affiliationRequest = block({
  ...affiliationProperties,
  relationship: optional(codeOrText('relationship', 30)),
  name: optional(text(limits.freeTextLengthMax)),
  organization: optional(text(limits.freeTextLengthMax)),
  address: optional(addressRequest),
})

const openBlock = Type.Record(Type.String(), Type.String())

export const affiliationShape = Type.Object(
  {
    publicCompany: Type.Optional(Type.Union([Type.String(), openBlock])),
    industry: Type.Optional(Type.Union([Type.String(), openBlock])),
    political: Type.Optional(Type.Union([Type.String(), openBlock])),
    service: Type.Optional(openBlock),
    relationship: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
    organization: Type.Optional(Type.String()),
    address: Type.Optional(addressShape),
  },
  { additionalProperties: false },
)

/** The employer as one object (second create variant). Its members are equivalent to the flat employer fields. */
const employerRequest = block(
  {
    employerName: optional(text(limits.freeTextLengthMax)),
    employerPhoneRegionCode: optional(region()),
    employerPhoneNumber: optional(phone()),
    employerPhoneExtension: optional(extension()),
    employerAddress: optional(addressRequest),
  },
  {
    aliases: {
      name: 'employerName',
      phoneregioncode: 'employerPhoneRegionCode',
      phonenumber: 'employerPhoneNumber',
      phoneextension: 'employerPhoneExtension',
      address: 'employerAddress',
    },
  },
)

const partyProperties = {
  customerId: optional(customerId()),
  nameType: optional(code('nameType')),
  firstName: optional(name()),
  middleName: optional(name()),
  lastName: optional(name()),
  suffix: optional(name()),
  citizenshipCountry: optional(country()),
  birthDate: optional(birthDate()),
  email: optional(email()),
  legalAddress: optional(addressRequest),
  occupation: optional(code('occupation')),
  jobTitle: optional(text(limits.freeTextLengthMax)),
  jobIndustry: optional(code('jobIndustry')),
  employerName: optional(text(limits.freeTextLengthMax)),
  employerPhoneRegionCode: optional(region()),
  employerPhoneNumber: optional(phone()),
  employerPhoneExtension: optional(extension()),
  employerAddress: optional(addressRequest),
  employer: optional(employerRequest),
  taxIdType: optional(code('taxIdType')),
  taxIdNumber: optional(taxId()),
  governmentIdentification: optional(governmentIdentificationRequest),
  sourceOfFunds: optional(codes('sourceOfFunds')),
  otherSourceOfFund: optional(text(limits.freeTextLengthMax)),
  phoneRegionCell: optional(region()),
  phoneNumberCell: optional(phone()),
  phoneRegionHome: optional(region()),
  phoneNumberHome: optional(phone()),
  phoneRegionBusiness: optional(region()),
  phoneNumberBusiness: optional(phone()),
  caisInformation: optional(caisInformationRequest),
  caisCustomerType: optional(codes('caisCustomerType')),
  trustedContact: optional(trustedContactRequest),
  affiliation: optional(affiliationRequest),
  maritalStatus: optional(code('maritalStatus')),
  dependents: optional(count()),
  institutionalInvestor: optional(flag('true')),
}

/** Alternative names of the parts of a name (Reading 1.1). The guides name an entity by `name1`. */
const nameParts = { name1: 'firstName', name2: 'middleName', name3: 'lastName', name4: 'suffix' } as const

type NamePart = (typeof partyProperties)['firstName']

/**
 * A person or an entity in a request. Its type and the contract also have the alternative names, so that a typed
 * program can send them. The reader never returns them: they become `firstName` to `suffix`.
 */
function partyBlock<P extends typeof partyProperties>(properties: P) {
  return block(properties as P & Record<keyof typeof nameParts, NamePart>, {
    aliases: { ...nameParts, othersourceoffunds: 'otherSourceOfFund' },
    shownAliases: Object.keys(nameParts),
  })
}

/** The primary owner in a request. */
export const primaryOwnerRequest = partyBlock(partyProperties)

/** An associated party in a request. */
export const associatedPartyRequest = partyBlock({
  ...partyProperties,
  role: optional(code('partyRole')),
  tradingAuthority: optional(code('tradingAuthority')),
  ownershipPercent: optional(percent()),
  financialProfile: optional(block({ investmentExperience: optional(investmentExperienceRequest) })),
})

const answered = Type.Optional(Type.String())

const partyCommonShape = {
  customerId: answered,
  nameType: Type.String(),
  suffix: answered,
  citizenshipCountry: answered,
  birthDate: answered,
  email: answered,
  legalAddress: Type.Optional(addressShape),
  occupation: answered,
  jobTitle: answered,
  jobIndustry: answered,
  employerName: answered,
  employerPhoneRegionCode: answered,
  employerPhoneNumber: answered,
  employerPhoneExtension: answered,
  employerAddress: Type.Optional(addressShape),
  taxIdType: answered,
  taxIdNumber: Type.Optional(
    Type.String({ description: 'Masked to the last four characters without the scope pii:read.' }),
  ),
  governmentIdentification: Type.Optional(governmentIdentificationShape),
  otherSourceOfFund: answered,
  phoneRegionCell: answered,
  phoneNumberCell: answered,
  phoneRegionHome: answered,
  phoneNumberHome: answered,
  phoneRegionBusiness: answered,
  phoneNumberBusiness: answered,
  trustedContact: Type.Optional(trustedContactShape),
  affiliation: Type.Optional(affiliationShape),
  maritalStatus: answered,
  dependents: answered,
  institutionalInvestor: answered,
}

const partyRoleShape = {
  role: answered,
  tradingAuthority: answered,
  ownershipPercent: Type.Optional(
    Type.String({ description: 'Percentage of the entity that the party owns, with two decimals.' }),
  ),
  financialProfile: Type.Optional(
    Type.Object(
      { investmentExperience: Type.Optional(investmentExperienceShape) },
      { additionalProperties: false },
    ),
  ),
}

const shape1 = {
  ...partyCommonShape,
  firstName: answered,
  middleName: answered,
  lastName: answered,
  sourceOfFunds: Type.Optional(Type.Array(Type.String())),
  caisInformation: Type.Optional(caisInformationShape),
}

const shape2 = {
  ...partyCommonShape,
  name1: answered,
  name2: answered,
  name3: answered,
  name4: answered,
  sourceOfFunds: Type.Optional(Type.String({ description: 'The values joined by `, `.' })),
  caisCustomerType: Type.Optional(Type.Array(Type.String())),
}

const strict = { additionalProperties: false }

/** Primary owner in shape 1: names as firstName, middleName, lastName; sourceOfFunds an array (Reading 1.11). */
export const primaryOwnerShape1 = Type.Object(shape1, strict)
/** Primary owner in shape 2: names as name1 to name4; sourceOfFunds one text (Reading 1.11). */
export const primaryOwnerShape2 = Type.Object(shape2, strict)
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
          employerName: answered,
          employerPhoneRegionCode: answered,
          employerPhoneNumber: answered,
          employerPhoneExtension: answered,
          employerAddress: Type.Optional(addressShape),
        },
        strict,
      ),
    ),
  },
  strict,
)
export const associatedPartyShape1 = Type.Object({ ...shape1, ...partyRoleShape }, strict)
export const associatedPartyShape2 = Type.Object({ ...shape2, ...partyRoleShape }, strict)
