/**
 * What a person saw while typing. A record is read again when it changes, so the version that a form sends is always
 * the latest one and does not show that a colleague changed a value which the person replaces. The form therefore keeps
 * the value that it showed when the person began to replace it.
 */

/** A value of a record, and the field of the form that replaces it. */
export interface OnFile {
  /** The name of the field in the form. */
  readonly name: string
  /** The path of the value in the record. */
  readonly path: string
  /** The value in the record as it is now. */
  readonly value: string
}

/** The values that the form showed when they began to be replaced, by path. */
export type Seen = Readonly<Record<string, string>>

/** A value that changed after the person began to replace it. */
export interface ChangedValue extends OnFile {
  readonly before: string
}

/** Of the values that are replaced now: the earlier ones as they were seen, the others as they are. */
export function seenOf(seen: Seen, replaced: readonly OnFile[]): Seen {
  return Object.fromEntries(replaced.map(({ path, value }) => [path, seen[path] ?? value]))
}

export function changedSince(seen: Seen, replaced: readonly OnFile[]): ChangedValue[] {
  return replaced.flatMap((one) => {
    const before = seen[one.path] ?? one.value
    return before === one.value ? [] : [{ ...one, before }]
  })
}
