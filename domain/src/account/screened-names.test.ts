// Every name and address of a record is screened, one member at a time, and blank ones are not screened.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findSanctionedPlaces } from './find-sanctioned-places.ts'
import type { AccountRecord, Beneficiary, Party } from './record.ts'
import { sanctionedPlaces, sanctionedPlacesAsOf } from './sanctioned-places.ts'
import { screenedAddresses, screenedNames } from './screened-parts.ts'

const bare: AccountRecord = {
  registrationType: 'Individual',
  entityNumber: '301',
  main: {},
  electronicDelivery: {},
  mailingAddress: {},
  primaryOwner: {},
  associatedParties: [],
  financialProfile: {},
  beneficiaries: [],
  largeTraders: [],
}
function ofOwner(primaryOwner: Party) {
  return screenedNames({ ...bare, primaryOwner })
}
const noor = {
  field: 'primaryOwner',
  customerId: '1',
  kind: 'person',
  nameParts: ['NOOR'],
  countries: [],
  idNumbers: [],
}

describe('a screened name', () => {
  test('of a person without data has no parts', () => {
    assert.deepEqual(ofOwner({}), [{ ...noor, customerId: '', nameParts: [] }])
  })

  test('has its parts in order, without empty parts', () => {
    const [name] = ofOwner({ firstName: 'NOOR', middleName: '', lastName: 'HADDAD', suffix: 'JR' })
    assert.deepEqual(name?.nameParts, ['NOOR', 'HADDAD', 'JR'])
  })

  test('has the kind of its party: person or entity', () => {
    assert.equal(ofOwner({ nameType: 'Entity', firstName: 'HARBOR' })[0]?.kind, 'entity')
    assert.equal(ofOwner({ nameType: 'Individual', firstName: 'NOOR' })[0]?.kind, 'person')
  })

  test('has the birth date if there is one', () => {
    assert.deepEqual(ofOwner({ customerId: '1', firstName: 'NOOR', birthDate: '1981-12-24' }), [
      { ...noor, birthDate: '1981-12-24' },
    ])
    assert.deepEqual(ofOwner({ customerId: '1', firstName: 'NOOR' }), [noor])
  })

  test('has the countries of citizenship, legal address and mailing address, each once', () => {
    const countries = (primaryOwner: Party, mail = '') =>
      screenedNames({ ...bare, primaryOwner, mailingAddress: { country: mail } })[0]?.countries
    assert.deepEqual(countries({ citizenshipCountry: 'FR', legalAddress: { country: 'MX' } }, 'US'), [
      'FR',
      'MX',
      'US',
    ])
    assert.deepEqual(countries({ citizenshipCountry: 'US', legalAddress: { country: 'US' } }, 'US'), ['US'])
    assert.deepEqual(countries({ citizenshipCountry: '', legalAddress: {} }), [])
  })

  test('has the numbers of identifications, and the tax id as a number of the United States', () => {
    const governmentIdentification = {
      governmentId1: { idNumber: 'P1', idLocation: 'FR' },
      governmentId2: { idNumber: 'N2' },
    }
    assert.deepEqual(ofOwner({ taxIdNumber: '401121001', governmentIdentification })[0]?.idNumbers, [
      { number: 'P1', country: 'FR' },
      { number: 'N2' },
      { number: '401121001', country: 'US' },
    ])
    assert.deepEqual(
      ofOwner({ governmentIdentification: { governmentId1: { idLocation: 'FR' } } })[0]?.idNumbers,
      [],
    )
  })

  test('of a party or a beneficiary has the customer id, if there is one', () => {
    const luis: Beneficiary = {
      customerId: '3',
      firstName: 'LUIS',
      taxIdNumber: '401121003',
      citizenshipCountry: 'DE',
      address: { country: 'AT' },
    }
    const names = screenedNames({
      ...bare,
      associatedParties: [{ customerId: '2' }, {}],
      beneficiaries: [luis, {}],
    })
    assert.deepEqual(
      names.map(({ field }) => field),
      ['primaryOwner', 'associatedParties[2]', 'associatedParties[]', 'beneficiaries[3]', 'beneficiaries[]'],
    )
    assert.deepEqual(names[3], {
      field: 'beneficiaries[3]',
      customerId: '3',
      kind: 'person',
      nameParts: ['LUIS'],
      countries: ['AT', 'DE'],
      idNumbers: [{ number: '401121003', country: 'US' }],
      taxIdNumber: '401121003',
    })
    assert.deepEqual(names[4]?.idNumbers, [])
  })

  test('of a trusted contact has the country of its address', () => {
    const contact = {
      field: 'primaryOwner.trustedContact',
      customerId: '1:trusted-contact',
      kind: 'person',
      nameParts: ['SANA'],
      idNumbers: [],
    }
    assert.deepEqual(
      ofOwner({ customerId: '1', trustedContact: { name: 'SANA', address: { country: 'FR' } } })[1],
      { ...contact, countries: ['FR'] },
    )
    assert.deepEqual(ofOwner({ customerId: '1', trustedContact: { name: 'SANA', address: {} } })[1], {
      ...contact,
      countries: [],
    })
    assert.equal(ofOwner({ trustedContact: { name: 'SANA' } })[1]?.customerId, ':trusted-contact')
    assert.equal(ofOwner({ trustedContact: { email: 'sana@example.com' } }).length, 1)
  })

  test('of an employer is an entity with the country of its address', () => {
    const employer = {
      field: 'primaryOwner.employerName',
      customerId: '1:employer',
      kind: 'entity',
      nameParts: ['HARBOR'],
      idNumbers: [],
    }
    const named = { customerId: '1', employerName: 'HARBOR' }
    assert.deepEqual(ofOwner({ ...named, employerAddress: { country: 'FR' } }).slice(1), [
      { ...employer, countries: ['FR'] },
    ])
    for (const owner of [named, { ...named, employerAddress: {} }])
      assert.deepEqual(ofOwner(owner).slice(1), [{ ...employer, countries: [] }])
    assert.equal(ofOwner({ employerName: 'HARBOR' })[1]?.customerId, ':employer')
    assert.equal(ofOwner({ customerId: '1', employerName: '' }).length, 1)
  })

  for (const [member, affiliation, kind, ...parts] of [
    ['name', { name: 'OMAR' }, 'entity', 'OMAR'],
    ['organization', { organization: 'HARBOR' }, 'entity', 'HARBOR'],
    ['publicCompany.name', { publicCompany: { name: 'HARBOR' } }, 'entity', 'HARBOR'],
    ['industry.companyName', { industry: { companyName: 'HARBOR' } }, 'entity', 'HARBOR'],
    ['political.name', { political: { name: 'OMAR' } }, 'entity', 'OMAR'],
    ['political', { political: { firstName: 'OMAR', lastName: 'HADDAD' } }, 'person', 'OMAR', 'HADDAD'],
    ['political', { political: { firstName: '', lastName: 'HADDAD' } }, 'person', 'HADDAD'],
    ['political.organization', { political: { organization: 'A PARTY' } }, 'entity', 'A PARTY'],
    ['service.name', { service: { name: 'HARBOR' } }, 'entity', 'HARBOR'],
    ['service.affiliatedEntity', { service: { affiliatedEntity: 'HARBOR' } }, 'entity', 'HARBOR'],
  ] as const) {
    test(`is taken from ${member} of an affiliation: ${parts.join(' ')}`, () => {
      const whose = (customerId: string | undefined) =>
        ofOwner({ ...(customerId ? { customerId } : {}), affiliation })
      assert.deepEqual(whose('1').slice(1), [
        {
          field: `primaryOwner.affiliation.${member}`,
          customerId: `1:affiliation.${member}`,
          kind,
          nameParts: parts,
          countries: [],
          idNumbers: [],
        },
      ])
      assert.equal(whose(undefined)[1]?.customerId, `:affiliation.${member}`)
    })
  }

  test('is not taken from an affiliation that says only yes or no, or is empty', () => {
    for (const affiliation of [
      {},
      { industry: 'True', political: 'False' },
      { name: '', political: { name: '' } },
    ])
      assert.equal(ofOwner({ affiliation }).length, 1)
  })
})

