import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AskedIdentity, whyNotCorrected, withIdentity } from './correct-identity.ts'
import type { AccountRecord, Party } from './record.ts'
import { entity, person, rightAccount, today } from './testing/right-accounts.ts'

function account(type: 'Trust' | 'Llc' | 'Corporation', owner: Party, ...others: Party[]): AccountRecord {
  const numbered = others.map((party, at) => ({ ...party, customerId: `${at + 1}` }))
  return {
    ...rightAccount(type),
    primaryOwner: { ...owner, customerId: '0' },
    associatedParties: numbered,
  }
}

function changesOf(record: AccountRecord, asked: AskedIdentity): string[] {
  const { changes } = withIdentity(record, asked) ?? assert.fail('no such party')
  return changes.map(({ field, to }) => `${field} ${to}`)
}

const [old, next, itin] = ['401120001', '401120002', '912701234']
const grantor = person({ role: 'Grantor', taxIdNumber: old })

test('a person is corrected in each role, but not another person who has the number by mistake', () => {
  const record = account(
    'Corporation',
    entity(),
    person({ role: 'ControlPerson', taxIdNumber: old }),
    person({ role: 'BeneficialOwner', taxIdNumber: old, lastName: 'FORMERLY' }),
    person({ role: 'Officer', taxIdNumber: old, birthDate: '1950-01-01' }),
    person({ role: 'Director', taxIdNumber: '401120009' }),
    entity({ role: 'Member', taxIdNumber: old }),
  )
  const field = (id: number) => `associatedParties[${id}].taxIdNumber ${next}`
  assert.deepEqual(changesOf(record, { customerId: '1', taxIdNumber: next }), [field(1), field(2)])
  assert.deepEqual(changesOf(record, { customerId: '3', taxIdNumber: next }), [field(3)])
  assert.deepEqual(changesOf(record, { customerId: '5', taxIdNumber: next }), [field(5)])
  const { paths, party, amended } =
    withIdentity(record, { customerId: '1', taxIdNumber: next }) ?? assert.fail()
  assert.deepEqual(paths, ['associatedParties[0]', 'associatedParties[1]'])
  assert.equal(party, amended.associatedParties[0])
  assert.equal(amended.associatedParties[2], record.associatedParties[2])
  assert.equal(withIdentity(record, { customerId: '9', taxIdNumber: next }), undefined)
})

test('a person without a number is the one of the same name and birth date', () => {
  const without = { taxIdNumber: undefined, taxIdType: undefined }
  const record = account(
    'Corporation',
    entity(),
    person({ role: 'ControlPerson', ...without }),
    person({ role: 'BeneficialOwner', ...without }),
    person({ role: 'Officer', ...without, firstName: 'SAMI' }),
  )
  assert.deepEqual(changesOf(record, { customerId: '2', taxIdType: 'SSN', taxIdNumber: next }), [
    'associatedParties[1].taxIdType SSN',
    `associatedParties[1].taxIdNumber ${next}`,
    'associatedParties[2].taxIdType SSN',
    `associatedParties[2].taxIdNumber ${next}`,
  ])
})

