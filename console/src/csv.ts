/** Rows as a CSV file (RFC 4180) that a browser saves; no spreadsheet runs its texts. */
import { renderCsvCell } from '@clearing/protocol'

export function renderCsv(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): string {
  return [columns, ...rows.map((row) => columns.map((column) => row[column]))]
    .map((cells) =>
      cells.map((cell) => renderCsvCell(cell === null || cell === undefined ? '' : String(cell))).join(','),
    )
    .join('\r\n')
    .concat('\r\n')
}

export function saveFile(name: string, mediaType: string, ...content: BlobPart[]): void {
  const address = URL.createObjectURL(new Blob(content, { type: mediaType }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
