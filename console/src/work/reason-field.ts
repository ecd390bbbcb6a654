/** The reason of a decision on work. */
import { limits } from '@clearing/protocol'
import { renderCount } from '../design/count.ts'

export function reasonField(required: boolean) {
  return {
    name: 'reason',
    label: 'Reason',
    kind: 'long',
    required,
    hint: `At most ${renderCount(limits.noteLengthMax)} characters. The firm may read it, so do not write personal data.`,
  } as const
}
