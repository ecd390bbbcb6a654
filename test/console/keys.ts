/** Real keys or clicks of a person before the screen, counted. A text that is typed or pasted counts as one key. */
import type { Locator, Page } from 'playwright-core'

export interface Hands {
  /** How many keys were pressed so far. */
  readonly count: number
  press(...keys: readonly string[]): Promise<void>
  type(text: string): Promise<void>
}

/** A hand on the mouse; texts are typed beside it. */
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
