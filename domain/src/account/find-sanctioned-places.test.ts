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

/** Spellings of towns and regions, by place: each with a country of which it is said. */
const spellings: readonly [id: string, country: string, cities: string][] = [
  [
    'UA-43',
    'UA',
    'СЕВАСТОПОЛЬ СЕВАСТОПОЛЬ, СИМФЕРОПОЛЬ СІМФЕРОПОЛЬ КЕРЧ КЕРЧЬ ЯЛТА ЄВПАТОРІЯ ФЕОДОСІЯ БАХЧИСАРАЙ',
  ],
  [
    'UA-43',
    'RU',
    'СЕВАСТОПОЛЬ КРЫМ ЕВПАТОРИЯ ФЕОДОСИЯ ДЖАНКОЙ АЛУШТА АЛУПКА СУДАК АРМЯНСК КРАСНОПЕРЕКОПСК ЩЁЛКИНО',
  ],
  ['UA-43', 'DE', 'SEWASTOPOL SEBASTOPOL KERTSCH JALTA KRIM FEODOSSIJA JEWPATORIJA DSCHANKOJ ALUSCHTA'],
  ['UA-43', 'FR', 'SÉBASTOPOL KERTCH IALTA CRIMÉE FEODOSSIA EUPATORIA ALOUCHTA ALOUPKA SOUDAK'],
  [
    'UA-43',
    'UA',
    'SIMFEROPIL SEVАSTOPOL SEVASTOРOL СRIMEA ΥALTA сrimea sevastoрol S-E-V-A-S-T-O-P-O-L 5EVASTOPOL S\u200bEVASTOPOL CRIMEASEVASTOPOL Я-Л-Т-А',
  ],
  [
    'UA-14',
    'UA',
    'ДОНЕЦЬК ДОНЕЦК ДНР Д.Н.Р. МАРІУПОЛЬ МАКІЇВКА ГОРЛІВКА ЄНАКІЄВЕ ХАРЦИЗЬК ДЕБАЛЬЦЕВЕ СНІЖНЕ ДОКУЧАЄВСЬК',
  ],
  [
    'UA-14',
    'RU',
    'МАРИУПОЛЬ МАКЕЕВКА ГОРЛОВКА ЕНАКИЕВО ХАРЦЫЗСК ИЛОВАЙСК АМВРОСИЕВКА СТАРОБЕШЕВО СНЕЖНОЕ ВОЛНОВАХА',
  ],
  ['UA-14', 'DE', 'DONEZK MAKIJIWKA GORLOWKA HORLIWKA DEBALZEWE MARIOUPOL JENAKIJEWE'],
  [
    'UA-09',
    'UA',
    'ЛУГАНСЬК ЛУГАНСК ЛНР КАДІЇВКА АНТРАЦИТ РОВЕНЬКИ ДОВЖАНСЬК СОРОКИНЕ БРЯНКА СЄВЄРОДОНЕЦЬК АЛЧЕВСЬК',
  ],
  ['UA-09', 'FR', 'LOUGANSK LOUHANSK ALTCHEVSK KHROUSTALNY ANTRAZIT SEWERODONEZK SJEWJERODONEZK'],
  ['IR', 'AE', 'ТЕГЕРАН تهران إيران TEHRAN-IRAN'],
  ['KP', 'RU', 'ПХЕНЬЯН КНДР 평양 NORDKOREA PJÖNGJANG'],
  ['CU', 'DE', 'KUBA HAVANNA ГАВАНА LAHABANA'],
]

for (const [id, country, cities] of spellings) {
  for (const city of cities.split(' ')) {
    test(`the city ${city} of ${country} is in ${id}`, () =>
      assert.deepEqual(
        findSanctionedPlaces(at('1 X', city, country)).map(({ place }) => place.id),
        [id],
      ))
  }
}

