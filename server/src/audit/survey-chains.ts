/**
 * Finds the growth of each firm's chain since its last signed head. Every row is verified in one snapshot.
 * Only valid rows are signed.
 */
import {
  type ChainBreak,
  ChainCheck,
  type ChainPosition,
  hashRow,
  type SignedHead,
} from '@clearing/protocol/audit'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { eachChainRow, readChains, type StoredChain } from '../store/audit.ts'
import { readNewestHeads, readNewestNumber } from '../store/audit-heads.ts'
import { readNewestMovedHeads } from '../store/moved-firms.ts'
import { readFirmsOfCell } from './firms-of-cell.ts'
import { sha256 } from './head-files.ts'
import { readTrustedKeys } from './other-keys.ts'
import { breakOfTables, oneView, type Trail } from './verify-trail.ts'

export interface FirmBreak extends ChainBreak {
  readonly firmId: string
}

export interface Survey {
  /** The newest checkpoint that has copies in the database. */
  readonly copied: number
  /** The newest copy for each firm. */
  readonly lasts: ReadonlyMap<string, SignedHead>
  /** The newest head of each firm from another cell. */
  readonly moved: ReadonlyMap<string, SignedHead>
  /** The ends of the valid chains. */
  readonly positions: ReadonlyMap<string, ChainPosition>
  readonly breaks: readonly FirmBreak[]
}

export function surveyChains({ pool, masterKeys }: Trail): Promise<Survey> {
  return inTransaction(pool, oneView, async (tx) => {
    const trusted = await readTrustedKeys(tx, masterKeys)
    const { elsewhere } = await readFirmsOfCell(tx, trusted)
    const ofOthers = await readNewestMovedHeads(tx, [...trusted.own.keys()])
    const moved = new Map(ofOthers.map((head) => [head.firmId, head]))
    const lasts = new Map((await readNewestHeads(tx)).map((head) => [head.firmId, head]))
    const positions = new Map<string, ChainPosition>()
    const breaks: FirmBreak[] = []
    for (const chain of await readChains(tx)) {
      const firmId = chain.firm_id
      if (elsewhere.has(firmId)) continue
      const { firstBreak, ...position } = await followChain(tx, chain, lasts.get(firmId))
      if (firstBreak === null) positions.set(firmId, position)
      else breaks.push({ firmId, ...firstBreak })
    }
    return { copied: await readNewestNumber(tx), lasts, moved, positions, breaks }
  })
}

async function followChain(tx: Tx, chain: StoredChain, last: SignedHead | undefined) {
  const check = new ChainCheck([], last)
  for await (const rows of eachChainRow(tx, chain.firm_id, last?.sequence ?? 0)) {
    for (const row of rows) check.add(hashRow(row, sha256))
  }
  const { sequence, hash, firstBreak } = check.finish()
  return { sequence, hash, firstBreak: firstBreak ?? breakOfTables(chain, sequence, hash) }
}

/** The head that a firm's next head follows: its last head, in this cell or another. */
export function headBefore(
  { lasts, moved }: Pick<Survey, 'lasts' | 'moved'>,
  firmId: string,
): SignedHead | undefined {
  const [own, other] = [lasts.get(firmId), moved.get(firmId)]
  return other !== undefined && other.sequence >= (own?.sequence ?? 0) ? other : own
}
