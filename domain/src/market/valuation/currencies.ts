/** ISO 4217: the active currencies with a minor unit, their numbers and the digits of their minor unit. */

export interface Currency {
  /** Three capital letters. */
  readonly code: string
  /** The ISO 4217 number: 840 for USD. */
  readonly number: number
  /** Digits after the point of an amount of money: 2 for most, 0 for JPY, 3 for KWD. */
  readonly places: number
}

const NUMBERS =
  'AED784 AFN971 ALL008 AMD051 AOA973 ARS032 AUD036 AWG533 AZN944 BAM977 BBD052 BDT050 BHD048 BIF108 BMD060 BND096 ' +
  'BOB068 BOV984 BRL986 BSD044 BTN064 BWP072 BYN933 BZD084 CAD124 CDF976 CHE947 CHF756 CHW948 CLF990 CLP152 CNY156 ' +
  'COP170 COU970 CRC188 CUP192 CVE132 CZK203 DJF262 DKK208 DOP214 DZD012 EGP818 ERN232 ETB230 EUR978 FJD242 FKP238 ' +
  'GBP826 GEL981 GHS936 GIP292 GMD270 GNF324 GTQ320 GYD328 HKD344 HNL340 HTG332 HUF348 IDR360 ILS376 INR356 IQD368 ' +
  'IRR364 ISK352 JMD388 JOD400 JPY392 KES404 KGS417 KHR116 KMF174 KPW408 KRW410 KWD414 KYD136 KZT398 LAK418 LBP422 ' +
  'LKR144 LRD430 LSL426 LYD434 MAD504 MDL498 MGA969 MKD807 MMK104 MNT496 MOP446 MRU929 MUR480 MVR462 MWK454 MXN484 ' +
  'MXV979 MYR458 MZN943 NAD516 NGN566 NIO558 NOK578 NPR524 NZD554 OMR512 PAB590 PEN604 PGK598 PHP608 PKR586 PLN985 ' +
  'PYG600 QAR634 RON946 RSD941 RUB643 RWF646 SAR682 SBD090 SCR690 SDG938 SEK752 SGD702 SHP654 SLE925 SOS706 SRD968 ' +
  'SSP728 STN930 SVC222 SYP760 SZL748 THB764 TJS972 TMT934 TND788 TOP776 TRY949 TTD780 TWD901 TZS834 UAH980 UGX800 ' +
  'USD840 USN997 UYI940 UYU858 UYW927 UZS860 VED926 VES928 VND704 VUV548 WST882 XAD396 XAF950 XCD951 XCG532 XOF952 ' +
  'XPF953 YER886 ZAR710 ZMW967 ZWG924'

const OTHER_PLACES: readonly [places: number, codes: string][] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]

const USUAL_PLACES = 2

/** Every active currency by its code. */
export const CURRENCIES: ReadonlyMap<string, Currency> = new Map(
  NUMBERS.split(' ').map((text): [string, Currency] => {
    const code = text.slice(0, 3)
    return [code, { code, number: Number(text.slice(3)), places: placesOf(code) }]
  }),
)

/** The currency of a code, or undefined when it is not an active one. */
export function findCurrency(code: string): Currency | undefined {
  return CURRENCIES.get(code)
}

function placesOf(code: string): number {
  for (const [places, codes] of OTHER_PLACES) if (codes.includes(code)) return places
  return USUAL_PLACES
}
