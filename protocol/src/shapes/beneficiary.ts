/** Beneficiaries of new-account and of shape 1, and the T.O.D. and retirement beneficiaries of shape 2. */
import Type from 'typebox'
import {
  answeredCode,
  birthDate,
  block,
  code,
  country,
  customerId,
  list,
  optional,
  percent,
  taxId,
  text,
  wholeName,
} from '../field.ts'
import { limits } from '../limits.ts'
import { addressRequest, addressShape } from './address.ts'

/** A beneficiary in the request of new-account (Specification, Beneficiary). */
export const beneficiaryRequest = block({
  primaryContingent: optional(code('primaryContingent')),
  name: optional(wholeName(limits.fullNameLengthMax)),
  address: optional(addressRequest),
  birthDate: optional(birthDate()),
  taxIdType: optional(code('taxIdType')),
  taxIdNumber: optional(taxId()),
  relationship: optional(code('relationship')),
  percentageAllocation: optional(percent()),
})

/** A beneficiary in shape 1. */
export const beneficiaryShape = Type.Object(
  {
    primaryContingent: answeredCode('primaryContingent'),
    name: Type.String({ description: 'Whole name of the beneficiary.' }),
    address: Type.Optional(addressShape),
    birthDate: Type.Optional(Type.String({ description: 'Day of birth, `yyyy-MM-dd`.' })),
    taxIdType: Type.Optional(answeredCode('taxIdType')),
    taxIdNumber: Type.Optional(
      Type.String({ description: 'Masked to the last four characters without the scope pii:read.' }),
    ),
    relationship: Type.Optional(answeredCode('relationship')),
    percentageAllocation: Type.String({
      description: 'Share within its rank, in percent with two decimals.',
    }),
  },
  { additionalProperties: false },
)

/** A name in one field is returned in parts, so each part accepts what the whole name accepts (Reading 1.11, 3.5). */
function namePart() {
  return optional(wholeName(limits.fullNameLengthMax))
}

const shape2Properties = {
  customerId: optional(customerId()),
  nameType: optional(code('nameType')),
  name1: namePart(),
  name2: namePart(),
  name3: namePart(),
  name4: namePart(),
  address: optional(addressRequest),
  birthDate: optional(birthDate()),
  taxIdType: optional(code('taxIdType')),
  taxId: optional(taxId()),
  percentAllocation: optional(percent()),
  citizenshipCountry: optional(country()),
  primaryContingent: optional(code('primaryContingent')),
  relationship: optional(code('relationship')),
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
const requestProperties = { id: optional(text(36)), ...shape2Properties }

/** A T.O.D. beneficiary in the request of update-account, matched by customerId (Reading 3.9). */
export const todBeneficiaryRequest = block(requestProperties, { aliases: beneficiaryAliases })

/** A retirement beneficiary in the request of update-account, matched by taxId (Reading 3.9). */
export const retirementBeneficiaryRequest = block(requestProperties, { aliases: beneficiaryAliases })

const shape2 = {
  customerId: Type.String({ description: 'Number that the service gave to the beneficiary.' }),
  nameType: answeredCode('nameType'),
  name1: Type.String({ description: 'First name; of an entity, its name.' }),
  name2: Type.Optional(Type.String({ description: 'Middle name.' })),
  name3: Type.Optional(Type.String({ description: 'Last name.' })),
  name4: Type.Optional(Type.String({ description: 'Suffix of the name.' })),
  address: Type.Optional(addressShape),
  birthDate: Type.Optional(Type.String({ description: 'Day of birth, `yyyy-MM-dd`.' })),
  taxIdType: Type.Optional(answeredCode('taxIdType')),
  taxId: Type.Optional(
    Type.String({ description: 'Masked to the last four characters without the scope pii:read.' }),
  ),
  percentAllocation: Type.String({ description: 'Share within its rank, in percent with two decimals.' }),
  citizenshipCountry: Type.Optional(
    Type.String({ description: 'Country of citizenship, ISO 3166-1 alpha-2.' }),
  ),
  primaryContingent: answeredCode('primaryContingent'),
  relationship: Type.Optional(answeredCode('relationship')),
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
