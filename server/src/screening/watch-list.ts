// The entries of a watch list, independent of the file format, and the versions that show a change.

import { createHash } from 'node:crypto'

export type EntryKind = 'person' | 'entity' | 'vessel' | 'aircraft'

/**
 * A birth date as lists give it: a day, a month, a year or a span of years, each possibly `circa`. Both ends inclusive,
 * `yyyy-MM-dd`.
 */
export type ListedBirthDate = { earliest: string; latest: string; circa: boolean; text: string }

/** `weak` aliases are those that the list itself calls weak: short, common or uncertain names, in its remarks. */
export type ListedName = {
  text: string
  type: 'primary' | 'aka' | 'fka' | 'nka'
  strength: 'strong' | 'weak'
}

export type CountryBasis = 'nationality' | 'citizenship' | 'birthplace' | 'address' | 'flag'

/** `country` is ISO 3166-1 alpha-2. */
export type ListedCountry = { country: string; basis: CountryBasis }

/** `country` is ISO 3166-1 alpha-2, or null when the list names no known country. */
export type ListedIdNumber = { kind: string; number: string; country: string | null }

export type ListedAddress = { street: string | null; city: string | null; country: string | null }

export type WatchListEntry = {
  entryId: string
  /** Changes whenever any fact of the entry changes. */
  entryVersion: string
  kind: EntryKind
  names: ListedName[]
  programs: string[]
  title: string | null
  birthDates: ListedBirthDate[]
  countries: ListedCountry[]
  idNumbers: ListedIdNumber[]
  addresses: ListedAddress[]
  remarks: string | null
}

export type WatchList = {
  /** Names the source and its contents: the same files give the same version. */
  listVersion: string
  entries: WatchListEntry[]
}

const VERSION_LENGTH = 16

/** Returns the version of an entry: a digest of all its other members. */
export function renderEntryVersion(entry: Omit<WatchListEntry, 'entryVersion'>): string {
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(entry)))
    .digest('hex')
    .slice(0, VERSION_LENGTH)
}

/** Returns the version of a list: its label and a digest of its entries, independent of their order. */
export function renderListVersion(label: string, entries: WatchListEntry[]): string {
  const hash = createHash('sha256')
  for (const line of entries.map((entry) => `${entry.entryId}:${entry.entryVersion}`).sort())
    hash.update(`${line}\n`)
  return `${label}:${hash.digest('hex').slice(0, VERSION_LENGTH)}`
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sortKeys(member)]))
}
