/**
 * Typed values that are not sent yet, kept while the window is open, so that closing a dialog, leaving a screen or the
 * end of a session does not lose them. They are not in the browser's storage, because they can contain personal data.
 * The browser asks before it closes or reloads the page.
 */
import { shareValue } from './shared-value.ts'

const kept = new Map<string, unknown>()
/** The number of drafts. */
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

/** The person agreed to lose them. */
export function discardDrafts(): void {
  kept.clear()
  draftCount.set(0)
}

addEventListener('beforeunload', (event) => {
  if (kept.size > 0) event.preventDefault()
})
