/**
 * Compiles the schema of a request into readers, once. A schema that has no reader is a programming error and throws at
 * start.
 */
import type { TSchema } from 'typebox'
import type { Reads } from '../field.ts'
import { limits } from '../limits.ts'
import { blockReader, type Property } from './block.ts'
import { type Place, refused } from './findings.ts'
import { cityReader, countryReader, postalReader, stateReader, streetReader } from './kinds/address.ts'
import { codeOrTextReader, codeReader, codesReader, flagOrTextReader, flagReader } from './kinds/coded.ts'
import { dateReader, knownAtReader, rangeDateReader } from './kinds/dates.ts'
import {
  accountNumberReader,
  countReader,
  customerIdReader,
  entityNumberReader,
  extensionReader,
  percentReader,
  phoneReader,
  regionReader,
  repCodeReader,
  taxIdReader,
} from './kinds/digits.ts'
import { emailReader } from './kinds/email.ts'
import { nameReader, wholeNameReader } from './kinds/name.ts'
import { booleanReader, numberReader, type PlainSchema, stringReader } from './kinds/plain.ts'
import { upperCaseReader, wordsReader } from './kinds/text.ts'
import { jsonTypeOf, labelOf } from './label.ts'
import { isEmpty, type Reader, refuseType } from './reader.ts'

interface Schema extends PlainSchema {
  readonly 'x-reads'?: Reads
  readonly 'x-aliases'?: Record<string, string>
  readonly 'x-blanks'?: 'kept'
  readonly format?: string
  readonly properties?: Record<string, Schema>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly maxItems?: number
  readonly anyOf?: readonly Schema[]
  readonly default?: unknown
}

/** The reader of a request's schema. Reasons of errors call the request by `name`. */
export function compileSchema(schema: TSchema, name: string): Reader {
  return compile(schema as Schema, labelOf(name), false, false)
}

function compile(schema: Schema, label: string, mayBeEntity: boolean, keepsBlanks: boolean): Reader {
  const kind = schema['x-reads']
  if (kind !== undefined) return compileKind(kind, label, mayBeEntity)
  if (schema.anyOf !== undefined) {
    return unionReader(
      label,
      schema.anyOf.map((one) => compile(one, label, mayBeEntity, keepsBlanks)),
    )
  }
  switch (schema.type) {
    case 'object':
      return compileBlock(schema, label, keepsBlanks || schema['x-blanks'] === 'kept')
    case 'array':
      return listReader(label, compile(schema.items as Schema, label, false, keepsBlanks), schema.maxItems)
    case 'string':
      return stringReader(label, schema)
    case 'integer':
    case 'number':
      return numberReader(label, schema)
    case 'boolean':
      return booleanReader(label)
    case 'null':
      return { types: ['null'], read: (given) => given }
    default:
      throw new Error(`${label}: a request cannot have a schema of type ${schema.type}`)
  }
}

function compileBlock(schema: Schema, label: string, keepsBlanks: boolean): Reader {
  const members = Object.entries(schema.properties ?? {})
  const required = new Set(schema.required)
  const ofPersonOrEntity = schema.properties?.nameType !== undefined
  const properties = members.map(([name, member]): Property => {
    const namePart = member['x-reads']?.kind === 'name'
    return {
      name,
      reader: compile(member, labelOf(name), ofPersonOrEntity, keepsBlanks),
      required: required.has(name),
      standard: member.default,
      namePart,
      freeText: isFreeText(member),
    }
  })
  return blockReader(label, properties, schema['x-aliases'] ?? {}, keepsBlanks)
}

function isFreeText(schema: Schema): boolean {
  const kind = schema['x-reads']?.kind
  if (kind !== undefined)
    return (
      kind === 'text' || kind === 'words' || kind === 'wholeName' || kind === 'name' || kind === 'codeOrText'
    )
  const { type, pattern, format, minLength, const: only, enum: some } = schema
  return type === 'string' && (pattern ?? format ?? minLength ?? only ?? some) === undefined
}

function listReader(label: string, item: Reader, itemsMax: number = limits.arrayItemsMax): Reader {
  const types = ['array'] as const
  return {
    types,
    item,
    read(given, within, key, findings) {
      if (!Array.isArray(given)) return refuseType(label, types, given, { within, key }, findings)
      if (given.length > itemsMax) {
        const reason = `${label} must have at most ${itemsMax} items; got ${given.length}.`
        return findings.refuse('ERR.1015', within, key, reason)
      }
      const place: Place = { within, key }
      const values: unknown[] = []
      given.forEach((one, index) => {
        let value = item.read(one, place, index, findings)
        if (isEmpty(value)) value = findings.refuse('ERR.1000', place, index, `${label} has an empty item.`)
        // A rejected item leaves a hole in the array, so that the paths of later items stay correct.
        values.push(value === refused ? null : value)
      })
      return values
    },
  }
}

/** A union: reads the value by the member that takes its JSON type. */
function unionReader(label: string, forms: readonly Reader[]): Reader {
  const types = [...new Set(forms.flatMap((form) => form.types))]
  return {
    types,
    member: (spelled) => forms.find((form) => form.member !== undefined)?.member?.(spelled),
    read(given, within, key, findings) {
      const type = jsonTypeOf(given)
      const form = forms.find((one) => one.types.includes(type))
      if (form === undefined) return refuseType(label, types, given, { within, key }, findings)
      return form.read(given, within, key, findings)
    },
  }
}

function compileKind(kind: Reads, label: string, mayBeEntity: boolean): Reader {
  switch (kind.kind) {
    case 'text':
      return upperCaseReader(label, kind.max)
    case 'words':
      return wordsReader(label, kind.max)
    case 'wholeName':
      return wholeNameReader(label, kind.max)
    case 'name':
      return nameReader(label, kind.max, mayBeEntity)
    case 'email':
      return emailReader(label, kind.max)
    case 'code':
      return codeReader(label, kind.list)
    case 'codes':
      return codesReader(label, kind.list)
    case 'codeOrText':
      return codeOrTextReader(label, kind.list, kind.max)
    case 'flag':
      return flagReader(label, kind.answered)
    case 'flagOrText':
      return flagOrTextReader(label, kind.max)
    case 'country':
      return countryReader(label)
    case 'state':
      return stateReader(label)
    case 'postal':
      return postalReader(label)
    case 'city':
      return cityReader(label)
    case 'street':
      return streetReader(label)
    case 'date':
      return dateReader(label, 'ERR.1024')
    case 'birthDate':
      return dateReader(label, 'ERR.1012')
    case 'rangeDate':
      return rangeDateReader(label)
    case 'knownAt':
      return knownAtReader(label)
    case 'phone':
      return phoneReader(label)
    case 'region':
      return regionReader(label)
    case 'extension':
      return extensionReader(label)
    case 'taxId':
      return taxIdReader(label)
    case 'accountNumber':
      return accountNumberReader(label)
    case 'entityNumber':
      return entityNumberReader(label)
    case 'repCode':
      return repCodeReader(label)
    case 'customerId':
      return customerIdReader(label)
    case 'percent':
      return percentReader(label)
    case 'count':
      return countReader(label)
    case 'apart':
      return { types: ['object'], read: (given) => given }
    default:
      throw new Error(`${label}: no reader for the kind ${JSON.stringify(kind satisfies never)}`)
  }
}
