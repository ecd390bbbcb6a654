/**
 * Writes the rejected lines of a load unchanged, with the header line of a CSV file, and the reasons to a file beside
 * it. The source is read a second time, line by line, so that neither the source nor the rejects must fit in memory.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RejectedLine } from '@clearing/sdk'

export interface RejectsToWrite {
  /** The loaded file; undefined for standard input, which cannot be read again. */
  readonly source: string | undefined
  readonly target: string
  readonly hasHeader: boolean
  /** The rejects in the order of their lines; undefined if there are none. */
  readonly rejects: AsyncIterable<RejectedLine> | undefined
}

export interface RejectsWritten {
  readonly rejectsFile?: string
  readonly reasonsFile?: string
}

export async function writeRejects({
  source,
  target,
  hasHeader,
  rejects,
}: RejectsToWrite): Promise<RejectsWritten> {
  if (rejects === undefined) return {}
  const reasonsFile = nameReasons(target, source)
  if (source === undefined) {
    await write(reasonsFile, renderReasons(rejects))
    return { reasonsFile }
  }
  const reasons: string[] = []
  await write(target, pickLines(source, hasHeader, rejects, reasons))
  await write(reasonsFile, reasons)
  return { rejectsFile: target, reasonsFile }
}

/** The file of the reasons, which is neither that of the lines nor the loaded file. */
function nameReasons(target: string, source: string | undefined): string {
  const stem = target.slice(0, target.length - extname(target).length)
  const file = `${stem}.txt`
  // Some file systems ignore case.
  const taken = [target, ...(source === undefined ? [] : [source])].map((one) => resolve(one).toLowerCase())
  return taken.includes(resolve(file).toLowerCase()) ? `${stem}.reasons.txt` : file
}

/** A temporary file is written first, since the target can be the source. */
async function write(
  file: string,
  lines: Iterable<string> | AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const draft = `${file}.${process.pid}`
  await pipeline(Readable.from(lines), createWriteStream(draft, { mode: 0o600 }))
  await rename(draft, file)
}

async function* renderReasons(rejects: AsyncIterable<RejectedLine>) {
  for await (const reject of rejects) yield renderReason(reject)
}

function renderReason({ line, code, field, reason }: RejectedLine, here?: number) {
  return `line ${line}${here === undefined ? '' : ` (here ${here})`}: ${code}${field === '' ? '' : ` ${field}`}: ${reason}\n`
}

async function* pickLines(
  source: string,
  hasHeader: boolean,
  rejects: AsyncIterable<RejectedLine>,
  reasons: string[],
): AsyncGenerator<Uint8Array> {
  const wanted = rejects[Symbol.asyncIterator]()
  let next = await wanted.next()
  let number = 0
  let written = 0
  // In latin1 each byte is a character. Bytes that are not UTF-8 stay as they are, and only the line ends of the
  // service end a line: readline also takes U+2028 and U+2029 for line ends.
  const input = createReadStream(source, { encoding: 'latin1' })
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
  try {
    for await (const line of lines) {
      number += 1
      const isHeader = hasHeader && written === 0 && line.trim() !== ''
      if (isHeader || (next.done !== true && next.value.line === number)) {
        written += 1
        yield Buffer.from(`${line}\n`, 'latin1')
      }
      // A line can be rejected for several reasons.
      for (; next.done !== true && next.value.line === number; next = await wanted.next()) {
        reasons.push(renderReason(next.value, written))
      }
      if (next.done === true) return
    }
  } finally {
    lines.close()
    input.destroy()
  }
}
