// The rules of a whole account beyond the policy, one row per case at its boundary.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { slowLastName } from '@clearing/protocol'
import { checkAccount } from './check-account.ts'
import type { Registration } from './policy/registration-roles.ts'
import type { AccountRecord, Beneficiary, Party } from './record.ts'
import { type Changes, entity, person, rightAccount, today } from './testing/right-accounts.ts'

const phone = { phoneRegionCell: '1', phoneNumberCell: '2015550123' }
function reached(party: Party): Party {
  return { ...phone, ...party }
}

interface Case {
  readonly list?: string
  readonly refused?: readonly string[]
  readonly sandbox?: boolean
}

/** The errors of a valid account with one change. */
function codesOf(
  registration: Registration,
  change: (record: AccountRecord) => AccountRecord,
  { list = 'beneficiaries', refused = [], sandbox = false }: Case = {},
): string[] {
  const right = rightAccount(registration)
  const record = change({
    ...right,
    primaryOwner: reached(right.primaryOwner),
    associatedParties: right.associatedParties.map(reached),
    mailingAddress: right.mailingAddress,
  })
  const placed = record.beneficiaries.map((value, index) => ({ value, path: `${list}[${index}]` }))
  const settings = {
    today,
    magicTaxIds: new Set(sandbox ? ['000000004'] : []),
    refusedPaths: new Set(refused),
  }
  return checkAccount(record, placed, settings).map(({ code, field }) => `${code} ${field}`)
}
function owner(changes: Changes<Party>) {
  return (record: AccountRecord) => ({
    ...record,
    primaryOwner: { ...record.primaryOwner, ...changes } as Party,
  })
}
function parties(...associatedParties: Party[]) {
  return (record: AccountRecord) => ({ ...record, associatedParties })
}
function heirs(...beneficiaries: Beneficiary[]) {
  return (record: AccountRecord) => ({ ...record, beneficiaries })
}
function same(record: AccountRecord) {
  return record
}

type Row = readonly [
  what: string,
  registration: Registration,
  change: (record: AccountRecord) => AccountRecord,
  codes: readonly string[],
  settings?: Case,
]
function table(about: string, rows: readonly Row[]): void {
  describe(about, () => {
    for (const [what, registration, change, codes, settings] of rows) {
      test(`${what}: ${codes.join(', ') || 'accepted'}`, () => {
        assert.deepEqual(codesOf(registration, change, settings), codes)
      })
    }
  })
}

const idField = 'governmentIdentification.governmentId1'
const passport = {
  governmentIdentification: { governmentId1: { idType: 'Passport', idNumber: 'P1', idLocation: 'FR' } },
}
function french(more: Changes<Party> = {}) {
  return reached(person({ citizenshipCountry: 'FR', ...more }))
}
table('an identification', [
  ['of a citizen', 'Individual', same, []],
  [
    'of a foreign owner who has none',
    'Individual',
    owner({ citizenshipCountry: 'FR' }),
    [`ERR.1000 primaryOwner.${idField}`],
  ],
  ['of a foreign owner with a passport', 'Individual', owner({ citizenshipCountry: 'FR', ...passport }), []],
  [
    'of a foreign joint owner who has none',
    'JointWROS',
    parties(french({ role: 'Secondary' })),
    [`ERR.1000 associatedParties[0].${idField}`],
  ],
  ['of a foreign party who is no owner', 'Individual', parties(french({ role: 'PowerOfAttorney' })), []],
  ['of a foreign entity', 'Corporation', owner({ citizenshipCountry: 'FR' }), []],
  [
    'of a foreign entity that is an owner by mistake',
    'Individual',
    owner({ nameType: 'Entity', citizenshipCountry: 'FR' }),
    ['ERR.1015 primaryOwner.nameType', 'ERR.1015 primaryOwner.taxIdType'],
  ],
  [
    'of the owner of an account of foreigners',
    'IndividualJointForeign',
    owner({ governmentIdentification: undefined }),
    [`ERR.1000 primaryOwner.${idField}`],
  ],
  [
    'of a citizen who owns an account of foreigners',
    'IndividualJointForeign',
    owner({
      citizenshipCountry: 'US',
      taxIdType: 'SSN',
      taxIdNumber: '401121001',
      governmentIdentification: undefined,
    }),
    [`ERR.1000 primaryOwner.${idField}`],
  ],
  [
    'of a citizen beside the owner of an account of foreigners',
    'IndividualJointForeign',
    parties(reached(person({ role: 'Secondary' }))),
    [],
  ],
  [
    'whose type is not said is asked for its type alone',
    'Individual',
    owner({ citizenshipCountry: 'FR', governmentIdentification: { governmentId1: { idNumber: 'P1' } } }),
    [`ERR.1000 primaryOwner.${idField}.idType`],
  ],
])

