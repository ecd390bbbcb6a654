// A statement is SQL text with a name of its own. The name lets PostgreSQL keep its plan on each connection, so a
// statement is written once, at the top of a store's file, and run with values many times.

declare const rowType: unique symbol

/** A named SQL text; `Row` is the type of the rows it answers. */
export interface Statement<Row> {
  /** Empty for a text that is parsed anew each time. */
  readonly name: string
  readonly text: string
  /** Reads few rows by their key: quick enough that others may wait behind it. */
  readonly looksUp?: boolean
  readonly [rowType]?: Row
}

/** What may be bound to `$1`. Arrays become PostgreSQL arrays; a plain object becomes JSON; for a JSON array, text or number use `json`. */
export type Value =
  | string
  | number
  | bigint
  | boolean
  | null
  | Date
  | Uint8Array
  | readonly Value[]
  | { readonly [member: string]: unknown }

/** PostgreSQL cuts longer names off at 63 bytes without an error, and two statements would become one. */
const nameLengthMax = 60
const transactionControl =
  /^\s*(begin|start|commit|end|rollback|abort|savepoint|release|prepare\s+transaction)\b/i

const textsByName = new Map<string, string>()

/** Declares a prepared statement. Two statements of one name, or one that begins or ends a transaction, are a mistake of ours and throw at import. */
export function statement<Row = never>(name: string, text: string): Statement<Row> {
  if (!/^[a-z0-9-]+$/.test(name) || name.length > nameLengthMax) {
    throw new Error(`statement name "${name}" must be kebab-case, at most ${nameLengthMax} characters`)
  }
  if (transactionControl.test(text))
    throw new Error(`statement ${name}: only inTransaction begins and ends transactions`)
  const known = textsByName.get(name)
  if (known !== undefined && known !== text) throw new Error(`two statements are named ${name}`)
  textsByName.set(name, text)
  return { name, text }
}

/** A statement that reads few rows by their key. By itself in a transaction that only reads, it may travel with those of others: see `read-together.ts`. */
export function lookUp<Row = never>(name: string, text: string): Statement<Row> {
  return { ...statement<Row>(name, text), looksUp: true }
}

/** A statement whose text is composed at run time (filters, sort orders): parsed at every use, never kept by the server. */
export function unprepared<Row = never>(text: string): Statement<Row> {
  if (transactionControl.test(text)) throw new Error('only inTransaction begins and ends transactions')
  return { name: '', text }
}

/** A value for a `json` or `jsonb` parameter, whatever it is. */
export function json(value: unknown): string {
  return JSON.stringify(value)
}

/** The text or bytes that travel for a value. */
export function renderValue(value: Value): string | Buffer | null {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'object':
      if (value === null) return null
      if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
      if (value instanceof Date) return value.toISOString()
      if (Array.isArray(value)) return renderArray(value)
      return JSON.stringify(value)
    default:
      throw new TypeError(`a value of type ${typeof value} cannot be bound to a statement`)
  }
}

const needsEscape = /[\\"]/
const escaped = /[\\"]/g

function renderArray(values: readonly Value[]): string {
  const elements: string[] = []
  for (const value of values) {
    if (value === null) elements.push('NULL')
    else if (Array.isArray(value)) elements.push(renderArray(value))
    else {
      const rendered = renderValue(value)
      const element = typeof rendered === 'string' ? rendered : `\\x${rendered?.toString('hex')}`
      elements.push(`"${needsEscape.test(element) ? element.replace(escaped, '\\$&') : element}"`)
    }
  }
  return `{${elements.join(',')}}`
}

/** A statement without effect: its answer tells that everything sent before it was taken. */
export const flush = statement('flush', 'select')
