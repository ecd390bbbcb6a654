/**
 * Reads the members of a line by the shape of its load. Names may have any letter case. All values are parsed
 * and all rejections returned. An unknown name is refused, so that no value of a feed is dropped silently
 * (Reading 1.2).
 */
import { type Rejection, reject } from '@clearing/protocol/values'
import { type LineField, parseField, Refusal, type ValueOf } from './field.ts'

export type Shape = Readonly<Record<string, LineField>>

/** The values of a line. A field that is absent, null or empty has no value. */
export type ValuesOf<S extends Shape> = { readonly [Name in keyof S]?: ValueOf<S[Name]> }

export type LineReading<S extends Shape> =
  | { readonly values: ValuesOf<S> }
  | { readonly rejections: readonly Rejection[] }

/** The rejections of one line for unknown names. Another one counts the rest. */
const unknownNamesMax = 20

/** A cache of spellings, because a feed uses the same names on every line. */
const spellingsMax = 500

export class LineReader<S extends Shape> {
  readonly #fields: ReadonlyMap<string, readonly [name: string, field: LineField]>
  readonly #nameLengthMax: number
  readonly #spellings = new Map<string, readonly [name: string, field: LineField] | undefined>()

  constructor(shape: S) {
    this.#fields = new Map(
      Object.entries(shape).map(([name, field]) => [name.toLowerCase(), [name, field] as const]),
    )
    this.#nameLengthMax = Math.max(...[...this.#fields.keys()].map((name) => name.length))
  }

  read(members: Readonly<Record<string, unknown>>): LineReading<S> {
    const values: Record<string, unknown> = {}
    const rejections: Rejection[] = []
    const twice = new Set<string>()
    let unknownNames = 0
    for (const spelling in members) {
      const known = this.#find(spelling)
      if (known === undefined) {
        unknownNames += 1
        if (unknownNames <= unknownNamesMax) rejections.push(unknownName(spelling))
        continue
      }
      const [name, field] = known
      const given = members[spelling]
      if (given === null || given === '') continue
      if (values[name] !== undefined) {
        if (!twice.has(name)) rejections.push(reject('ERR.1014', name, 'The line gives this field twice.'))
        twice.add(name)
        continue
      }
      const value = parseField(field, given)
      if (value instanceof Refusal) rejections.push(reject(value.code, name, `${name} ${value.reason}.`))
      else if (value !== '') values[name] = value
    }
    if (unknownNames > unknownNamesMax) rejections.push(moreUnknownNames(unknownNames - unknownNamesMax))
    return rejections.length > 0 ? { rejections } : { values: values as ValuesOf<S> }
  }

  #find(spelling: string): readonly [string, LineField] | undefined {
    // Decision 172: a long text from outside is not looked up.
    if (spelling.length > this.#nameLengthMax) return undefined
    const known = this.#spellings.get(spelling)
    if (known !== undefined) return known
    const found = this.#fields.get(spelling.toLowerCase())
    if (found !== undefined && this.#spellings.size < spellingsMax) this.#spellings.set(spelling, found)
    return found
  }
}

function unknownName(spelling: string): Rejection {
  return reject('ERR.2001', printable(spelling), 'The line has a field with an unknown name.')
}

function moreUnknownNames(count: number): Rejection {
  const fields = count === 1 ? '1 more field with an unknown name' : `${count} more fields with unknown names`
  return reject('ERR.2001', '', `The line has ${fields}.`)
}

const spellingLengthMax = 100

function printable(spelling: string): string {
  return spelling.slice(0, spellingLengthMax).replace(/[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd')
}
