/**
 * Acts on several items of work independently. The response lists the items done, and the items refused with the
 * reason.
 */
import { type Data, type Rejection, reject } from '@clearing/protocol'
import type { FirmContext } from '../firm-rules/context.ts'
import { readWork, type WorkRow } from '../store/work-list.ts'

const notWaiting = reject('ERR.2013', 'workIds', 'The item does not wait, or no longer waits.')

/**
 * Calls `act` for each waiting item. `act` returns the reason of a refusal, or undefined. All items share a
 * transaction, which commits: `act` must have written nothing when it refuses.
 */
export async function forEachItem(
  { tx, now }: Pick<FirmContext, 'tx' | 'now'>,
  workIds: readonly string[],
  act: (item: WorkRow) => Promise<Rejection | undefined>,
): Promise<Data<'claim-work'>> {
  const waiting = new Map((await readWork(tx, workIds, now)).map((item) => [item.work_id, item]))
  const taken: string[] = []
  const refused: Data<'claim-work'>['refused'] = []
  for (const workId of new Set(workIds)) {
    const item = waiting.get(workId)
    const why = item === undefined ? notWaiting : await act(item)
    if (why === undefined) taken.push(workId)
    else refused.push({ workId, code: why.code, reason: why.reason })
  }
  return { taken, refused }
}
