/**
 * Persons and entities of an account: the primary owner and the associated parties (Specification, Primary Owner and
 * Associated Party).
 */
import Type, { type TProperties } from 'typebox'
import type { CodeListName } from '../codes/index.ts'
import {
  answeredCode,
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

/** A text that is absent if it was not given. */
function answered(description: string) {
  return Type.Optional(Type.String({ description }))
}
function answeredOf<L extends CodeListName>(list: L) {
  return Type.Optional(answeredCode(list))
}

const idEntryShape = Type.Object(
  {
    idType: answeredOf('governmentIdType'),
    idNumber: answered(
      'Number of the document. Masked to the last four characters without the scope pii:read.',
    ),
    idLocation: answered('Code of the country or state that issued the document.'),
    idIssueDate: answered('Day of issue, `yyyy-MM-dd`.'),
    idExpiration: answered('Day of expiration, `yyyy-MM-dd`.'),
  },
  { additionalProperties: false },
)

const governmentIdentificationRequest = block({
  governmentId1: optional(idEntryRequest),
  governmentId2: optional(idEntryRequest),
})

const governmentIdentificationShape = Type.Object(
  { governmentId1: Type.Optional(idEntryShape), governmentId2: Type.Optional(idEntryShape) },
  {
    additionalProperties: false,
    description: 'Up to two documents that identify the person. An empty object without one.',
  },
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
    name: answered('Name of the trusted contact person (FINRA Rule 4512(a)(1)(F)).'),
    relationship: answeredOf('relationship'),
    phoneRegionCode: answered('Country code of the phone number.'),
    phoneNumber: answered('Phone number.'),
    email: answered('E-mail address.'),
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

/** The form in which the affiliation was submitted: a flag, or a block. */
function flagOrBlock(description: string) {
  return Type.Optional(Type.Union([Type.String(), openBlock], { description }))
}

export const affiliationShape = Type.Object(
  {
    publicCompany: flagOrBlock(
      'Whether the person is a director, 10 % shareholder or policy-making officer of a public company: `True` or `False`, or a block with the company.',
    ),
    industry: flagOrBlock(
      'Whether the person is associated with a broker-dealer, an exchange or FINRA: `True` or `False`, or a block with the company.',
    ),
    political: flagOrBlock(
      'Whether the person is a senior political figure, or a family member or close associate of one: `True` or `False`, or a block with the figure.',
    ),
    service: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'How the person is related to the clearing firm or its staff.',
      }),
    ),
    relationship: answered('Relationship to the affiliated person.'),
    name: answered('Name of the affiliated person.'),
    organization: answered('Organization of the affiliation.'),
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

const partyCommonShape = {
  customerId: answered(
    'Number that the service gave to the person. The same person has the same number in all accounts of the firm.',
  ),
  nameType: answeredCode('nameType'),
  suffix: answered('Suffix of the name, such as `JR`.'),
  citizenshipCountry: answered('Country of citizenship, ISO 3166-1 alpha-2.'),
  birthDate: answered('Day of birth, `yyyy-MM-dd`.'),
  email: answered('E-mail address.'),
  legalAddress: Type.Optional(addressShape),
  occupation: answeredOf('occupation'),
  jobTitle: answered('Title of the job.'),
  jobIndustry: answeredOf('jobIndustry'),
  employerName: answered('Name of the employer.'),
  employerPhoneRegionCode: answered('Country code of the phone number of the employer.'),
  employerPhoneNumber: answered('Phone number of the employer.'),
  employerPhoneExtension: answered('Extension of the phone number of the employer.'),
  employerAddress: Type.Optional(addressShape),
  taxIdType: answeredOf('taxIdType'),
  taxIdNumber: Type.Optional(
    Type.String({ description: 'Masked to the last four characters without the scope pii:read.' }),
  ),
  governmentIdentification: Type.Optional(governmentIdentificationShape),
  otherSourceOfFund: answered('The source of funds in words, for `Other`.'),
  phoneRegionCell: answered('Country code of the mobile phone number.'),
  phoneNumberCell: answered('Mobile phone number.'),
  phoneRegionHome: answered('Country code of the home phone number.'),
  phoneNumberHome: answered('Home phone number.'),
  phoneRegionBusiness: answered('Country code of the business phone number.'),
  phoneNumberBusiness: answered('Business phone number.'),
  trustedContact: Type.Optional(trustedContactShape),
  affiliation: Type.Optional(affiliationShape),
  maritalStatus: answeredOf('maritalStatus'),
  dependents: answered('Number of dependents, as text.'),
  institutionalInvestor: answered('Whether the entity is an institutional investor: `true` or `false`.'),
}

const partyRoleShape = {
  role: answeredOf('partyRole'),
  tradingAuthority: answeredOf('tradingAuthority'),
  ownershipPercent: Type.Optional(
    Type.String({ description: 'Percentage of the entity that the party owns, with two decimals.' }),
  ),
  financialProfile: Type.Optional(
    Type.Object(
      { investmentExperience: Type.Optional(investmentExperienceShape) },
      { additionalProperties: false, description: 'The investment experience of the party.' },
    ),
  ),
}

const shape1 = {
  ...partyCommonShape,
  firstName: answered('First name; of an entity, its name.'),
  middleName: answered('Middle name.'),
  lastName: answered('Last name.'),
  sourceOfFunds: Type.Optional(
    Type.Array(answeredCode('sourceOfFunds'), { description: 'Where the funds of the account come from.' }),
  ),
  caisInformation: Type.Optional(caisInformationShape),
}

const shape2 = {
  ...partyCommonShape,
  name1: answered('First name; of an entity, its name.'),
  name2: answered('Middle name.'),
  name3: answered('Last name.'),
  name4: answered('Suffix of the name.'),
  sourceOfFunds: Type.Optional(
    Type.String({
      description:
        'Where the funds of the account come from: values of the code list `sourceOfFunds`, joined by `, `.',
    }),
  ),
  caisCustomerType: Type.Optional(
    Type.Array(answeredCode('caisCustomerType'), {
      description: 'Kinds of the customer for the Consolidated Audit Trail (FINRA Rule 6830).',
    }),
  ),
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
          employerName: answered('Name of the employer.'),
          employerPhoneRegionCode: answered('Country code of the phone number of the employer.'),
          employerPhoneNumber: answered('Phone number of the employer.'),
          employerPhoneExtension: answered('Extension of the phone number of the employer.'),
          employerAddress: Type.Optional(addressShape),
        },
        { ...strict, description: 'The employer, if it was submitted as a block.' },
      ),
    ),
  },
  strict,
)
export const associatedPartyShape1 = Type.Object({ ...shape1, ...partyRoleShape }, strict)
export const associatedPartyShape2 = Type.Object({ ...shape2, ...partyRoleShape }, strict)
