/** compare-watch-list: the changes that a file would make to a watch list. Nothing is stored. */
import { Rejected } from '../answers.ts'
import { readSentList, receiveList, renderLines } from '../screening/read-sent-list.ts'
import type { WatchListEntry } from '../screening/watch-list.ts'
import { type Handler, linesOf } from './context.ts'

/** The limit for each kind of difference. */
const differencesMax = 100

export const compareWatchList: Handler<'compare-watch-list'> = async (request, { tx, body }) => {
  const file = await receiveList(request, linesOf(body))
  if (file instanceof Rejected) return file
  const sent = await readSentList(tx, file)
  if (sent instanceof Rejected) return sent
  const { listName, versionBefore, reading } = sent
  const { added, removed, changed } = compare(sent.before, reading.entries)
  return {
    listName,
    listVersion: reading.listVersion,
    currentVersion: versionBefore,
    entries: reading.entries.length,
    added: added.length,
    removed: removed.length,
    changed: changed.length,
    differences: [added, removed, changed].flatMap((each) =>
      each.slice(0, differencesMax).map(renderDifference),
    ),
    ...renderLines(sent),
  }
}

interface Difference {
  readonly before: WatchListEntry | undefined
  readonly after: WatchListEntry | undefined
}

function compare(before: readonly WatchListEntry[], after: readonly WatchListEntry[]) {
  const known = new Map(before.map((entry) => [entry.entryId, entry]))
  const left = new Set(after.map(({ entryId }) => entryId))
  const pairs: Difference[] = after.map((entry) => ({ before: known.get(entry.entryId), after: entry }))
  return {
    added: pairs.filter((pair) => pair.before === undefined),
    removed: before
      .filter(({ entryId }) => !left.has(entryId))
      .map((entry): Difference => ({ before: entry, after: undefined })),
    changed: pairs.filter(
      (pair) => pair.before !== undefined && pair.before.entryVersion !== pair.after?.entryVersion,
    ),
  }
}

function renderDifference({ before, after }: Difference) {
  const entry = after ?? before
  const [was, is] = [before === undefined ? [] : factsOf(before), after === undefined ? [] : factsOf(after)]
  return {
    entryId: entry?.entryId ?? '',
    difference: before === undefined ? 'Added' : after === undefined ? 'Removed' : 'Changed',
    name: entry?.names[0]?.text ?? '',
    before: was.filter((fact) => !is.includes(fact)).join('; '),
    after: is.filter((fact) => !was.includes(fact)).join('; '),
  }
}

/** The facts of an entry, each as a text. */
function factsOf(entry: WatchListEntry): string[] {
  return [
    ...entry.names.map(({ text, type }) => (type === 'primary' ? text : `${type} ${text}`)),
    ...entry.birthDates.map(({ text }) => `born ${text}`),
    ...entry.countries.map(({ country, basis }) => `${basis} ${country}`),
    ...entry.idNumbers.map(({ kind, number, country }) => [kind, number, country ?? ''].join(' ').trim()),
    ...entry.addresses.map(({ street, city, country }) => [street, city, country].filter(Boolean).join(', ')),
    ...entry.programs.map((program) => `program ${program}`),
    ...[entry.title, entry.remarks].filter((text) => text !== null),
  ]
}
