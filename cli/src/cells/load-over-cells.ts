/**
 * Loads one file into several cells: lines with an account number into the cell that assigns the number, market
 * data into every cell. Accepted lines, duplicates and rejects are reported with the line numbers of the file.
 * The file can be loaded again: lines that a cell already has count as loaded before.
 */
import { createReadStream } from 'node:fs'
import { type LooseMethod, methodOf, type RejectedLine } from '@clearing/sdk'
import { callSettings } from '../call-settings.ts'
import {
  allRejects,
  formatOf,
  type LoadAnswer,
  type LoadOfFile,
  noteMissingLines,
  rejectsPath,
  sourceOf,
} from '../load-file.ts'
import { checkFile, standard } from '../read-input.ts'
import { renderJson } from '../render-json.ts'
import { showRows } from '../show.ts'
import type { Terminal } from '../terminal.ts'
import { type ExitCode, type Given, textOf } from '../verb.ts'
import { writeRejects } from '../write-rejects.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { type ConnectedCell, connectToCells } from './all-cells.ts'
import { linesOfCell } from './lines-of-cell.ts'

/** Loads whose lines name an account. */
const ofAccounts = new Set(['load-activity', 'load-held-away', 'load-account-terms'])

interface LoadedCell {
  readonly cell: ConnectedCell
  readonly answer: LoadAnswer
}

export async function loadOverCells(
  { name, path, request }: LoadOfFile,
  given: Given,
  terminal: Terminal,
): Promise<ExitCode> {
  if (path === standard) throw new WrongUsage('--cells reads the file once for each cell: name a file')
  if (name === 'load-location-positions')
    throw new WrongUsage(
      'A location holds securities for all cells together: load its positions into one cell at a time',
    )
  const format = formatOf(path, given)
  const sizeBytes = await checkFile(path)
  const cells = await connectToCells(given, terminal)
  const load = async (cell: ConnectedCell): Promise<LoadedCell> => {
    const isOurs = (accountNumber: string | undefined) => ownerOf(accountNumber, cells) === cell
    const open = () => (ofAccounts.has(name) ? linesOfCell(path, format, isOurs) : createReadStream(path))
    const method = methodOf(cell.client, name) as LooseMethod
    const lines = format === 'csv' ? { csv: open } : { ndjson: open }
    const members = { ...sourceOf(path), ...request, lines }
    const { data } = (await method(members, callSettings(given, terminal))) as { data: LoadAnswer }
    return { cell, answer: data }
  }
  const ended = await Promise.allSettled(cells.map(load))
  const loaded = ended.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  await show(loaded, given, terminal)
  const named = loaded.some(({ answer: { conflicts = 0, rejected } }) => conflicts + rejected > 0)
  const { rejectsFile, reasonsFile } = await writeRejects({
    source: path,
    target: textOf(given, 'rejects') ?? rejectsPath(path, format),
    hasHeader: format === 'csv',
    rejects: named ? mergeRejects(loaded, terminal) : undefined,
  })
  if (rejectsFile !== undefined)
    terminal.note(`The rejected lines are in ${rejectsFile}, their reasons in ${reasonsFile}.`)
  for (const [index, each] of ended.entries()) {
    if (each.status === 'fulfilled') continue
    terminal.note(
      `${cells[index]?.name} did not load its lines: ${(each.reason as Error).message}. Load the file again.`,
    )
  }
  const received = loaded.reduce((sum, { answer }) => sum + answer.received, 0)
  const isCut =
    loaded.length === cells.length &&
    noteMissingLines(received, format === 'csv' && sizeBytes === 0, terminal)
  return named || isCut || loaded.length < cells.length ? 1 : 0
}

/** If no cell assigns the account number of a line, the first cell rejects the line. */
function ownerOf(
  accountNumber: string | undefined,
  cells: readonly ConnectedCell[],
): ConnectedCell | undefined {
  return cells.find((cell) => accountNumber !== undefined && cell.has(accountNumber)) ?? cells[0]
}

async function show(loaded: readonly LoadedCell[], given: Given, terminal: Terminal): Promise<void> {
  const rows = loaded.map(({ cell, answer: { rejects: _, ...counts } }) => ({ cell: cell.name, ...counts }))
  if (given.json) for (const row of rows) await terminal.print(renderJson(row))
  else await showRows(undefined, rows, false, terminal)
}

/**
 * The rejects of all cells in the order of the file. A line of market data that every cell rejects is reported
 * once.
 */
async function* mergeRejects(
  loaded: readonly LoadedCell[],
  terminal: Terminal,
): AsyncGenerator<RejectedLine> {
  const streams = await Promise.all(
    loaded.map(async ({ cell, answer }) => {
      const rejects = allRejects(cell.client, answer, terminal)
      return { rejects, head: await rejects.next() }
    }),
  )
  let line = 0
  const named = new Set<string>()
  for (;;) {
    let first: { stream: (typeof streams)[number]; reject: RejectedLine } | undefined
    for (const stream of streams) {
      if (stream.head.done === true) continue
      const reject = stream.head.value
      if (first === undefined || reject.line < first.reject.line) first = { stream, reject }
    }
    if (first === undefined) return
    const { stream, reject } = first
    if (reject.line !== line) named.clear()
    line = reject.line
    const why = `${reject.code} ${reject.field} ${reject.reason}`
    if (!named.has(why)) yield reject
    named.add(why)
    stream.head = await stream.rejects.next()
  }
}
