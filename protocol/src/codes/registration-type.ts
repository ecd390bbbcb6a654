// Registration types: the form of ownership of an account and its requirements for a submission. Reading 3.3, 3.4 and
// 3.8.

import { type CodeRow, firstVersion } from './code-list.ts'

/** The families of registration types, to which rules refer. */
export type RegistrationGroup = 'individual' | 'joint' | 'ira' | 'custodial' | 'trust' | 'entity'

interface RegistrationRow extends CodeRow {
  readonly group: RegistrationGroup
  /** The suffix of accountName; empty for none. Reading 3.8. */
  readonly accountNameSuffix: string
  /** The nameType of the primary owner. */
  readonly ownerNameType: 'Individual' | 'Entity'
  /**
   * Whether at least one associated party is required: a joint owner, a custodian, or the individual who acts for an
   * entity.
   */
  readonly needsAssociatedParty: boolean
  /** Whether retirement beneficiaries are required. */
  readonly needsBeneficiary: boolean
  /**
   * Whether government identification is required regardless of citizenship. Otherwise only persons who are not US
   * citizens need it.
   */
  readonly needsGovernmentIdentification: boolean
  /** States whose residents can have this registration; empty for all states. */
  readonly residentStates: readonly string[]
}

/**
 * States and territories with community property, whose residents can hold a JointCP account (Reading 3.3). Alaska has
 * it by agreement of the spouses (Alaska Stat. 34.77.030). Guam has it by 19 Guam Code 6101 to 6105 (read on
 * 2026-11-27). States where only a trust makes property community property (FL KY SD TN) are not among them.
 */
export const communityPropertyStates = [
  'AK',
  'AZ',
  'CA',
  'ID',
  'LA',
  'NV',
  'NM',
  'TX',
  'WA',
  'WI',
  'PR',
  'GU',
] as const

/**
 * States with the tenancy by the entirety, as the account policy lists them. The lists of Alper Law ("Which states
 * recognize tenancy by the entirety?") and TD Ameritrade ("Standard brokerage accounts") were compared on 2026-11-27:
 * neither has Ohio, and the rule EntiretyOfSecurities notes it.
 */
const tenancyByEntiretyStates = [
  'AK',
  'AR',
  'DE',
  'DC',
  'FL',
  'HI',
  'IL',
  'IN',
  'KY',
  'MD',
  'MA',
  'MI',
  'MS',
  'MO',
  'NJ',
  'NY',
  'NC',
  'OH',
  'OK',
  'OR',
  'PA',
  'RI',
  'TN',
  'VT',
  'VA',
  'WY',
] as const

const individual = {
  since: firstVersion,
  group: 'individual',
  accountNameSuffix: '',
  ownerNameType: 'Individual',
  needsAssociatedParty: false,
  needsBeneficiary: false,
  needsGovernmentIdentification: false,
  residentStates: [],
} as const
const joint = { ...individual, group: 'joint', needsAssociatedParty: true } as const
const ira = { ...individual, group: 'ira', needsBeneficiary: true } as const
const custodial = { ...individual, group: 'custodial', needsAssociatedParty: true } as const
const trust = { ...individual, group: 'trust', ownerNameType: 'Entity', needsAssociatedParty: true } as const
const entity = { ...trust, group: 'entity' } as const

const rows = [
  { ...individual, value: 'Individual', label: 'Individual' },
  {
    ...individual,
    value: 'IndividualJointForeign',
    label: 'Foreign person, alone or jointly',
    needsGovernmentIdentification: true,
  },
  { ...joint, value: 'JointWROS', label: 'Joint with rights of survivorship', accountNameSuffix: 'JTWROS' },
  { ...joint, value: 'JointTIC', label: 'Joint tenants in common', accountNameSuffix: 'JT TIC' },
  {
    ...joint,
    value: 'JointCP',
    label: 'Joint community property',
    accountNameSuffix: 'COMM PROP',
    residentStates: communityPropertyStates,
  },
  {
    ...joint,
    value: 'JointTBE',
    label: 'Joint tenants by the entirety',
    accountNameSuffix: 'JT TBE',
    residentStates: tenancyByEntiretyStates,
  },
  { ...ira, value: 'IraTraditional', label: 'Traditional IRA', accountNameSuffix: 'IRA' },
  { ...ira, value: 'IraRoth', label: 'Roth IRA', accountNameSuffix: 'ROTH IRA' },
  { ...ira, value: 'IraRollover', label: 'Rollover IRA', accountNameSuffix: 'ROLLOVER IRA' },
  { ...ira, value: 'IraRothRollover', label: 'Roth rollover IRA', accountNameSuffix: 'ROTH ROLLOVER IRA' },
  {
    ...ira,
    value: 'IraRothConversion',
    label: 'Roth conversion IRA',
    accountNameSuffix: 'ROTH CONVERSION IRA',
  },
  { ...ira, value: 'IraSep', label: 'SEP IRA', accountNameSuffix: 'SEP IRA' },
  { ...ira, value: 'IraSimple', label: 'SIMPLE IRA', accountNameSuffix: 'SIMPLE IRA' },
  {
    ...custodial,
    value: 'CustodialUgma',
    label: 'Custodial, Uniform Gifts to Minors Act',
    accountNameSuffix: 'UGMA',
  },
  {
    ...custodial,
    value: 'CustodialUtma',
    label: 'Custodial, Uniform Transfers to Minors Act',
    accountNameSuffix: 'UTMA',
  },
  { ...trust, value: 'Trust', label: 'Trust', accountNameSuffix: 'TRUST' },
  { ...trust, value: 'Estate', label: 'Estate', accountNameSuffix: 'ESTATE' },
  { ...entity, value: 'Corporation', label: 'Corporation' },
  { ...entity, value: 'Llc', label: 'Limited liability company' },
  { ...entity, value: 'Partnership', label: 'Partnership' },
] as const satisfies readonly RegistrationRow[]

/** A registration type with its requirements. */
export interface RegistrationTypeRow extends RegistrationRow {
  readonly value: (typeof rows)[number]['value']
}

/** Registration types. Individual and IndividualJointForeign are observed values of the specification. Reading 3.3. */
export const registrationTypes: readonly RegistrationTypeRow[] = rows
