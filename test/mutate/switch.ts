/**
 * The active mutant, and the mutants that were reached. The instrumented text reads them at every place that can
 * change.
 */

/**
 * The number of reads that a mutant may make beyond those of its test without it. A loop that never ends makes more.
 */
const QUESTIONS_SPARE = 3_000_000
const QUESTIONS_FACTOR = 20

export class Switch {
  active = -1
  questions = 0
  questionsMax = Number.POSITIVE_INFINITY
  /** Numbers of the mutants passed since `record`. Undefined while nothing is recorded. */
  #passed: Uint8Array | undefined
  /**
   * Numbers of the mutants that the body of a test file passes while the file loads. Undefined outside `recordLoad`.
   */
  #inBody: Uint8Array | undefined
  /** Counts the runs of tests: each has empty caches. */
  #round = 0

  on(number: number): boolean {
    this.questions += 1
    if (this.questions > this.questionsMax) throw new Error('the mutant runs without end')
    if (this.#passed !== undefined) this.#passed[number] = 1
    return number === this.active
  }

  get ranAway(): boolean {
    return this.questions > this.questionsMax
  }

  /** Begins to record which of `count` mutants are passed, and returns the record. */
  record(count: number): Uint8Array {
    this.#round += 1
    this.#passed = new Uint8Array(count)
    this.#inBody = undefined
    this.questions = 0
    return this.#passed
  }

  /**
   * Begins to record the load of a test file: the mutants that its imports reach, and those that its own body reaches.
   */
  recordLoad(count: number): { readonly ofModules: Uint8Array; readonly ofBody: Uint8Array } {
    const ofModules = this.record(count)
    const ofBody = new Uint8Array(count)
    this.#inBody = ofBody
    return { ofModules, ofBody }
  }

  /** The first statement of each test file. Its imports have loaded. */
  enterBody(): void {
    if (this.#inBody !== undefined) this.#passed = this.#inBody
  }

  /** Makes a mutant active for a test that made `questions` reads without it. */
  activate(number: number, questions: number): void {
    this.#round += 1
    this.#passed = undefined
    this.active = number
    this.questions = 0
    this.questionsMax = questions * QUESTIONS_FACTOR + QUESTIONS_SPARE
  }

  rest(): void {
    this.#round += 1
    this.#passed = undefined
    this.active = -1
    this.questionsMax = Number.POSITIVE_INFINITY
  }

  /** A cache of a module that is empty in each round. A mutant must not find values that were computed without it. */
  cache<Kept extends object>(make: () => Kept): Kept {
    let kept = make()
    let round = this.#round
    return new Proxy(kept, {
      get: (_, name) => {
        if (round !== this.#round) {
          kept = make()
          round = this.#round
        }
        const member = Reflect.get(kept, name)
        return typeof member === 'function' ? member.bind(kept) : member
      },
    })
  }
}
