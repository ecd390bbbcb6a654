// The tax numbers that a party may have, the parties that need none, and the form on which the owner certifies its
// tax status.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Party } from '../record.ts'
import { type Changes, entity, person, rightAccount } from '../testing/right-accounts.ts'
import type { Registration } from './registration-roles.ts'
import { certificationOf, isForeignEntity, mayLackTaxNumber } from './tax-identification.ts'
import { add, all, found, only, owner, production } from './testing/changed-accounts.ts'
import { type FindingRow, testFindings } from './testing/find-table.ts'

const foreign = { caisInformation: { customerType: ['Foreign'] } }
const grantor = '401125555'

const registration = { idType: 'CompanyRegistration', idNumber: 'HRB 1', idLocation: 'DE' }
const french = {
  citizenshipCountry: 'FR',
  ...withId({ idType: 'Passport', idNumber: 'P7712345', idLocation: 'FR' }),
}
const itin = { taxIdType: 'TaxId', taxIdNumber: '912701234' }
const registered = { citizenshipCountry: 'DE', ...withId(registration) }

const otherPerson = '401125557'

/** An LLC with the number of a member. The parties are those besides the member. */
const lentByMember: readonly FindingRow[] = (
  [
    [
      'who is also the beneficial owner of all of it',
      [{ role: 'BeneficialOwner', ownershipPercent: '100' }],
      true,
    ],
    ['who also has 60 percent', [{ role: 'BeneficialOwner', ownershipPercent: '60' }], false],
    [
      'beside a beneficial owner',
      [{ role: 'BeneficialOwner', taxIdNumber: otherPerson, ownershipPercent: '60' }],
      false,
    ],
    ['beside a member', [{ role: 'Member', taxIdNumber: otherPerson }], false],
    ['beside an officer', [{ role: 'Officer', taxIdNumber: otherPerson }], true],
    [
      'beside an officer with 0 percent',
      [{ role: 'Officer', taxIdNumber: otherPerson, ownershipPercent: '0' }],
      true,
    ],
    [
      'beside an officer with 0.01 percent',
      [{ role: 'Officer', taxIdNumber: otherPerson, ownershipPercent: '0.01' }],
      false,
    ],
  ] as const
).map(([what, parties, isLent]) => [
  `an LLC with the number of a member ${what}`,
  'Llc',
  all(
    owner({ taxIdType: 'SSN', taxIdNumber: grantor }),
    add(
      person({ role: 'Member', taxIdNumber: grantor }),
      ...parties.map((one: Changes<Party>) => person({ taxIdNumber: grantor, ...one })),
    ),
  ),
  ...(isLent ? [] : ['EntityNumber primaryOwner.taxIdType']),
])

/** A TaxId of the owner that is the number of a party. */
const numbersOfPersons: readonly FindingRow[] = (
  [
    ['Trust', { role: 'Trustee', taxIdNumber: grantor }, false],
    ['Estate', { role: 'Executor', taxIdNumber: grantor }, false],
    ['Corporation', { role: 'ControlPerson', taxIdNumber: grantor }, false],
    ['Partnership', { role: 'Partner', taxIdNumber: grantor }, false],
    ['Trust', { role: 'Trustee', taxIdType: 'TaxId', taxIdNumber: '970701234', ...french }, false],
    ['Trust', { role: 'Grantor', taxIdNumber: grantor }, true],
    ['Trust', { role: 'Grantor', taxIdType: 'TaxId', taxIdNumber: '970701234', ...french }, true],
    ['Llc', { role: 'Member', taxIdNumber: grantor }, true],
    // It may be the entity's own number.
    [
      'Llc',
      { role: 'InterestedParty', nameType: 'Entity', taxIdType: 'TaxId', taxIdNumber: '223907716' },
      true,
    ],
  ] as const
).map(([registration, party, may]) => [
  `a TaxId that is the number of its ${party.role}`,
  registration,
  all(owner({ taxIdType: 'TaxId', taxIdNumber: party.taxIdNumber }), add(person(party as Changes<Party>))),
  ...(may ? [] : ['EntityNumber primaryOwner.taxIdNumber']),
])

