/**
 * Sends many rows in one statement. They travel as one text, one row per line in the form of a composite value of the
 * table's row type, which PostgreSQL splits and reads in C. This costs PostgreSQL half as much as one array for each
 * column.
 */
import { randomBytes } from 'node:crypto'
import { renderDecimal } from '@clearing/domain/decimal'
import { type Statement, statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'

/** `null` becomes an empty cell. */
export type Cell = string | number | bigint | boolean | null

const escaped = /["\\]/g

/** A text as a cell in quotes, for `plain`. */
export function quotedCell(text: string): string {
  return `"${text.replace(escaped, '$&$&')}"`
}

const firstBytes = 1_024
/** A UTF-16 unit takes at most three bytes. */
const bytesOfUnitMax = 3
const asciiMax = 0x7f
const open = '('.charCodeAt(0)
const close = ')'.charCodeAt(0)
const comma = ','.charCodeAt(0)
const quote = '"'.charCodeAt(0)
const backslash = '\\'.charCodeAt(0)
const newline = '\n'.charCodeAt(0)

/**
 * Rows that are being gathered, as the bytes that are sent. Cells are written directly: a string for each row would be
 * copied by several collections of garbage first. Texts contain no line breaks, because requests with control
 * characters are refused.
 */
export class Rows {
  #bytes: Buffer
  #size = 0
  #isFirstCell = true
  /** Where each row ends. */
  readonly #ends: number[] = []
  readonly #places: number[] = []

  /** `bytesExpected` is the room that is taken first; it grows. */
  constructor(bytesExpected = firstBytes) {
    this.#bytes = Buffer.allocUnsafe(bytesExpected)
  }

  get count(): number {
    return this.#ends.length
  }

  /** A row with the cells of all columns of the table, in its order. */
  add(...cells: Cell[]): void {
    this.begin()
    for (const cell of cells) {
      if (typeof cell === 'string') this.text(cell)
      else this.#plain(cell)
    }
    this.end()
  }

  /** Begins a row, whose cells follow. Rows with places are sent in ascending order of them. */
  begin(place?: number): void {
    if (place !== undefined) this.#places[this.#ends.length] = place
    this.#putByte(open)
    this.#isFirstCell = true
  }

  end(): void {
    this.#putByte(close)
    this.#putByte(newline)
    this.#ends.push(this.#size)
  }

  /** Cells that need no quotes: numbers, days, codes and ids of the service, and cells that are quoted already. */
  plain(...cells: Cell[]): void {
    for (const cell of cells) this.#plain(cell)
  }

  /** A cell with a text of a feed. */
  text(text: string | null | undefined): void {
    if (text === undefined || text === null) this.#beginCell()
    else {
      this.beginQuoted()
      this.quotedPart(text)
      this.endQuoted()
    }
  }

  /** A cell with texts that a separator joins. */
  joined(texts: readonly string[], separator: string): void {
    this.beginQuoted()
    for (let at = 0; at < texts.length; at += 1) {
      if (at > 0) this.part(separator)
      const text = texts[at] as string
      if (text !== '') this.quotedPart(text)
    }
    this.endQuoted()
  }

  /** Begins a cell in quotes, whose parts follow. */
  beginQuoted(): void {
    this.#beginCell()
    this.#putByte(quote)
  }

  endQuoted(): void {
    this.#putByte(quote)
  }

  /** A part of a cell that contains no quote and no backslash, or twice as many of them. */
  part(text: string): void {
    const { length } = text
    this.#makeRoom(length * bytesOfUnitMax)
    const bytes = this.#bytes
    let size = this.#size
    for (let at = 0; at < length; at += 1) {
      const code = text.charCodeAt(at)
      if (code > asciiMax) {
        size += bytes.write(text.slice(at), size, 'utf8')
        break
      }
      bytes[size] = code
      size += 1
    }
    this.#size = size
  }

  /** Any part of a cell in quotes. */
  quotedPart(text: string): void {
    const { length } = text
    this.#makeRoom(length * bytesOfUnitMax)
    const bytes = this.#bytes
    let size = this.#size
    for (let at = 0; at < length; at += 1) {
      const code = text.charCodeAt(at)
      if (code > asciiMax) {
        size += bytes.write(text.slice(at).replace(escaped, '$&$&'), size, 'utf8')
        break
      }
      if (code === quote || code === backslash) {
        bytes[size] = code
        size += 1
      }
      bytes[size] = code
      size += 1
    }
    this.#size = size
  }

  #plain(cell: Cell): void {
    this.#beginCell()
    if (cell !== null) this.part(typeof cell === 'string' ? cell : String(cell))
  }

  #beginCell(): void {
    if (this.#isFirstCell) this.#isFirstCell = false
    else this.#putByte(comma)
  }

  #putByte(byte: number): void {
    this.#makeRoom(1)
    this.#bytes[this.#size] = byte
    this.#size += 1
  }

  #makeRoom(more: number): void {
    const sizeMax = this.#size + more
    if (sizeMax <= this.#bytes.length) return
    const grown = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, sizeMax))
    this.#bytes.copy(grown, 0, 0, this.#size)
    this.#bytes = grown
  }

  /** The bytes to bind. */
  bytes(): Buffer {
    return this.#inOrder().subarray(0, Math.max(0, this.#size - 1))
  }

  #inOrder(): Buffer {
    const places = this.#places
    if (places.length === 0) return this.#bytes
    const order = places.map((_, at) => at).sort((a, b) => (places[a] as number) - (places[b] as number))
    const sorted = Buffer.allocUnsafe(this.#size)
    let size = 0
    for (const at of order) {
      const start = at === 0 ? 0 : (this.#ends[at - 1] as number)
      size += this.#bytes.copy(sorted, size, start, this.#ends[at])
    }
    return sorted
  }
}

