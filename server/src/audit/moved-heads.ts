/**
 * The signed heads of a firm from the cells in which it was before, and the transfer of a firm's proofs from
 * one cell to the next.
 */
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
  /** The heads that are still valid, in the order of their rows. */
  readonly heads: readonly SignedHead[]
  readonly firstBreak: ChainBreak | null
}

/**
 * Reads the heads and verifies them cell by cell. Each cell numbers its own heads, so an acknowledged restore
 * in a cell affects only that cell's heads. A firm that returns to a cell brings copies of the heads that this cell
 * signed. They are left out: this cell still has those heads, and verifies them with its own chain.
 */
export async function readMovedChain(
  tx: Tx,
  firmId: string,
  { own, other }: TrustedKeys,
): Promise<MovedChain> {
  const moved = (await readMovedHeads(tx, firmId)).filter(({ head }) => !own.has(head.keyId))
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

/** A cell with an open transaction of its own. */
export interface CellTx {
  readonly tx: Tx
  readonly masterKeys: MasterKeys
  readonly name: string
}

/**
 * Transfers the proofs of a firm: the keys of its seals and heads, its heads, and the signed move, which is
 * stored in both cells. The rows of its seals must be copied before. Can be repeated if only one of the two
 * transactions commits.
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
