/** Which addresses are in a comprehensively sanctioned place, and which only have a similar name. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSanctionedPlaces } from './find-sanctioned-places.ts'
import type { Address } from './record.ts'

function at(street: string, city: string, country: string, postalCode?: string): Address {
  return {
    street,
    city,
    country,
    ...(postalCode ? { postalCode } : {}),
  }
}

const inPlace: readonly [why: string, address: Address, ids: string][] = [
  ['only the country', { country: 'IR' }, 'IR'],
  ['a box in Tehran', at('PO BOX 11365-4435', 'TEHRAN', 'IR'), 'IR'],
  ['the town with another country', at('PO BOX 11365', 'TEHRAN', 'AE'), 'IR'],
  [
    'the town in another spelling, with the record’s old country',
    at('VALIASR AVE 9', 'TEHERAN', 'US', '07302'),
    'IR',
  ],
  ['the country within the city', at('12 FERDOWSI ST', 'SHIRAZ, IRAN', 'TR'), 'IR'],
  ['town and country within the street', at('PO BOX 9\nTEHRAN 19395 IRAN', 'DUBAI', 'AE'), 'IR'],
  ['marks on the letters', at('CALLE 23', 'CAMAGÜEY', 'MX'), 'CU'],
  ['Havana in Cuba', at('CALLE 23', 'HAVANA', 'CU'), 'CU'],
  ['Havana and Cuba with another country', at('CALLE 23', 'HAVANA, CUBA', 'US', '33101'), 'CU'],
  ['La Habana and Cuba with another country', at('CALLE 23', 'CUBA LA HABANA', 'ES'), 'CU'],
  ['Pyongyang with the southern country', at('1 SQUARE', 'PYONGYANG', 'KR'), 'KP'],
  ['Crimea as a part of Ukraine', at('UL KIROVA 1', 'YALTA', 'UA'), 'UA-43'],
  ['Crimea as a part of Russia', at('UL LENINA 2', 'SEVASTOPOL', 'RU', '299011'), 'UA-43'],
  ['a village by its Ukrainian postal code', at('UL SADOVA 2', 'VILLAGE', 'UA', '98600'), 'UA-43'],
  ['a village by its Russian postal code', at('UL SADOVAYA 2', 'VILLAGE', 'RU', '298600'), 'UA-43'],
  ['Donetsk', at('VUL ARTEMA 1', 'DONETSK', 'UA', '83000'), 'UA-14'],
  ['Luhansk in the transcription from Ukrainian', at('VUL 1', "LUHANS'K", 'UA'), 'UA-09'],
  ['Luhansk with a typographic apostrophe', at('VUL 1', 'LUHANS’K', 'UA'), 'UA-09'],
  ['a name of two words, written with other marks between', at('QUAY 1', 'BANDAR - ABBAS', 'TR'), 'IR'],
  ['a village by a postal code with a hyphen', at('UL SADOVAYA 2', 'VILLAGE', 'RU', '29-8600'), 'UA-43'],
  ['Luhansk in the Russian spelling', at('UL SOVETSKAYA 1', 'LUGANSK', 'RU'), 'UA-09'],
]

for (const [why, address, ids] of inPlace) {
  test(`an address with ${why} is in ${ids}`, () =>
    assert.deepEqual(
      findSanctionedPlaces(address).map(({ place }) => place.id),
      [ids],
    ))
}

const elsewhere: readonly [why: string, address: Address][] = [
  ['nothing', {}],
  ['a usual address', { ...at('12 HARBOR ST', 'JERSEY CITY', 'US', '07302'), stateProvince: 'NJ' }],
  ['a street named after a town', at('12 TEHRAN STREET', 'SEOUL', 'KR')],
  ['a street named after a region', at('9 CRIMEA ROAD', 'LONDON', 'GB', 'NW1 1AA')],
  ['Havana in Florida', { ...at('1 MAIN ST', 'HAVANA', 'US', '32333'), stateProvince: 'FL' }],
  ['La Habana in Spain', at('CALLE 23', 'LA HABANA', 'ES', '16001')],
  ['Cuba in New York', { ...at('1 MAIN ST', 'CUBA', 'US', '14727'), stateProvince: 'NY' }],
  [
    'a US postal code with the same first digits',
    { ...at('1 MAIN ST', 'SALINAS', 'US', '95000'), stateProvince: 'CA' },
  ],
  ['Havana in Florida, within the street', at('1 MAIN ST\nHAVANA', 'QUINCY', 'US', '32333')],
  ['a village by another postal code', at('UL SADOVA 2', 'VILLAGE', 'UA', '94600')],
  ['Kyiv', at('KHRESHCHATYK 1', 'KYIV', 'UA', '01001')],
  ['Moscow', at('UL ARBAT 1', 'MOSCOW', 'RU', '119019')],
  ['Damascus, whose program ended in 2025', at('STRAIGHT ST', 'DAMASCUS', 'SY')],
  ['a town whose name begins like that of a sanctioned place', at('1 VIA ROMA', 'KERCHEM', 'NL')],
]

for (const [why, address] of elsewhere) {
  test(`an address with ${why} is in no sanctioned place`, () =>
    assert.deepEqual(findSanctionedPlaces(address), []))
}

test('a match by country is certain, and a match by town is not', () => {
  assert.equal(findSanctionedPlaces({ country: 'CU' })[0]?.certain, true)
  assert.equal(findSanctionedPlaces(at('1 SQUARE', 'PYONGYANG', 'KR'))[0]?.certain, false)
})

test('the reason names the text that was found and the applicable law', () => {
  const reasonOf = (address: Address) => findSanctionedPlaces(address)[0]?.reason
  assert.equal(reasonOf({ country: 'IR' }), 'The country is Iran (31 CFR part 560).')
  assert.equal(
    reasonOf(at('1 SQUARE', 'PYONGYANG', 'KR')),
    'The address names pyongyang: North Korea (31 CFR part 510).',
  )
  assert.equal(
    reasonOf(at('PO BOX 9\nTEHRAN 19395 IRAN', 'DUBAI', 'AE')),
    'The address names tehran iran: Iran (31 CFR part 560).',
  )
  assert.equal(
    reasonOf(at('PO BOX 9; SHIRAZ; KARAJ', 'DUBAI', 'AE')),
    'The address names shiraz: Iran (31 CFR part 560).',
  )
  assert.match(
    reasonOf(at('UL 2', 'VILLAGE', 'UA', '98600')) ?? '',
    /^The postal code is one of Crimea region/,
  )
})
