/** Withdraws a change that waits for a second person, for the person who requested it. */
import { call } from '../client.ts'

interface Asked {
  readonly data: { readonly change: { readonly changeId: string } | null }
}

/** Undefined if nothing waits. A change that took effect cannot be withdrawn. */
export function takeBackOf({ data: { change } }: Asked): (() => Promise<unknown>) | undefined {
  return change === null ? undefined : () => call('withdraw-change', { changeId: change.changeId })
}
