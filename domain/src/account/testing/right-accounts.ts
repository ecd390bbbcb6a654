/** For tests: a valid account of every registration, without findings. Tests change one fact of it. */
import type { Registration } from '../policy/registration-roles.ts'
import type { AccountRecord, Party } from '../record.ts'

export const today = '2026-11-20'

const newJersey = {
  street: '12 HARBOR STREET',
  city: 'JERSEY CITY',
  stateProvince: 'NJ',
  country: 'US',
  postalCode: '07302',
}
const texas = {
  ...newJersey,
  street: '7 MESA ROAD',
  city: 'AUSTIN',
  stateProvince: 'TX',
  postalCode: '78701',
}

/** Some members of a value. A member with the value undefined is removed. */
export type Changes<Of> = { readonly [Name in keyof Of]?: Of[Name] | undefined }

let counter = 0

export function person(changes: Changes<Party> = {}): Party {
  counter += 1
  return {
    nameType: 'Individual',
    // Owners of one account are several persons.
    firstName: changes.role === 'Secondary' ? `SAMI${'ABCDEFGHIJ'[counter % 10]}` : 'NOOR',
    lastName: 'HADDAD',
    citizenshipCountry: 'US',
    birthDate: '1981-12-24',
    legalAddress: {},
    taxIdType: 'SSN',
    taxIdNumber: `40112${1000 + (counter % 9000)}`,
    occupation: 'Retired',
    maritalStatus: 'Married',
    trustedContact: { name: 'SANA HADDAD', phoneRegionCode: '1', phoneNumber: '2015550188' },
    ...changes,
  } as Party
}

export function entity(changes: Changes<Party> = {}): Party {
  return {
    nameType: 'Entity',
    firstName: 'HARBOR AUDIT INC',
    citizenshipCountry: 'US',
    legalAddress: {},
    taxIdType: 'TaxId',
    taxIdNumber: '223907716',
    ...changes,
  } as Party
}

const parties: Partial<
  Record<Registration, () => Pick<AccountRecord, 'primaryOwner' | 'associatedParties'>>
> = {
  IndividualJointForeign: () => ({
    primaryOwner: person({
      citizenshipCountry: 'CA',
      taxIdType: 'TaxId',
      taxIdNumber: '912701234',
      governmentIdentification: {
        governmentId1: { idType: 'Passport', idNumber: 'P7712345', idLocation: 'CA' },
      },
    }),
    associatedParties: [],
  }),
  Trust: () => ({
    primaryOwner: entity({ firstName: 'HADDAD FAMILY TRUST' }),
    associatedParties: [person({ role: 'Trustee' })],
  }),
  Estate: () => ({
    primaryOwner: entity({ firstName: 'ESTATE OF OMAR HADDAD' }),
    associatedParties: [person({ role: 'Executor' })],
  }),
}

function partiesOf(registration: Registration): Pick<AccountRecord, 'primaryOwner' | 'associatedParties'> {
  const own = parties[registration]
  if (own) return own()
  if (registration.startsWith('Joint')) {
    return { primaryOwner: person(), associatedParties: [person({ role: 'Secondary', firstName: 'SAMI' })] }
  }
  if (registration.startsWith('Custodial')) {
    return {
      primaryOwner: person({ birthDate: '2018-02-03', maritalStatus: 'Single' }),
      associatedParties: [person({ role: 'Custodian' })],
    }
  }
  if (['Corporation', 'Llc', 'Partnership'].includes(registration)) {
    return { primaryOwner: entity(), associatedParties: [person({ role: 'ControlPerson' })] }
  }
  return { primaryOwner: person(), associatedParties: [] }
}

export function rightAccount(registration: Registration): AccountRecord {
  return {
    registrationType: registration,
    entityNumber: '301',
    main: {
      repCode: 'JC01',
      marginIndicator: 'false',
      optionTradingIndicator: 'false',
      sweepIndicator: 'false',
    },
    electronicDelivery: {},
    mailingAddress: registration === 'JointCP' ? texas : newJersey,
    financialProfile: {},
    beneficiaries: registration.startsWith('Ira')
      ? [{ firstName: 'LUIS', percentageAllocation: '100.00' }]
      : [],
    largeTraders: [],
    ...partiesOf(registration),
  }
}
