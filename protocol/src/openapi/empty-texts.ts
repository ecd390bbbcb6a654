/**
 * An optional field of a request may be an empty text, which counts as absent (Reading 1.2). A record has empty texts,
 * and is thus a valid request of update-account (Reading 1.1).
 */

interface TextShape {
  readonly type?: string
  readonly pattern?: string
  readonly format?: string
}

/** A pattern instead of the format: no format of JSON Schema includes the empty text. */
const patternsOfFormats: Readonly<Record<string, string>> = {
  date: '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])',
  'date-time': '[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][^ ]+',
}

/** The shape with the empty text. The same shape if it has no fixed form. */
export function admitEmptyText<S extends TextShape>(shape: S): S {
  const { pattern, format = '', ...rest } = shape
  if (shape.type !== 'string') return shape
  if (pattern !== undefined) return { ...shape, pattern: `^(${pattern.replace(/^\^|\$$/g, '')})?$` }
  const ofFormat = patternsOfFormats[format]
  return ofFormat === undefined ? shape : ({ ...rest, pattern: `^(${ofFormat})?$` } as unknown as S)
}
