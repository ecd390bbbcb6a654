/** The result of a check of an identifier: valid, or a sentence that says what is wrong. */
export type IdentifierCheck = { readonly valid: true } | { readonly valid: false; readonly reason: string }

export const VALID: IdentifierCheck = { valid: true }

export function invalid(reason: string): IdentifierCheck {
  return { valid: false, reason }
}

/** The value of a digit or capital letter as the identifiers count it: 0 to 9, A 10 to Z 35; -1 for anything else. */
export function characterValue(text: string, index: number): number {
  const code = text.charCodeAt(index)
  if (code >= 48 && code <= 57) return code - 48
  if (code >= 65 && code <= 90) return code - 55
  return -1
}
