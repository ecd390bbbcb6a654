/** Nine digits in the form of a tax id, with or without separators, at any position. */
const taxIdWithin = /\d{3}[- ]?\d{2}[- ]?\d{4}/g

/**
 * The name of a field as a caller spelled it, without a tax id that was sent as the name: names are returned and
 * logged.
 */
export function maskFieldName(spelled: string): string {
  return spelled.replace(taxIdWithin, '[redacted]')
}
