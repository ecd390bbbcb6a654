/**
 * Describes how the reader treats a field, in a sentence for the reference (Readings 1.3 to 1.7 and 3.5). It names the
 * error code of an invalid value if the kind has one of its own.
 */
import type { Reads } from '../field.ts'

/** The sentence; undefined if the schema needs none. */
export function describeReads(reads: Reads | undefined): string | undefined {
  if (reads === undefined) return undefined
  switch (reads.kind) {
    case 'wholeName':
      return "Letters, digits, spaces and ' - / # . , & ( ) + ! @ : and · within a word only. Returned in upper case."
    case 'text':
      return 'Returned in upper case with single spaces.'
    case 'codeOrText':
      return 'A value of the list in any letter case, or another text. Text is returned in upper case with single spaces.'
    case 'words':
      return undefined
    case 'name':
      return "Letters, spaces and ' - / # . , and · within a word only. Returned in upper case."
    case 'email':
      return 'Letter case is kept (ERR.1009).'
    case 'flag':
      return `\`true\` or \`false\` in any letter case, or a boolean. Returned as text, ${reads.answered === 'True' ? '`True` or `False`' : '`true` or `false`'}.`
    case 'flagOrText':
      return '`true` or `false` in any letter case, a boolean, or another text. Text is returned in upper case with single spaces.'
    case 'state':
      return 'Two-letter code, required for US and CA; empty or absent for other countries (ERR.1008).'
    case 'postal':
      return '5 or 9 digits for US, the Canadian form for CA, any form for other countries (ERR.1007).'
    case 'city':
      return 'Letters, spaces and the marks of place names (ERR.1005). Returned in upper case.'
    case 'street':
      return 'One or two lines of at most 30 characters each, 60 in all. Returned in upper case.'
    case 'date':
      return 'A calendar date, yyyy-MM-dd.'
    case 'birthDate':
      return 'A calendar date, yyyy-MM-dd, from 1900 and not in the future (ERR.1012).'
    case 'rangeDate':
      return 'A calendar date, yyyy-MM-dd. The forms yyyyMMdd and MM/dd/yyyy are accepted too.'
    case 'knownAt':
      return 'A calendar date, yyyy-MM-dd, or `now`.'
    case 'phone':
      return 'The national number, 6 to 15 digits (ERR.1011).'
    case 'region':
      return 'A calling code (ERR.1013). The default for a US number is 1.'
    case 'extension':
      return '1 to 5 digits.'
    case 'taxId':
      return '9 digits.'
    case 'accountNumber':
      return '8 letters or digits; letter case does not matter.'
    case 'entityNumber':
      return '3 digits, as text or as a number (ERR.1001).'
    case 'repCode':
      return '4 letters or digits (ERR.1002).'
    case 'customerId':
      return '18 digits, assigned by the service.'
    case 'percent':
      return 'A percentage as text with at most two decimals.'
    case 'count':
      return 'A whole number as text with at most two digits.'
    case 'apart':
    case 'code':
    case 'codes':
    case 'country':
      return undefined
    default:
      return reads satisfies never
  }
}
