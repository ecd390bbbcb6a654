/** The size of repetitive tests: one case of every kind in `npm test`, and all cases in `npm run test:nightly`. */

/** Set for the processes of a nightly run. */
export const nightlyVariable = 'CLEARING_TEST_NIGHTLY'

const isNight = process.env[nightlyVariable] !== undefined

export function repetitions(byDay: number, atNight: number): number {
  return isNight ? atNight : byDay
}

/** Selects from cases that take the same path through the service: a few by day, spread evenly, and all at night. */
export function someOf<T>(cases: readonly T[], byDay: number): readonly T[] {
  const step = isNight ? 1 : Math.max(1, Math.ceil(cases.length / byDay))
  return cases.filter((_, at) => at % step === 0)
}
