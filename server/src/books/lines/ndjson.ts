/** NDJSON: one JSON object per line. */
import { reject } from '@clearing/protocol/values'
import { fullPace, type Pace } from '../pace.ts'
import { notJson, parseJsonLine } from './json-line.ts'
import { linesMaxAt, type RawLine, type RawLines } from './raw-line.ts'
import { readTextLines, type TextLine } from './text-lines.ts'

const cutOff = reject('ERR.2004', '', 'The last line is cut off: its JSON is incomplete.')

export async function* readNdjson(body: AsyncIterable<Buffer>, pace: Pace = fullPace): RawLines {
  for await (const lines of readTextLines(body, () => linesMaxAt(pace))) yield lines.map(parseTextLine)
}

function parseTextLine(line: TextLine): RawLine {
  if ('rejection' in line) return line
  const parsed = parseJsonLine(line.text)
  if (line.unended && 'rejection' in parsed && parsed.rejection === notJson) {
    return { line: line.line, rejection: cutOff }
  }
  return { line: line.line, ...parsed }
}