/** Rows for several statements, sent together. The values of a row do not stay in memory. */
export class GatheredRows {
  readonly #rows = new Map<Statement<never>, Rows>()
  /** The bytes of each statement when it was sent last. */
  readonly #sizes = new Map<Statement<never>, number>()

  /** The rows of a statement. Statements run in the order in which they were first requested here. */
  of(statement: Statement<never>): Rows {
    let rows = this.#rows.get(statement)
    if (rows === undefined) {
      rows = new Rows(this.#sizes.get(statement))
      this.#rows.set(statement, rows)
    }
    return rows
  }

  /** Passes the statements to the transaction and starts again without rows. */
  send(tx: Tx): void {
    for (const [statement, rows] of this.#rows) {
      const bytes = rows.bytes()
      this.#sizes.set(statement, Math.ceil(bytes.length * 1.25))
      tx.later(statement, [bytes])
    }
    this.#rows.clear()
  }
}

/** The rows bound to `$1`, as rows of the table. */
export function rowsOf(table: string, name = 'given'): string {
  return `unnest(string_to_array($1, E'\\n')::clearing.${table}[]) as ${name}`
}

/** The bound rows with their position, from 1. */
export function placedRowsOf(table: string, name = 'given'): string {
  return `(select place, (typed.line).* from (
     select place, line::clearing.${table} as line from unnest(string_to_array($1, E'\\n')) with ordinality as text (line, place) offset 0
   ) as typed) as ${name}`
}

/** Inserts whole rows. `after` is the end of the statement, such as `on conflict …`. */
export function insertRows(name: string, table: string, after = ''): Statement<never> {
  return statement(name, `insert into clearing.${table} select * from ${rowsOf(table)} ${after}`)
}

const places = 10

/**
 * The text of a numeric column as a Decimal. The column is trusted, so this is several times faster than parsing input.
 */
export function decimalOfColumn(text: string): bigint {
  const point = text.indexOf('.')
  if (point < 0) return BigInt(text) * (POWERS[places] as bigint)
  const fraction = text.slice(point + 1)
  return BigInt(text.slice(0, point) + fraction) * (POWERS[places - fraction.length] ?? scaleFault(text))
}

/** JSON with decimals as texts, because the numbers of JSON may lose digits. */
export function jsonWithDecimals(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'bigint' ? renderDecimal(member) : member,
  )
}

const POWERS = Array.from({ length: places + 1 }, (_, exponent) => 10n ** BigInt(exponent))

function scaleFault(text: string): never {
  throw new RangeError(`a column has more than ${places} decimal places: ${text.length} characters`)
}

/** As many ids as rows, in the form of `newId`. One call for random bytes replaces one call per row. */
export function newIds(count: number, at: Date): string[] {
  const time = at.getTime().toString(16).padStart(12, '0')
  const random = randomBytes(count * 10).toString('hex')
  return Array.from({ length: count }, (_, index) => {
    const bits = random.slice(index * 20, index * 20 + 20)
    const variant = '89ab'[Number.parseInt(bits[3] as string, 16) & 3]
    return `${time.slice(0, 8)}-${time.slice(8)}-7${bits.slice(0, 3)}-${variant}${bits.slice(4, 7)}-${bits.slice(7, 19)}`
  })
}
