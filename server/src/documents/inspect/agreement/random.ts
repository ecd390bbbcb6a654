// Random choices that a seed repeats: a mutant is found again by its number.

export class Chance {
  private state: number

  constructor(seed: number) {
    this.state = (seed * 0x9e3779b1 + 0x85ebca6b) | 0
  }

  /** At least 0, less than `limit`. Mulberry32. */
  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }

  /** True once in `times` calls on average. */
  once(times: number): boolean {
    return this.below(times) === 0
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.below(choices.length)]
    if (choice === undefined) throw new Error('nothing to pick from')
    return choice
  }
}
