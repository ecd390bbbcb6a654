/** The firms that came to this cell, left it or are arriving, according to signed moves. */
import { type KeyObject, sign, verify } from 'node:crypto'
import type { Tx } from '../database/transaction.ts'
import type { MasterKeys } from '../encryption/master-key.ts'
import { readDaysNotByFirm } from '../store/firm-seals.ts'
import {
  digestSealsOf,
  type FirmMove,
  insertFirmMove,
  readArrivingFirms,
  readFirmMoves,
} from '../store/moved-firms.ts'
import type { TrustedKeys } from './other-keys.ts'
import { takeSealKey } from './seal-key.ts'

export interface FirmsOfCell {
  /** Firms that have left or are arriving: their records are verified in the other cell. */
  readonly elsewhere: ReadonlySet<string>
  /** Moves that do not verify, by day. */
  readonly breaks: readonly { readonly closeDate: string; readonly reason: string }[]
}

/**
 * Reads the moves. A move that is not signed by a key of the service has no effect. A firm whose last move
 * this cell signed has left. A firm that is marked as arriving and was never here is elsewhere. The owner of
 * the database can set a mark, so a mark alone does not exclude a firm of this cell.
 */
export async function readFirmsOfCell(tx: Tx, { own, other }: TrustedKeys): Promise<FirmsOfCell> {
  const [elsewhere, came] = [new Set<string>(), new Set<string>()]
  const breaks: { closeDate: string; reason: string }[] = []
  for (const move of await readFirmMoves(tx)) {
    const { firm_id: firmId, close_date: day, key_id: keyId } = move
    const name = `The move of firm ${firmId} to ${move.to_cell}`
    if (!isSignedBy(move, own.get(keyId) ?? other.get(keyId)?.key)) {
      breaks.push({ closeDate: day ?? '', reason: `${name} is not signed by a key of the service.` })
      continue
    }
    const found = await digestSealsOf(tx, firmId, day ?? '-infinity')
    if (!found.seals_digest.equals(move.seals_digest)) {
      breaks.push({
        closeDate: day ?? '',
        reason: `${name} was signed with other seals of the firm than the stored ones.`,
      })
    }
    if (own.has(keyId)) elsewhere.add(firmId)
    else {
      elsewhere.delete(firmId)
      came.add(firmId)
    }
  }
  for (const firmId of await readArrivingFirms(tx)) if (!came.has(firmId)) elsewhere.add(firmId)
  return { elsewhere, breaks }
}

/**
 * Signs that a firm leaves this cell with all its seals. Stores the row and returns it for the other cell.
 * Every closed day must be sealed by firm before.
 */
export async function signMove(
  tx: Tx,
  masterKeys: MasterKeys,
  move: Pick<FirmMove, 'firm_id' | 'from_cell' | 'to_cell'>,
  now: Date,
): Promise<FirmMove> {
  const [day] = await readDaysNotByFirm(tx)
  if (day !== undefined) throw new Error(`${day} is not sealed by firm`)
  const key = await takeSealKey(tx, masterKeys, now)
  const unsigned = {
    ...move,
    moved_at: now.toISOString(),
    ...(await digestSealsOf(tx, move.firm_id, null)),
    key_id: key.keyId,
  }
  const signed = { ...unsigned, signature: sign(null, messageOf(unsigned), key.privateKey) }
  insertFirmMove(tx, signed)
  return signed
}

function messageOf(move: Omit<FirmMove, 'signature'>): Buffer {
  const { firm_id, moved_at, from_cell, to_cell, close_date, seals_digest, key_id } = move
  const at = new Date(moved_at).toISOString()
  return Buffer.from(
    JSON.stringify([
      'move of a firm',
      firm_id,
      at,
      from_cell,
      to_cell,
      close_date,
      seals_digest.toString('hex'),
      key_id,
    ]),
  )
}

function isSignedBy(move: FirmMove, key: KeyObject | undefined): boolean {
  return key !== undefined && verify(null, messageOf(move), key, move.signature)
}
