// Values that may be a code, a flag or a text: known values are returned in one form, and other texts are stored.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { change, individual, submit } from './testing/applications.ts'

function industry(firmClearing: unknown) {
  return {
    'primaryOwner.affiliation': { industry: { associated: true, firmClearing, companyName: 'Bayside' } },
  }
}
const rows: [what: string, changes: Record<string, unknown>, path: string, kept: unknown][] = [
  [
    'a clearing firm by its name',
    industry('Bayside Clearing'),
    'primaryOwner.affiliation.industry.firmClearing',
    'BAYSIDE CLEARING',
  ],
  ['true as the clearing firm', industry(true), 'primaryOwner.affiliation.industry.firmClearing', 'True'],
  ['false as the clearing firm', industry(false), 'primaryOwner.affiliation.industry.firmClearing', 'False'],
  [
    'true as the clearing firm as a text',
    industry('true'),
    'primaryOwner.affiliation.industry.firmClearing',
    'True',
  ],
  [
    'a relationship of the list',
    { 'primaryOwner.affiliation': { relationship: 'sPOUSE' } },
    'primaryOwner.affiliation.relationship',
    'Spouse',
  ],
  [
    'another relationship',
    { 'primaryOwner.affiliation': { relationship: 'old friend' } },
    'primaryOwner.affiliation.relationship',
    'OLD FRIEND',
  ],
  [
    'a CAT identifier of the list',
    { 'main.catAccountIdentifier': 'institutionalcustomer' },
    'main.catAccountIdentifier',
    'InstitutionalCustomer',
  ],
  [
    'another CAT identifier',
    { 'main.catAccountIdentifier': 'cat-77' },
    'main.catAccountIdentifier',
    'CAT-77',
  ],
  [
    'an institutional investor as a boolean',
    { 'primaryOwner.institutionalInvestor': true },
    'primaryOwner.institutionalInvestor',
    'true',
  ],
  [
    'an institutional investor as a text',
    { 'primaryOwner.institutionalInvestor': 'FALSE' },
    'primaryOwner.institutionalInvestor',
    'false',
  ],
]

describe('the record of an account', () => {
  for (const [what, changes, path, kept] of rows) {
    test(`stores ${what}`, () => {
      const { application, codes } = submit(change(individual, changes))
      assert.deepEqual(codes, [])
      const value = path
        .split('.')
        .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], application.record)
      assert.equal(value, kept)
    })
  }
})

test('a value that is neither known nor a valid text is rejected', () => {
  const refused = (changes: Record<string, unknown>) => submit(change(individual, changes)).codes
  assert.deepEqual(refused(industry(7)), ['ERR.2002 primaryOwner.affiliation.industry.firmClearing'])
  assert.deepEqual(refused({ 'main.catAccountIdentifier': 'X'.repeat(41) }), [
    'ERR.1010 main.catAccountIdentifier',
  ])
  assert.deepEqual(refused({ 'main.catAccountIdentifier': '*' }), ['ERR.1016 main.catAccountIdentifier'])
})
