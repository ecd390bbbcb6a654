/** NDJSON: one JSON object per line. */
import { reject } from '@clearing/protocol'
import { notJson, parseJsonLine } from './json-line.ts'
import { type RawLine, type RawLines, rawLinesMax } from './raw-line.ts'
import { readTextLines, type TextLine } from './text-lines.ts'

const cutOff = reject('ERR.2004', '', 'The last line is cut off: its JSON is incomplete.')

export async function* readNdjson(body: AsyncIterable<Buffer>): RawLines {
  for await (const lines of readTextLines(body, rawLinesMax)) yield lines.map(parseTextLine)
}

function parseTextLine(line: TextLine): RawLine {
  if ('rejection' in line) return line
  const parsed = parseJsonLine(line.text)
  if (line.unended && 'rejection' in parsed && parsed.rejection === notJson) {
    return { line: line.line, rejection: cutOff }
  }
  return { line: line.line, ...parsed }
}
