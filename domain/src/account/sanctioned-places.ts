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
   * Names that identify an address in another country: the place and its larger towns, in small letters, in the usual
   * spellings of English, Ukrainian, Russian, German and French. OFAC recommends such terms (Crimea Sanctions Advisory,
   * July 30, 2015). The spellings are those of the gazetteer GeoNames (alternate names of its cities above 15,000
   * inhabitants), with the official romanization of Ukrainian (resolution 55 of January 27, 2010). A Cyrillic name
   * stands here only where no Latin one has its transliteration.
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
    names: names(
      'cuba, havana, la habana, habana, santiago de cuba, camaguey, holguin, varadero, kuba, havanna, la havane, гавана',
    ),
    namesakes: {
      US: ['cuba', 'havana', 'habana'],
      PT: ['cuba'],
      ES: ['habana', 'la habana'],
      AZ: ['kuba'],
      RU: ['kuba'],
    },
  },
  {
    id: 'IR',
    name: 'Iran',
    source: '31 CFR part 560',
    countries: ['IR'],
    names: names(
      'iran, islamic republic of iran, tehran, teheran, tehran province, mashhad, mashad, isfahan, esfahan, shiraz, tabriz, karaj, ' +
        'ahvaz, ahwaz, kermanshah, urmia, zahedan, bandar abbas, qom, iran islamic republic of, тегеран, ایران, تهران, ايران, طهران',
    ),
  },
  {
    id: 'KP',
    name: 'North Korea',
    source: '31 CFR part 510',
    countries: ['KP'],
    names: names(
      'north korea, dprk, democratic peoples republic of korea, pyongyang, hamhung, chongjin, wonsan, sinuiju, kaesong, nampo, ' +
        'nordkorea, coree du nord, pjongjang, северная корея, північна корея, кндр, пхеньян, пхеньян, 북한, 평양, 평양시',
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
        'krasnoperekopsk, shchyolkino, sebastopol, sewastopol, simferopil, ssimferopol, symferopol, kertsch, kertch, jalta, ialta, ' +
        'krim, crimee, republik krim, republique de crimee, autonome republik krim, feodosiia, feodossija, feodossia, feodosija, ' +
        'theodosia, theodosie, yevpatoriya, yevpatoriia, jewpatorija, jevpatorija, eupatoria, dzhankoj, dschankoj, dshankoi, ' +
        'djankoi, aluschta, alouchta, aloupka, soudak, bakhchisarai, bachtschyssaraj, bakhtchyssarai, armjansk, armiansk, ' +
        'щёлкино, щолкіне, shcholkine, schtscholkine, chtcholkine',
    ),
    namesakes: {
      US: ['sebastopol', 'theodosia'],
      AU: ['sebastopol'],
      CA: ['sebastopol'],
      GB: ['sebastopol'],
      MU: ['sebastopol'],
      NL: ['krim'],
      SI: ['krim'],
    },
    // Universal Postal Union, IB circular 71 of 2014: 95000 to 99999; the Russian post put a 2 before them.
    postalCodes: { UA: ['95', '96', '97', '98', '99'], RU: ['295', '296', '297', '298', '299'] },
  },
  {
    // The order does not cover the whole oblasts of Donetsk and Luhansk (OFAC, FAQ 1009). An address that names only
    // the oblast may lie in the region, so a person compares it with a map.
    id: 'UA-14',
    name: 'so-called Donetsk People’s Republic region of Ukraine',
    source: 'E.O. 14065 of February 21, 2022 (87 FR 10293)',
    countries: [],
    names: names(
      'donetsk, donetsk peoples republic, dnr, mariupol, makiivka, makeyevka, makeevka, horlivka, gorlovka, yenakiieve, enakievo, ' +
        'khartsyzk, debaltseve, debaltsevo, ilovaisk, amvrosiivka, novoazovsk, starobesheve, dokuchaievsk, snizhne, volnovakha, ' +
        'donezk, volksrepublik donezk, republique populaire de donetsk, донецкая народная республика, донецька народна республіка, ' +
        'донецкая область, донецька область, donetska oblast, donetskaya oblast, marioupol, makiyivka, makejewka, makijiwka, ' +
        'makeievka, gorlivka, horliwka, gorlowka, yenakiyeve, yenakiyevo, jenakijewe, ienakiieve, khartsyzsk, харцизьк, ' +
        'charzysk, debalzewe, debalzewo, ilovajsk, ilovaysk, ilowajsk, амвросиевка, amvrosiyivka, amwrossijewka, amvrossiivka, ' +
        'nowoasowsk, старобешево, докучаевск, dokuchayevsk, dokoutchaievsk, snezhnoe, snezhnoye, snijne, wolnowacha',
    ),
  },
  {
    id: 'UA-09',
    name: 'so-called Luhansk People’s Republic region of Ukraine',
    source: 'E.O. 14065 of February 21, 2022 (87 FR 10293)',
    countries: [],
    names: names(
      'luhansk, lugansk, luhansk peoples republic, lugansk peoples republic, lnr, alchevsk, stakhanov, kadiivka, krasnyi luch, ' +
        'khrustalnyi, antratsyt, rovenky, dovzhansk, krasnodon, sorokyne, brianka, severodonetsk, sievierodonetsk, ' +
        'lougansk, louhansk, volksrepublik luhansk, volksrepublik lugansk, republique populaire de lougansk, ' +
        'republique populaire de louhansk, луганская народная республика, луганська народна республіка, ' +
        'луганская область, луганська область, luhanska oblast, luganskaya oblast, altschewsk, altchevsk, stachanow, kadiyevka, ' +
        'кадиевка, kadijewka, красний луч, krasny luch, krasnyy luch, хрустальний, khroustalny, antratsit, antrazit, ровеньки, ' +
        'rowenky, rowenki, dowschansk, dovjansk, krassnodon, сорокине, брянка, sjewjerodonezk, sewerodonezk, сєвєродонецьк, ' +
        'syeverodonetsk, сіверськодонецьк',
    ),
  },
]
