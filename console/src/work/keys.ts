/** The keys of the inbox and their actions, for the listener and for the help that `?` shows. */
import { useLayoutEffect, useRef } from 'react'

export interface Key {
  readonly key: string
  readonly does: string
  readonly act: () => void
}

const typing = 'input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog]'

/**
 * Keys without modifiers, while no text is being typed and no dialog is open. They act on the rows shown, never on
 * earlier ones.
 */
export function useKeys(keys: readonly Key[]): void {
  const latest = useRef(keys)
  useLayoutEffect(() => {
    latest.current = keys
  })
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target as Element
      if (target.closest(typing) !== null || document.querySelector('[role=dialog]') !== null) return
      if (event.key === 'Enter' && target.closest('a, button') !== null) return
      const key = latest.current.find((one) => one.key === event.key)
      if (key === undefined) return
      event.preventDefault()
      key.act()
    }
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
