// The form of a coded list: rows of a value, its label and the version that added it. Lists are open: a later
// version may add values, so a client must accept values that it does not know. Reading 3.7 and 9.

/** One allowed value of a coded field. */
export interface CodeRow<Value extends string = string> {
  /** The canonical form, in which the value is returned. */
  readonly value: Value
  /** The meaning of the value in plain words. */
  readonly label: string
  /** The version of the contract that added the value. */
  readonly since: string
}

/** The version of the contract that introduced the lists. */
export const firstVersion = '1.0'

/**
 * Makes rows from values and labels, in the order of the object's keys: keys that are whole numbers come first,
 * ascending.
 */
export function listCodes<Value extends string>(
  labels: Readonly<Record<Value, string>>,
  since: string = firstVersion,
): readonly CodeRow<Value>[] {
  return (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label, since }))
}
