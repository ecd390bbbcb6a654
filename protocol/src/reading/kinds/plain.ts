/** Strings, numbers and booleans without a kind of their own, checked by the limits of their JSON Schema. */
import { type Reader, refuseType, textReader } from '../reader.ts'
import { countCharacters, refuseLength } from './text.ts'

export interface PlainSchema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
}

const loneSurrogateOrNul = /[\0\p{Cs}]/u

export function stringReader(label: string, schema: PlainSchema): Reader {
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u')
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema
  return textReader(label, (text, within, key, findings) => {
    const count = countCharacters(text)
    if (count > maxLength) return refuseLength(label, count, maxLength, { within, key }, findings)
    if (pattern !== undefined && !pattern.test(text)) {
      return findings.refuse('ERR.1016', within, key, `${label} must match the pattern ${schema.pattern}.`)
    }
    if (count < minLength || loneSurrogateOrNul.test(text)) {
      return findings.refuse('ERR.1016', within, key, `${label} does not have the required form.`)
    }
    const allowed = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
    if (allowed !== undefined && !allowed.includes(text)) {
      return findings.refuse('ERR.1015', within, key, `${label} must be one of ${allowed.join(', ')}.`)
    }
    return text
  })
}

const wholeNumber = /^-?[0-9]{1,15}$/

export function numberReader(label: string, schema: PlainSchema): Reader {
  const types = ['number'] as const
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema
  return {
    types,
    read(given, within, key, findings) {
      const fromText = findings.fromText && typeof given === 'string' && wholeNumber.test(given)
      const value = fromText ? Number(given) : given
      if (typeof value !== 'number') return refuseType(label, types, given, { within, key }, findings)
      if (!Number.isFinite(value) || (schema.type === 'integer' && !Number.isSafeInteger(value))) {
        return findings.refuse('ERR.2002', within, key, `${label} must be a whole number.`)
      }
      if (value >= minimum && value <= maximum) return value === 0 ? 0 : value
      return findings.refuse('ERR.1015', within, key, `${label} must be ${renderRange(minimum, maximum)}.`)
    },
  }
}

function renderRange(minimum: number, maximum: number): string {
  if (maximum === Number.POSITIVE_INFINITY) return `at least ${minimum}`
  return minimum === Number.NEGATIVE_INFINITY ? `at most ${maximum}` : `from ${minimum} to ${maximum}`
}

export function booleanReader(label: string): Reader {
  const types = ['boolean'] as const
  return {
    types,
    read(given, within, key, findings) {
      if (typeof given === 'boolean') return given
      if (findings.fromText && typeof given === 'string') {
        if (/^true$/i.test(given)) return true
        if (/^false$/i.test(given)) return false
      }
      return refuseType(label, types, given, { within, key }, findings)
    },
  }
}
