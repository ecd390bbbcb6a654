/**
 * Objects of a request (Reading 1.1, 1.2). Names are matched without regard to letter case and by their aliases.
 * Duplicate properties, unknown properties and missing required properties are rejected. The result has the canonical
 * names in the order of the schema, so that equal requests give equal results. Null and empty texts are kept only for
 * operations that distinguish a deletion from an absent value.
 */

import { limits } from '../limits.ts'
import { type Findings, type Place, refused } from './findings.ts'
import { checkPersonName, faultOfEntityLine } from './kinds/name.ts'
import { labelOf } from './label.ts'
import { showUnknownName } from './mask-name.ts'
import { nearestName } from './nearest-name.ts'
import { isEmpty, type Reader, refuseType } from './reader.ts'

export interface Property {
  readonly name: string
  readonly reader: Reader
  readonly required: boolean
  readonly standard: unknown
  /**
   * A part of a name. It is checked again when the block is known to describe a person or an entity. A change of a
   * record need not repeat its nameType; the rules of the record check its names.
   */
  readonly namePart: boolean
  /** A text that may be empty. */
  readonly freeText: boolean
}

/** A null value counts as absent. So does an empty text, except for plain texts. */
function saysNothing(value: unknown, freeText: boolean): boolean {
  return value === null || (value === '' && !freeText)
}

const hintsMax = 20
const types = ['object'] as const

/** The position of each property by its name, its name in lower case, and its other spellings in lower case. */
function positionsOf(
  properties: readonly Property[],
  aliases: Record<string, string>,
): ReadonlyMap<string, number> {
  const positions = new Map<string, number>()
  properties.forEach(({ name }, position) => {
    positions.set(name, position)
    positions.set(name.toLowerCase(), position)
  })
  for (const [spelling, name] of Object.entries(aliases)) {
    const position = positions.get(name)
    if (position === undefined)
      throw new Error(`alias ${spelling} stands for ${name}, which the block does not have`)
    positions.set(spelling.toLowerCase(), position)
  }
  return positions
}

/** Whether the spellings are different names, such as `suffix` and `name4`, and not one name in another letter case. */
function areOtherNames(spellings: readonly string[]): boolean {
  return new Set(spellings.map((spelled) => spelled.toLowerCase())).size === spellings.length
}

const contradiction = Symbol('contradiction')

/** The specification names each part of a person's name twice. Both may be given if they agree, or if one is empty. */
function agreed(earlier: unknown, other: unknown): unknown {
  if (other === refused || isEmpty(earlier)) return other
  return isEmpty(other) || other === earlier ? earlier : contradiction
}

/** Values of a record that the service composes. A caller who sends a record back has not misspelt them. */
const onlyInResponses: ReadonlySet<string> = new Set(['accountname', 'accountstatus', 'mailingaddressstring'])

function hintOf(meant: string | undefined): string {
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}

/** Members of JSON web keys (RFC 7518, 6) that only a private key has. */
const ofPrivateKeys: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])

function refuseUnknown(
  spelled: string,
  names: readonly string[],
  place: Place | undefined,
  findings: Findings,
): void {
  const hint = onlyInResponses.has(spelled.toLowerCase())
    ? ' Only responses have it: leave it out.'
    : names.includes('kty') && ofPrivateKeys.has(spelled)
      ? ' This is a private key, which is no longer secret: make another pair, and send only its public half.'
      : findings.rejections.length < hintsMax
        ? hintOf(nearestName(spelled, names))
        : ''
  findings.refuse('ERR.2001', place, showUnknownName(spelled), `The operation has no such field.${hint}`)
}

/** The reason of a refused part of an entity's name speaks of its lines, and not of the names of a person. */
function explainEntity(name: string, given: unknown, place: Place | undefined, findings: Findings): void {
  const reason = faultOfEntityLine(name, given, limits.namePartLengthMax)
  if (reason !== undefined) findings.restate({ within: place, key: name }, reason)
}

