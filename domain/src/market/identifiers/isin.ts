/**
 * International Securities Identification Numbers (ISO 6166): a country or agency prefix of two letters, nine
 * characters, and a check digit over all of them with letters written as two digits.
 */

import { characterValue, type IdentifierCheck, invalid, VALID } from './check.ts'
import { checkCusip, isCins } from './cusip.ts'

const LENGTH = 12
const NATIONAL_NUMBER_END = 11

/**
 * ISO 3166-1 countries, the prefixes of international numbers (XS, EU…), and former countries whose numbers are still
 * in use.
 */
const PREFIXES: ReadonlySet<string> = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
    'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO ' +
    'JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR ' +
    'MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO ' +
    'RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV ' +
    'TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW ' +
    'EU EZ QS QT QW QZ XA XB XC XD XF XK XS XT AN CS SU TP YU'
  ).split(' '),
)

/** Checks length, prefix, characters and check digit. Capital letters only: fold the case before. */
export function checkIsin(isin: string): IdentifierCheck {
  if (isin.length !== LENGTH) return invalid(`An ISIN has 12 characters; got ${isin.length}.`)
  const prefix = isin.slice(0, 2)
  if (!PREFIXES.has(prefix)) return invalid('An ISIN begins with the two capital letters of a country or XS.')
  const expected = isinCheckDigit(isin.slice(0, NATIONAL_NUMBER_END))
  if (expected === null) return invalid('An ISIN has digits and capital letters only.')
  const last = isin.slice(NATIONAL_NUMBER_END)
  if (last < '0' || last > '9')
    return invalid(`The last character of an ISIN is its check digit; got ${last}.`)
  return last === String(expected)
    ? VALID
    : invalid(`The check digit of this ISIN should be ${expected}; got ${last}.`)
}

/** The check digit of the first eleven characters; null when one of them cannot stand in an ISIN. */
export function isinCheckDigit(first11: string): number | null {
  let sum = 0
  let doubled = true
  const add = (digit: number) => {
    const value = doubled ? digit * 2 : digit
    sum += value > 9 ? value - 9 : value
    doubled = !doubled
  }
  for (let index = first11.length - 1; index >= 0; index -= 1) {
    const value = characterValue(first11, index)
    if (value < 0) return null
    add(value % 10)
    if (value > 9) add(Math.floor(value / 10))
  }
  return (10 - (sum % 10)) % 10
}

/** The ISIN of a valid CUSIP of the United States or Canada; null for a CINS or an invalid number, which have none. */
export function isinOfCusip(cusip: string, country: 'US' | 'CA' = 'US'): string | null {
  if (isCins(cusip) || !checkCusip(cusip).valid) return null
  const first11 = country + cusip
  const digit = isinCheckDigit(first11)
  return digit === null ? null : first11 + digit
}

/** The CUSIP inside a valid ISIN of the United States or Canada; null for any other. */
export function cusipOfIsin(isin: string): string | null {
  if (!/^(US|CA)/.test(isin) || !checkIsin(isin).valid) return null
  const cusip = isin.slice(2, NATIONAL_NUMBER_END)
  return checkCusip(cusip).valid ? cusip : null
}
