/** Reads files and standard input, and reports errors in a sentence. */
import { createReadStream, openAsBlob, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { text } from 'node:stream/consumers'
import type { UploadFile } from '@clearing/sdk'
import type { Terminal } from './terminal.ts'
import { WrongUsage } from './wrong-usage.ts'

/** The name of standard input and standard output. */
export const standard = '-'

/** A JSON object from a file, or from standard input. */
export async function readJsonFile(path: string, terminal: Terminal): Promise<Record<string, unknown>> {
  const source = path === standard ? await text(terminal.input) : readTextFile(path)
  try {
    const value: unknown = JSON.parse(source.replace(/^\ufeff/, ''))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>
    }
  } catch (error) {
    const { message } = error as Error
    // The rest of the parser's message quotes the text, which can be secret.
    const isCutOff = message.startsWith('Unexpected end')
    const place = isCutOff ? ': it ends too early' : (/ at position \d+.*$/.exec(message)?.[0] ?? '')
    throw new WrongUsage(`${nameOf(path)} is not JSON${place}`)
  }
  throw new WrongUsage(`${nameOf(path)} does not contain a JSON object`)
}

/**
 * A file to upload, under its own name or the given one. A pipe has neither a name nor a size. It is read as a stream,
 * because as a file it would be sent empty.
 */
export async function openUpload(
  path: string,
  given: string | undefined,
  terminal: Terminal,
): Promise<UploadFile> {
  if (path !== standard) await checkFile(path)
  const isFile = path !== standard && (await stat(path)).isFile()
  const name = given ?? (isFile ? basename(path) : undefined)
  if (name === undefined)
    throw new WrongUsage(
      'A document from a pipe needs a name with its extension, such as --file-name bill.pdf',
    )
  if (isFile) return { name, content: await openAsBlob(path) }
  return { name, content: path === standard ? terminal.input : createReadStream(path) }
}

/** The size of a file in bytes. Throws if the file cannot be read. */
export async function checkFile(path: string): Promise<number> {
  try {
    const found = await stat(path)
    if (!found.isDirectory()) return found.size
  } catch (error) {
    throw new WrongUsage(`${path}: ${reasonOf(error)}`)
  }
  throw new WrongUsage(`${path} is a folder`)
}

/** The text of a file. Throws if the file cannot be read. */
export function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new WrongUsage(`${path}: ${reasonOf(error)}`)
  }
}

function nameOf(path: string) {
  return path === standard ? 'Standard input' : path
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
}

export function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return reasons[code] ?? message
}
