/** Announces claimed items, and returns them on Undo. */
import { call } from '../client.ts'
import { countOf } from '../design/count.ts'
import { tell } from '../design/notices.tsx'
import type { Work } from './queues.ts'
import { type Outcome, refusalOf, tellFault } from './refused.ts'

/** `reread` loads the current state of the items. */
export function tellClaimed(outcome: Outcome, works: readonly Work[], reread: () => void): void {
  const { taken } = outcome
  const undo = () => void call('assign-work', { workIds: [...taken] }).then(reread, tellFault)
  tell({
    tone: 'good',
    message: `You claimed ${countOf(taken.length, 'item')}.`,
    ...(taken.length === 0 ? {} : { undo }),
    ...titled(refusalOf(outcome, works)),
  })
}

function titled(refusal: ReturnType<typeof refusalOf>) {
  return refusal && { title: 'Claim', ...refusal }
}
