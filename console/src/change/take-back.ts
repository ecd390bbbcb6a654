/** The change that an operation requested instead of taking effect at once, and its withdrawal by the same person. */
import { call } from '../client.ts'

interface Asked {
  readonly data: { readonly change: { readonly changeId: string } | null }
}

/** Undefined if nothing waits. A change that took effect cannot be withdrawn. */
export function takeBackOf({ data: { change } }: Asked): (() => Promise<unknown>) | undefined {
  return change === null ? undefined : () => call('withdraw-change', { changeId: change.changeId })
}

/** The id of the change in the response of an operation; undefined if nothing waits. */
export function waitingIn(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('change' in data)) return undefined
  const { change } = data
  if (typeof change !== 'object' || change === null || !('changeId' in change && 'state' in change))
    return undefined
  return change.state === 'Requested' ? String(change.changeId) : undefined
}
