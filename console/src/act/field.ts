/** The fields of a form as data. */

export interface Choice {
  readonly value: string
  readonly label: string
}

export interface Field<Name extends string = string> {
  /** The member of the request; one of a block inside of it as `block.member`. */
  readonly name: Name
  readonly label: string
  readonly kind:
    | 'text'
    | 'long'
    | 'day'
    | 'time'
    | 'whole'
    | 'number'
    | 'choice'
    | 'several'
    | 'flag'
    | 'words'
  readonly required?: boolean
  readonly hint?: string
  readonly choices?: readonly Choice[]
  /** What it is called to choose nothing. */
  readonly none?: string
  readonly first?: Value
}

export type Value = string | boolean | readonly string[]
export type Values = Readonly<Record<string, Value>>

const firstOf: Record<Field['kind'], Value> = {
  text: '',
  long: '',
  day: '',
  time: '',
  whole: '',
  number: '',
  choice: '',
  several: [],
  flag: false,
  words: [],
}

export function firstValues(fields: readonly Field[]): Values {
  return Object.fromEntries(fields.map(({ name, kind, first }) => [name, first ?? firstOf[kind]]))
}

/** The members of a request: what was left empty is left out, but for a list that had something before. */
export function requestOf(fields: readonly Field[], values: Values): Record<string, unknown> {
  const request: Record<string, unknown> = {}
  for (const { name, kind, first } of fields) {
    const value = values[name] ?? ''
    if (value === '' || (Array.isArray(value) && value.length === 0 && first === undefined)) continue
    const [root = name, member] = name.split('.')
    const sent = sentAs(kind, value)
    request[root] = member === undefined ? sent : { ...(request[root] as object), [member]: sent }
  }
  return request
}

/** A time is chosen in the place of the browser and sent in UTC. */
function sentAs(kind: Field['kind'], value: Value): unknown {
  if (kind === 'whole' || kind === 'number') return Number(value)
  if (kind === 'time') return new Date(String(value)).toISOString()
  // The service takes texts of one line.
  return typeof value === 'string' ? value.trim().replace(/\s*\n\s*/g, ' ') : value
}
