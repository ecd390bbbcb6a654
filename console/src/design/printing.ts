/**
 * Printing by the browser's own command. The paper has light colours in either theme, and a list has all rows that are
 * read instead of those in sight.
 */
import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

const colours = 'data-mantine-color-scheme'

let printsRows = false
const listeners = new Set<() => void>()

function setPrintsRows(prints: boolean): void {
  printsRows = prints
  // The browser prints as soon as this event is handled.
  flushSync(() => {
    for (const listener of listeners) listener()
  })
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the screen is being printed, so that every row of a list must be in the page. */
export function usePrintsRows(): boolean {
  return useSyncExternalStore(subscribe, () => printsRows)
}

export function preparePrinting(): void {
  const { documentElement: page } = document
  window.addEventListener('beforeprint', () => {
    const scheme = page.getAttribute(colours)
    page.setAttribute(colours, 'light')
    window.addEventListener(
      'afterprint',
      () => {
        if (scheme !== null) page.setAttribute(colours, scheme)
        if (printsRows) setPrintsRows(false)
      },
      { once: true },
    )
    // A list that is printed from its tools is in the page already.
    if (document.querySelector('body > .printed') === null) setPrintsRows(true)
  })
}
