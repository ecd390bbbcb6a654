/** Counts in one format for every browser language: `1,666`. */

const counts = new Intl.NumberFormat('en-US')

export function renderCount(count: number): string {
  return counts.format(count)
}

/** `1 line`, `1,666 lines`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${renderCount(count)} ${count === 1 ? one : many}`
}

/** `is` or `are`, and likewise for other verbs. */
export function verbOf(count: number, one = 'is', many = 'are'): string {
  return count === 1 ? one : many
}
