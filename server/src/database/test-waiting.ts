/**
 * For tests: waits with a time limit. A test whose wait fails ends with a clear message and does not block other tests.
 */

/** Much longer than any step takes on a busy machine. */
const waitMs = 30_000
const askAgainMs = 20

/**
 * Polls until the condition returns true or a value. `what` names the condition, `seen` describes the state after a
 * failure.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | false | undefined> | T | false | undefined,
  seen: () => unknown = () => '',
): Promise<T> {
  const endMs = performance.now() + waitMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (performance.now() > endMs) throw waitedInVain(what, seen())
    await new Promise((resolve) => setTimeout(resolve, askAgainMs))
  }
}

/** Resolves to the value of the promise if it settles in time. */
export async function inTime<T>(
  what: string,
  promise: Promise<T>,
  seen: () => unknown = () => '',
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(waitedInVain(what, seen())), waitMs)
  })
  try {
    return await Promise.race([promise, timeUp])
  } finally {
    clearTimeout(timer)
  }
}

function waitedInVain(what: string, seen: unknown): Error {
  return new Error(
    `waited ${waitMs / 1_000} s without success for ${what}${seen === '' ? '' : `; came: ${JSON.stringify(seen)}`}`,
  )
}