test('the reason for an identification says whose it is', () => {
  const reasonOf = (registration: Registration, citizenshipCountry: string) => {
    const right = rightAccount(registration)
    const { governmentIdentification: _, ...rest } = right.primaryOwner
    const record = { ...right, primaryOwner: reached({ ...rest, citizenshipCountry }) }
    const settings = { today, magicTaxIds: new Set<string>(), refusedPaths: new Set<string>() }
    return checkAccount(record, [], settings).find(({ field }) => field.endsWith(idField))?.reason
  }
  assert.match(reasonOf('Individual', 'FR') ?? '', /owner who is not a US citizen\.$/)
  assert.match(
    reasonOf('IndividualJointForeign', 'US') ?? '',
    /owner of a registration IndividualJointForeign\.$/,
  )
})

const company = reached(entity({ role: 'Member', taxIdNumber: '133907716' }))
const controller = reached(person({ role: 'ControlPerson' }))
table('the parties of an entity', [
  ['a person', 'Corporation', same, []],
  ['a person behind an entity', 'Corporation', parties(company, controller), []],
  ['a person before an entity', 'Corporation', parties(controller, company), []],
  [
    'an entity alone',
    'Trust',
    parties(reached(entity({ role: 'Trustee', taxIdNumber: '133907716' }))),
    ['ERR.1015 associatedParties[0].nameType'],
  ],
  ['nobody', 'Trust', parties(), ['ERR.1000 associatedParties']],
  [
    'entities beside a person',
    'Individual',
    parties(reached(entity({ role: 'InterestedParty', taxIdNumber: '133907716' }))),
    [],
  ],
])

table('a customer id', [
  [
    'of two parties',
    'Individual',
    parties(
      reached(person({ role: 'PowerOfAttorney', customerId: '1' })),
      reached(person({ role: 'PowerOfAttorney', customerId: '2' })),
    ),
    [],
  ],
  [
    'of two parties who are one',
    'Individual',
    parties(
      reached(person({ role: 'PowerOfAttorney', customerId: '1' })),
      reached(person({ role: 'PowerOfAttorney', customerId: '1' })),
    ),
    ['ERR.1014 associatedParties[1].customerId'],
  ],
  [
    'of the owner and a party',
    'Individual',
    (record) =>
      parties(reached(person({ role: 'PowerOfAttorney', customerId: '1' })))(
        owner({ customerId: '1' })(record),
      ),
    ['ERR.1014 associatedParties[0].customerId'],
  ],
  [
    'of a party and a beneficiary',
    'Individual',
    (record) =>
      parties(reached(person({ role: 'PowerOfAttorney', customerId: '1' })))(
        heirs({ customerId: '1', firstName: 'A', percentageAllocation: '100' })(record),
      ),
    ['ERR.1014 beneficiaries[0].customerId'],
  ],
  [
    'of two who have none',
    'Individual',
    parties(reached(person({ role: 'PowerOfAttorney' })), reached(person({ role: 'PowerOfAttorney' }))),
    [],
  ],
])

