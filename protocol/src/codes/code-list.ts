// What a coded list is made of: rows of value, label and the version that added the value. Lists are open: a later
// version may add values, so a client must ignore those it does not know. Reading 3.7 and 9.

/** One allowed value of a coded field. */
export interface CodeRow<Value extends string = string> {
  /** The canonical form, in which the value is answered. */
  readonly value: Value
  /** What the value means, for people. */
  readonly label: string
  /** The version of the contract that added the value. */
  readonly since: string
}

/** The version of the contract in which every list began. */
export const firstVersion = '1.0'

/** Rows from values and labels, in the order written; values that look like whole numbers come first, ascending. */
export function listCodes<Value extends string>(
  labels: Readonly<Record<Value, string>>,
  since: string = firstVersion,
): readonly CodeRow<Value>[] {
  return (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label, since }))
}
