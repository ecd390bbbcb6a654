/** Beneficiaries of new-account and of shape 1, and the T.O.D. and retirement beneficiaries of shape 2. */
import Type from 'typebox'
import {
  answeredCode,
  birthDate,
  block,
  code,
  country,
  customerId,
  described,
  list,
  optional,
  percent,
  taxId,
  text,
  wholeName,
} from '../field.ts'
import { limits } from '../limits.ts'
import { addressRequest, addressShape } from './address.ts'

const meanings = {
  rank: 'Rank of the beneficiary. A contingent beneficiary receives a share only if no primary one is left.',
  name: 'Whole name of the beneficiary.',
  name1: 'First name; of an entity, its name.',
  name2: 'Middle name.',
  name3: 'Last name.',
  name4: 'Suffix of the name.',
  address: 'Address of the beneficiary.',
  taxIdType: 'Kind of the tax identification number.',
  taxId: 'Tax identification number: SSN, EIN or ITIN.',
  relationship: 'Relationship to the owner.',
  nameType: 'Whether the beneficiary is a person or an entity.',
  citizenshipCountry: 'Country of citizenship, ISO 3166-1 alpha-2.',
  share: 'Share within its rank, in percent',
}
const masked = 'Masked to the last four characters without the scope pii:read.'

/** Members that a beneficiary has in both shapes. */
const common = {
  primaryContingent: optional(
    code('primaryContingent', { description: `${meanings.rank} The default is Primary.` }),
  ),
  address: optional(described(addressRequest, meanings.address)),
  birthDate: optional(birthDate()),
  taxIdType: optional(code('taxIdType', { description: meanings.taxIdType })),
  relationship: optional(code('relationship', { description: meanings.relationship })),
}
function share() {
  return optional(percent({ description: `${meanings.share}, above 0. The shares of a rank sum to 100.00.` }))
}

/** A beneficiary in the request of new-account (Specification, Beneficiary). */
export const beneficiaryRequest = block({
  primaryContingent: common.primaryContingent,
  name: optional(wholeName(limits.fullNameLengthMax, { description: meanings.name })),
  address: common.address,
  birthDate: common.birthDate,
  taxIdType: common.taxIdType,
  taxIdNumber: optional(taxId()),
  relationship: common.relationship,
  percentageAllocation: share(),
})

/** A beneficiary in shape 1. */
export const beneficiaryShape = Type.Object(
  {
    primaryContingent: answeredCode('primaryContingent', { description: meanings.rank }),
    name: Type.String({ description: meanings.name }),
    address: Type.Optional(described(addressShape, meanings.address)),
    birthDate: Type.Optional(Type.String({ description: 'Day of birth, `yyyy-MM-dd`.' })),
    taxIdType: Type.Optional(answeredCode('taxIdType', { description: meanings.taxIdType })),
    taxIdNumber: Type.Optional(Type.String({ description: `${meanings.taxId} ${masked}` })),
    relationship: Type.Optional(answeredCode('relationship', { description: meanings.relationship })),
    percentageAllocation: Type.String({ description: `${meanings.share} with two decimals.` }),
  },
  { additionalProperties: false },
)

/** A name in one field is returned in parts, so each part accepts what the whole name accepts (Reading 1.11, 3.5). */
function namePart(description: string) {
  return optional(wholeName(limits.fullNameLengthMax, { description }))
}

const shape2Properties = {
  customerId: optional(
    customerId({
      description:
        'Number that the service gave to the beneficiary. In update-account, it selects the beneficiary to change.',
    }),
  ),
  nameType: optional(code('nameType', { description: `${meanings.nameType} The default is Individual.` })),
  name1: namePart(meanings.name1),
  name2: namePart(meanings.name2),
  name3: namePart(meanings.name3),
  name4: namePart(meanings.name4),
  address: common.address,
  birthDate: common.birthDate,
  taxIdType: common.taxIdType,
  taxId: optional(taxId()),
  percentAllocation: share(),
  citizenshipCountry: optional(country({ description: meanings.citizenshipCountry })),
  primaryContingent: common.primaryContingent,
  relationship: common.relationship,
}

const beneficiaryAliases = {
  firstname: 'name1',
  middlename: 'name2',
  lastname: 'name3',
  suffix: 'name4',
  taxidnumber: 'taxId',
  percentageallocation: 'percentAllocation',
}

/** `id` is assigned by the service and cannot be changed (Reading 1.5). */
const requestProperties = {
  id: optional(
    text(36, {
      description: 'Number that the service gave to the item, equal to `customerId`. Cannot be changed.',
    }),
  ),
  ...shape2Properties,
}

/** A T.O.D. beneficiary in the request of update-account, matched by customerId (Reading 3.9). */
export const todBeneficiaryRequest = block(requestProperties, { aliases: beneficiaryAliases })

/** A retirement beneficiary in the request of update-account, matched by taxId (Reading 3.9). */
export const retirementBeneficiaryRequest = block(requestProperties, { aliases: beneficiaryAliases })

const shape2 = {
  customerId: Type.String({ description: 'Number that the service gave to the beneficiary.' }),
  nameType: answeredCode('nameType', { description: meanings.nameType }),
  name1: Type.String({ description: meanings.name1 }),
  name2: Type.Optional(Type.String({ description: meanings.name2 })),
  name3: Type.Optional(Type.String({ description: meanings.name3 })),
  name4: Type.Optional(Type.String({ description: meanings.name4 })),
  address: Type.Optional(described(addressShape, meanings.address)),
  birthDate: Type.Optional(Type.String({ description: 'Day of birth, `yyyy-MM-dd`.' })),
  taxIdType: Type.Optional(answeredCode('taxIdType', { description: meanings.taxIdType })),
  taxId: Type.Optional(Type.String({ description: `${meanings.taxId} ${masked}` })),
  percentAllocation: Type.String({ description: `${meanings.share} with two decimals.` }),
  citizenshipCountry: Type.Optional(Type.String({ description: meanings.citizenshipCountry })),
  primaryContingent: answeredCode('primaryContingent', { description: meanings.rank }),
  relationship: Type.Optional(answeredCode('relationship', { description: meanings.relationship })),
}

/** A T.O.D. beneficiary in shape 2 (Specification, T.O.D. beneficiary). */
export const todBeneficiaryShape = Type.Object(shape2, { additionalProperties: false })
/** A retirement beneficiary in shape 2: the T.O.D. item with `id` (Reading 1.11). */
export const retirementBeneficiaryShape = Type.Object(
  {
    id: Type.String({ description: 'Number that the service gave to the item. Cannot be changed.' }),
    ...shape2,
  },
  { additionalProperties: false },
)

export const beneficiariesRequest = list(beneficiaryRequest, {
  description: 'The beneficiaries, as in the records of shape 1.',
})
export const todBeneficiariesRequest = list(todBeneficiaryRequest, {
  description: 'The beneficiaries of a transfer on death.',
})
export const retirementBeneficiariesRequest = list(retirementBeneficiaryRequest, {
  description: 'The beneficiaries of a retirement account.',
})
