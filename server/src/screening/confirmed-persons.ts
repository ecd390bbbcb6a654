/**
 * Confirmations of the person of a name as listed, for another account or another firm. They name no firm and no
 * account.
 */
import { easternDay } from '../store/books/calendar.ts'
import type { KnownPerson } from '../store/listed-persons.ts'
import type { ScreeningMatch } from '../store/screening.ts'
import type { IdentityIndexes } from './identity.ts'
import type { Match } from './match-names.ts'
import type { IndexedList } from './watch-lists.ts'

export interface Confirmation {
  readonly listName: string
  readonly entryId: string
  readonly confirmedAt: string
  /**
   * The match with the entry. Undefined if only the name is known to be that of the person, or if no list has the
   * entry.
   */
  readonly match: Match | undefined
}

/** The latest confirmation for each entry: of the same tax id and birth date, or of the same name and birth date. */
export function confirmationsOf(
  { personIndex, nameIndex }: IdentityIndexes,
  known: readonly KnownPerson[],
  lists: readonly IndexedList[],
): Confirmation[] {
  const latest = new Map<string, Confirmation>()
  for (const person of known) {
    const isPerson = areEqual(person.person_index, personIndex)
    if (!isPerson && !areEqual(person.name_index, nameIndex)) continue
    const { list_name: listName, entry_id: entryId, confirmed_at: confirmedAt } = person
    const key = `${listName} ${entryId}`
    const before = latest.get(key)
    latest.set(key, {
      listName,
      entryId,
      confirmedAt:
        before !== undefined && before.confirmedAt > confirmedAt ? before.confirmedAt : confirmedAt,
      match: before?.match ?? (isPerson ? matchWithEntry(lists, listName, entryId) : undefined),
    })
  }
  return [...latest.values()]
}

function areEqual(one: Buffer | null, other: Buffer | null): boolean {
  return one !== null && other !== null && one.equals(other)
}

/** The score of a match that no name shows, but tax id and birth date of a confirmed person. */
export const confirmedScore = 100

function matchWithEntry(lists: readonly IndexedList[], listName: string, entryId: string): Match | undefined {
  const index = lists.find((list) => list.listName === listName)?.index
  const entry = index?.names.find((one) => one.entry.entryId === entryId)?.entry
  if (index === undefined || entry === undefined) return undefined
  return {
    entryId,
    entryVersion: entry.entryVersion,
    listVersion: index.listVersion,
    score: confirmedScore,
    matchedName: entry.names[0]?.text ?? '',
    programs: [...entry.programs],
    reasons: [],
  }
}

/** What a match says about the confirmation of the same person. */
export function sayConfirmed(confirmedAt: string): ScreeningMatch['reasons'][number] {
  const detail = `The same person was confirmed as this entry on ${easternDay(new Date(confirmedAt))}.`
  return { field: 'confirmedPerson', outcome: 'agree', detail }
}
