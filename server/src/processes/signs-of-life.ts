/**
 * Tells a process that hangs, as in an endless loop, from one that is busy for a while. Questions are counted, not
 * seconds, so that a machine that was suspended as a whole ends no process.
 */

/** Interval of the questions of the parent. */
export const askEveryMs = 5_000
/**
 * A process that answers none of so many questions in a row hangs. The minute is much longer than any work on the main
 * thread: loads and proofs have threads of their own or pause between portions.
 */
export const unansweredMax = 12

export class SignsOfLife {
  #unanswered = 0

  /** Any message of the process is a sign of life. */
  heard(): void {
    this.#unanswered = 0
  }

  /** Counts a further question. Returns false, and counts nothing, when the process hangs. */
  mayAsk(): boolean {
    if (this.#unanswered >= unansweredMax) return false
    this.#unanswered += 1
    return true
  }
}
