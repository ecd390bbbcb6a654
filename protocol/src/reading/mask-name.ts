/** Nine digits in the form of a tax id, with or without separators, at any position. */
const taxIdWithin = /\d{3}[- ]?\d{2}[- ]?\d{4}/g

/** Characters that a reader of an error or a log does not see, or that move the text around them. */
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u202a-\u202e\u2066-\u2069\u2800]/gu

/**
 * The name of a field as a caller spelled it, without a tax id that was sent as the name: names are returned and
 * logged. An unseen character is written as its code: `accountNumber\u200b` is not `accountNumber`.
 */
export function maskFieldName(spelled: string): string {
  return spelled.replace(taxIdWithin, '[redacted]').replace(unseen, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
  })
}

const unknownNameLengthMax = 100

/** The masked name of a field that the operation does not have, shortened: it can be as long as the request. */
export function showUnknownName(spelled: string): string {
  const masked = maskFieldName(spelled)
  return masked.length > unknownNameLengthMax ? `${masked.slice(0, unknownNameLengthMax)}…` : masked
}
