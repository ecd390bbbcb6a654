/** Whether a component has left the screen, for what follows when a response arrives later. */
import { type RefObject, useEffect, useRef } from 'react'

export function useIsLeft(): RefObject<boolean> {
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
    }
  }, [])
  return isLeft
}
