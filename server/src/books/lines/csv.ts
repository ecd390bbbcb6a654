/**
 * CSV (RFC 4180) with the names of the fields in its first line. Each line is one record: no field of a load may
 * contain a line break. An empty cell is an absent field.
 */
import { countOf, type Rejection, reject } from '@clearing/protocol/values'
import { parse } from 'csv-parse/sync'
import { fullPace, type Pace } from '../pace.ts'
import { linesMaxAt, type RawLine, type RawLines } from './raw-line.ts'
import { readTextLines, type TextLine } from './text-lines.ts'

const openQuote = reject('ERR.2004', '', 'A quoted field is not closed on its line.')
const strayQuote = reject('ERR.2004', '', 'The line is not CSV: a quote is not allowed at this position.')
const cutOff = reject(
  'ERR.2004',
  '',
  'The last line is cut off: it has fewer fields than the first line names.',
)

const noNames = reject(
  'ERR.2004',
  '',
  'The first line must name the fields, separated by commas; the other lines were not read.',
)
/**
 * A first line that contains values, or another separator, is not a header. An empty name is a column without cells.
 */
const fieldName = /^[A-Za-z]\w*$|^$/

type Cells = readonly string[]

export async function* readCsv(body: AsyncIterable<Buffer>, pace: Pace = fullPace): RawLines {
  let names: Cells | undefined
  for await (const lines of readTextLines(body, () => linesMaxAt(pace))) {
    const raw: RawLine[] = []
    const records = parseRecords(lines)
    for (const [at, record] of records.entries()) {
      const line = lines[at] as TextLine
      if (!Array.isArray(record)) raw.push({ line: line.line, rejection: record as Rejection })
      else if (names === undefined) {
        const given = (record as Cells).map((name) => name.trim())
        if (given.every((name) => fieldName.test(name))) names = given
        else raw.push({ line: line.line, rejection: noNames })
      } else raw.push(rawLineOf(record, names, line))
      // Without a header the lines that follow have no meaning.
      if (names === undefined) {
        yield raw
        return
      }
    }
    yield raw
  }
}

/**
 * The cells of each line, or the reason why it has none. All lines are parsed together. If one of them is
 * wrong, they are parsed one by one.
 */
function parseRecords(lines: readonly TextLine[]): (Cells | Rejection)[] {
  const whole = lines.every((line) => 'text' in line && hasEvenQuotes(line.text))
  if (whole) {
    const records = parseCells(lines.map((line) => (line as { text: string }).text).join('\n'))
    if (records?.length === lines.length) return records
  }
  return lines.map((line) => {
    if ('rejection' in line) return line.rejection
    if (!hasEvenQuotes(line.text)) return openQuote
    return parseCells(line.text)?.[0] ?? strayQuote
  })
}

function parseCells(text: string): Cells[] | undefined {
  try {
    return parse(text, { relax_column_count: true, record_delimiter: '\n' }) as unknown as Cells[]
  } catch {
    return undefined
  }
}

function hasEvenQuotes(text: string): boolean {
  let even = true
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) even = !even
  return even
}

function rawLineOf(record: Cells, names: Cells, { line, ...read }: TextLine): RawLine {
  if (record.length !== names.length) {
    if (record.length < names.length && 'unended' in read && read.unended) return { line, rejection: cutOff }
    const reason = `The line has ${countOf(record.length, 'field')}; the first line names ${names.length}.`
    return { line, rejection: reject('ERR.2004', '', reason) }
  }
  const members: Record<string, unknown> = Object.create(null)
  for (let at = 0; at < names.length; at += 1) {
    const cell = record[at] as string
    const name = names[at] as string
    if (cell === '') continue
    if (Object.hasOwn(members, name)) {
      return { line, rejection: reject('ERR.1014', name, 'The first line names this field twice.') }
    }
    members[name] = cell
  }
  return { line, members }
}
