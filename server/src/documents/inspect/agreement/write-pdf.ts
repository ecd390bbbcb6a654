// Writes a small valid PDF from its objects: with a table, a cross-reference stream or both, with or without object
// streams, in one revision or two. Every token of the structure passes through `spell`, where a mutation may write it
// in another way. An object may be hidden inside another one, at the target of the table.
import { deflateSync } from 'node:zlib'

export type Part = { number: number; text: string; stream?: Buffer }

/** The tokens of the structure. */
export type Token =
  | 'header'
  | 'length'
  | 'first'
  | 'count'
  | 'filter'
  | 'widths'
  | 'index'
  | 'size'
  | 'place'
  | 'packed place'
  | 'packed number'
  | 'pointer'
  | 'root'
  | 'previous'
  | 'stream'
  | 'endstream'
  | 'endobj'
  | 'type'

export type Spelling = (token: Token, plain: string) => string
export type Shelter = 'stream' | 'string' | 'comment' | 'number'

export type Draft = {
  parts: Part[]
  /** Numbers of the parts in the object stream. */
  packed: ReadonlySet<number>
  compressed: boolean
  table: 'table' | 'stream' | 'hybrid'
  /** Numbers of the parts that are inside another object. */
  hidden: ReadonlyMap<number, Shelter>
  /** Parts of an update after the first end. */
  update: Part[]
  /** Bytes before the header; positions are counted from the first byte. */
  before?: string
  spell: Spelling
}

type Row = { number: number; type: 1 | 2; place: number; index: number }

const PACK = 90
const TABLE = 91

function latin1(text: string) {
  return Buffer.from(text, 'latin1')
}

export function writePdf(draft: Draft): Buffer {
  const head = latin1(`${draft.before ?? ''}%PDF-1.7\n%\xe2\xe3\xcf\xd3\n`)
  const first = writeRevision(draft, draft.parts, head, undefined)
  if (draft.update.length === 0) return first.file
  return writeRevision({ ...draft, packed: new Set() }, draft.update, first.file, first.tableAt).file
}

function writeRevision(draft: Draft, parts: Part[], before: Buffer, previous: number | undefined) {
  const { spell } = draft
  const rows: Row[] = []
  const packed = parts.filter(({ number, stream }) => draft.packed.has(number) && !stream)
  const plain = parts.filter((part) => !packed.includes(part))
  let file = before
  const place = (number: number, bytes: Buffer, inner = 0) => {
    rows.push({ number, type: 1, place: file.length + inner, index: 0 })
    file = Buffer.concat([file, bytes])
  }
  for (const part of plain) {
    const bytes = renderPart(part, spell)
    const shelter = draft.hidden.get(part.number)
    const [from, to] = shelter ? shelters[shelter] : ['', '']
    place(part.number, Buffer.concat([latin1(from), bytes, latin1(to)]), from.length)
  }
  if (packed.length > 0) {
    for (const [index, { number }] of packed.entries()) rows.push({ number, type: 2, place: PACK, index })
    place(PACK, renderPart(pack(packed, draft), spell))
  }
  const tableAt = file.length
  const link = previous === undefined ? '' : `/Prev ${spell('previous', `${previous}`)}`
  const end = () => `startxref\n${spell('pointer', `${tableAt}`)}\n%%EOF\n`
  if (draft.table === 'stream') {
    const rowOfItself: Row = { number: TABLE, type: 1, place: tableAt, index: 0 }
    const stream = renderPart(tableStream([...rows, rowOfItself], link, draft), spell)
    return { file: Buffer.concat([file, stream, latin1(end())]), tableAt }
  }
  let hybrid = ''
  if (packed.length > 0) {
    hybrid = `/XRefStm ${file.length}`
    file = Buffer.concat([
      file,
      renderPart(
        tableStream(
          rows.filter(({ type }) => type === 2),
          '',
          draft,
        ),
        spell,
      ),
    ])
  }
  const lines = rows
    .filter(({ type }) => type === 1)
    .map((row) => `${row.number} 1\n${spell('place', `${row.place}`.padStart(10, '0'))} 00000 n \n`)
  const at = file.length
  const text = `xref\n0 1\n0000000000 65535 f \n${lines.join('')}trailer\n<< /Size ${spell('size', '99')} /Root ${spell('root', '1 0 R')} ${link} ${hybrid} >>\n`
  const pointer = `startxref\n${spell('pointer', `${at}`)}\n%%EOF\n`
  return { file: Buffer.concat([file, latin1(text + pointer)]), tableAt: at }
}

/** The text before and after an object inside another one. A number hides its first digit. */
const shelters: Record<Shelter, [before: string, after: string]> = {
  stream: ['70 0 obj\n<< /Length 2000 >>\nstream\n', '\nendstream\nendobj\n'],
  string: ['71 0 obj\n<< /Title (', ') >>\nendobj\n'],
  comment: ['% ', '\n'],
  number: ['7', ''],
}

function renderPart({ number, text, stream }: Part, spell: Spelling): Buffer {
  const header = spell('header', `${number} 0 obj`)
  const end = `\n${spell('endobj', 'endobj')}\n`
  if (!stream) return latin1(`${header}\n${text}${end}`)
  const length = /\/Length\b/.test(text) ? '' : `/Length ${spell('length', `${stream.length}`)}`
  return Buffer.concat([
    latin1(`${header}\n<< ${length} ${text} >>\n${spell('stream', 'stream\n')}`),
    stream,
    latin1(`${spell('endstream', '\nendstream')}${end}`),
  ])
}

function pack(parts: Part[], { spell, compressed }: Draft): Part {
  let pairs = ''
  let body = ''
  for (const { number, text } of parts) {
    pairs += `${spell('packed number', `${number}`)} ${spell('packed place', `${body.length}`)} `
    body += `${text}\n`
  }
  const content = latin1(pairs + body)
  const filter = compressed ? `/Filter ${spell('filter', '/FlateDecode')}` : ''
  const text = `/Type ${spell('type', '/ObjStm')} /N ${spell('count', `${parts.length}`)} /First ${spell('first', `${pairs.length}`)} ${filter}`
  return { number: PACK, text, stream: compressed ? deflateSync(content) : content }
}

function tableStream(rows: Row[], link: string, { spell, compressed }: Draft): Part {
  const content = Buffer.concat(
    rows.map(({ type, place, index }) => {
      const row = Buffer.alloc(7)
      row[0] = type
      row.writeUInt32BE(place, 1)
      row.writeUInt16BE(index, 5)
      return row
    }),
  )
  const index = spell('index', `[${rows.map(({ number }) => `${number} 1`).join(' ')}]`)
  const filter = compressed ? '/Filter /FlateDecode' : ''
  const text = `/Type /XRef /Size ${spell('size', '99')} /W ${spell('widths', '[1 4 2]')} /Index ${index} /Root ${spell('root', '1 0 R')} ${link} ${filter}`
  return { number: TABLE, text, stream: compressed ? deflateSync(content) : content }
}
