/** What the reader does with a field, in a sentence for the reference (Readings 1.3 to 1.7 and 3.5). */
import type { Reads } from '../field.ts'

/** The sentence, or undefined where the schema says it all. */
export function describeReads(reads: Reads | undefined): string | undefined {
  if (reads === undefined) return undefined
  switch (reads.kind) {
    case 'text':
      return 'Answered in upper case, with single spaces.'
    case 'words':
      return undefined
    case 'name':
      return "Letters, spaces and ' - / # . , only; answered in upper case."
    case 'email':
      return 'An e-mail address; its letter case is kept.'
    case 'flag':
      return `\`true\` or \`false\` in any letter case, or a boolean; answered as text, ${reads.answered === 'True' ? '`True` or `False`' : '`true` or `false`'}.`
    case 'state':
      return 'Two letters of a state or province, required for US and CA; empty or absent for other countries.'
    case 'postal':
      return '5 or 9 digits for US, the Canadian form for CA, free for other countries.'
    case 'city':
      return 'Letters, spaces and marks of place names; answered in upper case.'
    case 'street':
      return 'One line or more, each at most 30 characters, 60 in all; answered in upper case.'
    case 'date':
      return 'A calendar date, yyyy-MM-dd.'
    case 'birthDate':
      return 'A calendar date, yyyy-MM-dd, from 1900 and not in the future.'
    case 'rangeDate':
      return 'yyyy-MM-dd; yyyyMMdd and MM/dd/yyyy are understood too.'
    case 'knownAt':
      return 'yyyy-MM-dd, or `now`.'
    case 'phone':
      return 'The national number, 6 to 15 digits.'
    case 'region':
      return "The calling code of the number's country; 1 when absent for a US number."
    case 'extension':
      return '1 to 5 digits.'
    case 'taxId':
      return '9 digits; in a change also masked to the last four, as the record was answered.'
    case 'accountNumber':
      return '8 letters or digits; letter case does not matter.'
    case 'entityNumber':
      return '3 digits, as text or as a number.'
    case 'repCode':
      return '4 letters or digits.'
    case 'customerId':
      return '18 digits, answered by the service.'
    case 'percent':
      return 'Per cent as text, two decimals at most.'
    case 'count':
      return 'A whole number as text, two digits at most.'
    case 'apart':
    case 'code':
    case 'codes':
    case 'country':
      return undefined
    default:
      return reads satisfies never
  }
}
