/** Shows responses: tables and records for people, JSON for programs, with one line for each row of a list (NDJSON). */
import { type OperationName, operations } from '@clearing/protocol'
import { decimalNames, rowsName } from '@clearing/sdk'
import { columnsOf } from './columns.ts'
import { renderJson } from './render-json.ts'
import { renderRecord, renderTable } from './render-text.ts'
import type { Terminal } from './terminal.ts'

type Members = Readonly<Record<string, unknown>>

/** Shows the `data` of a response. */
export async function showData(
  operation: OperationName,
  data: unknown,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const rows = listOf(operation)
  const { [rows ?? '']: list, ...rest } = data as Members
  if (rows === undefined || (json && Object.values(rest).some(Array.isArray))) {
    if (json) await terminal.print(renderJson(data, decimalNames(operation)))
    else await showRecord(data as Members, terminal)
    return
  }
  await showRows(operation, list as Members[], json, terminal)
  if (!json && !endsHere(rest)) for (const line of renderRecord(rest, terminal)) terminal.note(line)
}

/**
 * The list of a response, which is its first member. Data with a list in another place, such as the secrets of a
 * webhook, is a record. Data with several lists is a record too, unless the first has columns of its own.
 */
export function listOf(operation: OperationName): string | undefined {
  const { data } = operations[operation]
  if (!('properties' in data)) return undefined
  const [first] = Object.keys(data.properties)
  return first === rowsName(data) || operation in columnsOf ? first : undefined
}

function endsHere(rest: Members) {
  return Object.values(rest).every((value) => !value)
}

async function showRecord(record: Members, terminal: Terminal): Promise<void> {
  for (const line of renderRecord(record, terminal)) await terminal.print(line)
}

/** Shows rows: one line of JSON for each row, or a table of all rows. */
export async function showRows(
  operation: OperationName | undefined,
  rows: readonly Members[],
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  if (json) {
    const decimals = operation === undefined ? new Set<string>() : decimalNames(operation)
    for (const row of rows) await terminal.print(renderJson(row, decimals))
    return
  }
  if (rows.length === 0) {
    terminal.note('There are no rows.')
    return
  }
  const wanted = operation === undefined ? undefined : columnsOf[operation]
  const { lines, left } = renderTable(rows, terminal, wanted)
  for (const line of lines) await terminal.print(line)
  if (left.length > 0) terminal.note(terminal.style('dim', `Not shown: ${left.join(', ')}. See --json.`))
}
