/**
 * Moves the focus to the first field with an error. Without one, scrolls to the message. A form can be longer than the
 * window, and a person who sends it with a key does not see its end.
 */
import { type RefObject, useEffect, useRef } from 'react'

/** The reference to the form. The two values change with each response. */
export function useShowAnswer<E extends HTMLElement>(answer: unknown, fault?: unknown): RefObject<E | null> {
  const form = useRef<E>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each response is shown once
  useEffect(() => {
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    if (field) return field.focus()
    form.current?.querySelector('[role=alert], [role=status]')?.scrollIntoView({ block: 'nearest' })
  }, [answer, fault])
  return form
}
