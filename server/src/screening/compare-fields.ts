// Compares the fields of a party other than its name with a listed entry. Each field adds points to the score
// and gives a reason. A field that either side lacks adds no points and no reason.

import { foldIdNumber, type WatchListIndex } from './names/name-index.ts'
import type { ListedBirthDate, WatchListEntry } from './watch-list.ts'

export type FieldReason = {
  field: 'name' | 'birthDate' | 'country' | 'idNumber' | 'address'
  outcome: 'agree' | 'near' | 'contradict'
  detail: string
}

export type Comparison = { points: number; reason: FieldReason | null }

const NOTHING: Comparison = { points: 0, reason: null }

const BIRTH_DAY_POINTS = 10
const BIRTH_YEAR_POINTS = 7
const BIRTH_NEAR_POINTS = 2
/** Larger than 100 − MATCH_SCORE_MIN, so that no name outweighs an impossible birth date. */
const BIRTH_CONTRADICTION_POINTS = -30
const BIRTH_NEAR_DAYS = 366
const BIRTH_CIRCA_DAYS = 3 * 366
const COUNTRY_AGREES_POINTS = 3
const COUNTRY_CONTRADICTS_POINTS = -4

const DAY_MS = 86_400_000

/** Compares the best of the entry's birth dates: lists give several dates when they are uncertain. */
export function compareBirthDates(birthDate: string | undefined, entry: WatchListEntry): Comparison {
  const born = birthDate === undefined ? Number.NaN : parseDay(birthDate)
  if (birthDate === undefined || Number.isNaN(born)) return NOTHING
  let best: Comparison = NOTHING
  for (const listed of entry.birthDates) {
    const compared = compareBirthDate(birthDate, born, listed)
    if (best.reason === null || compared.points > best.points) best = compared
  }
  return best
}

function compareBirthDate(birthDate: string, born: number, listed: ListedBirthDate): Comparison {
  const from = parseDay(listed.earliest)
  const to = parseDay(listed.latest)
  const isDay = from === to
  if (born >= from && born <= to) {
    if (isDay && !listed.circa) return birth(BIRTH_DAY_POINTS, 'agree', `The same day: ${listed.text}.`)
    return birth(BIRTH_YEAR_POINTS, 'agree', `Within what the list gives: ${listed.text}.`)
  }
  const tolerance = (listed.circa ? BIRTH_CIRCA_DAYS : BIRTH_NEAR_DAYS) * DAY_MS
  if (born >= from - tolerance && born <= to + tolerance) {
    return birth(BIRTH_NEAR_POINTS, 'near', `Similar to the entry of the list: ${listed.text}.`)
  }
  if (isDay && birthDate === swapDayAndMonth(listed.earliest)) {
    return birth(BIRTH_NEAR_POINTS, 'near', `The same day with day and month changed: ${listed.text}.`)
  }
  return birth(BIRTH_CONTRADICTION_POINTS, 'contradict', `Not the birth date of the list: ${listed.text}.`)
}

function birth(points: number, outcome: FieldReason['outcome'], detail: string): Comparison {
  return { points, reason: { field: 'birthDate', outcome, detail } }
}

function parseDay(date: string): number {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
}

function swapDayAndMonth(date: string): string {
  const [year, month, day] = date.split('-')
  return `${year}-${day}-${month}`
}

export function compareCountries(countries: readonly string[], entry: WatchListEntry): Comparison {
  if (countries.length === 0 || entry.countries.length === 0) return NOTHING
  const shared = entry.countries.filter((listed) => countries.includes(listed.country))
  if (shared.length > 0) {
    const details = [...new Set(shared.map((listed) => `${listed.country} (${listed.basis})`))].join(', ')
    return {
      points: COUNTRY_AGREES_POINTS,
      reason: { field: 'country', outcome: 'agree', detail: `In common: ${details}.` },
    }
  }
  const details = [...new Set(entry.countries.map((listed) => listed.country))].sort().join(', ')
  return {
    points: COUNTRY_CONTRADICTS_POINTS,
    reason: { field: 'country', outcome: 'contradict', detail: `The list gives ${details}.` },
  }
}

/** Finds documents in common. A number is the same document unless either side names another country. */
export function findSharedIdNumbers(
  index: WatchListIndex,
  idNumbers: readonly { number: string; country?: string }[],
): { entry: WatchListEntry; reason: FieldReason }[] {
  const shared: { entry: WatchListEntry; reason: FieldReason }[] = []
  for (const { number, country } of idNumbers) {
    const key = foldIdNumber(number)
    if (key === null) continue
    for (const { entry } of index.entriesByIdNumber.get(key) ?? []) {
      const listed = entry.idNumbers.find(
        (id) => foldIdNumber(id.number) === key && (!country || !id.country || id.country === country),
      )
      if (!listed) continue
      const where = listed.country ? ` of ${listed.country}` : ''
      const detail = `The same ${listed.kind}${where}, ending ${key.slice(-4)}.`
      shared.push({ entry, reason: { field: 'idNumber', outcome: 'agree', detail } })
    }
  }
  return shared
}
