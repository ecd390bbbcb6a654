/** Mailing, legal, employer's and nested addresses (Specification, Address). */
import Type from 'typebox'
import { block, city, country, optional, postal, state, street } from '../field.ts'

const needed = 'Required, unless the address is empty.'

/** An address in a request; an empty object where the specification allows one. */
export const addressRequest = block(
  {
    street: optional(street({ description: `Street, or a post-office box. ${needed}` })),
    city: optional(city({ description: `City. ${needed}` })),
    stateProvince: optional(state()),
    country: optional(country({ description: `Country, ISO 3166-1 alpha-2. ${needed}` })),
    postalCode: optional(postal()),
  },
  { description: 'An address.' },
)

/** An address in a response; an empty object if no address was given. */
export const addressShape = Type.Object(
  {
    street: Type.Optional(Type.String({ description: 'Street, or a post-office box.' })),
    city: Type.Optional(Type.String({ description: 'City.' })),
    stateProvince: Type.Optional(
      Type.String({ description: 'Two-letter code; empty outside the US and Canada.' }),
    ),
    country: Type.Optional(Type.String({ description: 'ISO 3166-1 alpha-2.' })),
    postalCode: Type.Optional(Type.String({ description: 'Postal code of the country.' })),
  },
  { additionalProperties: false, description: 'An address; an empty object if none was given.' },
)
