/**
 * Sends many rows in one statement. They travel as one text, one row per line in the form of a composite value of the table's
 * row type, which PostgreSQL splits and reads in C. This costs PostgreSQL half as much as one array for each column.
 */
import { randomBytes } from 'node:crypto'
import { type Statement, statement } from '../../database/statement.ts'
import type { Tx } from '../../database/transaction.ts'

/** `null` becomes an empty cell. */
export type Cell = string | number | bigint | boolean | null

/** Characters that a composite value must quote; an empty text without quotes would be null. */
const special = /[(),"\\\s]|^$/
const quoted = /["\\]/g

/** A text as a cell for `addPlain`, with quotes if it needs them. */
export function quoteCell(text: string): string {
  return special.test(text) ? quotedCell(text) : text
}

/** A text as a cell in quotes. */
export function quotedCell(text: string): string {
  return `"${text.replace(quoted, '$&$&')}"`
}

/** Rows that are being gathered. Their texts contain no line breaks, because requests with control characters are refused. */
export class Rows {
  readonly #rows: string[] = []
  readonly #places: number[] = []

  get count(): number {
    return this.#rows.length
  }

  /** The cells of all columns of the table, in its order. */
  add(...cells: Cell[]): void {
    for (let at = 0; at < cells.length; at += 1) {
      const cell = cells[at]
      if (typeof cell === 'string') cells[at] = quoteCell(cell)
    }
    this.addPlain(...cells)
  }

  /**
   * Cells that need no quotes: numbers, days, codes and ids of the service. Values from a feed pass through `quoteCell` first.
   * The row is joined at once, because adding piece to piece costs twice as much.
   */
  addPlain(...cells: Cell[]): void {
    this.#rows.push(cells.join(','))
  }

  /** As `addPlain`. The rows are sent in the order of their places. */
  addAt(place: number, ...cells: Cell[]): void {
    this.#places[this.#rows.length] = place
    this.addPlain(...cells)
  }

  /** The text to bind. It is joined with its first and last bracket, because adding one to a long text copies the text. */
  text(): string {
    const last = this.#rows.length - 1
    return this.#inOrder()
      .map((row, at) => `${at === 0 ? '(' : ''}${row}${at === last ? ')' : ''}`)
      .join(')\n(')
  }

  #inOrder(): readonly string[] {
    const places = this.#places
    if (places.length === 0) return this.#rows
    const order = places.map((_, at) => at).sort((a, b) => (places[a] as number) - (places[b] as number))
    return order.map((at) => this.#rows[at] as string)
  }
}

/** Rows for several statements, sent together. A row is a text from the start, so that what it was made of is not held in memory. */
export class GatheredRows {
  readonly #rows = new Map<Statement<never>, Rows>()

  /** The rows of a statement. Statements run in the order in which they were first requested here. */
  of(statement: Statement<never>): Rows {
    let rows = this.#rows.get(statement)
    if (rows === undefined) {
      rows = new Rows()
      this.#rows.set(statement, rows)
    }
    return rows
  }

  /** Passes the statements to the transaction and starts again without rows. */
  send(tx: Tx): void {
    for (const [statement, rows] of this.#rows) tx.later(statement, [rows.text()])
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

/** The text of a numeric column as a Decimal. The column is trusted, so this is several times faster than parsing input. */
export function decimalOfColumn(text: string): bigint {
  const point = text.indexOf('.')
  if (point < 0) return BigInt(text) * (POWERS[places] as bigint)
  const fraction = text.slice(point + 1)
  return BigInt(text.slice(0, point) + fraction) * (POWERS[places - fraction.length] ?? scaleFault(text))
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
