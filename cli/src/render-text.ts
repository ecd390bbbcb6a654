/**
 * Renders data for people: records as names and values, lists as tables. Empty members are left out, control characters
 * are replaced.
 */
import { columnsWithin } from './columns.ts'
import { cutTo, widthOf } from './display-width.ts'
import type { Terminal } from './terminal.ts'

type Members = Readonly<Record<string, unknown>>
type Look = Pick<Terminal, 'columns' | 'isTty' | 'style'>

const cellWidthMax = 40
const gap = '  '

function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
function isRows(value: unknown): value is Members[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord)
}

/** A table does not show lists within lists. */
function holdsRows(row: Members): boolean {
  return Object.values(row).some(isRows)
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0) ||
    (isRecord(value) && Object.values(value).every(isEmpty))
  )
}

/** A value on one line. */
function renderValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(renderValue).join(', ')
  if (isRecord(value)) {
    return Object.entries(value)
      .filter(([, member]) => !isEmpty(member))
      .map(([name, member]) => `${name} ${renderValue(member)}`)
      .join(', ')
  }
  return String(value).replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
}

/** The names and values of a record, with nested records and lists indented below. */
export function renderRecord(record: Members, look: Look, indent = ''): string[] {
  const members = Object.entries(record).filter(([, value]) => !isEmpty(value))
  const flat = members.filter(([, value]) => !isRecord(value) && !isRows(value))
  const width = Math.max(0, ...flat.map(([name]) => name.length))
  const lines = flat.map(
    ([name, value]) => `${indent}${look.style('dim', name.padEnd(width))}${gap}${renderValue(value)}`,
  )
  for (const [name, value] of members) {
    if (isRecord(value)) {
      lines.push(`${indent}${look.style('bold', name)}`, ...renderRecord(value, look, `${indent}${gap}`))
    }
    if (isRows(value) && columnsWithin[name] === undefined && value.some(holdsRows)) {
      lines.push(`${indent}${look.style('bold', name)}`)
      for (const [at, row] of value.entries()) {
        lines.push(...(at === 0 ? [] : ['']), ...renderRecord(row, look, `${indent}${gap}`))
      }
    } else if (isRows(value)) {
      const table = renderTable(value, look, columnsWithin[name], `${indent}${gap}`)
      lines.push(`${indent}${look.style('bold', name)}`, ...table.lines)
    }
  }
  return lines
}

export interface Table {
  readonly lines: readonly string[]
  /** Columns that did not fit. */
  readonly left: readonly string[]
}

/**
 * One line per row. The default columns are the members that are not empty in all rows, as many as fit on the terminal.
 */
export function renderTable(
  rows: readonly Members[],
  look: Look,
  wanted?: readonly string[],
  indent = '',
): Table {
  const names = wanted ?? [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const columns = names
    .filter((name) => rows.some((row) => !isEmpty(row[name])))
    .map((name) => makeColumn(name, rows, look.isTty))
  const left: string[] = []
  const widthOf = () =>
    columns.reduce((sum, { width }) => sum + width + gap.length, indent.length - gap.length)
  while (look.isTty && columns.length > 1 && widthOf() > look.columns) {
    left.unshift((columns.pop() as Column).name)
  }
  const header = columns.map(({ name, width, isNumber }) => pad(name, width, isNumber)).join(gap)
  const lines = rows.map((_, at) =>
    columns.map(({ cells, width, isNumber }) => pad(cells[at] ?? '', width, isNumber)).join(gap),
  )
  return { lines: [look.style('bold', header), ...lines].map((line) => `${indent}${line.trimEnd()}`), left }
}

interface Column {
  readonly name: string
  readonly cells: readonly string[]
  readonly width: number
  readonly isNumber: boolean
}

function makeColumn(name: string, rows: readonly Members[], isCut: boolean): Column {
  const cells = rows.map((row) => cut(renderValue(row[name]), isCut))
  return {
    name,
    cells,
    width: Math.max(name.length, ...cells.map(widthOf)),
    isNumber: cells.every((cell) => cell === '' || /^-?\d+(\.\d+)?$/.test(cell)),
  }
}

function cut(text: string, isCut: boolean) {
  return isCut ? cutTo(text, cellWidthMax) : text
}

function pad(text: string, width: number, isNumber: boolean) {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)))
  return isNumber ? `${blanks}${text}` : `${text}${blanks}`
}
