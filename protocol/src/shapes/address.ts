/** Addresses: mailing, legal, employer's and nested ones (Specification, Address). */
import Type from 'typebox'
import { block, city, country, optional, postal, state, street } from '../field.ts'

/** An address as a caller gives it; an empty object where the specification allows one. */
export const addressRequest = block({
  street: optional(street()),
  city: optional(city()),
  stateProvince: optional(state()),
  country: optional(country()),
  postalCode: optional(postal()),
})

/** An address as it is answered; an address that was not given is an empty object. */
export const addressShape = Type.Object(
  {
    street: Type.Optional(Type.String()),
    city: Type.Optional(Type.String()),
    stateProvince: Type.Optional(Type.String({ description: 'Empty outside the US and Canada.' })),
    country: Type.Optional(Type.String({ description: 'ISO 3166-1 alpha-2.' })),
    postalCode: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
