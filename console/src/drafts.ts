/**
 * What was typed and not sent yet, kept while the window is open: a dialog that is closed, a screen that is left and a session that
 * ended do not lose it. It stays out of the browser's storage, since it can hold personal data.
 */
import { shareValue } from './shared-value.ts'

const kept = new Map<string, unknown>()
/** How many drafts there are. */
export const draftCount = shareValue(0)

export function readDraft<T>(key: string): T | undefined {
  return kept.get(key) as T | undefined
}

export function keepDraft(key: string, value: unknown): void {
  kept.set(key, value)
  draftCount.set(kept.size)
}

export function dropDraft(key: string): void {
  kept.delete(key)
  draftCount.set(kept.size)
}
