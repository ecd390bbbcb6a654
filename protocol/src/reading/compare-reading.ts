/** Pairs each value of a request with the value that the reader made of it, for display side by side. */
import type { Static, TSchema } from 'typebox'
import { maskFieldName } from './mask-name.ts'
import { readerOf, readRequest } from './read-request.ts'
import type { Reader } from './reader.ts'
import { isEmpty } from './reader.ts'

export interface ReadValue {
  /** Canonical path: `primaryOwner.legalAddress.city`. */
  readonly field: string
  /** The path as the caller spelled it. */
  readonly sentAs: string
  /** The value as text. Numbers and flags have the text of JSON; the values of a list are separated by commas. */
  readonly sent: string
  /** The canonical value as text; empty if the reader rejected or ignored the value. */
  readonly understood: string
  /** The canonical name of the innermost field. */
  readonly name: string
}

/**
 * The values of a request in the order of the caller, without empty ones. Of a request with errors, only the values
 * that could be read are compared.
 */
export function compareReading(schema: TSchema, json: unknown): ReadValue[] {
  const values: ReadValue[] = []
  const { value } = readRequest(schema, json)
  walk(
    values,
    { sent: json, read: value as Static<TSchema>, field: '', sentAs: '', name: '' },
    readerOf(schema),
  )
  return values
}

interface Place {
  readonly sent: unknown
  readonly read: unknown
  readonly field: string
  readonly sentAs: string
  readonly name: string
}

function walk(values: ReadValue[], place: Place, reader: Reader | undefined): void {
  const { sent, read, field, sentAs, name } = place
  if (isEmpty(sent)) return
  if (Array.isArray(sent) && sent.some(isBlock)) {
    sent.forEach((one, at) => {
      const item = Array.isArray(read) ? read[at] : undefined
      const path = `[${at}]`
      walk(values, { sent: one, read: item, field: field + path, sentAs: sentAs + path, name }, reader?.item)
    })
  } else if (isBlock(sent)) {
    for (const [spelled, one] of Object.entries(sent)) {
      const member = reader?.member?.(spelled)
      const known = member?.name ?? maskFieldName(spelled)
      const item = isBlock(read) ? read[known] : undefined
      const inner = {
        sent: one,
        read: item,
        field: within(field, known),
        sentAs: within(sentAs, maskFieldName(spelled)),
        name: known,
      }
      walk(values, inner, member?.reader)
    }
  } else {
    values.push({ field, sentAs, name, sent: textOf(sent), understood: textOf(read) })
  }
}

/** The value of a member of a block, in any accepted spelling; undefined if it was not sent. */
export function memberAsSent(schema: TSchema, block: unknown, name: string): unknown {
  if (!isBlock(block)) return undefined
  const { member } = readerOf(schema)
  return Object.entries(block).find(([spelled]) => member?.(spelled)?.name === name)?.[1]
}

function isBlock(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function within(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function textOf(value: unknown): string {
  if (isEmpty(value)) return ''
  return Array.isArray(value) ? value.map(textOf).join(', ') : String(value)
}
