/** The names of fields and of JSON types in reasons of errors. */

/** `primaryOwner` → `Primary owner`, `name1` → `Name 1`. */
export function labelOf(name: string): string {
  const words = name.replace(/([a-z])([A-Z0-9])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export type JsonType = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'null'

export function jsonTypeOf(value: unknown): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object'
}

const articles: Record<JsonType, string> = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

/** `a string or an object`. */
export function renderTypes(types: readonly JsonType[]): string {
  return types.map((type) => articles[type]).join(' or ')
}

/** The type of the given value, for `… must be a string; got a number.` */
export function renderTypeOf(value: unknown): string {
  return articles[jsonTypeOf(value)]
}
