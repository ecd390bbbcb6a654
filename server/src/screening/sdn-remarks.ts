// Reads the Remarks column of an SDN record: birth dates, nationality, documents, weak aliases. Promises: never throws;
// a birth date that cannot be read is returned as unreadable, not dropped.

import { parseCountry } from './country-names.ts'
import type { ListedBirthDate, ListedCountry, ListedIdNumber } from './watch-list.ts'

export type SdnRemarks = {
  birthDates: ListedBirthDate[]
  unreadBirthDates: string[]
  countries: ListedCountry[]
  idNumbers: ListedIdNumber[]
  weakAliases: string[]
}

export function parseSdnRemarks(remarks: string): SdnRemarks {
  const read: SdnRemarks = {
    birthDates: [],
    unreadBirthDates: [],
    countries: [],
    idNumbers: [],
    weakAliases: [],
  }
  for (const part of remarks.split(';')) {
    const text = part
      .trim()
      .replace(/\.$/, '')
      .replace(/^alt\. /i, '')
    if (text !== '') readPart(text, read)
  }
  return read
}

function readPart(text: string, read: SdnRemarks): void {
  const alias = /^[afn]\.k\.a\. ['"](.+)['"]$/i.exec(text)
  if (alias) {
    read.weakAliases.push((alias[1] as string).trim())
    return
  }
  const born = /^DOB:?\s+(.+)$/i.exec(text)
  if (born) {
    const date = parseListedBirthDate(born[1] as string)
    if (date) read.birthDates.push(date)
    else read.unreadBirthDates.push(born[1] as string)
    return
  }
  const of = /^(nationality|citizen|POB)(?: of)?:?\s+(.+)$/i.exec(text)
  if (of) {
    const place = of[2] as string
    const country = parseCountry(place) ?? parseCountry(place.split(',').at(-1) as string)
    if (country)
      read.countries.push({ country, basis: bases[(of[1] as string).toLowerCase()] ?? 'nationality' })
    return
  }
  const id = parseIdNumber(text)
  if (id) read.idNumbers.push(id)
}

const bases: Record<string, ListedCountry['basis']> = {
  nationality: 'nationality',
  citizen: 'citizenship',
  pob: 'birthplace',
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * `12 Aug 1968`, `Aug 1968`, `1968`, `circa 1968`, `1958 to 1962`, `between 1958 and 1962`, `1960s`; null for any other
 * form.
 */
export function parseListedBirthDate(text: string): ListedBirthDate | null {
  const circa = /\b(?:circa|approximately|approx\.?|c\.)\s*/i
  const bare = text.trim().replace(/\.$/, '')
  const isCirca = circa.test(bare)
  const dates = bare
    .replace(new RegExp(circa, 'gi'), '')
    .replace(/^between\s+/i, '')
    .trim()
  const decade = /^(\d{3})0s$/.exec(dates)
  if (decade) {
    return { earliest: `${decade[1]}0-01-01`, latest: `${decade[1]}9-12-31`, circa: isCirca, text: bare }
  }
  const [from, to, ...more] = dates.split(/\s+(?:to|and|or)\s+|\s*[-–]\s*(?=\d)/)
  if (more.length > 0) return null
  const first = readDate(from ?? '')
  const last = to === undefined ? first : readDate(to)
  if (!first || !last || first.earliest > last.latest) return null
  return { earliest: first.earliest, latest: last.latest, circa: isCirca, text: bare }
}

function readDate(text: string): { earliest: string; latest: string } | null {
  const parts = /^(?:(\d{1,2})\s+)?(?:([A-Za-z]{3,9})\.?\s+)?(\d{4})$/.exec(text.trim())
  if (!parts) return null
  const [, day, monthName, year] = parts
  if (monthName === undefined) {
    return day === undefined ? { earliest: `${year}-01-01`, latest: `${year}-12-31` } : null
  }
  const month = months.indexOf(monthName.slice(0, 3).toLowerCase()) + 1
  if (month === 0) return null
  const daysInMonth = new Date(Date.UTC(Number(year), month, 0)).getUTCDate()
  const prefix = `${year}-${String(month).padStart(2, '0')}`
  if (day === undefined) return { earliest: `${prefix}-01`, latest: `${prefix}-${daysInMonth}` }
  if (Number(day) < 1 || Number(day) > daysInMonth) return null
  const date = `${prefix}-${day.padStart(2, '0')}`
  return { earliest: date, latest: date }
}

/** The first matching form counts, so a ship's `Identification Number IMO …` comes before a person's. */
const idForms: [RegExp, string][] = [
  [/^(?:Vessel Registration Identification|Identification Number)\s+(?=IMO)/i, 'Vessel'],
  [/^MMSI\s+/i, 'Vessel'],
  [/^(?:Diplomatic |Stateless Person )?Passport(?: No\.)?\s+/i, 'Passport'],
  [/^SSN(?: No\.)?\s+/i, 'SSN'],
  [/^(?:Tax ID No\.|Tax ID Number|NIT #|N\.I\.T\.|R\.?F\.?C\.|RUC #|V\.A\.T\. Number|CUIT #)\s*/i, 'TaxId'],
  [
    /^(?:National ID No\.|National Foreign ID Number|Identification Number|Personal ID Card|Cedula No\.|Cedula de Residencia|D\.N\.I\.|C\.U\.R\.P\.|C\.U\.I\.P\.|Birth Certificate Number|Afghan(?:istan)? Tazkira.*? No\.|Kenyan ID No\.|Turkish Identification Number|Numero de Identidad)\s+/i,
    'NationalId',
  ],
  [/^Driver's License No\.\s+/i, 'DriversLicense'],
  [
    /^(?:Business )?(?:Registration|Company|Commercial Registry|Chamber of Commerce|Legal Entity|Enterprise|UK Company|Public Registration|Trade License)(?: ID| Number| No\.)+\s+/i,
    'Registration',
  ],
]

function parseIdNumber(text: string): ListedIdNumber | null {
  for (const [form, kind] of idForms) {
    if (!form.test(text)) continue
    const rest = text.replace(form, '').replace(/^IMO\s*/i, '')
    const number = (rest.split(/\s+\(|\s+(?:issued|expires|expired)\b/i)[0] as string).trim()
    const countries = [...rest.matchAll(/\(([^()]+)\)/g)].map((found) => parseCountry(found[1] as string))
    if (number === '') return null
    return { kind, number, country: countries.findLast((country) => country !== null) ?? null }
  }
  return null
}
