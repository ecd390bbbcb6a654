/** Takes back a change that waits for a second person: for the person who asked for it. */
import { call } from '../client.ts'

interface Asked {
  readonly data: { readonly change: { readonly changeId: string } | null }
}

/** Undefined when nothing waits: what took effect is not taken back. */
export function takeBackOf({ data: { change } }: Asked): (() => Promise<unknown>) | undefined {
  return change === null ? undefined : () => call('withdraw-change', { changeId: change.changeId })
}
