// Reads a watch list in the public layout of the OFAC SDN delimited files: sdn.csv, alt.csv, add.csv and the overflow
// of remarks, sdn_comments.csv. No header, `-0-` for null, one record a line, possibly a Ctrl-Z at the end. Promises:
// reads as a stream; a bad line is reported with its number and affects no other line. Authority: OFAC, "Specially
// Designated Nationals and Blocked Persons Data Specification".

import { limits } from '@clearing/protocol'
import { parseCountry } from './country-names.ts'
import {
  type Fields,
  type Report,
  readSdnRecords,
  type SdnFileName,
  type SdnProblem,
  type SdnSource,
} from './sdn-records.ts'
import { parseSdnRemarks } from './sdn-remarks.ts'
import {
  type EntryKind,
  type ListedName,
  renderEntryVersion,
  renderListVersion,
  type WatchList,
  type WatchListEntry,
} from './watch-list.ts'

export type SdnSources = { sdn: SdnSource; alt?: SdnSource; add?: SdnSource; comments?: SdnSource }

export type SdnReading = WatchList & {
  /** Of each file, the first `limits.loadRejectsMax` rejected records, and as many problems of records that stayed. */
  problems: SdnProblem[]
  /** The number of records of each file, good and bad. */
  received: Record<SdnFileName, number>
  /** The number of records of each file that were not read. */
  rejected: Record<SdnFileName, number>
}

type Draft = { entry: Omit<WatchListEntry, 'entryVersion'>; line: number }

/** Reads the files of one publication; `label` names the source in the list's version. */
export async function parseSdnFiles(sources: SdnSources, label = 'SDN'): Promise<SdnReading> {
  const problems: SdnProblem[] = []
  const [received, rejected, stayed] = [zeroOfEach(), zeroOfEach(), zeroOfEach()]
  const report: Report = (file, line, reason, kept = false) => {
    const counts = kept ? stayed : rejected
    counts[file]++
    if (counts[file] <= limits.loadRejectsMax) problems.push({ file, line, reason, kept })
  }
  const drafts = new Map<string, Draft>()
  received.sdn = await readSdnRecords('sdn', sources.sdn, report, (fields, line) => {
    const draft = readEntry(fields, line, report)
    if (!draft) return
    if (drafts.has(draft.entry.entryId)) report('sdn', line, 'This ent_num is already on the list.')
    else drafts.set(draft.entry.entryId, draft)
  })
  const linked = (file: SdnFileName, fields: Fields, line: number): Draft | undefined => {
    const draft = drafts.get(fields[0] ?? '')
    if (!draft) report(file, line, 'No record of sdn.csv has this ent_num.')
    return draft
  }
  if (sources.comments) {
    received.comments = await readSdnRecords('comments', sources.comments, report, (fields, line) => {
      const draft = linked('comments', fields, line)
      if (draft) draft.entry.remarks = (draft.entry.remarks ?? '') + (fields[1] ?? '')
    })
  }
  if (sources.alt) {
    received.alt = await readSdnRecords('alt', sources.alt, report, (fields, line) => {
      const draft = linked('alt', fields, line)
      if (draft) addAlias(draft, fields, line, report)
    })
  }
  if (sources.add) {
    received.add = await readSdnRecords('add', sources.add, report, (fields, line) => {
      const draft = linked('add', fields, line)
      if (draft) addAddress(draft, fields)
    })
  }
  const entries = [...drafts.values()].map((draft) => finishEntry(draft, report))
  return { listVersion: renderListVersion(label, entries), entries, problems, received, rejected }
}

function zeroOfEach(): Record<SdnFileName, number> {
  return { sdn: 0, alt: 0, add: 0, comments: 0 }
}

const kinds: Record<string, EntryKind> = { individual: 'person', vessel: 'vessel', aircraft: 'aircraft' }

function readEntry(fields: Fields, line: number, report: Report): Draft | null {
  const [entryId, name, type, program, title, , , , , flag, , remarks] = fields
  if (!entryId || !/^\d{1,10}$/.test(entryId)) {
    report('sdn', line, 'ent_num must be a whole number.')
    return null
  }
  if (!name) {
    report('sdn', line, 'SDN_Name is missing.')
    return null
  }
  const kind = type ? kinds[type.toLowerCase()] : 'entity'
  if (!kind) report('sdn', line, 'SDN_Type is unknown; the record was read as an entity.', true)
  const flagCountry = flag ? parseCountry(flag) : null
  const entry: Draft['entry'] = {
    entryId,
    kind: kind ?? 'entity',
    names: [{ text: name, type: 'primary', strength: 'strong' }],
    programs: program ? program.split(/\s*\]\s*\[\s*/) : [],
    title: title ?? null,
    birthDates: [],
    countries: flagCountry ? [{ country: flagCountry, basis: 'flag' }] : [],
    idNumbers: [],
    addresses: [],
    remarks: remarks ?? null,
  }
  return { entry, line }
}

function addAlias(draft: Draft, fields: Fields, line: number, report: Report): void {
  const [, , type, text, remarks] = fields
  if (!text) {
    report('alt', line, 'alt_name is missing.')
    return
  }
  const known = type === 'fka' || type === 'nka' ? type : 'aka'
  const strength: ListedName['strength'] = remarks && /\bweak\b/i.test(remarks) ? 'weak' : 'strong'
  draft.entry.names.push({ text, type: known, strength })
}

function addAddress(draft: Draft, fields: Fields): void {
  const [, , street, city, countryName] = fields
  const country = countryName ? parseCountry(countryName) : null
  if (!street && !city && !country) return
  draft.entry.addresses.push({ street: street ?? null, city: city ?? null, country })
  if (country) draft.entry.countries.push({ country, basis: 'address' })
}

function finishEntry({ entry, line }: Draft, report: Report): WatchListEntry {
  if (entry.remarks) {
    entry.remarks = entry.remarks.trim()
    const read = parseSdnRemarks(entry.remarks)
    entry.birthDates = read.birthDates
    entry.countries = [...read.countries, ...entry.countries]
    entry.idNumbers = read.idNumbers
    for (const text of read.weakAliases) entry.names.push({ text, type: 'aka', strength: 'weak' })
    for (const _ of read.unreadBirthDates)
      report('sdn', line, 'A birth date in Remarks could not be read.', true)
  }
  return { ...entry, entryVersion: renderEntryVersion(entry) }
}