const numbers: readonly FindingRow[] = [
  ['a foreign person with a TaxId that is an ITIN', 'Individual', owner({ ...foreign, ...itin, ...french })],
  ['an ITIN of an alien', 'Individual', owner({ ...itin, ...french })],
  ['an ITIN of a citizen', 'Individual', owner(itin), 'PersonNumber primaryOwner.taxIdNumber'],
  [
    'an ITIN of a citizen by birth in Puerto Rico',
    'Individual',
    owner({ ...itin, citizenshipCountry: 'PR' }),
    'PersonNumber primaryOwner.taxIdNumber',
  ],
  [
    'an ITIN of a person whose citizenship is not known',
    'Individual',
    owner({ ...itin, citizenshipCountry: undefined }),
  ],
  [
    'an ITIN of an attorney who is a citizen',
    'Individual',
    add(person({ ...itin, role: 'PowerOfAttorney' })),
    'PersonNumber associatedParties[0].taxIdNumber',
  ],
  [
    'a foreign person with an SSN',
    'Individual',
    owner(foreign),
    'ForeignWithSsn primaryOwner.caisInformation.customerType',
  ],
  ['a number without a type', 'Individual', owner({ taxIdType: undefined, taxIdNumber: '219099999' })],
  ['a published number of eight digits', 'Individual', owner({ taxIdNumber: '21909999' })],
  [
    'a letter and nine digits as the number of a person',
    'Individual',
    owner({ taxIdType: 'TaxId', taxIdNumber: 'X223907716' }),
  ],
  [
    'nine digits and a letter as the number of a person',
    'Individual',
    owner({ taxIdType: 'TaxId', taxIdNumber: '223907716X' }),
  ],
  ['no number', 'Individual', owner({ taxIdNumber: undefined })],
  [
    'an EIN as the number of a person',
    'Individual',
    owner({ taxIdType: 'TaxId', taxIdNumber: '223907716' }),
    'PersonNumber primaryOwner.taxIdNumber',
  ],
  [
    'an ITIN with the first digits of an unassigned EIN',
    'Individual',
    owner({ ...french, taxIdType: 'TaxId', taxIdNumber: '970701234' }),
  ],
  [
    'an unassigned EIN',
    'Corporation',
    owner({ taxIdNumber: '970701234' }),
    'EinPrefix primaryOwner.taxIdNumber',
  ],
  [
    "a revocable trust with its grantor's number",
    'Trust',
    all(
      owner({ taxIdType: 'SSN', taxIdNumber: grantor }),
      add(person({ role: 'Grantor', taxIdNumber: grantor })),
    ),
  ],
  [
    "a trust with a number other than its grantor's",
    'Trust',
    all(
      owner({ taxIdType: 'SSN', taxIdNumber: '401125556' }),
      add(person({ role: 'Grantor', taxIdNumber: grantor })),
    ),
    'EntityNumber primaryOwner.taxIdType',
  ],
  [
    'a partnership with a published SSN',
    'Partnership',
    owner({ taxIdType: 'SSN', taxIdNumber: '078051120' }),
    'EntityNumber primaryOwner.taxIdType',
    'PublishedNumber primaryOwner.taxIdNumber',
  ],
  [
    "a trust with its trustee's number",
    'Trust',
    all(
      owner({ taxIdType: 'SSN', taxIdNumber: grantor }),
      only(person({ role: 'Trustee', taxIdNumber: grantor })),
    ),
    'EntityNumber primaryOwner.taxIdType',
  ],
  [
    'a trust with the number of a grantor that is also an entity',
    'Trust',
    all(owner({ taxIdType: 'SSN', taxIdNumber: '223907716' }), add(entity({ role: 'Grantor' }))),
    'EntityNumber primaryOwner.taxIdType',
  ],
  [
    "a company that is not an LLC, with its only member's number",
    'Corporation',
    all(
      owner({ taxIdType: 'SSN', taxIdNumber: grantor }),
      add(person({ role: 'Member', taxIdNumber: grantor })),
    ),
    'EntityNumber primaryOwner.taxIdType',
  ],
  [
    'an LLC with the number of a beneficial owner of all of it',
    'Llc',
    all(
      owner({ taxIdType: 'SSN', taxIdNumber: grantor }),
      add(person({ role: 'BeneficialOwner', taxIdNumber: grantor, ownershipPercent: '100.00' })),
    ),
  ],
  [
    'an LLC with the number of a beneficial owner of almost all of it',
    'Llc',
    all(
      owner({ taxIdType: 'SSN', taxIdNumber: grantor }),
      add(person({ role: 'BeneficialOwner', taxIdNumber: grantor, ownershipPercent: '99.99' })),
    ),
    'EntityNumber primaryOwner.taxIdType',
  ],
  [
    "an LLC with its only member's number",
    'Llc',
    all(
      owner({ taxIdType: 'SSN', taxIdNumber: grantor }),
      add(person({ role: 'Member', taxIdNumber: grantor })),
    ),
  ],
  [
    'an LLC with the number of a beneficial owner of all of it, beside a member',
    'Llc',
    all(
      owner({ taxIdType: 'SSN', taxIdNumber: grantor }),
      add(
        person({ role: 'BeneficialOwner', taxIdNumber: grantor, ownershipPercent: '100.00' }),
        person({ role: 'Member' }),
      ),
    ),
    'EntityNumber primaryOwner.taxIdType',
  ],
  [
    'an LLC of two members with the number of one',
    'Llc',
    all(
      owner({ taxIdType: 'SSN', taxIdNumber: grantor }),
      add(person({ role: 'Member', taxIdNumber: grantor }), person({ role: 'Member' })),
    ),
    'EntityNumber primaryOwner.taxIdType',
  ],
  ...lentByMember,
  ...numbersOfPersons,
  [
    'an entity as a party, with the number of the only member',
    'Llc',
    add(
      person({ role: 'Member', taxIdNumber: grantor }),
      entity({ role: 'InterestedParty', taxIdType: 'SSN', taxIdNumber: grantor }),
    ),
    'EntityNumber associatedParties[2].taxIdType',
  ],
  [
    'an entity as a party, with the number of a person as its TaxId',
    'Llc',
    add(
      person({ role: 'Member', taxIdNumber: grantor }),
      entity({ role: 'InterestedParty', taxIdNumber: grantor }),
    ),
  ],
  [
    'an entity without a number, registered in another country',
    'Corporation',
    owner({ ...registered, taxIdType: undefined, taxIdNumber: undefined }),
    'ForeignEntityDocumented primaryOwner.governmentIdentification',
  ],
  [
    'an entity with an EIN, registered in another country',
    'Corporation',
    owner({ ...registered, taxIdNumber: '223907716' }),
  ],
  [
    'an entity without a number and without a registration',
    'Corporation',
    owner({ citizenshipCountry: 'DE', taxIdType: undefined, taxIdNumber: undefined }),
  ],
]
describe('the tax number', () => testFindings(numbers))

