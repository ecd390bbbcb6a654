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

/** A cache of spellings, because a feed uses the same names on every line. */
const spellingsMax = 500

export class LineReader<S extends Shape> {
  readonly #fields: ReadonlyMap<string, readonly [name: string, field: LineField]>
  readonly #spellings = new Map<string, readonly [name: string, field: LineField] | undefined>()

  constructor(shape: S) {
    this.#fields = new Map(
      Object.entries(shape).map(([name, field]) => [name.toLowerCase(), [name, field] as const]),
    )
  }

  read(members: Readonly<Record<string, unknown>>): LineReading<S> {
    const values: Record<string, unknown> = {}
    const rejections: Rejection[] = []
    for (const spelling in members) {
      const known = this.#find(spelling)
      if (known === undefined) {
        rejections.push(reject('ERR.2001', printable(spelling), 'The line has a field with an unknown name.'))
        continue
      }
      const [name, field] = known
      const given = members[spelling]
      if (given === null || given === '') continue
      if (values[name] !== undefined) {
        rejections.push(reject('ERR.1014', name, 'The line gives this field twice.'))
        continue
      }
      const value = parseField(field, given)
      if (value instanceof Refusal) rejections.push(reject(value.code, name, `${name} ${value.reason}.`))
      else if (value !== '') values[name] = value
    }
    return rejections.length > 0 ? { rejections } : { values: values as ValuesOf<S> }
  }

  #find(spelling: string): readonly [string, LineField] | undefined {
    const known = this.#spellings.get(spelling)
    if (known !== undefined) return known
    const found = this.#fields.get(spelling.toLowerCase())
    if (found !== undefined && this.#spellings.size < spellingsMax) this.#spellings.set(spelling, found)
    return found
  }
}

const spellingLengthMax = 100

function printable(spelling: string): string {
  return spelling.slice(0, spellingLengthMax).replace(/[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd')
}
