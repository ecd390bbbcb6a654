/**
 * Work on all accounts of a cell that a firm would miss if it moved now: the documents of closed days, and the comparison
 * with watch lists.
 */
import type { Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
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
export async function findUnfinishedWork(from: Cell, to: Cell): Promise<string | undefined> {
  const unmade = await inTransaction(from.owner, readOnly, readUnmadeDays)
  if (unmade.length > 0)
    return `${from.name} has not made all statements and confirmations of ${unmade.join(', ')}.`
  for (const { name, operations } of [from, to])
    if (await inTransaction(operations, readOnly, isAnyRescreening))
      return `${name} is comparing its open accounts with a changed watch list.`
  const [old, fresh] = await Promise.all([readLists(from), readLists(to)])
  const others = [...new Set([...old.keys(), ...fresh.keys()])].filter(
    (list) => old.get(list) !== fresh.get(list),
  )
  return others.length > 0
    ? `${from.name} and ${to.name} have different versions of these watch lists: ${others.join(', ')}.`
    : undefined
}

/** The versions of the lists of a cell. The accounts of the cell were compared with them. */
async function readLists({ operations }: Cell): Promise<Map<string, string>> {
  const versions = await inTransaction(operations, readOnly, readListVersions)
  return new Map(versions.map(({ list_name, list_version }) => [list_name, list_version]))
}
