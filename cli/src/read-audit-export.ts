/** Reads the rows of a file of export-audit, NDJSON or CSV, one by one. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { readCsvText } from '@clearing/protocol'
import type { AuditRow } from '@clearing/protocol/audit'

/** A record that is not a row, by its number from 1. */
export interface NoRow {
  readonly line: number
}

export async function* eachExportedRow(path: string): AsyncGenerator<AuditRow | NoRow> {
  const records = (await beginsAsJson(path)) ? readLines(path) : readTable(path)
  let line = 0
  for await (const record of records) {
    line += 1
    yield parseRow(record) ?? { line }
  }
}

type Members = Readonly<Record<string, unknown>>

async function beginsAsJson(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1)
    return bytesRead === 0 || buffer[0] === '{'.charCodeAt(0)
  } finally {
    await file.close()
  }
}

const texts = ['firmId', 'at', 'actor', 'action', 'accountNumber', 'target', 'traceId', 'detail'] as const

function parseRow(record: Members | undefined): AuditRow | undefined {
  if (
    record === undefined ||
    [...texts, 'previousHash', 'hash'].some((name) => typeof record[name] !== 'string')
  )
    return undefined
  const sequence = String(record.sequence)
  if (!/^-?\d{1,15}$/.test(sequence)) return undefined
  const text = (name: keyof AuditRow) => String(record[name])
  return {
    firmId: text('firmId'),
    sequence: Number(sequence),
    at: text('at'),
    actor: text('actor'),
    action: text('action'),
    accountNumber: text('accountNumber'),
    target: text('target'),
    traceId: text('traceId'),
    detail: text('detail'),
    previousHash: text('previousHash'),
    hash: text('hash'),
  }
}

/** Only the line ending that the service writes ends a line, since texts can contain others. */
async function* readLines(path: string): AsyncGenerator<Members | undefined> {
  let rest = ''
  for await (const piece of createReadStream(path, { encoding: 'utf8' })) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield* lines.map(parseObject)
  }
  if (rest !== '') yield parseObject(rest)
}

function parseObject(line: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Members) : undefined
  } catch {
    return undefined
  }
}

async function* readTable(path: string): AsyncGenerator<Members | undefined> {
  let names: readonly string[] | undefined
  for await (const cells of readRecords(path)) {
    if (names === undefined) names = cells
    else if (cells.length !== names.length) yield undefined
    else yield Object.fromEntries(names.map((name, at) => [name, readCsvText(cells[at] as string)]))
  }
}

/** The cells of each record (RFC 4180) without quotes. */
async function* readRecords(path: string): AsyncGenerator<string[]> {
  let cells: string[] = []
  let cell = ''
  /** `Closing`: a quote that ends the cell unless another quote follows. */
  let state: 'Bare' | 'Quoted' | 'Closing' = 'Bare'
  for await (const piece of createReadStream(path, { encoding: 'utf8' })) {
    for (const character of piece as string) {
      if (state === 'Quoted') {
        if (character === '"') state = 'Closing'
        else cell += character
      } else if (character === '"') {
        if (state === 'Closing') cell += '"'
        state = 'Quoted'
      } else if (character === ',' || character === '\n') {
        cells.push(state === 'Bare' ? cell.replace(/\r$/, '') : cell)
        ;[cell, state] = ['', 'Bare']
        if (character === ',') continue
        yield cells
        cells = []
      } else if (state === 'Bare') cell += character
    }
  }
  if (cell !== '' || cells.length > 0) yield [...cells, cell]
}
