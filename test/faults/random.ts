/** Random choices that can be repeated: the same seed gives the same choices (mulberry32). */
export function makeRandom(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    /** A number from 0 (included) to 1 (excluded). */
    next,
    /** An integer from `from` to `to`, both included. */
    whole: (from: number, to: number) => from + Math.floor(next() * (to - from + 1)),
    /** One of the values. */
    pick: <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T,
  }
}
export type Random = ReturnType<typeof makeRandom>
