/** For tests: waiting that ends. A test that waits in vain fails with a sentence, and does not hold the others up. */

/** Far longer than anything takes on a busy machine. */
const waitMs = 30_000
const askAgainMs = 20

/** Asks until the answer is there. `what` is it that is waited for, `seen` what came instead. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
  seen: () => unknown = () => '',
): Promise<T> {
  const endMs = performance.now() + waitMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (performance.now() > endMs) throw waitedInVain(what, seen())
    await new Promise((resolve) => setTimeout(resolve, askAgainMs))
  }
}

/** The promise's value, if it comes in time. */
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

const waitedInVain = (what: string, seen: unknown): Error =>
  new Error(
    `waited ${waitMs / 1_000} s in vain for ${what}${seen === '' ? '' : `; came: ${JSON.stringify(seen)}`}`,
  )
