/** The rules for possible tax ids (Reading 3.6). */

/**
 * The reason why nine digits cannot be a tax id; undefined if they can. An SSN's area is not 000, 666 or 9xx, its
 * group not 00, its serial not 0000 (Social Security Administration, POMS RM 10201.035); a TaxId (EIN or ITIN) is not
 * nine times the same digit. In the sandbox the magic values of area 000 pass, because they stand for no person.
 */
export function whyNoTaxId(
  taxIdType: string,
  number: string,
  settings: { magicValues: ReadonlySet<string> },
): string | undefined {
  if (settings.magicValues.has(number)) return undefined
  if (!/^[0-9]{9}$/.test(number)) return 'a masked number is accepted only if it is the number on record'
  if (/(\d)\1{8}/.test(number)) return 'a tax id is not one digit nine times'
  if (taxIdType !== 'SSN') return undefined
  const area = number.slice(0, 3)
  if (area === '000' || area === '666' || area.startsWith('9')) {
    return 'no SSN has an area (first three digits) of 000, 666 or 900 to 999'
  }
  if (number.slice(3, 5) === '00') return 'no SSN has the group (fourth and fifth digit) 00'
  if (number.slice(5) === '0000') return 'no SSN has the serial (last four digits) 0000'
  return undefined
}