describe('a screened address', () => {
  const city = { city: 'AUSTIN' }
  const owner: Party = { customerId: '1', firstName: 'NOOR' }
  for (const [field, changes] of [
    ['mailingAddress', { mailingAddress: city }],
    ['primaryOwner.legalAddress', { primaryOwner: { ...owner, legalAddress: city } }],
    ['primaryOwner.employerAddress', { primaryOwner: { ...owner, employerAddress: city } }],
    [
      'primaryOwner.trustedContact.address',
      { primaryOwner: { ...owner, trustedContact: { address: city } } },
    ],
    ['primaryOwner.affiliation.address', { primaryOwner: { ...owner, affiliation: { address: city } } }],
    ['associatedParties[1].legalAddress', { associatedParties: [{ ...owner, legalAddress: city }] }],
    ['beneficiaries[1].address', { beneficiaries: [{ ...owner, address: city }] }],
  ] as readonly [string, Partial<AccountRecord>][]) {
    test(`is taken from ${field}`, () => {
      const found = screenedAddresses({ ...bare, primaryOwner: owner, ...changes })
      assert.deepEqual(found, [{ field, customerId: '1', address: city, nameParts: ['NOOR'] }])
    })
  }

  test('of an unknown person has no customer id', () => {
    const [found] = screenedAddresses({ ...bare, mailingAddress: city })
    assert.deepEqual(found, { field: 'mailingAddress', customerId: '', address: city, nameParts: [] })
  })

  test('is not taken from an empty address', () => {
    assert.deepEqual(screenedAddresses({ ...bare, mailingAddress: { city: '', country: '' } }), [])
  })

  test('is also taken from a citizenship', () => {
    const primaryOwner = { ...owner, citizenshipCountry: 'IR' }
    assert.deepEqual(screenedAddresses({ ...bare, primaryOwner }), [
      {
        field: 'primaryOwner.citizenshipCountry',
        customerId: '1',
        address: { country: 'IR' },
        nameParts: ['NOOR'],
      },
    ])
  })
})

