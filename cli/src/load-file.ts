/**
 * Loads a file of lines. The lines are sent while the file is read, with progress. Rejected lines are written to a file
 * beside it, to be corrected and loaded again. Lines that were loaded before change nothing, so an interrupted load can
 * be started again.
 */
import { createReadStream } from 'node:fs'
import { basename, extname } from 'node:path'
import { limits, type OperationName } from '@clearing/protocol'
import { type Client, type LooseMethod, methodOf, type RejectedLine } from '@clearing/sdk'
import { callSettings } from './call-settings.ts'
import { ProgressOfLines } from './progress-of-lines.ts'
import { checkFile, standard } from './read-input.ts'
import { renderJson } from './render-json.ts'
import { renderTable } from './render-text.ts'
import type { Terminal } from './terminal.ts'
import { type ExitCode, type Given, textOf } from './verb.ts'
import { writeRejects } from './write-rejects.ts'
import { WrongUsage } from './wrong-usage.ts'

export interface LoadOfFile {
  readonly name: OperationName
  readonly path: string
  /** Members of the request other than the lines. */
  readonly request: Readonly<Record<string, unknown>>
}

export interface LoadAnswer {
  readonly loadId?: string
  readonly received: number
  readonly accepted: number
  /** Accepted lines of a future day. */
  readonly pending?: number
  readonly duplicates?: number
  /** Number of lines with a known id and other contents. */
  readonly conflicts?: number
  readonly rejected: number
  readonly rejects: readonly RejectedLine[]
}

const rejectsShown = 10

export const formats = ['csv', 'ndjson'] as const
type Format = (typeof formats)[number]

const formatsByEnding: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
}

export async function loadFile(
  client: Client<'string'>,
  { name, path, request }: LoadOfFile,
  given: Given,
  terminal: Terminal,
): Promise<ExitCode> {
  const format = formatOf(path, given)
  const sizeBytes = path === standard ? undefined : await checkFile(path)
  const progress = new ProgressOfLines(terminal, sizeBytes)
  const open = () => progress.watch(path === standard ? terminal.input : createReadStream(path))
  // Standard input can be read only once. Without a function the client does not retry.
  const pieces = path === standard ? open() : open
  const lines = format === 'csv' ? { csv: pieces } : { ndjson: pieces }
  const method = methodOf(client, name) as LooseMethod
  const { data } = (await method(
    { ...sourceOf(path), ...request, lines },
    callSettings(given, terminal),
  )) as {
    data: LoadAnswer
  }
  const seconds = progress.end()
  const named = namedLines(data)
  const rejects = await writeRejects({
    source: path === standard ? undefined : path,
    target: textOf(given, 'rejects') ?? rejectsPath(path, format),
    hasHeader: format === 'csv',
    rejects: named === 0 ? undefined : allRejects(client, data, terminal),
  })
  const { rejects: first, ...counts } = data
  if (given.json) await terminal.print(renderJson({ ...counts, seconds, ...rejects }))
  else await showLoad(data, seconds, first, rejects, terminal)
  const isCut = noteMissingLines(data.received, format === 'csv' && progress.bytes === 0, terminal)
  return named === 0 && !isCut ? 0 : 1
}

/** Notes that a file has no lines. Returns whether that is a failure: a feed without content was probably cut off. */
export function noteMissingLines(received: number, lacksHeader: boolean, terminal: Terminal): boolean {
  if (received > 0) return false
  terminal.note(
    lacksHeader
      ? 'Nothing was loaded: the input is empty, without the header line of CSV.'
      : 'Nothing was loaded: the input has no lines.',
  )
  return lacksHeader
}

/** A load is known by the name of its file. */
export function sourceOf(path: string): { readonly source?: string } {
  return path === standard ? {} : { source: basename(path) }
}

/** Number of rejected lines and conflicts. */
function namedLines({ conflicts = 0, rejected }: LoadAnswer): number {
  return conflicts + rejected
}

export function formatOf(path: string, given: Given): Format {
  const named = textOf(given, 'format') ?? formatsByEnding[extname(path).toLowerCase()]
  const format = formats.find((each) => each === named)
  if (format !== undefined) return format
  throw new WrongUsage(
    named === undefined
      ? `Name the format of the lines: --format ${formats.join(' or --format ')}`
      : `--format is ${formats.join(' or ')}, not ${named}`,
  )
}

/**
 * `activity.rejects.csv` for `activity.csv`. When the corrected file is loaded, the lines that are still rejected
 * replace it.
 */
export function rejectsPath(path: string, format: Format): string {
  if (path === standard) return `rejects.${format}`
  const ending = extname(path)
  const base = path.slice(0, path.length - ending.length).replace(/\.rejects$/, '')
  return `${base}.rejects${ending || `.${format}`}`
}

/** The rejects in the order of their lines. The response holds the first of them. */
export async function* allRejects(
  client: Client<'string'>,
  answer: LoadAnswer,
  { signal }: Terminal,
): AsyncGenerator<RejectedLine> {
  const { loadId, rejects } = answer
  // A line can have several rejects. The response holds all of them if it is not full.
  if (loadId === undefined || rejects.length < limits.loadRejectsMax) yield* rejects
  else yield* client.operations.getLoad.each({ loadId, size: limits.loadRejectsMax }, { signal })
}

async function showLoad(
  answer: LoadAnswer,
  seconds: number,
  first: readonly RejectedLine[],
  { rejectsFile, reasonsFile }: { rejectsFile?: string; reasonsFile?: string },
  terminal: Terminal,
): Promise<void> {
  const { loadId, received, accepted, pending = 0, duplicates = 0, conflicts = 0, rejected } = answer
  const rate = Math.round(received / Math.max(seconds, 0.001))
  const count = (number: number) => number.toLocaleString('en-US')
  await terminal.print(
    `${count(received)} line${received === 1 ? '' : 's'} in ${seconds.toFixed(1)} s (${count(rate)} per second): ${count(accepted)} accepted${pending === 0 ? '' : ` (${count(pending)} of days to come)`}, ` +
      `${count(duplicates)} loaded before, ${conflicts === 0 ? '' : `${count(conflicts)} in conflict with the stored line of their id, `}${count(rejected)} rejected`,
  )
  if (loadId !== undefined) await terminal.print(terminal.style('dim', `load ${loadId}`))
  const named = namedLines(answer)
  if (named === 0) return
  for (const line of renderTable(first.slice(0, rejectsShown), terminal).lines) terminal.note(line)
  if (named > rejectsShown) terminal.note(`… and ${count(named - Math.min(rejectsShown, first.length))} more`)
  if (rejectsFile !== undefined)
    terminal.note(`The rejected lines are in ${rejectsFile}: correct and load that file.`)
  if (reasonsFile !== undefined) terminal.note(`The reasons are in ${reasonsFile}.`)
}
