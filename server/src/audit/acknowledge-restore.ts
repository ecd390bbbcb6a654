/**
 * Acknowledges that the database was restored to an earlier time, or that files of the document store were
 * lost. It writes a checkpoint in which each firm's head names the last head that is still valid (`keeps`).
 * The rows of the heads in between no longer exist.
 */
import { type Checkpoint, renderSignedHead, type SignedHead } from '@clearing/protocol/audit'
import type { Tx } from '../database/transaction.ts'
import { lockSigningOfHeads, readNewestNumber } from '../store/audit-heads.ts'
import { signCheckpoint, signHead } from './make-checkpoint.ts'
import { isSigned } from './own-keys.ts'
import { takeKey } from './sign-heads.ts'
import { headBefore, surveyChains } from './survey-chains.ts'
import type { Trail } from './verify-trail.ts'

export interface Acknowledged {
  readonly now: Date
  /** True if older files are lost and no longer required. */
  readonly filesLost: boolean
}

/**
 * Writes the file of the checkpoint, while the caller's transaction prevents other signing. Returns undefined
 * when there is nothing to acknowledge. The caller stores the copies of the heads; if it does not, the next
 * signing stores them.
 */
export async function acknowledgeRestore(
  tx: Tx,
  trail: Trail,
  { now, filesLost }: Acknowledged,
): Promise<Checkpoint | undefined> {
  const { files } = trail
  const { key, keys } = await takeKey(trail, now)
  await lockSigningOfHeads(tx)
  const survey = await surveyChains(trail)
  const copied = await readNewestNumber(tx)
  const newest = await files.findNewest(copied)
  const read = newest === 0 ? undefined : await files.read(newest, keys)
  const before = read === undefined || 'wrong' in read ? undefined : read
  const areLost = filesLost || (newest > 0 && before === undefined)
  if (newest === copied && !areLost) return undefined
  const number = newest + 1
  const made = {
    number,
    before,
    keeps: copied,
    filesFrom: areLost ? number : (before?.filesFrom ?? 1),
    key,
    now,
  }
  const heads = new Map(before?.heads.map((head) => [head.firmId, head]))
  for (const firmId of heads.keys()) {
    if (!survey.positions.has(firmId) && !survey.breaks.some((broken) => broken.firmId === firmId))
      heads.delete(firmId)
  }
  const isGenuine = (head: SignedHead) => isSigned(keys, renderSignedHead(head), head)
  // A broken chain keeps its head.
  for (const { firmId } of survey.breaks) {
    const last = survey.lasts.get(firmId)
    if (!heads.has(firmId) && last !== undefined && isGenuine(last)) heads.set(firmId, last)
  }
  for (const [firmId, position] of survey.positions) {
    const last = survey.lasts.get(firmId)
    const isUnknown = last !== undefined && !isGenuine(last)
    if (isUnknown || (last === undefined && position.sequence === 0 && !heads.has(firmId))) continue
    heads.set(firmId, signHead(made, firmId, position, last, headBefore(survey, firmId)))
  }
  const checkpoint = signCheckpoint(made, [...heads.values()])
  await files.put(checkpoint)
  return checkpoint
}
