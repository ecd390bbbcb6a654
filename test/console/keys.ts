/** Real keys of a person before the screen, counted. A text that is typed or pasted counts as one. */
import type { Page } from 'playwright-core'

export interface Hands {
  /** How many keys were pressed so far. */
  readonly count: number
  press(...keys: readonly string[]): Promise<void>
  type(text: string): Promise<void>
}

export function handsOn(page: Page): Hands {
  let count = 0
  return {
    get count() {
      return count
    },
    async press(...keys) {
      for (const key of keys) {
        await page.keyboard.press(key)
        count += 1
      }
    },
    async type(text) {
      await page.keyboard.insertText(text)
      count += 1
    },
  }
}
