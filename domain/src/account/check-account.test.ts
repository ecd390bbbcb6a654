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
      test(`${what} ${codes.length === 0 ? 'is accepted' : `is rejected with ${codes.join(', ')}`}`, () => {
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
table('the identification', [
  ['of a citizen, which is absent,', 'Individual', same, []],
  [
    'of a foreign owner, which is absent,',
    'Individual',
    owner({ citizenshipCountry: 'FR' }),
    [`ERR.1000 primaryOwner.${idField}`],
  ],
  [
    'of a foreign owner, which is a passport,',
    'Individual',
    owner({ citizenshipCountry: 'FR', ...passport }),
    [],
  ],
  [
    'of a foreign joint owner, which is absent,',
    'JointWROS',
    parties(french({ role: 'Secondary' })),
    [`ERR.1000 associatedParties[0].${idField}`],
  ],
  [
    'of a foreign party who is no owner, which is absent,',
    'Individual',
    parties(french({ role: 'PowerOfAttorney' })),
    [],
  ],
  ['of a foreign entity, which is absent,', 'Corporation', owner({ citizenshipCountry: 'FR' }), []],
  [
    'of a foreign entity that is wrongly the owner',
    'Individual',
    owner({ nameType: 'Entity', citizenshipCountry: 'FR' }),
    ['ERR.1015 primaryOwner.nameType', 'ERR.1015 primaryOwner.taxIdType'],
  ],
  [
    'of the owner of an account for foreign persons, which is absent,',
    'IndividualJointForeign',
    owner({ governmentIdentification: undefined }),
    [`ERR.1000 primaryOwner.${idField}`],
  ],
  [
    'of a citizen who owns an account for foreign persons, which is absent,',
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
    'of a joint owner of an account for foreign persons who is a citizen',
    'IndividualJointForeign',
    parties(reached(person({ role: 'Secondary' }))),
    [],
  ],
  [
    'of a foreign owner without its type',
    'Individual',
    owner({ citizenshipCountry: 'FR', governmentIdentification: { governmentId1: { idNumber: 'P1' } } }),
    [`ERR.1000 primaryOwner.${idField}.idType`],
  ],
  [
    'of a person, which is the registration of an entity',
    'Individual',
    owner({
      governmentIdentification: {
        governmentId1: { idType: 'CompanyRegistration', idNumber: 'HRB 1', idLocation: 'DE' },
      },
    }),
    [`ERR.1015 primaryOwner.${idField}.idType`],
  ],
])

test('the reason for a missing identification names the kind of owner', () => {
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
table('the parties of an account:', [
  ['a person alone', 'Corporation', same, []],
  ['a person after an entity', 'Corporation', parties(company, controller), []],
  ['a person before an entity', 'Corporation', parties(controller, company), []],
  ['an entity alone', 'Trust', parties(reached(entity({ role: 'Trustee', taxIdNumber: '133907716' }))), []],
  ['no party', 'Trust', parties(), ['ERR.1000 associatedParties']],
  [
    'an entity as a party of a person',
    'Individual',
    parties(reached(entity({ role: 'InterestedParty', taxIdNumber: '133907716' }))),
    [],
  ],
])

table('the customer ids', [
  [
    'of two parties, if different,',
    'Individual',
    parties(
      reached(person({ role: 'PowerOfAttorney', customerId: '1' })),
      reached(person({ role: 'PowerOfAttorney', customerId: '2' })),
    ),
    [],
  ],
  [
    'of two parties, if equal,',
    'Individual',
    parties(
      reached(person({ role: 'PowerOfAttorney', customerId: '1' })),
      reached(person({ role: 'PowerOfAttorney', customerId: '1' })),
    ),
    ['ERR.1014 associatedParties[1].customerId'],
  ],
  [
    'of the owner and a party, if equal,',
    'Individual',
    (record) =>
      parties(reached(person({ role: 'PowerOfAttorney', customerId: '1' })))(
        owner({ customerId: '1' })(record),
      ),
    ['ERR.1014 associatedParties[0].customerId'],
  ],
  [
    'of a party and a beneficiary, if equal,',
    'Individual',
    (record) =>
      parties(reached(person({ role: 'PowerOfAttorney', customerId: '1' })))(
        heirs({ customerId: '1', firstName: 'A', percentageAllocation: '100' })(record),
      ),
    ['ERR.1014 beneficiaries[0].customerId'],
  ],
  [
    'of two parties, if absent,',
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
  ['with a tax id without a type', 'Individual', heirs({ ...luis, taxIdNumber: '900121001' }), []],
  [
    'with an SSN of area 900',
    'Individual',
    heirs({ ...luis, taxIdNumber: '900121001', taxIdType: 'SSN' }),
    ['ERR.1016 beneficiaries[0].taxIdNumber'],
  ],
  [
    'who is contingent, without a primary beneficiary,',
    'Individual',
    heirs({ ...luis, primaryContingent: 'Contingent' }),
    ['ERR.1015 beneficiaries'],
  ],
  [
    'without a kind, beside a primary one,',
    'Individual',
    heirs(half(), half({ primaryContingent: 'Primary' })),
    [],
  ],
  [
    'with a share, if all shares sum to 99.99,',
    'Individual',
    heirs(half(), half({ percentageAllocation: '49.99' })),
    ['ERR.1015 beneficiaries'],
  ],
  [
    'with a share, if all shares sum to 100.01,',
    'Individual',
    heirs(half(), half({ percentageAllocation: '50.01' })),
    ['ERR.1015 beneficiaries'],
  ],
  [
    'with a share, if another share was rejected by the reader,',
    'Individual',
    heirs(half(), half({ percentageAllocation: '40' })),
    [],
    { refused: ['beneficiaries[1].percentageAllocation'] },
  ],
  [
    'beside one that the reader rejected',
    'Individual',
    heirs(half()),
    [],
    { refused: ['beneficiaries[1].percentageAllocation', 'beneficiaries[0]'] },
  ],
  [
    'beside one without a share',
    'Individual',
    heirs(half(), { firstName: 'EVA' }),
    ['ERR.1000 beneficiaries[1].percentageAllocation'],
  ],
  [
    'at the end of eleven with a wrong sum',
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
    ['ERR.1015 beneficiaries', 'ERR.1015 beneficiaries'],
  ],
  [
    'after ten contingent ones in the list of retirement beneficiaries, with a wrong sum,',
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
  ['of an IRA, if absent,', 'IraRoth', heirs(), ['ERR.1000 retirementBenes']],
  ['of an IRA whose list the reader rejected', 'IraRoth', heirs(), [], { refused: ['retirementBenes'] }],
  [
    'of an IRA whose other list the reader rejected',
    'IraRoth',
    heirs(),
    [],
    { refused: ['transferOfDeathBeneficiaries[0].taxId'] },
  ],
  [
    'of an IRA whose list of shape 1 the reader rejected',
    'IraRoth',
    heirs(),
    [],
    { refused: ['beneficiaries'] },
  ],
  [
    'of an account that cannot have beneficiaries',
    'Trust',
    heirs(luis),
    ['ERR.1015 transferOfDeathBeneficiaries'],
    { list: 'transferOfDeathBeneficiaries' },
  ],
  [
    'of an account that cannot have beneficiaries, in shape 1,',
    'Trust',
    heirs(luis),
    ['ERR.1015 beneficiaries'],
  ],
])

table('a person', [
  [
    'whose first name the reader rejected',
    'Individual',
    owner({ firstName: undefined }),
    [],
    { refused: ['primaryOwner.firstName'] },
  ],
  [
    'without a first name',
    'Individual',
    owner({ firstName: undefined }),
    ['ERR.1000 primaryOwner.firstName'],
  ],
  [
    'as the owner of a corporation, without a name,',
    'Corporation',
    owner({ firstName: undefined }),
    ['ERR.1000 primaryOwner.name1'],
  ],
  [
    'as the owner of a corporation, whose first name the reader rejected,',
    'Corporation',
    owner({ firstName: undefined }),
    [],
    { refused: ['primaryOwner.firstName'] },
  ],
  [
    'with the last name that delays stages in the sandbox',
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
    'whose phone the reader rejected',
    'Individual',
    owner({ phoneNumberCell: undefined, phoneRegionCell: undefined }),
    [],
    { refused: ['primaryOwner.phoneNumberHome'] },
  ],
  [
    'whose phone the reader rejected, with its region,',
    'Individual',
    owner({ phoneNumberCell: undefined }),
    [],
    { refused: ['primaryOwner.phoneNumberCell'] },
  ],
  [
    'with a phone region without a number',
    'Individual',
    owner({ phoneRegionHome: '1' }),
    ['ERR.1011 primaryOwner.phoneNumberHome'],
  ],
  [
    'with a phone number without a region',
    'Individual',
    owner({ phoneNumberHome: '2015550123' }),
    ['ERR.1013 primaryOwner.phoneRegionHome'],
  ],
  ['with an empty trusted contact', 'Individual', owner({ trustedContact: {} }), []],
  [
    'with a trusted contact without a name',
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
    'with a tax id type and no number',
    'Individual',
    owner({ ...foreign, taxIdType: 'TaxId', taxIdNumber: undefined }),
    ['ERR.1000 primaryOwner.taxIdNumber'],
  ],
  [
    'with a tax number without a type',
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

table('a number that belongs to no person', [
  ['because it was published, in production,', 'Individual', owner({ taxIdNumber: '219099999' }), []],
  [
    'because it is a magic value of the sandbox, in the sandbox,',
    'Individual',
    owner({ taxIdNumber: '000000004' }),
    [],
    { sandbox: true },
  ],
  [
    'because it is a magic value of the sandbox, in production,',
    'Individual',
    owner({ taxIdNumber: '000000004' }),
    ['ERR.1016 primaryOwner.taxIdNumber'],
  ],
])
