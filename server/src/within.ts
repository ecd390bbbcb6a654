/** Waits for work that may take longer than the caller can wait. */

/**
 * Resolves to the value, or to undefined when it takes longer. A later value is not lost, because another
 * caller may await the same promise.
 */
export async function within<T>(value: Promise<T>, timeMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeMs, undefined)
  })
  value.catch(() => {})
  try {
    return await Promise.race([value, late])
  } finally {
    clearTimeout(timer)
  }
}