for (const [city, id] of [
  ['S E V A S T O P O L', 'UA-43'],
  ['S E V A S T O P O L U A', 'UA-43'],
  ['С е в а с т о п о л ь', 'UA-43'],
  ['SEVASTO POL', 'UA-43'],
  ['M. SEVASTOPOL', 'UA-43'],
  ['АВТОНОМНА РЕСПУБЛІКА КРИМ', 'UA-43'],
  ['SEBASTOPOL CRIMEA', 'UA-43'],
  ['BANDARABBAS', 'IR'],
  ['ДОНЕЦКАЯ НАРОДНАЯ РЕСПУБЛИКА', 'UA-14'],
  // The oblast may lie in the region: a person compares the address with a map.
  ['DONETSK OBLAST', 'UA-14'],
  ['ДОНЕЦЬКА ОБЛАСТЬ', 'UA-14'],
  ['ЛУГАНСКАЯ ОБЛАСТЬ', 'UA-09'],
] as const) {
  test(`the city ${city} of the United States is in ${id}`, () =>
    assert.deepEqual(
      findSanctionedPlaces(at('1 X', city, 'US')).map(({ place }) => place.id),
      [id],
    ))
}

for (const [street, id] of [
  ['ВУЛ. ЛЕНІНА 1, СЕВАСТОПОЛЬ', 'UA-43'],
  ['UL LENINA 1\nЯЛТА КРЫМ', 'UA-43'],
  ['PO BOX 9，ДОНЕЦК', 'UA-14'],
] as const) {
  test(`a separate part of the street ${street} is in ${id}`, () =>
    assert.deepEqual(
      findSanctionedPlaces(at(street, 'KYIV', 'UA')).map(({ place }) => place.id),
      [id],
    ))
}

const namesakes: readonly Address[] = [
  at('1 MAIN ST', 'SEBASTOPOL', 'US', '95472'),
  at('1 MAIN ST', 'THEODOSIA', 'US', '65761'),
  at('1 ALBERT ST', 'SEBASTOPOL', 'AU', '3356'),
  at('1 HIGH ST', 'SEBASTOPOL', 'GB', 'NP4 5DN'),
  at('1 ROYAL ROAD', 'SEBASTOPOL', 'MU'),
  at('DORPSWEG 1', 'DE KRIM', 'NL', '7782 PA'),
  at('1 YALTA STREET', 'AUSTIN', 'US', '78701'),
  at('1 SEVASTOPOL AVE', 'AUSTIN', 'US', '78701'),
  at('12 DONETSK BLVD, APT 4', 'PITTSBURGH', 'US', '15201'),
  at('12 BOULEVARD DE SÉBASTOPOL', 'PARIS', 'FR', '75003'),
  at('3 RUE DE CRIMÉE', 'PARIS', 'FR', '75019'),
  at('СИМФЕРОПОЛЬСКИЙ БУЛЬВАР 3', 'МОСКВА', 'RU', '117556'),
  at('ВУЛ. ДОНЕЦЬКА 3', 'КИЇВ', 'UA', '03151'),
  at('ВУЛ. МИРУ 1', 'КРАМАТОРСЬК', 'UA', '84300'),
  at('VUL MYRU 1', 'SLOVIANSK', 'UA', '84100'),
  at('ВУЛ. МИРУ 1', 'ХЕРСОН', 'UA', '73000'),
  at('УЛ. ЛЕНИНА 1', 'КИМРЫ', 'RU', '171500'),
  at('УЛ. ЛЕНИНА 1', 'СТАВРОПОЛЬ', 'RU', '355000'),
  at('1 OKHOTNY ROW', 'MELITOPOL', 'UA', '72300'),
  at('KRIMMLER STR. 1', 'KRIMML', 'AT', '5743'),
  at('1 MAIN ST', 'IRONTON', 'US', '45638'),
  at('1 MAIN ST', 'CUBA CITY', 'US', '53807'),
  at('A B C STREET 1', 'D N', 'US', '10001'),
]

for (const address of namesakes) {
  test(`the address ${address.street}, ${address.city}, ${address.country} is in no sanctioned place`, () =>
    assert.deepEqual(findSanctionedPlaces(address), []))
}

for (const [why, text] of [
  ['of usual words', 'NORTH HARBOR STREET '],
  ['of names of places', 'SEVASTOPOL CRIMEA '],
  ['of letters', 'S E V A '],
  ['without spaces', 'SEVASTOPOLX'],
] as const) {
  test(`an address ${why} that is twice as long takes at most twice the look-ups`, (context) => {
    const counter = context.mock.method(Map.prototype, 'get')
    const look = (times: number) => {
      counter.mock.resetCalls()
      findSanctionedPlaces(at(text.repeat(times), text.repeat(times), 'US'))
      return counter.mock.callCount()
    }
    const short = look(50)
    assert.ok(short > 0)
    assert.ok(look(100) <= 2.1 * short)
  })
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
