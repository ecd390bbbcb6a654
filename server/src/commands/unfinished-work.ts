/**
 * Work on all accounts of a cell that a firm would miss if it moved now: the documents of closed days, corporate
 * actions, and the comparison with watch lists.
 */
import { firmSearchTask } from '../changes/block-listed-person.ts'
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { ownLists } from '../screening/screen-parts.ts'
import { readAwaitedTerms, readUnexamined } from '../store/books/announcements.ts'
import { isAnyJobOf } from '../store/job-move.ts'
import { isAnyPersonSearched, readConfirmationsWithoutPerson } from '../store/listed-persons.ts'
import { isAnyRescreening } from '../store/rescreening.ts'
import { readListVersions } from '../store/screening.ts'
import { readUnmadeDays } from '../store/statements.ts'

interface Cell {
  readonly name: string
  readonly owner: Pool
  readonly operations: Pool
}

const readOnly = { firm: null, readOnly: true } as const

/** Why a firm cannot move yet; undefined if it can. */
export async function findUnfinishedWork(from: Cell, to: Cell, firmId: string): Promise<string | undefined> {
  const unmade = await inTransaction(from.owner, readOnly, readUnmadeDays)
  if (unmade.length > 0)
    return `${from.name} has not made all statements and confirmations of ${unmade.join(', ')}.`
  for (const { name, operations } of [from, to])
    if (await inTransaction(operations, readOnly, isAnyRescreening))
      return `${name} is comparing its open accounts with a changed watch list.`
  for (const { name, operations } of [from, to])
    if (await inTransaction(operations, readOnly, isAnyPersonSearched))
      return `${name} is blocking the accounts of a person who was confirmed as listed.`
  if (await hasUnsearched(from, firmId))
    return `${from.name} has not blocked all accounts of a person who was confirmed as listed.`
  for (const { name, operations } of [from, to]) {
    const due = await inTransaction(operations, readOnly, readUnexamined)
    if (due.length > 0)
      return `${name} has not booked or reversed these corporate actions: ${due.join(', ')}.`
  }
  const lists = findDifferences(await readLists(to), await readLists(from))
  const actions = findDifferences(await readActions(from, firmId), await readActions(to, null))
  const different = (what: string, names: readonly string[]) =>
    `${from.name} and ${to.name} have different versions of these ${what}: ${names.join(', ')}.`
  if (lists.length > 0) return different('watch lists', lists)
  return actions.length > 0 ? different('corporate actions', actions) : undefined
}

/** The other firms of the cell would never be searched for the person, or the firm not in its old cell. */
async function hasUnsearched({ owner, operations }: Cell, firmId: string): Promise<boolean> {
  const forgotten = await inTransaction(operations, readOnly, (tx) =>
    readConfirmationsWithoutPerson(tx, ownLists, 1),
  )
  return (
    forgotten.length > 0 ||
    (await inTransaction(owner, readOnly, (tx) => isAnyJobOf(tx, firmId, firmSearchTask)))
  )
}

/** What one cell has, and the other does not have in the same form. */
function findDifferences(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  return [...one.keys()].filter((name) => one.get(name) !== other.get(name))
}

/** The versions of the lists of a cell. Its accounts were compared with them. */
async function readLists({ operations }: Cell): Promise<Map<string, string>> {
  const versions = await inTransaction(operations, readOnly, readListVersions)
  return new Map(versions.map(({ list_name, list_version }) => [list_name, list_version]))
}

/** The terms of the corporate actions that a cell will book, for all firms or for the holders of one. */
function readActions({ operations }: Cell, firmId: string | null): Promise<Map<string, string>> {
  return inTransaction(operations, readOnly, (tx) => readAwaitedTerms(tx, firmId))
}
