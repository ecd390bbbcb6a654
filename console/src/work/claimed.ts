/** Announces claimed items, and returns them on Undo. */
import { call } from '../client.ts'
import { countOf } from '../design/count.ts'
import { tell } from '../design/notices.tsx'
import { tellFault, tellRefused } from './refused.ts'

export interface Outcome {
  readonly taken: readonly string[]
  readonly refused: readonly { readonly workId: string; readonly reason: string }[]
}

/** `reread` loads the current state of the items. */
export function tellClaimed({ taken, refused }: Outcome, reread: () => void): void {
  tellRefused(refused)
  if (taken.length === 0) return
  tell({
    tone: 'good',
    message: `You claimed ${countOf(taken.length, 'item')}.`,
    undo: () => void call('assign-work', { workIds: [...taken] }).then(reread, tellFault),
  })
}
