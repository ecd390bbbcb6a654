/**
 * Runs the verb of an operation: makes the request from file, arguments and flags, calls the operation, and shows the
 * response.
 */
import { access, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import {
  type Audience,
  type OperationDefinition,
  type OperationName,
  pathOf,
  successMessage,
} from '@clearing/protocol'
import { type Answer, CallFailed, type FileAnswer, methodOf } from '@clearing/sdk'
import { callSettings } from './call-settings.ts'
import { connect } from './connect.ts'
import { loadFile } from './load-file.ts'
import { openUpload, readJsonFile, reasonOf, standard } from './read-input.ts'
import { renderJson } from './render-json.ts'
import { type Field, renderRequest, setMember } from './request-flags.ts'
import { listOf, showData, showRows } from './show.ts'
import type { Terminal } from './terminal.ts'
import { type ExitCode, type Given, isSet, textOf } from './verb.ts'
import { WrongUsage } from './wrong-usage.ts'

export interface OperationCall {
  readonly name: OperationName
  readonly audience: Audience
  readonly operation: OperationDefinition
  readonly fields: readonly Field[]
  /** The fields of the arguments, in order. */
  readonly members: readonly Field[]
  readonly fixed: Readonly<Record<string, unknown>>
}

export async function callOperation(
  call: OperationCall,
  given: Given,
  terminal: Terminal,
): Promise<ExitCode> {
  const { name, audience, operation } = call
  const request = await makeRequest(call, given, terminal)
  if (isSet(given, 'dry-run')) {
    await terminal.print(given.json ? renderJson(request) : renderDryRun(call, request))
    return 0
  }
  const client = await connect(given, terminal)
  if (operation.body === 'lines') {
    const path = requireFile(call, given)
    return loadFile(client, { name, path, request }, given, terminal)
  }
  const method = methodOf(client, name, audience)
  if (method === undefined) throw new Error(`the client has no method of ${name}`)
  const upload =
    operation.body === 'multipart'
      ? { file: await openUpload(requireFile(call, given), textOf(given, 'file-name'), terminal) }
      : {}
  const settings = callSettings(given, terminal)
  const rows = listOf(name)
  if (isSet(given, 'all') && method.each !== undefined) {
    const remarks = new Set<string>()
    const onPage = ({ message }: Answer<unknown>) => remarks.add(message)
    await showAll(name, method.each(request, { ...settings, onPage }), given, terminal)
    remarks.delete(successMessage)
    for (const remark of remarks) terminal.note(remark)
    return 0
  }
  const answer = await method({ ...request, ...upload }, settings)
  if ('body' in answer) return saveFile(answer, given, terminal)
  await showAnswer(call, answer, given, terminal, rows !== undefined && method.each !== undefined)
  return 0
}

async function makeRequest(
  { name, operation, fields, members, fixed }: OperationCall,
  given: Given,
  terminal: Terminal,
): Promise<Record<string, unknown>> {
  const path = operation.body === 'json' ? textOf(given, 'file') : undefined
  const file = path === undefined ? {} : await readJsonFile(path, terminal)
  const request = renderRequest(fields, given, file)
  for (const [member, value] of Object.entries(fixed)) setMember(request, [member], value)
  for (const [at, field] of members.entries()) {
    const { flag, required } = field
    const [member = ''] = field.path
    const value = given.arguments[at]
    if (value !== undefined) {
      if (given.flags.has(flag.name)) throw new WrongUsage(`--${flag.name} is given twice`)
      setMember(request, [member], value)
    } else if (required && path === undefined && !(member in request)) {
      throw new WrongUsage(`${name} needs ${member}: give it as an argument, or as --${flag.name}`)
    }
  }
  return request
}

function requireFile({ name }: OperationCall, given: Given): string {
  const path = textOf(given, 'file')
  if (path === undefined) throw new WrongUsage(`${name} needs a file: --file <path>`)
  return path
}

function renderDryRun({ name, audience }: OperationCall, request: unknown): string {
  return `POST ${pathOf(name, audience)}\n${JSON.stringify(request, null, 2)}`
}

async function showAll(
  name: OperationName,
  rows: AsyncIterable<unknown>,
  { json }: Given,
  terminal: Terminal,
): Promise<void> {
  // A table needs all rows at once. JSON is written row by row, without a limit of length.
  let page: Record<string, unknown>[] = []
  for await (const row of rows) {
    page.push(row as Record<string, unknown>)
    if (json) {
      await showRows(name, page, true, terminal)
      page = []
    }
  }
  if (!json) await showRows(name, page, false, terminal)
}

async function showAnswer(
  { name }: OperationCall,
  { data, message, replayed }: Answer<unknown>,
  { json }: Given,
  terminal: Terminal,
  isPaged: boolean,
): Promise<void> {
  await showData(name, data, json, terminal)
  if (isPaged && hasMore(data)) terminal.note(terminal.style('dim', 'There are more rows: --all shows all.'))
  if (message !== successMessage) terminal.note(message)
  if (replayed) terminal.note('The request was sent before: this is the first response.')
}

function hasMore(data: unknown): boolean {
  return Boolean((data as { next?: string }).next)
}

/**
 * Writes a returned file: by default under its own name in the current folder, or to standard output if that is not a
 * terminal. Never overwrites a file without --force,
 * and leaves no part of a file that broke off.
 */
async function saveFile(answer: FileAnswer, given: Given, terminal: Terminal): Promise<ExitCode> {
  const isPiped = !terminal.isTty && !given.json
  const path = textOf(given, 'output') ?? (isPiped ? standard : answer.fileName)
  if (path === standard) {
    for await (const piece of answer.body) await terminal.write(piece)
    return 0
  }
  if ((await isThere(path)) && !isSet(given, 'force')) {
    await answer.body.cancel()
    throw new WrongUsage(`${path} exists: --force replaces it, --output names another file`)
  }
  if (!(await isThere(dirname(path)))) {
    await answer.body.cancel()
    throw new WrongUsage(`${path}: there is no folder ${dirname(path)}`)
  }
  const isNew = !(await isThere(path))
  await writeTo(path, answer.body).catch(async (cause) => {
    if (cause instanceof CallFailed) {
      if (isNew) await rm(path, { force: true })
      throw cause
    }
    throw new Error(`${path} is not complete: ${reasonOf(cause)}`, { cause })
  })
  const saved = { file: path, mediaType: answer.mediaType, sizeBytes: answer.sizeBytes }
  if (given.json) await terminal.print(renderJson(saved))
  else terminal.note(`Saved ${path} (${answer.sizeBytes ?? 'some'} bytes).`)
  return 0
}

/** The file is open before the first byte is read, so that it is not made after it was removed. */
async function writeTo(path: string, body: FileAnswer['body']): Promise<void> {
  const file = await open(path, 'w').catch(async (cause: unknown) => {
    await body.cancel()
    throw cause
  })
  await pipeline(body, file.createWriteStream())
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