test('a magic tax id of the sandbox has no finding', () => {
  const record = owner({ taxIdType: 'TaxId', taxIdNumber: '000000004' })(rightAccount('Corporation'))
  assert.deepEqual(found(record), [])
  assert.equal(certificationOf(record, production.magicTaxIds), undefined)
})

const passport = { idType: 'Passport', idNumber: 'P7712345', idLocation: 'CA' }
const canadian = person({
  citizenshipCountry: 'CA',
  ...foreign,
  governmentIdentification: { governmentId1: passport },
})
function withId(governmentId1: object) {
  return { governmentIdentification: { governmentId1 } } as Changes<Party>
}

describe('a party without a tax number', () => {
  const rows: readonly [what: string, changes: Changes<Party>, registration: Registration, may: boolean][] = [
    ['who is foreign and has a passport', {}, 'Individual', true],
    ['that is an entity with a passport', { nameType: 'Entity' }, 'Corporation', false],
    [
      'that is a registered entity of another country',
      { nameType: 'Entity', ...withId(registration) },
      'Corporation',
      true,
    ],
    [
      'that is an entity without the number of its registration',
      { nameType: 'Entity', ...withId({ ...registration, idNumber: '' }) },
      'Corporation',
      false,
    ],
    [
      'that is an entity registered in Delaware',
      { nameType: 'Entity', ...withId({ ...registration, idLocation: 'US' }) },
      'Corporation',
      false,
    ],
    [
      'that is an entity of Puerto Rico',
      { nameType: 'Entity', citizenshipCountry: 'PR', ...withId(registration) },
      'Corporation',
      false,
    ],
    ['who is a person with the registration of an entity', withId(registration), 'Individual', false],
    ['who is a citizen of the United States', { citizenshipCountry: 'US' }, 'Individual', false],
    ['who is a citizen of Puerto Rico', { citizenshipCountry: 'PR' }, 'Individual', false],
    ['without a citizenship', { citizenshipCountry: undefined }, 'Individual', false],
    ['who is not reported as foreign', { caisInformation: undefined }, 'Individual', false],
    [
      'who is reported as a person of the country',
      { caisInformation: { customerType: ['Natural Person'] } },
      'Individual',
      false,
    ],
    [
      'with the registration for foreign persons',
      { caisInformation: undefined },
      'IndividualJointForeign',
      true,
    ],
    ['with a national identity card', withId({ ...passport, idType: 'NationalId' }), 'Individual', true],
    ["with a driver's license", withId({ ...passport, idType: 'DriversLicense' }), 'Individual', false],
    ['with a passport without a number', withId({ ...passport, idNumber: '' }), 'Individual', false],
    ['with a passport of no country', withId({ ...passport, idLocation: undefined }), 'Individual', false],
    ['with a passport of the United States', withId({ ...passport, idLocation: 'US' }), 'Individual', false],
    [
      'with an identity card of Guam',
      withId({ idType: 'NationalId', idNumber: 'N7712345', idLocation: 'GU' }),
      'Individual',
      false,
    ],
    [
      'with a passport of the state of New York',
      withId({ ...passport, idLocation: 'NY' }),
      'Individual',
      false,
    ],
    ['with a passport of Ontario', withId({ ...passport, idLocation: 'ON' }), 'Individual', false],
    ['without any identification', { governmentIdentification: undefined }, 'Individual', false],
    [
      'with the passport as the second id',
      {
        governmentIdentification: {
          governmentId1: { ...passport, idLocation: 'US' },
          governmentId2: passport,
        },
      } as Changes<Party>,
      'Individual',
      true,
    ],
  ]
  for (const [what, changes, registration, may] of rows) {
    test(`${what} is ${may ? 'accepted' : 'rejected'}`, () => {
      assert.equal(mayLackTaxNumber({ ...canadian, ...changes } as Party, registration), may)
    })
  }
})

test('an entity is foreign if it was organized in a country other than the United States', () => {
  const isForeign = (changes: Changes<Party>) => isForeignEntity(entity(changes))
  assert.ok(isForeign({ citizenshipCountry: 'DE' }))
  assert.ok(isForeign({ citizenshipCountry: 'PR' }))
  assert.ok(!isForeign({ citizenshipCountry: 'US' }))
  assert.ok(!isForeign({ citizenshipCountry: undefined }))
  assert.ok(!isForeignEntity(person({ citizenshipCountry: 'DE' })))
})