test('an entity shares the number of the person who lends it, and no other value', () => {
  const rows: [string, Party, AskedIdentity, string[]][] = [
    [
      'grantor',
      entity({ taxIdType: 'SSN', taxIdNumber: old }),
      { customerId: '1', taxIdNumber: next, citizenshipCountry: 'PR' },
      [
        `primaryOwner.taxIdNumber ${next}`,
        `associatedParties[1].taxIdNumber ${next}`,
        'associatedParties[1].citizenshipCountry PR',
      ],
    ],
    [
      'trust',
      entity({ taxIdType: 'SSN', taxIdNumber: old }),
      { taxIdNumber: next, citizenshipCountry: 'PR' },
      [
        `primaryOwner.taxIdNumber ${next}`,
        'primaryOwner.citizenshipCountry PR',
        `associatedParties[1].taxIdNumber ${next}`,
      ],
    ],
    [
      'kind of both',
      entity({ taxIdType: 'SSN', taxIdNumber: old }),
      { taxIdType: 'TaxId', taxIdNumber: itin },
      [
        'primaryOwner.taxIdType TaxId',
        `primaryOwner.taxIdNumber ${itin}`,
        'associatedParties[1].taxIdType TaxId',
        `associatedParties[1].taxIdNumber ${itin}`,
      ],
    ],
    [
      'kind of one',
      entity({ taxIdNumber: old }),
      { customerId: '1', taxIdType: 'TaxId', taxIdNumber: itin },
      [
        `primaryOwner.taxIdNumber ${itin}`,
        'associatedParties[1].taxIdType TaxId',
        `associatedParties[1].taxIdNumber ${itin}`,
      ],
    ],
    [
      'own number',
      entity({ taxIdType: 'SSN', taxIdNumber: old }),
      { taxIdType: 'TaxId', taxIdNumber: '223907717' },
      ['primaryOwner.taxIdType TaxId', 'primaryOwner.taxIdNumber 223907717'],
    ],
    [
      'other numbers',
      entity(),
      { customerId: '1', taxIdNumber: next },
      [`associatedParties[1].taxIdNumber ${next}`],
    ],
    [
      'no number',
      entity({ taxIdType: 'SSN', taxIdNumber: old }),
      { customerId: '1', taxIdType: 'TaxId' },
      ['associatedParties[1].taxIdType TaxId'],
    ],
    [
      'trustee',
      entity({ taxIdType: 'SSN', taxIdNumber: old }),
      { customerId: '2', taxIdNumber: next },
      [`associatedParties[2].taxIdNumber ${next}`],
    ],
  ]
  for (const [name, owner, asked, expected] of rows) {
    const record = account('Trust', owner, grantor, person({ role: 'Trustee' }))
    assert.deepEqual(changesOf(record, asked), expected, name)
  }
  // A corporation has no number of a person.
  const record = account(
    'Corporation',
    entity({ taxIdNumber: old }),
    person({ role: 'ControlPerson', taxIdNumber: old }),
  )
  assert.deepEqual(changesOf(record, { customerId: '1', taxIdNumber: next }), [
    `associatedParties[1].taxIdNumber ${next}`,
  ])
})

test('only a person who becomes a citizen is a foreign person no longer', () => {
  const cais = (...customerType: string[]) => ({ caisInformation: { role: 'X', customerType } })
  const rows: [Party, string, unknown][] = [
    [person({ citizenshipCountry: 'FR', ...cais('Foreign') }), 'US', ['NotApplicable']],
    [person({ citizenshipCountry: 'FR', ...cais('Foreign', 'CP') }), 'PR', ['CP']],
    [person({ citizenshipCountry: 'FR', ...cais('Foreign') }), 'DE', ['Foreign']],
    [person({ citizenshipCountry: 'FR', ...cais('CP') }), 'US', ['CP']],
    [person({ citizenshipCountry: 'US', ...cais('Foreign') }), 'PR', ['Foreign']],
    [entity({ citizenshipCountry: 'FR', ...cais('Foreign') }), 'US', ['Foreign']],
  ]
  for (const [owner, citizenshipCountry, expected] of rows) {
    const corrected = withIdentity(account('Trust', owner), { citizenshipCountry })
    assert.deepEqual(corrected?.party.caisInformation, { role: 'X', customerType: expected })
  }
})

test('the documents that show a country are those of the person or the entity', () => {
  const shows = (owner: Party, citizenshipCountry: string, reference: string) => {
    const record = account('Corporation', owner, person({ role: 'ControlPerson' }))
    const corrected = withIdentity(record, { citizenshipCountry }) ?? assert.fail()
    const facts = {
      today,
      magicTaxIds: new Set<string>(),
      shownBy: [reference],
      numbersOfOthers: new Set<string>(),
    }
    return !whyNotCorrected(record, corrected, { ...facts, refusedPaths: new Set() }).some(
      ({ code }) => code === 'ERR.2053',
    )
  }
  const references = [
    'PASS',
    'NATL',
    'DRLC',
    'W9',
    'W8BE',
    'W8BEN-E',
    'W8IMY',
    'W8ECI',
    'W8EXP',
    'CREG',
    'TRST',
  ]
  const showing = (owner: Party, to: string) => references.filter((one) => shows(owner, to, one)).join(' ')
  assert.equal(showing(entity(), 'KY'), 'W8BEN-E W8IMY W8ECI W8EXP CREG')
  assert.equal(showing(entity({ citizenshipCountry: 'KY' }), 'US'), 'W9 CREG')
  assert.equal(showing(person(), 'DE'), 'PASS NATL')
  assert.equal(showing(person({ citizenshipCountry: 'DE' }), 'US'), 'PASS NATL W9')
})
