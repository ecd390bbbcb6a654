/** For tests: accounts with one change in their parties and owners, and the findings of account policy in each. */
import { entity, person } from '../../testing/right-accounts.ts'
import { add, all, beneficiary, mailing, only, owner, party, withPassport } from './changed-accounts.ts'
import type { FindingRow } from './find-table.ts'

const minorNumber = '401129900'

export const defectsOfRoles: readonly FindingRow[] = [
  // Owners
  [
    'a company as the owner of an individual account',
    'Individual',
    owner({ nameType: 'Entity', taxIdType: 'TaxId', taxIdNumber: '471203346' }),
    'OwnerKind primaryOwner.nameType',
  ],
  [
    'an IRA without beneficiaries',
    'IraRoth',
    (record) => ({ ...record, beneficiaries: [] }),
    'BeneficiariesNamed retirementBenes',
  ],
  // Roles
  ['a party without a role', 'Individual', add(person()), 'RoleRequired associatedParties[0].role'],
  ['a party of a joint account without a role is a joint owner', 'JointWROS', party({ role: '' })],
  [
    'a single party of a custodial account without a role is the custodian',
    'CustodialUtma',
    party({ role: '' }),
  ],
  [
    'two parties of a custodial account, one without a role',
    'CustodialUtma',
    add(person()),
    'RoleRequired associatedParties[1].role',
  ],
  ['an associate', 'Corporation', add(person({ role: 'Associate' }))],
  [
    'a trustee of a person',
    'Individual',
    add(person({ role: 'Trustee' })),
    'RoleAllowed associatedParties[0].role',
  ],
  [
    'a joint owner of an IRA',
    'IraRoth',
    add(person({ role: 'Secondary' })),
    'RoleAllowed associatedParties[0].role',
  ],
  [
    'a secondary of an individual account',
    'Individual',
    add(person({ role: 'Secondary' })),
    'SecondaryNotOwner associatedParties[0].role',
  ],
  ['a foreign couple', 'IndividualJointForeign', add(person({ role: 'Secondary' }))],
  ['a joint account with one owner', 'JointTIC', only(), 'RoleMissing associatedParties'],
  [
    'a joint account with one owner and an associate',
    'JointTIC',
    only(person({ role: 'Associate' })),
    'JointOwnerNamed associatedParties',
  ],
  ['five owners', 'JointTIC', add(...[1, 2, 3].map(() => person({ role: 'Secondary' })))],
  [
    'six owners',
    'JointTIC',
    add(...[1, 2, 3, 4].map(() => person({ role: 'Secondary' }))),
    'RoleRepeated associatedParties',
  ],
  ['three spouses', 'JointTBE', add(person({ role: 'Secondary' })), 'RoleRepeated associatedParties'],
  ['two custodians', 'CustodialUgma', add(person({ role: 'Custodian' })), 'RoleRepeated associatedParties'],
  ['a custodian and a successor', 'CustodialUgma', add(person({ role: 'SuccessorCustodian' }))],
  [
    'a minor who is the own custodian',
    'CustodialUtma',
    all(owner({ taxIdNumber: minorNumber }), party({ role: 'Custodian', taxIdNumber: minorNumber })),
    'CustodianNotOwner associatedParties[0].taxIdNumber',
  ],
  [
    'a minor who succeeds the own custodian',
    'CustodialUgma',
    all(
      owner({ taxIdNumber: minorNumber }),
      add(person({ role: 'SuccessorCustodian', taxIdNumber: minorNumber })),
    ),
    'CustodianNotOwner associatedParties[1].taxIdNumber',
  ],
  [
    'a foreign minor without a tax id who is the own custodian',
    'CustodialUtma',
    all(owner({ taxIdNumber: undefined }), (record) =>
      party({ ...record.primaryOwner, role: 'Custodian', birthDate: record.primaryOwner.birthDate })(record),
    ),
    'CustodianNotOwner associatedParties[0]',
    'ActingAdult associatedParties[0].birthDate',
  ],
  [
    'a minor with an IRA who is the own guardian',
    'IraRoth',
    all(
      owner({ birthDate: '2012-01-01', taxIdNumber: minorNumber }),
      add(person({ role: 'Guardian', taxIdNumber: minorNumber })),
    ),
    'CustodianNotOwner associatedParties[0].taxIdNumber',
  ],
  [
    'an owner who has the own power of attorney',
    'Individual',
    all(
      owner({ taxIdNumber: minorNumber }),
      add(person({ role: 'PowerOfAttorney', taxIdNumber: minorNumber })),
    ),
  ],
  [
    'a corporation whose only party is an officer',
    'Corporation',
    party({ role: 'Officer' }),
    'RoleMissing associatedParties',
  ],
  [
    'an estate whose only party is a beneficiary',
    'Estate',
    party({ role: 'Beneficiary' }),
    'RoleMissing associatedParties',
  ],
  ['a trust whose trustee is a bank', 'Trust', add(entity({ role: 'Trustee', taxIdNumber: '133907716' }))],
  [
    'a corporation controlled by a corporation',
    'Corporation',
    add(entity({ role: 'ControlPerson', taxIdNumber: '133907716' })),
    'RoleKind associatedParties[1].nameType',
  ],
  [
    'a trust whose only party is a bank',
    'Trust',
    only(entity({ role: 'Trustee', taxIdNumber: '133907716' })),
    'PersonNamed associatedParties',
  ],
  [
    'a trust with a bank as trustee and a child as beneficiary',
    'Trust',
    only(
      entity({ role: 'Trustee', taxIdNumber: '133907716' }),
      person({ role: 'Beneficiary', birthDate: '2020-05-05' }),
    ),
    'PersonNamed associatedParties',
  ],
  [
    'an estate with a bank as executor and an associate',
    'Estate',
    only(entity({ role: 'Executor', taxIdNumber: '133907716' }), person({ role: 'Associate' })),
    'PersonNamed associatedParties',
  ],
  [
    'a trust with a bank as trustee and a successor who does not act yet',
    'Trust',
    only(entity({ role: 'Trustee', taxIdNumber: '133907716' }), person({ role: 'SuccessorTrustee' })),
    'PersonNamed associatedParties',
  ],
  [
    'a trust with a bank as trustee and a beneficiary who trades',
    'Trust',
    only(
      entity({ role: 'Trustee', taxIdNumber: '133907716' }),
      person({ role: 'Beneficiary', tradingAuthority: 'Limited' }),
    ),
  ],
  ...(['AuthorizedSigner', 'PowerOfAttorney', 'Trustee'] as const).map(
    (role): FindingRow => [
      `a trust with a bank as trustee and a person as ${role}`,
      'Trust',
      only(entity({ role: 'Trustee', taxIdNumber: '133907716' }), person({ role })),
    ],
  ),
  [
    'a trust company as custodian',
    'CustodialUtma',
    only(entity({ role: 'Custodian', taxIdNumber: '133907716' })),
    'CustodianTrustCompany associatedParties[0].nameType',
  ],
  [
    'a trust company as successor custodian',
    'CustodialUgma',
    add(entity({ role: 'SuccessorCustodian', taxIdNumber: '133907716' })),
    'CustodianTrustCompany associatedParties[1].nameType',
  ],
  [
    'an entity as guardian',
    'IraRoth',
    add(entity({ role: 'Guardian', taxIdNumber: '133907716' })),
    'RoleKind associatedParties[0].nameType',
  ],
  [
    'a trustee aged nine',
    'Trust',
    party({ birthDate: '2017-05-05' }),
    'ActingAdult associatedParties[0].birthDate',
  ],
  [
    'a beneficiary of a trust, aged nine',
    'Trust',
    add(person({ role: 'Beneficiary', birthDate: '2017-05-05' })),
  ],
  [
    'an owner who turns 18 tomorrow',
    'Individual',
    owner({ birthDate: '2008-11-21' }),
    'ActingAdult primaryOwner.birthDate',
  ],
  ['an owner who turns 18 today', 'Individual', owner({ birthDate: '2008-11-20' })],
  ['an owner who turned 18 yesterday', 'Individual', owner({ birthDate: '2008-11-19' })],
  [
    'an associate of 17 who trades',
    'Individual',
    add(person({ role: 'Associate', tradingAuthority: 'Limited', birthDate: '2008-11-21' })),
    'ActingAdult associatedParties[0].birthDate',
  ],
  [
    'a minor with an IRA and a guardian',
    'IraRoth',
    all(owner({ birthDate: '2012-01-01' }), add(person({ role: 'Guardian' }))),
  ],
  [
    'a minor with an IRA and no guardian',
    'IraRoth',
    owner({ birthDate: '2012-01-01' }),
    'ActingAdult primaryOwner.birthDate',
  ],
  [
    'one person as two owners',
    'JointWROS',
    (record) => party({ taxIdNumber: record.primaryOwner.taxIdNumber as string })(record),
    'PersonRepeated associatedParties[0].taxIdNumber',
  ],
  [
    'one person without a tax number as two owners',
    'IndividualJointForeign',
    (record) => {
      const { taxIdType: _, taxIdNumber: __, ...owner } = record.primaryOwner
      return {
        ...record,
        primaryOwner: owner,
        associatedParties: [{ ...owner, role: 'Secondary' }],
      }
    },
    'PersonRepeated associatedParties[0]',
  ],
  [
    'father and son of one name without tax numbers',
    'IndividualJointForeign',
    (record) => {
      const { taxIdType: _, taxIdNumber: __, ...owner } = record.primaryOwner
      return {
        ...record,
        primaryOwner: owner,
        associatedParties: [
          { ...owner, ...withPassport('P8812345'), role: 'Secondary', birthDate: '1999-12-24' },
        ],
      }
    },
  ],
  [
    'one person as control person and beneficial owner',
    'Llc',
    all(
      party({ taxIdNumber: '401129999' }),
      add(person({ role: 'BeneficialOwner', taxIdNumber: '401129999', ownershipPercent: '60.00' })),
    ),
  ],
  [
    'one person as beneficial owner twice',
    'Llc',
    add(
      person({ role: 'BeneficialOwner', taxIdNumber: '401129999', ownershipPercent: '30.00' }),
      person({ role: 'BeneficialOwner', taxIdNumber: '401129999', ownershipPercent: '30.00' }),
    ),
    'PersonRepeated associatedParties[2].taxIdNumber',
  ],

  // Owners
  ['an owner aged 19 under the UTMA of New Jersey', 'CustodialUtma', owner({ birthDate: '2007-01-01' })],
  ['an owner who turns 21 tomorrow, in New Jersey', 'CustodialUtma', owner({ birthDate: '2005-11-21' })],
  [
    'an owner who turns 21 today, in New Jersey',
    'CustodialUtma',
    owner({ birthDate: '2005-11-20' }),
    'CustodialMinor primaryOwner.birthDate',
  ],
  [
    'an owner aged 18 in Kentucky',
    'CustodialUtma',
    all(mailing({ stateProvince: 'KY', postalCode: '40202' }), owner({ birthDate: '2008-11-20' })),
    'CustodialMinor primaryOwner.birthDate',
  ],
  [
    'an owner who turns 22 tomorrow, in Louisiana',
    'CustodialUtma',
    all(mailing({ stateProvince: 'LA', postalCode: '70112' }), owner({ birthDate: '2004-11-21' })),
  ],
  [
    'an owner aged 22 in Louisiana',
    'CustodialUtma',
    all(mailing({ stateProvince: 'LA', postalCode: '70112' }), owner({ birthDate: '2004-11-20' })),
    'CustodialMinor primaryOwner.birthDate',
  ],
  [
    'an owner aged 18 in California',
    'CustodialUtma',
    all(mailing({ stateProvince: 'CA', postalCode: '94103' }), owner({ birthDate: '2008-11-20' })),
    'CustodialAgeChosen primaryOwner.birthDate',
  ],
  [
    'an owner aged 25 in California',
    'CustodialUtma',
    all(mailing({ stateProvince: 'CA', postalCode: '94103' }), owner({ birthDate: '2001-11-20' })),
    'CustodialMinor primaryOwner.birthDate',
  ],
  [
    'an owner aged 18 under the UGMA of New York',
    'CustodialUgma',
    all(mailing({ stateProvince: 'NY', postalCode: '10001' }), owner({ birthDate: '2008-11-20' })),
    'CustodialMinor primaryOwner.birthDate',
  ],
  [
    'an owner who is not married',
    'JointTBE',
    party({ maritalStatus: 'Single' }),
    'OwnersMarried associatedParties[0].maritalStatus',
  ],
  [
    'an owner of unknown marital status',
    'JointCP',
    party({ maritalStatus: '' }),
    'MaritalStatusKnown associatedParties[0].maritalStatus',
  ],
  [
    'community property in New Jersey',
    'JointCP',
    mailing({ stateProvince: 'NJ', postalCode: '07302' }),
    'OwnersResidence registrationType',
  ],
  [
    'spouses in New York, whose law has the tenancy by the entirety for land',
    'JointTBE',
    mailing({ stateProvince: 'NY', postalCode: '10001' }),
    'EntiretyOfSecurities registrationType',
  ],
  [
    'a tenancy by the entirety in Texas',
    'JointTBE',
    mailing({ stateProvince: 'TX', postalCode: '78701' }),
    'OwnersResidence registrationType',
  ],
  [
    'owners of 25 percent who are not named',
    'Partnership',
    add(person({ role: 'Partner', ownershipPercent: '25.00' })),
    'BeneficialOwnerNamed associatedParties[1].role',
  ],
  ['an owner of 24.99 percent', 'Partnership', add(person({ role: 'Partner', ownershipPercent: '24.99' }))],
  [
    'shares of 100.01 percent',
    'Partnership',
    add(
      person({ role: 'BeneficialOwner', ownershipPercent: '50.00' }),
      person({ role: 'BeneficialOwner', ownershipPercent: '50.01' }),
    ),
    'OwnershipTotal associatedParties',
  ],
  [
    'a beneficial owner with an unknown share',
    'Corporation',
    add(person({ role: 'BeneficialOwner' })),
    'OwnershipKnown associatedParties[1].ownershipPercent',
  ],
  ['beneficiaries of a trust account', 'Trust', beneficiary, 'BeneficiariesAllowed beneficiaries'],
  ['beneficiaries of tenants in common', 'JointTIC', beneficiary, 'BeneficiariesAllowed beneficiaries'],
  ['beneficiaries of a joint account with survivorship', 'JointWROS', beneficiary],
]