export function blockReader(
  label: string,
  properties: readonly Property[],
  aliases: Record<string, string>,
  keepsBlanks: boolean,
): Reader {
  const labels = properties.map((property) => labelOf(property.name))
  const positions = positionsOf(properties, aliases)
  const names = properties.map((property) => property.name)
  const nameParts = properties.flatMap((property, position) => (property.namePart ? [position] : []))
  const nameType = names.indexOf('nameType')

  function positionOf(spelled: string): number | undefined {
    const exact = positions.get(spelled)
    if (exact !== undefined) return exact
    const folded = spelled.toLowerCase()
    // A non-ASCII letter that folds to an ASCII letter (the Kelvin sign) does not match the name.
    return folded.toUpperCase() === spelled.toUpperCase() ? positions.get(folded) : undefined
  }

  function refuseTwice(position: number, place: Place | undefined, findings: Findings): typeof refused {
    return findings.refuse(
      'ERR.1014',
      place,
      names[position] as string,
      `${labels[position]} is given twice.`,
    )
  }

  function readSlot(position: number, value: unknown, place: Place | undefined, findings: Findings): unknown {
    const { name, reader } = properties[position] as Property
    return value === null ? null : reader.read(value, place, name, findings)
  }

  function readSlots(given: object, place: Place | undefined, findings: Findings): unknown[] {
    const slots: unknown[] = new Array(properties.length).fill(undefined)
    for (const spelled of Object.keys(given)) {
      const value = (given as Record<string, unknown>)[spelled]
      if (value === undefined) continue
      if (findings.full) break
      const position = positionOf(spelled)
      if (position === undefined) {
        refuseUnknown(spelled, names, place, findings)
        continue
      }
      const earlier = slots[position]
      const { namePart } = properties[position] as Property
      if (earlier === undefined) slots[position] = readSlot(position, value, place, findings)
      else if (!namePart) slots[position] = refuseTwice(position, place, findings)
      else if (earlier !== refused) {
        const spellings = Object.keys(given).filter((one) => positionOf(one) === position)
        const slot = areOtherNames(spellings)
          ? agreed(earlier, readSlot(position, value, place, findings))
          : contradiction
        slots[position] = slot === contradiction ? refuseTwice(position, place, findings) : slot
      }
    }
    return slots
  }

  function checkNameParts(slots: unknown[], place: Place | undefined, findings: Findings): void {
    if (keepsBlanks && isEmpty(slots[nameType])) return
    for (const position of nameParts) {
      const part = slots[position]
      if (typeof part !== 'string' || part === '') continue
      slots[position] = checkPersonName(
        labels[position] as string,
        part,
        place,
        names[position] as string,
        findings,
      )
    }
  }

  return {
    types,
    member(spelled) {
      const position = positionOf(spelled)
      return position === undefined ? undefined : (properties[position] as Property)
    },
    read(given, within, key, findings) {
      if (typeof given !== 'object' || given === null || Array.isArray(given)) {
        return refuseType(label, types, given, { within, key }, findings)
      }
      const place = key === '' ? undefined : { within, key }
      const slots = readSlots(given, place, findings)
      if (slots[nameType] !== 'Entity') checkNameParts(slots, place, findings)
      else
        for (const [spelled, text] of Object.entries(given)) {
          const at = positionOf(spelled)
          if (at !== undefined && nameParts.includes(at) && slots[at] === refused)
            explainEntity(names[at] as string, text, place, findings)
        }
      const value: Record<string, unknown> = {}
      for (let position = 0; position < properties.length; position++) {
        const { name, required, standard, freeText } = properties[position] as Property
        const slot = slots[position]
        if (slot === refused) continue
        if (required && isEmpty(slot)) {
          findings.refuse('ERR.1000', place, name, `${labels[position]} is required.`)
        } else if (slot !== undefined && (keepsBlanks || !saysNothing(slot, freeText))) value[name] = slot
        else if (standard !== undefined) value[name] = standard
      }
      return value
    },
  }
}
