/**
 * Addresses (Reading 1.7, 3.5). Each reader checks one attribute, since an update may carry only some. `checkAddress`
 * checks a complete address, in which state and postal code depend on the country.
 */
import { canonicalCode } from '../../codes/index.ts'
import { type ErrorCode, type Rejection, reject } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { refused } from '../findings.ts'
import { type Reader, textReader } from '../reader.ts'
import { plainMarks } from './plain-marks.ts'
import { countCharacters, refuseLength, tidy, upperCase, upperCaseReader } from './text.ts'

const cityForm = /^[\p{L}\p{M}\p{Nd} '\-.,()/]+$/u
const cityAtHome = /^[\p{L}\p{M} '\-.]+$/u
const letter = /\p{L}/u
const letterOrDigit = /[\p{L}\p{N}]/u
const postalForm = /^[A-Z0-9](?:[A-Z0-9 -]*[A-Z0-9])?$/
const lineBreak = /\r\n|\n|\r/
const streetLinesMax = 2

export function countryReader(label: string): Reader {
  return textReader(label, (text, within, key, findings) => {
    const country = canonicalCode('country', text)
    if (country !== undefined) return country
    return findings.refuse(
      'ERR.1006',
      within,
      key,
      `${label} must be a two-letter code of ISO 3166-1, such as US, CA, GB.`,
    )
  })
}

export function stateReader(label: string): Reader {
  return textReader(label, (text, within, key, findings) => {
    if (/^[A-Za-z]{2}$/.test(text)) return text.toUpperCase()
    const reason = `${label} must be a two-letter code for US and CA, and empty for other countries.`
    return findings.refuse('ERR.1008', within, key, reason)
  })
}

export function postalReader(label: string): Reader {
  return textReader(label, (text, within, key, findings) => {
    const postal = text.trim().toUpperCase()
    if (postal === '') return ''
    if (postal.length <= limits.postalCodeLengthMax && postalForm.test(postal)) return postal
    const reason = `${label} must be at most ${limits.postalCodeLengthMax} letters, digits, spaces and hyphens.`
    return findings.refuse('ERR.1007', within, key, reason)
  })
}

/** Outside the US and Canada, a city can have a district or a region: Dublin 2, Paris Cedex 08, Frankfurt (Oder). */
export function cityReader(label: string): Reader {
  const text = upperCaseReader(label, limits.cityLengthMax)
  return textReader(label, (given, within, key, findings) => {
    const upper = text.read(given, within, key, findings)
    const city = typeof upper === 'string' ? plainMarks(upper) : upper
    if (city === refused || city === '') return city
    if (cityForm.test(city as string) && letter.test(city as string)) return city
    const reason = cityForm.test(city as string)
      ? `${label} must contain a letter.`
      : `${label} must contain letters, digits, spaces and the marks ' - . , ( ) / only; in the US and Canada, letters, spaces and the marks ' - . only.`
    return findings.refuse('ERR.1005', within, key, reason)
  })
}

/**
 * One text of at most 60 characters, or two lines of at most 30 characters separated by a line break (returned as
 * `\n`). Empty lines are left out. A text of marks alone is no street.
 */
export function streetReader(label: string): Reader {
  const lines = linesReader(label)
  return textReader(label, (text, within, key, findings) => {
    const street = lines.read(text, within, key, findings)
    if (typeof street !== 'string' || street === '' || letterOrDigit.test(street)) return street
    return findings.refuse('ERR.1016', within, key, `${label} must contain a letter or a digit.`)
  })
}

function linesReader(label: string): Reader {
  const whole = upperCaseReader(label, limits.streetLengthMax)
  return textReader(label, (text, within, key, findings) => {
    if (!lineBreak.test(text)) return whole.read(text, within, key, findings)
    if (text.length > limits.bodySizeBytesMax) {
      return refuseLength(label, countCharacters(text), limits.streetLengthMax, { within, key }, findings)
    }
    const lines: string[] = []
    for (const given of text.split(lineBreak)) {
      const line = tidy(
        `A line of ${label.toLowerCase()}`,
        given,
        limits.streetLineLengthMax,
        { within, key },
        findings,
      )
      if (line === refused) return refused
      if (line !== '') lines.push(upperCase(line))
      if (lines.length > streetLinesMax) {
        const reason = `${label} must be at most ${streetLinesMax} lines of ${limits.streetLineLengthMax} characters.`
        return findings.refuse('ERR.1010', within, key, reason)
      }
    }
    return lines.join('\n')
  })
}

type Attribute = 'street' | 'city' | 'stateProvince' | 'country' | 'postalCode'
type CompleteAddress = { readonly [A in Attribute]?: string | null | undefined }

const usPostal = /^[0-9]{5}(?:-?[0-9]{4})?$/
const canadianPostal = /^[ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z][ -]?[0-9][ABCEGHJ-NPRSTV-Z][0-9]$/

/**
 * The rejections of a complete address in canonical form at `path`. Street, city and country are required.
 * stateProvince and postalCode are required and checked in the US and Canada, where a city has no digits; stateProvince
 * must be empty in other countries. Source: Reading 1.7.
 */
export function checkAddress(address: CompleteAddress | null | undefined, path: string): Rejection[] {
  const rejections: Rejection[] = []
  const add = (code: ErrorCode, attribute: Attribute, reason: string) =>
    rejections.push(reject(code, `${path}.${attribute}`, reason))
  const { street, city, stateProvince: state, country, postalCode: postal } = address ?? {}

  if (!street) add('ERR.1000', 'street', 'Street is required.')
  if (!city) add('ERR.1000', 'city', 'City is required.')
  else if ((country === 'US' || country === 'CA') && !cityAtHome.test(city)) {
    add(
      'ERR.1005',
      'city',
      "City must contain letters, spaces and the marks ' - . only in the US and Canada.",
    )
  }
  if (!country) {
    add('ERR.1000', 'country', 'Country is required.')
  } else if (country === 'US') {
    if (!state) add('ERR.1008', 'stateProvince', 'State is required in the United States.')
    else if (canonicalCode('usState', state) === undefined) {
      add('ERR.1008', 'stateProvince', 'State must be a two-letter code of the United States.')
    }
    if (!postal) add('ERR.1007', 'postalCode', 'A US postal code of 5 or 9 digits is required.')
    else if (!usPostal.test(postal)) add('ERR.1007', 'postalCode', 'A US postal code must be 5 or 9 digits.')
  } else if (country === 'CA') {
    if (!state) add('ERR.1008', 'stateProvince', 'Province is required in Canada.')
    else if (canonicalCode('canadianProvince', state) === undefined) {
      add('ERR.1008', 'stateProvince', 'Province must be a two-letter code of Canada.')
    }
    if (!postal) add('ERR.1007', 'postalCode', 'A Canadian postal code such as K1A 0B1 is required.')
    else if (!canadianPostal.test(postal)) {
      add('ERR.1007', 'postalCode', 'A Canadian postal code must have the form K1A 0B1.')
    }
  } else if (state) {
    add('ERR.1008', 'stateProvince', 'State must be empty outside the United States and Canada.')
  }
  return rejections
}
