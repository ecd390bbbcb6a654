/** Rows as a CSV file (RFC 4180) that the browser saves. Spreadsheets do not run its texts as formulas. */
import { renderCsvCell } from '@clearing/protocol'

/** Without a byte order mark, Excel reads UTF-8 as the code page of the machine: É becomes Ã‰. */
const byteOrderMark = '\ufeff'

export function renderCsv(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))].map((cells) =>
    cells.map((cell) => renderCsvCell(cell === null || cell === undefined ? '' : String(cell))).join(','),
  )
  return `${byteOrderMark}${lines.join('\r\n')}\r\n`
}

/** Rows with all members; members of inner blocks by their paths; a list in one cell. */
export function renderRows(rows: readonly object[]): string {
  const flat = rows.map((row) => Object.fromEntries(cellsOf(row)))
  return renderCsv([...new Set(flat.flatMap(Object.keys))], flat)
}

function cellsOf(value: object, path = ''): [name: string, cell: string][] {
  return Object.entries(value).flatMap(([member, inside]): [string, string][] => {
    const name = path === '' ? member : `${path}.${member}`
    if (Array.isArray(inside))
      return [
        [name, inside.map((each) => (typeof each === 'object' ? JSON.stringify(each) : each)).join(', ')],
      ]
    if (typeof inside === 'object' && inside !== null) return cellsOf(inside, name)
    return [[name, inside === null || inside === undefined ? '' : String(inside)]]
  })
}

export function saveFile(name: string, mediaType: string, ...content: BlobPart[]): void {
  const address = URL.createObjectURL(new Blob(content, { type: mediaType }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
