/** The signed heads that a firm brought from the cells in which it was before, and the hand-over from one cell to the next. */
import {
  bindingHeads,
  type ChainBreak,
  nameHead,
  renderSignedHead,
  type SignedHead,
} from '@clearing/protocol/audit'
import type { Tx } from '../database/transaction.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import { readHeadsOfFirm } from '../store/audit-heads.ts'
import { insertFirmMove, insertMovedHead, readMovedHeads } from '../store/moved-firms.ts'
import { signMove } from './firms-of-cell.ts'
import { admitSealKeys, readKeysToShare, type TrustedKeys } from './other-keys.ts'
import { isSigned } from './own-keys.ts'

export interface MovedChain {
  /** Those that still count, in the order of their rows. */
  readonly heads: readonly SignedHead[]
  readonly firstBreak: ChainBreak | null
}

/** Numbers are of a cell, so a restore there made heads of that cell void alone. */
export async function readMovedChain(tx: Tx, firmId: string, { other }: TrustedKeys): Promise<MovedChain> {
  const moved = await readMovedHeads(tx, firmId)
  const ofCell = (cell: string) =>
    new Map([...other].flatMap(([id, one]) => (one.cell === cell ? [[id, one.key]] : [])))
  const unsigned = moved.find(({ cell, head }) => !isSigned(ofCell(cell), renderSignedHead(head), head))
  const firstBreak =
    unsigned === undefined
      ? null
      : {
          sequence: unsigned.head.sequence,
          reason: `${nameHead(unsigned.head)} of cell ${unsigned.cell} is not signed by a key of that cell.`,
        }
  const cells = Map.groupBy(moved, ({ cell }) => cell)
  return {
    heads: [...cells.values()].flatMap((heads) => bindingHeads(heads.map(({ head }) => head))),
    firstBreak,
  }
}

/** A cell in a transaction of its own. */
export interface CellTx {
  readonly tx: Tx
  readonly masterKeys: MasterKeys
  readonly name: string
}

/**
 * Hands the proofs of a firm over: the keys that its seals and heads are signed with, its heads, and the signed move, in both
 * cells. Comes after the rows of its seals were copied. When only one of the two transactions commits, it is made again.
 */
export async function handProofsOver(from: CellTx, to: CellTx, firmId: string, now: Date): Promise<void> {
  await admitSealKeys(to.tx, to.masterKeys, await readKeysToShare(from.tx, from.masterKeys, from.name), now)
  const own = (await readHeadsOfFirm(from.tx, firmId)).map((head) => ({ cell: from.name, head }))
  for (const moved of [...(await readMovedHeads(from.tx, firmId)), ...own]) {
    if (moved.cell !== to.name) insertMovedHead(to.tx, moved)
  }
  const move = { firm_id: firmId, from_cell: from.name, to_cell: to.name }
  insertFirmMove(to.tx, await signMove(from.tx, from.masterKeys, move, now))
}
