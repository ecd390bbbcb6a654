// A statement is SQL text with a unique name. The name lets PostgreSQL cache its plan on each connection, so a
// statement is declared once, at the top of a store's file, and run many times.

declare const rowType: unique symbol

/** A named SQL text; `Row` is the type of its result rows. */
export interface Statement<Row> {
  /** Empty for a text that is parsed at each use. */
  readonly name: string
  readonly text: string
  /** True when it reads few rows by their key, fast enough that other look-ups may wait behind it. */
  readonly looksUp?: boolean
  /**
   * True when its rows leave the service only after synchronous standbys have them, because a failover must
   * not undo them.
   */
  readonly confirmed?: boolean
  readonly [rowType]?: Row
}

/**
 * The types of values that can be bound to `$1`. Arrays become PostgreSQL arrays; a plain object becomes
 * JSON; for a JSON array, text or number use `json`.
 */
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

/** PostgreSQL cuts longer names at 63 bytes without an error, so that two statements could become one. */
const nameLengthMax = 60
const transactionControl =
  /^\s*(begin|start|commit|end|rollback|abort|savepoint|release|prepare\s+transaction)\b/i

const textsByName = new Map<string, string>()

/**
 * Declares a prepared statement. Two statements of one name, or a statement that begins or ends a transaction, are
 * errors in our code and throw at import.
 */
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

/**
 * Declares a statement that reads few rows by their key. Alone in a read-only transaction, it may be sent together with
 * look-ups of other requests: see `read-together.ts`.
 */
export function lookUp<Row = never>(name: string, text: string): Statement<Row> {
  return { ...statement<Row>(name, text), looksUp: true }
}

/** Marks a statement whose rows must be on synchronous standbys before they leave the service. */
export function confirmed<Row>(what: Statement<Row>): Statement<Row> {
  return { ...what, confirmed: true }
}

/**
 * Makes a statement whose text is composed at run time (filters, sort orders): parsed at every use and never cached by
 * the server.
 */
export function unprepared<Row = never>(text: string): Statement<Row> {
  if (transactionControl.test(text)) throw new Error('only inTransaction begins and ends transactions')
  return { name: '', text }
}

/**
 * Declares a statement of this folder that controls transactions. `statement` refuses names with a space, so these
 * names cannot equal the name of a statement in a store.
 */
export function control<Row = never>(name: string, text: string): Statement<Row> {
  return { name: `tx ${name}`, text }
}

/** Marks any value as a `json` or `jsonb` parameter. */
export function json(value: unknown): string {
  return JSON.stringify(value)
}

/** Returns the text or bytes that are sent for a value. */
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

/** A statement without effect: its response shows that the server received everything that was sent before it. */
export const flush = statement('flush', 'select')
