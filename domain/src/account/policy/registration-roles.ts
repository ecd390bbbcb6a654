/**
 * The parties that a registration requires and allows, one row for each family of registrations. A role that a row
 * does not name is refused. Associate, an observed value of the specification, is allowed everywhere.
 */
import type { CodeOf } from '@clearing/protocol'
import { registrationOf } from '../registration.ts'

export type PartyRole = CodeOf<'partyRole'>
export type Registration = CodeOf<'registrationType'>

/** A required party; one of the roles suffices. */
export interface NeededParty {
  readonly anyOf: readonly PartyRole[]
  readonly countMax?: number
}

export interface RegistrationRule {
  readonly registrations: readonly Registration[]
  readonly needs: readonly NeededParty[]
  readonly mayHave: readonly PartyRole[]
  /** The default of an absent role; undefined if the role is required. */
  readonly absentRole: PartyRole | undefined
  /** Whether all parties of the role Secondary own the account. */
  readonly secondaryOwns: boolean
  readonly spousesOnly: boolean
  /** Whether beneficiaries may be named. */
  readonly beneficiaries: boolean
  /** Whether the account may have margin, and option levels that borrow or go short. */
  readonly mayBorrow: boolean
}

const agents = ['PowerOfAttorney', 'AuthorizedSigner', 'InterestedParty', 'Guardian', 'Custodian'] as const

const person: Omit<RegistrationRule, 'registrations'> = {
  needs: [],
  mayHave: ['Secondary', ...agents],
  absentRole: undefined,
  secondaryOwns: false,
  spousesOnly: false,
  beneficiaries: true,
  mayBorrow: true,
}
const joint: Omit<RegistrationRule, 'registrations'> = {
  ...person,
  needs: [{ anyOf: ['Secondary'], countMax: 4 }],
  absentRole: 'Secondary',
  secondaryOwns: true,
}
const spouses: Omit<RegistrationRule, 'registrations'> = {
  ...joint,
  needs: [{ anyOf: ['Secondary'], countMax: 1 }],
  spousesOnly: true,
}
const entity: Omit<RegistrationRule, 'registrations'> = {
  ...person,
  needs: [{ anyOf: ['ControlPerson'] }],
  mayHave: [
    'ControlPerson',
    'BeneficialOwner',
    'Officer',
    'Director',
    'Partner',
    'Member',
    'AuthorizedSigner',
    'PowerOfAttorney',
    'InterestedParty',
  ],
  beneficiaries: false,
}

/** Every registration, once. */
export const registrationRules: readonly RegistrationRule[] = [
  { ...person, registrations: ['Individual'] },
  { ...person, registrations: ['IndividualJointForeign'], absentRole: 'Secondary', secondaryOwns: true },
  { ...joint, registrations: ['JointWROS'] },
  { ...joint, registrations: ['JointTIC'], beneficiaries: false },
  { ...spouses, registrations: ['JointTBE', 'JointCP'] },
  {
    ...person,
    registrations: [
      'IraTraditional',
      'IraRoth',
      'IraRollover',
      'IraRothRollover',
      'IraRothConversion',
      'IraSep',
      'IraSimple',
    ],
    mayHave: agents,
    mayBorrow: false,
  },
  {
    ...person,
    registrations: ['CustodialUgma', 'CustodialUtma'],
    needs: [{ anyOf: ['Custodian'], countMax: 1 }],
    mayHave: ['Custodian', 'SuccessorCustodian', 'Minor', 'InterestedParty'],
    absentRole: 'Custodian',
    beneficiaries: false,
    mayBorrow: false,
  },
  {
    ...person,
    registrations: ['Trust'],
    needs: [{ anyOf: ['Trustee'] }],
    mayHave: [
      'Trustee',
      'SuccessorTrustee',
      'Grantor',
      'Beneficiary',
      'PowerOfAttorney',
      'AuthorizedSigner',
      'InterestedParty',
    ],
    beneficiaries: false,
  },
  {
    ...person,
    registrations: ['Estate'],
    needs: [{ anyOf: ['Executor'] }],
    mayHave: ['Executor', 'Beneficiary', 'PowerOfAttorney', 'AuthorizedSigner', 'InterestedParty'],
    beneficiaries: false,
    mayBorrow: false,
  },
  { ...entity, registrations: ['Corporation', 'Llc', 'Partnership'] },
]

/** The row of a registration. */
export function registrationRuleOf(registration: Registration): RegistrationRule {
  const rule = registrationRules.find(({ registrations }) => registrations.includes(registration))
  if (rule === undefined) throw new Error(`the registration ${registration} has no rule`)
  return rule
}

/** Roles that act for the account or decide over it: their holders are adults. */
export const actingRoles: ReadonlySet<string> = new Set<PartyRole>([
  'Secondary',
  'Custodian',
  'SuccessorCustodian',
  'Guardian',
  'Trustee',
  'SuccessorTrustee',
  'Executor',
  'Officer',
  'Director',
  'Partner',
  'ControlPerson',
  'AuthorizedSigner',
  'PowerOfAttorney',
])

/** Roles that act for an owner who cannot act. */
export const guardingRoles: ReadonlySet<string> = new Set<PartyRole>([
  'Custodian',
  'SuccessorCustodian',
  'Guardian',
])

/** Roles that hold and administer the property of a trust or an estate. */
export const fiduciaryRoles: ReadonlySet<string> = new Set<PartyRole>([
  'Trustee',
  'SuccessorTrustee',
  'Executor',
])

/**
 * Roles that only a person can hold: natural persons control and ultimately own an entity (31 CFR 1010.230(d)). A
 * custodian may be a trust company (Uniform Transfers to Minors Act, section 9(a)).
 */
export const personalRoles: ReadonlySet<string> = new Set<PartyRole>([
  'Secondary',
  'Minor',
  'Guardian',
  'ControlPerson',
  'BeneficialOwner',
  'Officer',
  'Director',
])

/** Whether an account of the registration may have margin; true of a registration type that is unknown. */
export function mayBorrow(registrationType: string): boolean {
  const registration = registrationOf(registrationType)?.value
  return registration === undefined || registrationRuleOf(registration).mayBorrow
}
