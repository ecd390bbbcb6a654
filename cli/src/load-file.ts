/**
 * Loads a file of lines: sent as it is read, with progress; what the service refuses is written beside it, ready to be corrected
 * and loaded again. Lines seen before change nothing, so an interrupted load is simply started again.
 */
import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
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
  /** Members of the request besides the lines. */
  readonly request: Readonly<Record<string, unknown>>
}

interface LoadAnswer {
  readonly loadId?: string
  readonly received: number
  readonly accepted: number
  /** Of the accepted, lines of a day to come. */
  readonly pending?: number
  readonly duplicates?: number
  /** Of a known id with other contents. */
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
  // Standard input can be read once: without a function the client sends it once.
  const pieces = path === standard ? open() : open
  const lines = format === 'csv' ? { csv: pieces } : { ndjson: pieces }
  const method = methodOf(client, name) as LooseMethod
  const { data } = (await method({ ...request, lines }, callSettings(given, terminal))) as {
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
  return named === 0 ? 0 : 1
}

/** How many lines were not taken and are named. */
const namedLines = ({ conflicts = 0, rejected }: LoadAnswer): number => conflicts + rejected

function formatOf(path: string, given: Given): Format {
  const named = textOf(given, 'format') ?? formatsByEnding[extname(path).toLowerCase()]
  const format = formats.find((each) => each === named)
  if (format !== undefined) return format
  throw new WrongUsage(
    named === undefined
      ? `Say what the lines are: --format ${formats.join(' or --format ')}`
      : `--format is ${formats.join(' or ')}, not ${named}`,
  )
}

/** `activity.rejects.csv` for `activity.csv`; corrected and loaded again, it is replaced by what is still refused. */
function rejectsPath(path: string, format: Format): string {
  if (path === standard) return `rejects.${format}`
  const ending = extname(path)
  const base = path.slice(0, path.length - ending.length).replace(/\.rejects$/, '')
  return `${base}.rejects${ending || `.${format}`}`
}

/** The rejects in the order of their lines; the answer has the first of them. */
async function* allRejects(
  client: Client<'string'>,
  answer: LoadAnswer,
  { signal }: Terminal,
): AsyncGenerator<RejectedLine> {
  const { loadId, rejects } = answer
  // A line may have several; the answer has all of them when it has room left.
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
    `${count(received)} lines in ${seconds.toFixed(1)} s (${count(rate)} a second): ${count(accepted)} accepted${pending === 0 ? '' : ` (${count(pending)} of days to come)`}, ` +
      `${count(duplicates)} seen before, ${conflicts === 0 ? '' : `${count(conflicts)} in conflict with lines of their id, `}${count(rejected)} refused`,
  )
  if (loadId !== undefined) await terminal.print(terminal.style('dim', `load ${loadId}`))
  const named = namedLines(answer)
  if (named === 0) return
  for (const line of renderTable(first.slice(0, rejectsShown), terminal).lines) terminal.note(line)
  if (named > rejectsShown) terminal.note(`… and ${count(named - Math.min(rejectsShown, first.length))} more`)
  if (rejectsFile !== undefined)
    terminal.note(`The refused lines are in ${rejectsFile}: correct and load it.`)
  if (reasonsFile !== undefined) terminal.note(`Why each was refused is in ${reasonsFile}.`)
}
