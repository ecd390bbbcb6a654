/**
 * The lines of a file that belong to one cell, by their account numbers. The lines of other cells are sent as blank
 * lines, which a load skips and counts, so each line keeps its number. Bytes are sent unchanged.
 */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/**
 * Whether a line with this account number is sent. A line without a readable account number is sent to the first
 * cell, which rejects it.
 */
export type IsOurs = (accountNumber: string | undefined) => boolean

/** The name of the field with the account number, in small letters. */
const member = 'acctno'
const byteOrderMark = /^\u00ef\u00bb\u00bf/
/** Lines are sent in pieces of about this size. */
const pieceBytes = 65_536

export async function* linesOfCell(
  path: string,
  format: 'csv' | 'ndjson',
  isOurs: IsOurs,
): AsyncGenerator<Uint8Array> {
  // In latin1 each byte is a character, so text that is not UTF-8 reaches the service unchanged and is rejected there.
  const input = createReadStream(path, { encoding: 'latin1' })
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
  let column: number | undefined
  let piece = ''
  try {
    for await (const line of lines) {
      const isBlank = line.trim() === ''
      if (format === 'csv' && column === undefined) {
        piece += line
        const names = cellsOf(line.replace(byteOrderMark, '')).map((name) => name.trim().toLowerCase())
        if (!isBlank) column = names.indexOf(member)
      } else if (!isBlank && isOurs(accountOf(line, column))) piece += line
      piece += '\n'
      if (piece.length < pieceBytes) continue
      yield Buffer.from(piece, 'latin1')
      piece = ''
    }
    if (piece !== '') yield Buffer.from(piece, 'latin1')
  } finally {
    lines.close()
    input.destroy()
  }
}

function accountOf(line: string, column: number | undefined): string | undefined {
  return column === undefined ? accountOfJson(line) : cellsOf(line)[column]?.trim()
}

function accountOfJson(line: string): string | undefined {
  try {
    const given = Object.entries(JSON.parse(line.replace(byteOrderMark, '')) as object)
    const found = given.find(([name]) => name.toLowerCase() === member)?.[1]
    return found === undefined ? undefined : String(found)
  } catch {
    return undefined
  }
}

/** The cells of a line of CSV. */
function cellsOf(line: string): string[] {
  return [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  )
}