const luis: Beneficiary = { firstName: 'LUIS', percentageAllocation: '100' }
function half(changes: Changes<Beneficiary> = {}) {
  return { ...luis, percentageAllocation: '50', ...changes } as Beneficiary
}
table('a beneficiary', [
  ['with a first name', 'Individual', heirs(luis), []],
  ['with a last name', 'Individual', heirs({ lastName: 'HADDAD', percentageAllocation: '100' }), []],
  ['with no name', 'Individual', heirs({ percentageAllocation: '100' }), ['ERR.1000 beneficiaries[0].name']],
  [
    'with a share of three decimal places',
    'Individual',
    heirs({ ...luis, percentageAllocation: '99.995' }),
    ['ERR.1000 beneficiaries[0].percentageAllocation'],
  ],
  [
    'with a share of four digits',
    'Individual',
    heirs({ ...luis, percentageAllocation: '1000' }),
    ['ERR.1000 beneficiaries[0].percentageAllocation'],
  ],
  ['with an empty address', 'Individual', heirs({ ...luis, address: {} }), []],
  ['with a tax id of no kind', 'Individual', heirs({ ...luis, taxIdNumber: '900121001' }), []],
  [
    'with an SSN of area 900',
    'Individual',
    heirs({ ...luis, taxIdNumber: '900121001', taxIdType: 'SSN' }),
    ['ERR.1016 beneficiaries[0].taxIdNumber'],
  ],
  [
    'who is contingent alone',
    'Individual',
    heirs({ ...luis, primaryContingent: 'Contingent' }),
    ['ERR.1015 beneficiaries'],
  ],
  [
    'who is primary where nothing is said',
    'Individual',
    heirs(half(), half({ primaryContingent: 'Primary' })),
    [],
  ],
  [
    'of shares of 99.99 together',
    'Individual',
    heirs(half(), half({ percentageAllocation: '49.99' })),
    ['ERR.1015 beneficiaries'],
  ],
  [
    'of shares of 100.01 together',
    'Individual',
    heirs(half(), half({ percentageAllocation: '50.01' })),
    ['ERR.1015 beneficiaries'],
  ],
  [
    'of two shares of which one was refused',
    'Individual',
    heirs(half(), half({ percentageAllocation: '40' })),
    [],
    { refused: ['beneficiaries[1].percentageAllocation'] },
  ],
  [
    'beside one who was refused',
    'Individual',
    heirs(half()),
    [],
    { refused: ['beneficiaries[1].percentageAllocation', 'beneficiaries[0]'] },
  ],
  [
    'beside one whose share is not known',
    'Individual',
    heirs(half(), { firstName: 'EVA' }),
    ['ERR.1000 beneficiaries[1].percentageAllocation'],
  ],
  [
    'of eleven whose shares are wrong',
    'Individual',
    heirs(
      { ...luis, primaryContingent: 'Contingent', percentageAllocation: '100' },
      ...Array.from({ length: 9 }, () => ({
        ...luis,
        percentageAllocation: '1',
        primaryContingent: 'Contingent',
      })),
      { ...luis, percentageAllocation: '99' },
    ),
    ['ERR.1015 beneficiaries'],
  ],
  [
    'in the second place of those named first',
    'Individual',
    heirs(
      ...Array.from({ length: 10 }, () => ({
        ...luis,
        percentageAllocation: '10',
        primaryContingent: 'Contingent',
      })),
      { ...luis, percentageAllocation: '99' },
    ),
    ['ERR.1015 retirementBenes'],
    { list: 'retirementBenes' },
  ],
  ['of an IRA that has none', 'IraRoth', heirs(), ['ERR.1000 retirementBenes']],
  ['of an IRA whose list was refused', 'IraRoth', heirs(), [], { refused: ['retirementBenes'] }],
  [
    'of an IRA whose other list was refused',
    'IraRoth',
    heirs(),
    [],
    { refused: ['transferOfDeathBeneficiaries[0].taxId'] },
  ],
  ['of an IRA whose list of shape 1 was refused', 'IraRoth', heirs(), [], { refused: ['beneficiaries'] }],
  [
    'of an account that has none',
    'Trust',
    heirs(luis),
    ['ERR.1015 transferOfDeathBeneficiaries'],
    { list: 'transferOfDeathBeneficiaries' },
  ],
  ['of an account that has none, in shape 1', 'Trust', heirs(luis), ['ERR.1015 beneficiaries']],
])

