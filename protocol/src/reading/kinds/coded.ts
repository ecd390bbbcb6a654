/** Coded values and flags (Reading 1.3): matched without regard to letter case, returned in canonical form. */
import { type CodeListName, canonicalCode, codeLists, nearestCodes } from '../../codes/index.ts'
import { limits } from '../../limits.ts'
import { type Findings, type Place, refused } from '../findings.ts'
import { type Reader, refuseType, textReader } from '../reader.ts'
import { upperCaseReader } from './text.ts'

function refuseCode(
  label: string,
  list: CodeListName,
  text: string,
  { within, key }: Place,
  findings: Findings,
): typeof refused {
  const rows = codeLists[list]
  // The search for the nearest values costs time. It is skipped in a response with this many errors.
  const few = findings.rejections.length < nearestNamedMax
  const all = rows.map((row) => row.value).join(', ')
  const isShort = rows.length <= limits.nearestCodesMax || all.length <= allNamedLengthMax
  const hint = few
    ? isShort
      ? `; allowed: ${all}`
      : `; nearest: ${nearestCodes(list, text).join(', ')}`
    : ''
  return findings.refuse('ERR.1015', within, key, `${label} is not in the list${hint}.`)
}

const nearestNamedMax = 100
// A line of values, such as the letters of the income codes, is read faster than the documentation.
const allNamedLengthMax = 60

export function codeReader(label: string, list: CodeListName): Reader {
  return textReader(
    label,
    (text, within, key, findings) =>
      canonicalCode(list, text) ?? refuseCode(label, list, text, { within, key }, findings),
  )
}

/** A value of the list in canonical form, or any other text as free text. */
export function codeOrTextReader(label: string, list: CodeListName, max: number): Reader {
  const text = upperCaseReader(label, max)
  return {
    types: text.types,
    read(given, within, key, findings) {
      const known = typeof given === 'string' ? canonicalCode(list, given.trim()) : undefined
      return known ?? text.read(given, within, key, findings)
    },
  }
}

/** An array of values, or one text with values separated by commas. Returned as an array without duplicates. */
export function codesReader(label: string, list: CodeListName): Reader {
  const types = ['array', 'string'] as const

  function readOne(text: string, within: Place | undefined, key: string | number, findings: Findings) {
    return canonicalCode(list, text) ?? refuseCode(label, list, text, { within, key }, findings)
  }

  function readItems(
    items: readonly unknown[],
    within: Place | undefined,
    key: string | number,
    findings: Findings,
  ) {
    const place: Place = { within, key }
    const values: unknown[] = []
    let whole = true
    items.forEach((item, index) => {
      const value =
        typeof item === 'string'
          ? readOne(item, place, index, findings)
          : refuseType(label, ['string'], item, { within: place, key: index }, findings)
      if (value === refused) whole = false
      else if (values.includes(value)) {
        whole = false
        findings.refuse('ERR.1014', place, index, `${label} has a value twice.`)
      } else values.push(value)
    })
    return whole ? values : refused
  }

  return {
    types,
    item: codeReader(label, list),
    read(given, within, key, findings) {
      if (given === '') return ''
      if (!Array.isArray(given) && typeof given !== 'string') {
        return refuseType(label, types, given, { within, key }, findings)
      }
      const items = Array.isArray(given) ? given : given.split(',', limits.arrayItemsMax + 1)
      if (items.length > limits.arrayItemsMax) {
        const reason = `${label} must have at most ${limits.arrayItemsMax} values.`
        return findings.refuse('ERR.1015', within, key, reason)
      }
      if (Array.isArray(given)) return readItems(given, within, key, findings)
      const values: unknown[] = []
      for (const part of items as string[]) {
        const value = readOne(part.trim(), within, key, findings)
        if (value === refused) return refused
        if (values.includes(value))
          return findings.refuse('ERR.1014', within, key, `${label} has a value twice.`)
        values.push(value)
      }
      return values
    },
  }
}

/** `true` or `false` in any letter case, or a JSON boolean. Returned as text, capitalized if the block requires it. */
export function flagReader(label: string, answered: 'True' | 'true'): Reader {
  const types = ['string', 'boolean'] as const
  const yes = answered
  const no = answered === 'True' ? 'False' : 'false'
  return {
    types,
    read(given, within, key, findings) {
      if (typeof given === 'boolean') return given ? yes : no
      if (typeof given !== 'string') return refuseType(label, types, given, { within, key }, findings)
      if (given === '') return ''
      if (/^true$/i.test(given)) return yes
      if (/^false$/i.test(given)) return no
      return findings.refuse('ERR.1015', within, key, `${label} must be true or false.`)
    },
  }
}

/** A flag in the form of responses, or any other text as free text. */
export function flagOrTextReader(label: string, max: number): Reader {
  const flag = flagReader(label, 'True')
  const text = upperCaseReader(label, max)
  return {
    types: flag.types,
    read(given, within, key, findings) {
      const isText = typeof given === 'string' && !/^(true|false)$/i.test(given)
      return (isText ? text : flag).read(given, within, key, findings)
    },
  }
}
