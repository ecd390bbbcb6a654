/** Blank values: null, an empty text, an empty list, or a block of such values. */

export function isBlank(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (Array.isArray(value)) return value.every(isBlank)
  return typeof value === 'object' && Object.values(value as object).every(isBlank)
}

/**
 * A deep copy without blank values. An empty `legalAddress` stays, because it means the same as the mailing address.
 */
export function compact<T>(value: T): T {
  if (Array.isArray(value)) return value.filter((item) => !isBlank(item)).map(compact) as T
  if (typeof value !== 'object' || value === null) return value
  const kept: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    if (name === 'legalAddress' && member !== null && member !== undefined) kept[name] = compact(member)
    else if (!isBlank(member)) kept[name] = compact(member)
  }
  return kept as T
}
