/**
 * Countries and regions under comprehensive sanctions of the United States, as data with its sources. The Office of
 * Foreign Assets Control keeps no list of countries; these are its programs that prohibit nearly every dealing with a
 * place. Syria is no longer one since E.O. 14312 of June 30, 2025 (90 FR 29395); 31 CFR part 542 was removed on August
 * 26, 2025.
 */
export interface SanctionedPlace {
  /** ISO 3166-1 alpha-2, of a region ISO 3166-2. */
  readonly id: string
  readonly name: string
  readonly source: string
  /** Every address in these countries is in the place. */
  readonly countries: readonly string[]
  /**
   * Names that identify an address in another country: the place and its larger towns, in their usual spellings, in
   * small letters. OFAC recommends such terms (Crimea Sanctions Advisory, July 30, 2015).
   */
  readonly names: readonly string[]
  /** Names that towns in other countries share, by country. */
  readonly namesakes?: Readonly<Record<string, readonly string[]>>
  /** First digits of postal codes, by country: OFAC lets one rely on postal codes (FAQ 1009, May 5, 2022). */
  readonly postalCodes?: Readonly<Record<string, readonly string[]>>
}

/** Of the newest publication that was consulted: the amendment of 31 CFR part 569. */
export const sanctionedPlacesAsOf = '2025-09-25'

function names(text: string): string[] {
  return text.split(', ')
}

export const sanctionedPlaces: readonly SanctionedPlace[] = [
  {
    id: 'CU',
    name: 'Cuba',
    source: '31 CFR part 515',
    countries: ['CU'],
    names: names('cuba, havana, la habana, habana, santiago de cuba, camaguey, holguin, varadero'),
    namesakes: { US: ['cuba', 'havana', 'habana'], PT: ['cuba'], ES: ['habana', 'la habana'] },
  },
  {
    id: 'IR',
    name: 'Iran',
    source: '31 CFR part 560',
    countries: ['IR'],
    names: names(
      'iran, islamic republic of iran, tehran, teheran, tehran province, mashhad, mashad, isfahan, esfahan, shiraz, tabriz, karaj, ' +
        'ahvaz, ahwaz, kermanshah, urmia, zahedan, bandar abbas, qom',
    ),
  },
  {
    id: 'KP',
    name: 'North Korea',
    source: '31 CFR part 510',
    countries: ['KP'],
    names: names(
      'north korea, dprk, democratic peoples republic of korea, pyongyang, hamhung, chongjin, wonsan, sinuiju, kaesong, nampo',
    ),
  },
  {
    id: 'UA-43',
    name: 'Crimea region of Ukraine, with Sevastopol',
    source: 'E.O. 13685 of December 19, 2014; 31 CFR part 589',
    countries: [],
    names: names(
      'crimea, krym, republic of crimea, autonomous republic of crimea, sevastopol, simferopol, kerch, yalta, feodosia, feodosiya, ' +
        'yevpatoria, evpatoria, evpatoriya, dzhankoy, dzhankoi, alushta, alupka, sudak, bakhchisaray, bakhchysarai, armyansk, ' +
        'krasnoperekopsk, shchyolkino',
    ),
    // Universal Postal Union, IB circular 71 of 2014: 95000 to 99999; the Russian post put a 2 before them.
    postalCodes: { UA: ['95', '96', '97', '98', '99'], RU: ['295', '296', '297', '298', '299'] },
  },
  {
    id: 'UA-14',
    name: 'so-called Donetsk People’s Republic region of Ukraine',
    source: 'E.O. 14065 of February 21, 2022 (87 FR 10293)',
    countries: [],
    names: names(
      'donetsk, donetsk peoples republic, dnr, mariupol, makiivka, makeyevka, makeevka, horlivka, gorlovka, yenakiieve, enakievo, ' +
        'khartsyzk, debaltseve, debaltsevo, ilovaisk, amvrosiivka, novoazovsk, starobesheve, dokuchaievsk, snizhne, volnovakha',
    ),
  },
  {
    id: 'UA-09',
    name: 'so-called Luhansk People’s Republic region of Ukraine',
    source: 'E.O. 14065 of February 21, 2022 (87 FR 10293)',
    countries: [],
    names: names(
      'luhansk, lugansk, luhansk peoples republic, lugansk peoples republic, lnr, alchevsk, stakhanov, kadiivka, krasnyi luch, ' +
        'khrustalnyi, antratsyt, rovenky, dovzhansk, krasnodon, sorokyne, brianka, severodonetsk, sievierodonetsk',
    ),
  },
]