describe('a sanctioned place', () => {
  const idsAt = (address: Parameters<typeof findSanctionedPlaces>[0]) =>
    findSanctionedPlaces(address).map(({ place, certain }) => `${place.id} ${certain ? 'surely' : 'maybe'}`)

  test('is one of six, each with its name, according to a source of one date', () => {
    assert.deepEqual(
      sanctionedPlaces.map(({ id, name }) => `${id} ${name}`),
      [
        'CU Cuba',
        'IR Iran',
        'KP North Korea',
        'UA-43 Crimea region of Ukraine, with Sevastopol',
        'UA-14 so-called Donetsk People’s Republic region of Ukraine',
        'UA-09 so-called Luhansk People’s Republic region of Ukraine',
      ],
    )
    assert.equal(sanctionedPlacesAsOf, '2025-09-25')
  })

  for (const [country, inCrimea, elsewhere] of [
    ['UA', '95000 95-000 96000 97000 98000 99999', '94999 00095'],
    ['RU', '295000 296000 297000 298000 299999', '294999 300000'],
    ['US', '', '95000 96000 99000'],
  ] as const) {
    test(`is found by a postal code of ${country}`, () => {
      for (const postalCode of inCrimea.split(' ').filter(Boolean))
        assert.deepEqual(idsAt({ country, postalCode }), ['UA-43 maybe'], postalCode)
      for (const postalCode of elsewhere.split(' '))
        assert.deepEqual(idsAt({ country, postalCode }), [], postalCode)
      assert.deepEqual(idsAt({ country }), [])
    })
  }

  for (const [city, country, ids] of [
    ['CUBA', 'US', []],
    ['HAVANA', 'US', []],
    ['HABANA', 'US', []],
    ['LA HABANA', 'US', ['CU maybe']],
    ['CUBA', 'PT', []],
    ['HAVANA', 'PT', ['CU maybe']],
    ['HABANA', 'ES', []],
    ['LA HABANA', 'ES', []],
    ['HAVANA', 'ES', ['CU maybe']],
    ['CUBA', undefined, ['CU maybe']],
    ['AUSTIN', 'CU', ['CU surely']],
    ['AUSTIN', 'IR', ['IR surely']],
    ['AUSTIN', 'KP', ['KP surely']],
    ["DONETSK PEOPLE'S REPUBLIC", 'UA', ['UA-14 maybe']],
    ['DONETSK PEOPLE’S REPUBLIC', 'UA', ['UA-14 maybe']],
    ['SANTIAGO  DE - CUBA', 'MX', ['CU maybe']],
  ] as readonly [string, string | undefined, string[]][]) {
    test(`is found by the city ${city} in ${country ?? 'no country'}`, () => {
      assert.deepEqual(idsAt({ city, ...(country ? { country } : {}) }), ids)
    })
  }

  for (const [street, ids] of [
    ['REPUBLIC OF CRIMEA', ['UA-43 maybe']],
    ['AUTONOMOUS REPUBLIC OF CRIMEA', ['UA-43 maybe']],
    ['PO BOX 4; SEVASTOPOL', ['UA-43 maybe']],
    ['PO BOX 4, YALTA CRIMEA, UKRAINE', ['UA-43 maybe']],
    [' ; , ', []],
    ['YALTA STREET', []],
  ] as const) {
    test(`is found by a separate part of a street: ${street}`, () => {
      assert.deepEqual(idsAt({ street, country: 'DE' }), ids)
    })
  }

  test('is listed with the name that was found', () => {
    assert.match(
      findSanctionedPlaces({ city: 'LA HABANA', country: 'MX' })[0]?.reason ?? '',
      /^The address names la habana: Cuba/,
    )
    assert.match(
      findSanctionedPlaces({ country: 'CU' })[0]?.reason ?? '',
      /^The country is Cuba \(31 CFR part 515\)\.$/,
    )
    assert.match(
      findSanctionedPlaces({ country: 'UA', postalCode: '95000' })[0]?.reason ?? '',
      /^The postal code is one of Crimea/,
    )
  })
})
