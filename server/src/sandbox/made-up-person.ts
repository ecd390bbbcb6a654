/**
 * Fictitious people for the applications that the sandbox makes. None of their names is similar to a name of the
 * fictitious list.
 */
import { randomInt } from 'node:crypto'

const firstNames = [
  'Ada',
  'Bruno',
  'Clara',
  'Dario',
  'Edda',
  'Flora',
  'Gero',
  'Hanna',
  'Ivo',
  'Judith',
  'Karl',
  'Lena',
]
const lastNames = [
  'Brandt',
  'Castell',
  'Dorn',
  'Ebner',
  'Falk',
  'Gerber',
  'Holm',
  'Jansen',
  'Keller',
  'Lindner',
  'Moreau',
]

function oneOf<T>(values: readonly T[]): T {
  return values[randomInt(values.length)] as T
}
function digits(value: number, count: number): string {
  return String(value).padStart(count, '0')
}

/** A number that has the form of an SSN. */
function madeUpTaxId(): string {
  return digits(randomInt(1, 666), 3) + digits(randomInt(1, 100), 2) + digits(randomInt(1, 10_000), 4)
}

export interface ChosenValues {
  readonly taxIdNumber?: string
  readonly firstName?: string
  readonly lastName?: string
  readonly birthDate?: string
}

/** An application in shape 1 for an individual account, with the chosen values. */
export function madeUpApplication(entityNumber: string, repCode: string, chosen: ChosenValues) {
  return {
    registrationType: 'Individual',
    entityNumber,
    main: { repCode },
    mailingAddress: {
      street: `${randomInt(1, 400)} Harbor Street`,
      city: 'Jersey City',
      stateProvince: 'NJ',
      country: 'US',
      postalCode: '07302',
    },
    primaryOwner: {
      firstName: oneOf(firstNames),
      lastName: oneOf(lastNames),
      citizenshipCountry: 'US',
      birthDate: `${randomInt(1950, 2000)}-${digits(randomInt(1, 13), 2)}-${digits(randomInt(1, 29), 2)}`,
      legalAddress: {},
      taxIdType: 'SSN',
      taxIdNumber: madeUpTaxId(),
      phoneNumberCell: '2015550123',
      email: 'nobody@example.com',
      ...chosen,
    },
    electronicDelivery: { email: 'nobody@example.com' },
  }
}
