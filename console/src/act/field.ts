/** The fields of a form as data. */

export interface Choice {
  readonly value: string
  readonly label: string
  /** A sentence about the choice, shown while it is chosen. */
  readonly says?: string
}

export interface Field<Name extends string = string> {
  /**
   * The member of the request; a member of a block as `block.member`, and one of an item of a list as
   * `list[0].member`.
   */
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
  /** The label of the empty choice. */
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

/** The members of a request. Empty values are left out, except for a list that had items before. */
export function requestOf(fields: readonly Field[], values: Values): Record<string, unknown> {
  const request: Record<string, unknown> = {}
  for (const { name, kind, first } of fields) {
    const value = values[name] ?? ''
    if (value === '' || (Array.isArray(value) && value.length === 0 && first === undefined)) continue
    const [root = name, member] = name.split('.')
    const sent = sentAs(kind, value)
    const [, list, index] = /^(\w+)\[(\d+)\]$/.exec(root) ?? []
    if (member === undefined) request[root] = sent
    else if (list === undefined) request[root] = { ...(request[root] as object), [member]: sent }
    else request[list] = withMember(request[list] as object[] | undefined, Number(index), { [member]: sent })
  }
  return request
}

/** The items with a member of one of them. */
function withMember(items: readonly object[] = [], at: number, member: object): object[] {
  return Array.from({ length: Math.max(items.length, at + 1) }, (_, index) =>
    index === at ? { ...items[index], ...member } : (items[index] ?? {}),
  )
}

/** A time is entered in the browser's time zone and sent in UTC. */
function sentAs(kind: Field['kind'], value: Value): unknown {
  if (kind === 'whole' || kind === 'number') return Number(value)
  if (kind === 'time') return new Date(String(value)).toISOString()
  // The service accepts texts of one line without tabs, such as those of a pasted table.
  return typeof value === 'string' ? value.trim().replace(/\s*[\n\t]\s*/g, ' ') : value
}
