/** The trusted contact person of an account (Specification, Primary Owner; FINRA Rule 4512(a)(1)(F)). */
import Type from 'typebox'
import { answeredCode, block, code, described, email, optional, phone, region, wholeName } from '../field.ts'
import { limits } from '../limits.ts'
import { addressRequest, addressShape } from './address.ts'

const meanings = {
  contact: 'The trusted contact person (FINRA Rule 4512(a)(1)(F)).',
  name: 'Name of the trusted contact person.',
  relationship: 'Relationship of the contact person to the owner.',
  phoneRegionCode: 'Country code of the phone number.',
  phoneNumber: 'Phone number of the contact person.',
  email: 'E-mail address of the contact person.',
  address: 'Address of the contact person.',
}

export const trustedContactRequest = block(
  {
    name: optional(
      wholeName(limits.freeTextLengthMax, {
        description: `${meanings.name} Required if the block is not empty.`,
      }),
    ),
    relationship: optional(code('relationship', { description: meanings.relationship })),
    phoneRegionCode: optional(region({ description: meanings.phoneRegionCode })),
    phoneNumber: optional(phone({ description: meanings.phoneNumber })),
    email: optional(email({ description: meanings.email })),
    address: optional(described(addressRequest, meanings.address)),
  },
  { description: meanings.contact },
)

export const trustedContactShape = Type.Object(
  {
    name: Type.Optional(Type.String({ description: meanings.name })),
    relationship: Type.Optional(answeredCode('relationship', { description: meanings.relationship })),
    phoneRegionCode: Type.Optional(Type.String({ description: meanings.phoneRegionCode })),
    phoneNumber: Type.Optional(Type.String({ description: meanings.phoneNumber })),
    email: Type.Optional(Type.String({ description: meanings.email })),
    address: Type.Optional(described(addressShape, meanings.address)),
  },
  { additionalProperties: false, description: meanings.contact },
)
