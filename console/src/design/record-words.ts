/** Fields of a record and their values in words, from the catalogue of fields. */
import { type CodeListName, fieldOf, pathLabels } from '@clearing/protocol'
import { labelOf } from './codes.ts'
import { renderDecimal } from './money.tsx'
import { renderDay } from './time.tsx'
import { wordsOf } from './words.ts'

/** `primaryOwner.legalAddress.city` → "Primary owner › Legal address › City". */
export function pathInWords(path: string): string {
  return pathLabels(path, wordsOf).join(' › ')
}

function coded(list: CodeListName | undefined, value: string): string {
  // The labels of statuses are sentences.
  return list === undefined || list === 'accountStatus' ? wordsOf(value) : labelOf(list, value)
}

/**
 * A value of the record at a path: codes as labels, days and flags in words. Values outside the catalogue stay
 * unchanged.
 */
export function valueInWords(path: string, value: string): string {
  if (path === 'restriction') return labelOf('restrictionCode', value)
  if (path === 'holdGround' || path === 'holdStep') return labelOf(path, value)
  const field = fieldOf(path)
  if (value === '' || field === undefined) return value
  switch (field.format) {
    case 'code':
      return coded(field.list, value)
    case 'codes':
      return value
        .split(',')
        .map((one) => coded(field.list, one.trim()))
        .join(', ')
    case 'country':
      return renderCountry(value)
    case 'day':
      return renderDay(value)
    case 'percent':
      return `${renderDecimal(value)} %`
    case 'yesNo':
      return /^true$/i.test(value) ? 'Yes' : /^false$/i.test(value) ? 'No' : value
    case 'email':
    case 'masked':
    case 'phone':
    case 'text':
    case 'whole':
      return value
    default:
      throw new Error(`no words for ${field.format satisfies never}`)
  }
}

export function renderCountry(code: string): string {
  return code === '' ? '' : labelOf('country', code)
}
