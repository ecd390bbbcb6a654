// The possible meanings of a PDF object at the target of a reference, as far as active content depends on references.
import { isPlainAddress, readText } from './pdf-text.ts'
import type { PdfDictionary, PdfValue } from './pdf-value.ts'
import { lookUp, nameOf } from './pdf-value.ts'

/**
 * The properties of a top-level object that matter for references to it; the bits of all objects of one number
 * together.
 */
export const ObjectTrait = {
  destination: 1,
  goTo: 2,
  otherAction: 4,
  typed: 8,
  webAction: 16,
  other: 32,
  hostileAddress: 64,
  networkPath: 128,
  markup: 256,
  /** An array that contains other values than numbers. */
  mixedArray: 512,
  remotePage: 1024,
  /** A dictionary with entries that start actions. */
  triggers: 2048,
} as const

/** The events that start actions of a field, a page or a document (ISO 32000-1, 12.6.3). */
const triggers = ['E', 'X', 'D', 'U', 'Fo', 'Bl', 'PO', 'PC', 'PV', 'PI', 'O', 'C', 'K', 'F', 'V'].concat([
  'WC',
  'WS',
  'DS',
  'WP',
  'DP',
])

/** The bits of destinations, which are arrays, names and strings, that do not indicate the opening of one. */
export const ofDestinations =
  ObjectTrait.hostileAddress |
  ObjectTrait.networkPath |
  ObjectTrait.markup |
  ObjectTrait.mixedArray |
  ObjectTrait.triggers

export function traitsOf(value: PdfValue, stream: boolean): number {
  switch (value.kind) {
    case 'array': {
      const mixed = value.items.some(({ kind }) => kind !== 'number')
      return ObjectTrait.destination | (mixed ? ObjectTrait.mixedArray : 0)
    }
    case 'string':
      return ObjectTrait.destination | traitsOfText(readText(value.text))
    case 'name':
    case 'number':
    case 'word':
      return ObjectTrait.destination
    case 'reference':
      return ObjectTrait.other
    case 'dictionary':
      return traitsOfDictionary(value, stream)
    default:
      return value satisfies never
  }
}

function traitsOfText(text: string): number {
  let traits = 0
  if (!isPlainAddress(text)) traits |= ObjectTrait.hostileAddress
  if (/^[\\/]{2}/.test(text)) traits |= ObjectTrait.networkPath
  if (/<\s*(?:script|img|iframe|svg)\b/i.test(text)) traits |= ObjectTrait.markup
  return traits
}

function traitsOfDictionary(value: PdfDictionary, stream: boolean): number {
  const action = nameOf(lookUp(value, 'S'))
  if (action === 'URI') return ObjectTrait.otherAction | ObjectTrait.webAction
  if (action === 'GoTo' && !lookUp(value, 'Next')) return ObjectTrait.goTo
  if (lookUp(value, 'S')) return ObjectTrait.otherAction
  let traits = 0
  if (lookUp(value, 'F') && lookUp(value, 'Page')) traits |= ObjectTrait.remotePage
  if (triggers.some((key) => startsSomething(lookUp(value, key)))) traits |= ObjectTrait.triggers
  if (stream || lookUp(value, 'Type') || lookUp(value, 'Subtype')) return traits | ObjectTrait.typed
  return traits | (lookUp(value, 'D') ? ObjectTrait.destination : ObjectTrait.other)
}

function startsSomething(value: PdfValue | undefined): boolean {
  return value?.kind === 'reference' || (value?.kind === 'dictionary' && lookUp(value, 'S') !== undefined)
}
