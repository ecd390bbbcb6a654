// The form on which each owner certifies the tax status.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Party } from '../record.ts'
import { type Changes, person, rightAccount } from '../testing/right-accounts.ts'
import { judgeAccount } from './judge-account.ts'
import type { Registration } from './registration-roles.ts'
import { certificationOf, certificationsOf } from './tax-identification.ts'
import { all, only, owner, production } from './testing/changed-accounts.ts'

const foreign = { caisInformation: { customerType: ['Foreign'] } }
const itin = { taxIdType: 'TaxId', taxIdNumber: '912701234' }
const paris = { street: '1 RUE OBERKAMPF', city: 'PARIS', country: 'FR', postalCode: '75011' }
const alien = {
  citizenshipCountry: 'CA',
  ...foreign,
  governmentIdentification: { governmentId1: { idType: 'Passport', idNumber: 'P7712345', idLocation: 'CA' } },
}

describe('the tax status is certified', () => {
  const rows: readonly [
    form: 'W-8BEN' | 'W-8BEN-E' | 'W-9' | 'W-9 or W-8BEN',
    what: string,
    registration: Registration,
    changes: Changes<Party>,
  ][] = [
    ['W-9', 'by a citizen', 'Individual', {}],
    ['W-9', 'by a citizen without a number', 'Individual', { taxIdNumber: undefined }],
    ['W-9', 'by a citizen who is reported as foreign', 'Individual', foreign],
    [
      'W-9',
      'by a citizen in an account for foreign persons',
      'IndividualJointForeign',
      { citizenshipCountry: 'US' },
    ],
    ['W-9', 'by a citizen of Puerto Rico', 'IndividualJointForeign', { citizenshipCountry: 'PR' }],
    ['W-9', 'by a national of American Samoa', 'IndividualJointForeign', { citizenshipCountry: 'AS' }],
    ['W-8BEN-E', 'by a corporation of Puerto Rico', 'Corporation', { citizenshipCountry: 'PR' }],
    ['W-9', 'by a citizen who lives abroad', 'Individual', { legalAddress: paris }],
    [
      'W-9',
      'by a citizen of Guam who lives abroad',
      'Individual',
      { citizenshipCountry: 'GU', legalAddress: paris },
    ],
    ['W-9', 'by a person whose citizenship is not known', 'Individual', { citizenshipCountry: undefined }],
    [
      'W-9 or W-8BEN',
      'by an alien who lives here and has an SSN',
      'Individual',
      { citizenshipCountry: 'CA' },
    ],
    [
      'W-9 or W-8BEN',
      'by an alien who lives here and has an ITIN',
      'Individual',
      { citizenshipCountry: 'CA', ...itin },
    ],
    [
      'W-8BEN',
      'by an alien who lives abroad and has an ITIN',
      'Individual',
      { citizenshipCountry: 'CA', ...itin, legalAddress: paris },
    ],
    [
      'W-8BEN',
      'by an alien who lives abroad and has an SSN',
      'Individual',
      { citizenshipCountry: 'CA', legalAddress: paris },
    ],
    // The tax law counts a territory as abroad (26 USC 7701(a)(9)).
    [
      'W-8BEN',
      'by an alien who lives in Puerto Rico',
      'Individual',
      { citizenshipCountry: 'CA', legalAddress: { ...paris, country: 'US', stateProvince: 'PR' } },
    ],
    ['W-9', 'by an entity of this country', 'Corporation', { citizenshipCountry: 'US', ...foreign }],
    ['W-8BEN-E', 'by a corporation of another country', 'Corporation', { citizenshipCountry: 'CA' }],
    ['W-8BEN-E', 'by a trust of another country', 'Trust', { citizenshipCountry: 'JE' }],
    [
      'W-8BEN',
      'by a foreign citizen without a number',
      'Individual',
      { citizenshipCountry: 'CA', taxIdNumber: undefined },
    ],
    [
      'W-8BEN',
      'by a foreign citizen who is reported as foreign',
      'Individual',
      { citizenshipCountry: 'CA', ...foreign },
    ],
    ['W-8BEN', 'by a foreign citizen in an account for foreign persons', 'IndividualJointForeign', {}],
  ]
  const ruleOf = {
    'W-9': 'UsOwnerCertified',
    'W-8BEN': 'ForeignOwnerCertified',
    'W-9 or W-8BEN': 'AlienOwnerCertified',
    'W-8BEN-E': 'ForeignEntityCertified',
  } as const
  const pattern = {
    'W-9': /Form W-9\.$/,
    'W-8BEN': /Form W-8BEN,/,
    'W-9 or W-8BEN': /Form W-9 as a resident alien, or otherwise on Form W-8BEN or W-8ECI\./,
    'W-8BEN-E': /Form W-8BEN-E,/,
  }
  for (const [form, what, registration, changes] of rows) {
    test(`on Form ${form} ${what}`, () => {
      const record = owner(changes)(rightAccount(registration))
      const rule = ruleOf[form]
      assert.equal(certificationOf(record, new Set()), rule)
      const [finding] = judgeAccount(record, production).filter((one) => one.rule === rule)
      assert.equal(finding?.field, 'primaryOwner')
      assert.match(finding?.reason ?? '', pattern[form])
    })
  }

  test('by the first owner alone if that owner is a US person, and by every owner if it is foreign', () => {
    const another = (number: string) =>
      person({ ...alien, role: 'Secondary', taxIdType: 'TaxId', taxIdNumber: number } as Changes<Party>)
    const agent = person({ role: 'PowerOfAttorney' })
    const of = (registration: Registration, changes: Changes<Party>, parties: Party[]) =>
      certificationsOf(
        all(owner(changes), only(...parties))(rightAccount(registration)),
        new Set(['000000004']),
      ).map(({ rule, path }) => `${rule} ${path}`)
    assert.deepEqual(of('JointWROS', {}, [another('912701235')]), ['UsOwnerCertified primaryOwner'])
    assert.deepEqual(
      of('IndividualJointForeign', {}, [another('912701235'), agent, person({ role: 'Secondary' })]),
      [
        'ForeignOwnerCertified primaryOwner',
        'ForeignOwnerCertified associatedParties[0]',
        'UsOwnerCertified associatedParties[2]',
      ],
    )
    const magic = person({ role: 'Secondary', taxIdNumber: '000000004' })
    assert.deepEqual(of('IndividualJointForeign', {}, [magic]), ['ForeignOwnerCertified primaryOwner'])
    // On Individual, a Secondary is no owner.
    const foreignOwner = { ...alien, taxIdType: undefined, taxIdNumber: undefined }
    assert.deepEqual(of('Individual', foreignOwner, [another('912701235')]), [
      'ForeignOwnerCertified primaryOwner',
    ])
  })

  test('by every owner of a joint account if both live abroad, and if the first lives here, by the others once the first certifies a foreign status', () => {
    const french = { ...alien, ...itin, caisInformation: undefined, legalAddress: paris } as Changes<Party>
    const second = person({ ...french, taxIdNumber: '912701235', role: 'Secondary' })
    const of = (changes: Changes<Party>, isForeign?: boolean) =>
      certificationsOf(
        all(owner(changes), only(second))(rightAccount('JointWROS')),
        new Set(),
        isForeign,
      ).map(({ rule, path }) => `${rule} ${path}`)
    const secondToo = 'ForeignOwnerCertified associatedParties[0]'
    assert.deepEqual(of(french), ['ForeignOwnerCertified primaryOwner', secondToo])
    const here = { ...french, legalAddress: {} } as Changes<Party>
    assert.deepEqual(of(here), ['AlienOwnerCertified primaryOwner'])
    assert.deepEqual(of(here, true), ['AlienOwnerCertified primaryOwner', secondToo])
    // The form of a US person covers all owners.
    assert.deepEqual(of({}, true), ['UsOwnerCertified primaryOwner'])
  })

  test('by no owner with a magic tax id of the sandbox', () => {
    const record = owner({ taxIdNumber: '000000004' })(rightAccount('Individual'))
    assert.equal(certificationOf(record, new Set(['000000004'])), undefined)
  })
})
