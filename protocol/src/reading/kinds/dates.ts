/**
 * Calendar dates (Reading 1.6), which are days of the Gregorian calendar and returned as `yyyy-MM-dd`, and instants.
 */
import type { ErrorCode } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { type Reader, textReader } from '../reader.ts'

const dashed = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/
const compact = /^([0-9]{4})([0-9]{2})([0-9]{2})$/
const slashed = /^([0-9]{2})\/([0-9]{2})\/([0-9]{4})$/
const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isDay(year: number, month: number, day: number): boolean {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return year >= 1 && day >= 1 && day <= (daysInMonth[month - 1] ?? 0) + (leap ? 1 : 0)
}

/** The date of a text in the form `yyyy-MM-dd`; undefined for any other text. */
export function parseDate(text: string): string | undefined {
  const parts = dashed.exec(text)
  return parts !== null && isDay(Number(parts[1]), Number(parts[2]), Number(parts[3])) ? text : undefined
}

/** Like `parseDate`, and also accepts the forms `yyyyMMdd` and `MM/dd/yyyy` of the dates of a range. */
export function parseRangeDate(text: string): string | undefined {
  const yearFirst = compact.exec(text)
  if (yearFirst !== null) return parseDate(`${yearFirst[1]}-${yearFirst[2]}-${yearFirst[3]}`)
  const monthFirst = slashed.exec(text)
  if (monthFirst !== null) return parseDate(`${monthFirst[3]}-${monthFirst[1]}-${monthFirst[2]}`)
  return parseDate(text)
}

const instantForm = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/
const isoYear = /^(?!0000)\d{4}-/

/**
 * The instant of an ISO 8601 date and time with an offset; seconds are optional. Undefined for any other text, for a
 * day that is in no calendar (JavaScript reads 31 February as 3 March), and for an instant that is not in the years 1
 * to 9999 in UTC, which the database cannot read.
 */
export function parseInstant(text: string): Date | undefined {
  const upper = text.toUpperCase()
  const day = instantForm.exec(upper)?.[1]
  if (day === undefined || parseDate(day) === undefined) return undefined
  const at = new Date(upper)
  return !Number.isNaN(at.getTime()) && isoYear.test(at.toISOString()) ? at : undefined
}

const example = 'must be a calendar date such as 2026-01-31.'

/** A date of a person or of a document: not before 1900 (Reading 3.6). */
export function dateReader(label: string, code: ErrorCode): Reader {
  return textReader(label, (text, within, key, findings) => {
    const date = parseDate(text)
    if (date === undefined) return findings.refuse(code, within, key, `${label} ${example}`)
    if (date >= limits.birthDateMin) return date
    return findings.refuse(code, within, key, `${label} must not be before ${limits.birthDateMin}.`)
  })
}

export function rangeDateReader(label: string): Reader {
  return textReader(
    label,
    (text, within, key, findings) =>
      parseRangeDate(text) ?? findings.refuse('ERR.1024', within, key, `${label} ${example}`),
  )
}

export function knownAtReader(label: string): Reader {
  return textReader(label, (text, within, key, findings) => {
    if (text.toLowerCase() === 'now') return 'now'
    return (
      parseDate(text) ??
      findings.refuse('ERR.1024', within, key, `${label} must be now or a calendar date such as 2026-01-31.`)
    )
  })
}
