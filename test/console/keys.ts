/** Counts real keys or clicks of a person at the screen. A text that is typed or pasted counts as one key. */
import type { Locator, Page } from 'playwright-core'

export interface Hands {
  /** The number of keys that were pressed so far. */
  readonly count: number
  press(...keys: readonly string[]): Promise<void>
  type(text: string): Promise<void>
}

/** A person with a mouse. Only clicks are counted. */
export interface Mouse {
  readonly clicks: number
  click(target: Locator): Promise<void>
}

export function mouseOn(): Mouse {
  let clicks = 0
  return {
    get clicks() {
      return clicks
    },
    async click(target) {
      await target.click()
      clicks += 1
    },
  }
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