table('a person', [
  [
    'whose first name was refused',
    'Individual',
    owner({ firstName: undefined }),
    [],
    { refused: ['primaryOwner.firstName'] },
  ],
  [
    'whose first name is not there',
    'Individual',
    owner({ firstName: undefined }),
    ['ERR.1000 primaryOwner.firstName'],
  ],
  [
    'that is an entity without a name',
    'Corporation',
    owner({ firstName: undefined }),
    ['ERR.1000 primaryOwner.name1'],
  ],
  [
    'that is an entity whose first name was refused',
    'Corporation',
    owner({ firstName: undefined }),
    [],
    { refused: ['primaryOwner.firstName'] },
  ],
  [
    'with a name of the sandbox',
    'Individual',
    owner({ lastName: slowLastName }),
    ['ERR.1016 primaryOwner.lastName'],
  ],
  ['born on the first day of 1900', 'Individual', owner({ birthDate: '1900-01-01' }), []],
  [
    'born on the last day of 1899',
    'Individual',
    owner({ birthDate: '1899-12-31' }),
    ['ERR.1012 primaryOwner.birthDate'],
  ],
  [
    'born today, with an IRA and a guardian',
    'IraRoth',
    (record) => parties(reached(person({ role: 'Guardian' })))(owner({ birthDate: today })(record)),
    [],
  ],
  ['born tomorrow', 'IraRoth', owner({ birthDate: '2026-11-21' }), ['ERR.1012 primaryOwner.birthDate']],
  [
    'without a phone',
    'Individual',
    owner({ phoneNumberCell: undefined, phoneRegionCell: undefined }),
    ['ERR.1017 primaryOwner.phoneNumberCell'],
  ],
  [
    'whose phone was refused',
    'Individual',
    owner({ phoneNumberCell: undefined, phoneRegionCell: undefined }),
    [],
    { refused: ['primaryOwner.phoneNumberHome'] },
  ],
  [
    'whose phone was refused beside its region',
    'Individual',
    owner({ phoneNumberCell: undefined }),
    [],
    { refused: ['primaryOwner.phoneNumberCell'] },
  ],
  [
    'with a region without its phone',
    'Individual',
    owner({ phoneRegionHome: '1' }),
    ['ERR.1011 primaryOwner.phoneNumberHome'],
  ],
  [
    'with a phone without its region',
    'Individual',
    owner({ phoneNumberHome: '2015550123' }),
    ['ERR.1013 primaryOwner.phoneRegionHome'],
  ],
  ['with an empty contact', 'Individual', owner({ trustedContact: {} }), []],
  [
    'with a contact without a name',
    'Individual',
    owner({ trustedContact: { email: 'sana@example.com' } }),
    ['ERR.1000 primaryOwner.trustedContact.name'],
  ],
])

const foreign = { citizenshipCountry: 'FR', caisInformation: { customerType: ['Foreign'] }, ...passport }
table('a foreign person', [
  [
    'without a tax number',
    'Individual',
    owner({ ...foreign, taxIdType: undefined, taxIdNumber: undefined }),
    [],
  ],
  [
    'with a kind of tax number and none',
    'Individual',
    owner({ ...foreign, taxIdType: 'TaxId', taxIdNumber: undefined }),
    ['ERR.1000 primaryOwner.taxIdNumber'],
  ],
  [
    'with a tax number of no kind',
    'Individual',
    owner({ ...foreign, taxIdType: undefined, taxIdNumber: '912701234' }),
    ['ERR.1000 primaryOwner.taxIdType'],
  ],
  [
    'without a tax number and a passport',
    'Individual',
    owner({ citizenshipCountry: 'US', taxIdType: undefined, taxIdNumber: undefined }),
    ['ERR.1000 primaryOwner.taxIdType', 'ERR.1000 primaryOwner.taxIdNumber'],
  ],
])

table('a published number', [
  ['in production is reviewed, not refused', 'Individual', owner({ taxIdNumber: '219099999' }), []],
  [
    'of the sandbox stands for no person',
    'Individual',
    owner({ taxIdNumber: '000000004' }),
    [],
    { sandbox: true },
  ],
  [
    'of the sandbox in production is no number',
    'Individual',
    owner({ taxIdNumber: '000000004' }),
    ['ERR.1016 primaryOwner.taxIdNumber'],
  ],
])
