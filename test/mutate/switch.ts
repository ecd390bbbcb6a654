/** Which mutant is active, and which were passed: what the instrumented text asks at every place that can change. */

/** Questions that a mutant may ask beyond what its test asked without it; a loop that never ends asks more. */
const QUESTIONS_SPARE = 3_000_000
const QUESTIONS_FACTOR = 20

export class Switch {
  active = -1
  questions = 0
  questionsMax = Number.POSITIVE_INFINITY
  /** Numbers passed since `record`; undefined while nothing is recorded. */
  #passed: Uint8Array | undefined

  on(number: number): boolean {
    this.questions += 1
    if (this.questions > this.questionsMax) throw new Error('the mutant runs without end')
    if (this.#passed !== undefined) this.#passed[number] = 1
    return number === this.active
  }

  get ranAway(): boolean {
    return this.questions > this.questionsMax
  }

  /** Begins to record which of `count` mutants are passed, and answers the record. */
  record(count: number): Uint8Array {
    this.#passed = new Uint8Array(count)
    this.questions = 0
    return this.#passed
  }

  /** Makes a mutant active for a test that asked `questions` without it. */
  activate(number: number, questions: number): void {
    this.#passed = undefined
    this.active = number
    this.questions = 0
    this.questionsMax = questions * QUESTIONS_FACTOR + QUESTIONS_SPARE
  }

  rest(): void {
    this.#passed = undefined
    this.active = -1
    this.questionsMax = Number.POSITIVE_INFINITY
  }
}
