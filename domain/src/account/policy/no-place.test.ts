/** Which addresses name no place, and which words are parts of real addresses. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { namesNoPlace } from './no-place.ts'
import type { StreetAddress } from './street-address.ts'

const home: StreetAddress = { street: '12 MAIN ST', city: 'BOSTON', stateProvince: 'MA', country: 'US' }

describe('a street that names no place', () => {
  const streets = [
    'On file',
    'SAME',
    'Same as mailing',
    'same as above.',
    'The same address',
    'See above',
    'SEE MAILING ADDRESS',
    'Transient',
    'Prison',
    'Prison?',
    'In jail',
    'Pending',
    '(pending)',
    'To be provided',
    'TO BE ADVISED',
    'to be confirmed',
    'TBA',
    'N/A',
    'n.a.',
    'Null',
    'None',
    'Not provided',
    'No address',
    'No permanent address',
    'NO FIXED ABODE',
    'Hold mail',
    'Lista de Correos',
    'LISTA DE CORREOS, MADRID',
    'UNKNOWN STREET 4',
    'General Delivery',
    'UPS Store 123 Main St',
    '123 Main St, The UPS Store',
    'Mail Boxes Etc 12',
    'Mailboxes Etc',
    'XXXX',
    '123',
    '12-14',
  ]
  for (const street of streets) test(street, () => assert.equal(namesNoPlace({ ...home, street }), true))
})

describe('a street that names a place', () => {
  const streets = [
    '12 Main St',
    'Unknown Soldier Road 4',
    '4 Prison Road',
    '9 Pending Lane',
    '7 Same Street',
    '12 None Such Lane',
    '12 Transient Way',
    '1 On File Court',
    '8 Null Street',
    '3 Address Road',
    '350 S 400 E',
    '12 A St',
    '5 UPS Store Road',
    '7 Store Street',
    'Rose Cottage',
    '4 General Lee Drive',
    '10 Hold Street',
    '6 Various Lane',
    'ул. Ленина 4',
    '',
  ]
  for (const street of streets) test(street, () => assert.equal(namesNoPlace({ ...home, street }), false))
})

test('a number alone is an address in a country where houses have no street, not in the United States and Canada', () => {
  const found = (country: string) => namesNoPlace({ street: '123', city: 'SAPPORO', country })
  assert.deepEqual([found('US'), found('CA'), found('JP'), found('')], [true, true, false, false])
})

describe('a city', () => {
  const rows: [city: string, country: string, noPlace: boolean][] = [
    ['Unknown', 'US', true],
    ['TBD', 'US', true],
    ['None', 'US', true],
    ['None', 'IT', false],
    ['General Delivery', 'US', true],
    ['Same', 'US', true],
    ['Same', 'TZ', false],
    ['Same', 'TL', false],
    ['Same as above', 'TZ', true],
    ['Pending', 'GB', true],
    ['Pending', 'MY', false],
    ['N/A', 'FR', true],
    ['XX', 'US', true],
    ['X', 'US', false],
    ['Y', 'FR', false],
    ['Nonesuch', 'US', false],
    ['Samedan', 'CH', false],
    ['Unknown City', 'US', false],
    ['Jersey City', 'US', false],
    ['', 'US', false],
  ]
  for (const [city, country, noPlace] of rows)
    test(`${city} in ${country} is ${noPlace ? 'no place' : 'a place'}`, () =>
      assert.equal(namesNoPlace({ ...home, city, country }), noPlace))
})

test('an address without a street or a city is not judged', () => assert.equal(namesNoPlace({}), false))
