/** How the benchmarks measure: alternating rounds, medians, and ratios against a floor of the same run. */

export interface Row {
  readonly name: string
  /** The measured value with its unit. */
  readonly measured: string
  /** The value of the floor with its unit; empty for an absolute figure. */
  readonly floor: string
  /** The ratio of the measured value to the floor, or the figure itself. */
  readonly figure: number
  readonly target: string
  readonly met: boolean
  /** The limit of the figure, or the work of the floor. */
  readonly note: string
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Runs two measurements in alternation and returns the median of each. */
export async function alternate(
  rounds: number,
  first: () => Promise<number>,
  second: () => Promise<number>,
): Promise<[number, number]> {
  const firsts: number[] = []
  const seconds: number[] = []
  for (let round = 0; round < rounds; round++) {
    firsts.push(await first())
    seconds.push(await second())
  }
  return [median(firsts), median(seconds)]
}

export function perSecond(value: number): string {
  return `${Math.round(value).toLocaleString('en-US')}/s`
}

/** A row of a ratio that must reach a target. */
export function ratioRow(name: string, measured: number, floor: number, target: number, note: string): Row {
  const figure = measured / floor
  return {
    name,
    measured: perSecond(measured),
    floor: perSecond(floor),
    figure,
    target: `≥ ${target}`,
    met: figure >= target,
    note,
  }
}
