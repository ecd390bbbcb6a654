// Reads the records of one file of the SDN layout: comma-separated, no header, `-0-` for null, one record a line.
// Promises: reads as a stream; a bad line is reported with its number and affects no other line; a quoted field may
// extend over a few lines.

import { countOf } from '@clearing/protocol/values'
import { parse } from 'csv-parse/sync'
import { readLines } from './read-lines.ts'

export type SdnFileName = 'sdn' | 'alt' | 'add' | 'comments'

/** `kept`: true when the record stayed on the list, as one with an unreadable birth date does. */
export type SdnProblem = { file: SdnFileName; line: number; reason: string; kept: boolean }

export type SdnSource = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>

export type Fields = (string | null)[]
export type Report = (file: SdnFileName, line: number, reason: string, kept?: boolean) => void

const RECORD_LINES_MAX = 4
const NULL_FIELD = '-0-'
/** Remarks that are cut off between two words keep the space at the cut. */
const remarksColumns: Partial<Record<SdnFileName, number>> = { sdn: 11, comments: 1 }
const columnCounts: Record<SdnFileName, number> = { sdn: 12, alt: 5, add: 6, comments: 2 }

/** Passes each good record to `take` and each bad line to `report`. Returns the number of records, good and bad. */
export async function readSdnRecords(
  file: SdnFileName,
  source: SdnSource,
  report: Report,
  take: (fields: Fields, line: number) => void,
): Promise<number> {
  let received = 0
  let open: Begun | null = null
  const closeOpen = () => {
    if (!open) return
    const { line, rest } = open
    open = null
    received++
    report(file, line, 'A quoted field is not closed.')
    rest.forEach((text, at) => {
      takeLine(text, line + 1 + at, false)
    })
  }
  const takeLine = (text: string, line: number, mayContinue: boolean): void => {
    if (text.trim() === '') return
    const parsed = parseRecord(file, text)
    if (parsed === UNCLOSED && mayContinue) {
      open = { text, line, rest: [] }
      return
    }
    received++
    if (typeof parsed !== 'string') take(parsed, line)
    else report(file, line, parsed === UNCLOSED ? 'A quoted field is not closed.' : parsed)
  }
  for await (const { text, line, tooLong } of readLines(source)) {
    if (tooLong) {
      closeOpen()
      received++
      report(file, line, 'The line is too long to be a record.')
      continue
    }
    const begun = open as Begun | null
    if (!begun) {
      takeLine(text, line, true)
      continue
    }
    const whole = `${begun.text} ${[...begun.rest, text].join(' ')}`
    const row = parseStrictly(whole)?.[0]
    if (row?.length === columnCounts[file]) {
      open = null
      received++
      take(readFields(file, row), begun.line)
      continue
    }
    begun.rest.push(text)
    if (begun.rest.length >= RECORD_LINES_MAX - 1) closeOpen()
  }
  closeOpen()
  return received
}

/** A record whose quoted field extends beyond the end of its line. */
type Begun = { text: string; line: number; rest: string[] }

const UNCLOSED = 'unclosed'

/**
 * Returns the fields of one record, or the reason why it is invalid. Quotes inside a quoted field need not be doubled.
 */
function parseRecord(file: SdnFileName, text: string): Fields | string {
  const columnCount = columnCounts[file]
  const rows = parseStrictly(text) ?? parseLeniently(text)
  if (typeof rows === 'string') return rows
  const row = rows[0] ?? []
  if (row.length !== columnCount)
    return `The record has ${countOf(row.length, 'field')} instead of ${columnCount}.`
  return readFields(file, row)
}

function readFields(file: SdnFileName, row: string[]): Fields {
  return row.map((field, column) => {
    const value = field.replace(/\s+/g, ' ')
    const trimmed = value.trim()
    if (trimmed === NULL_FIELD || trimmed === '') return null
    return column === remarksColumns[file] ? value : trimmed
  })
}

function parseStrictly(text: string): string[][] | null {
  try {
    return parse(text, { trim: true })
  } catch {
    return null
  }
}

function parseLeniently(text: string): string[][] | string {
  try {
    const rows: string[][] = parse(text, { relax_quotes: true })
    return rows.map((row) => row.map((field) => field.trim().replace(/^"(.*)"$/, '$1')))
  } catch (fault) {
    const code = (fault as { code?: string }).code
    return code === 'CSV_QUOTE_NOT_CLOSED' ? UNCLOSED : 'The record is not comma-separated text.'
  }
}
