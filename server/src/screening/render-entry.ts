/** An entry of a watch list, in the form of the response that shows it beside a match. */
import type { Data } from '@clearing/protocol'
import type { WatchListEntry } from './watch-list.ts'

type Entry = Data<'list-matches'>['matches'][number]['entry']

export function renderEntry(entry: WatchListEntry | undefined, entryVersion: string): Entry {
  if (entry === undefined) return null
  const { kind, names, title, birthDates, countries, idNumbers, addresses, programs, remarks } = entry
  return {
    kind,
    names: names.map(({ text, type, strength }) => ({ name: text, type, strength })),
    title: title ?? '',
    birthDates: birthDates.map(({ text }) => text),
    countries: countries.map(({ country, basis }) => ({ country, basis })),
    idNumbers: idNumbers.map(({ kind: idType, number, country }) => ({
      idType,
      number,
      country: country ?? '',
    })),
    addresses: addresses.map(({ street, city, country }) => ({
      street: street ?? '',
      city: city ?? '',
      country: country ?? '',
    })),
    programs,
    remarks: remarks ?? '',
    changedSince: entry.entryVersion !== entryVersion,
  }
}
