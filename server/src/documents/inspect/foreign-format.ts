// Finds a second file inside a file (a polyglot): formats that readers recognize after the first byte. Formats that are
// recognized only at the first byte need no search, except in a PDF with bytes before its header.
import { findPdfHeader } from './file-kind.ts'

const ZIP_END = Buffer.from('PK\x05\x06', 'latin1')
const ZIP_END_BYTES = 22
const anywhere: [string, Buffer][] = [
  ['RAR archive', Buffer.from('Rar!\x1a\x07', 'latin1')],
  ['7z archive', Buffer.from('7z\xbc\xaf\x27\x1c', 'latin1')],
]
const atPlace: [string, number, string][] = [
  ['tar archive', 257, 'ustar'],
  ['disc image', 0x8001, 'CD001'],
  ['DICOM file', 128, 'DICM'],
]
/** The formats that the bytes before the header of a PDF must not have. */
const atFirst: [string, string[]][] = [
  [
    'program',
    [
      'MZ',
      '\x7fELF',
      '#!',
      '%!',
      '\0asm',
      'L\0\0\0',
      '\xca\xfe\xba\xbe',
      '\xfe\xed\xfa',
      '\xce\xfa\xed',
      '\xcf\xfa\xed',
    ],
  ],
  ['archive', ['PK', '\x1f\x8b', '\x1f\x9d', 'BZh', '\xfd7zXZ', 'MSCF']],
  ['picture or recording', ['GIF8', 'RIFF', 'OggS', 'ID3', 'fLaC', '\0\0\x01']],
  ['office document', ['\xd0\xcf\x11\xe0', '{\\rtf']],
]
const BYTE_ORDER_MARK = '\xef\xbb\xbf'
const MARKUP = /<(?:script[\s>]|html[\s>]|!doctype\s+html|\?php\s)/i
/** Browsers and PDF readers search for the beginning of a format in this many first bytes. */
const HEAD_BYTES = 1_024

/** Returns the name of the foreign format, if there is one. `kind` is the kind of the file at its first byte. */
export function findForeignFormat(bytes: Buffer, kind: 'pdf' | 'image'): string | undefined {
  if (holdsZip(bytes)) return 'ZIP archive'
  for (const [name, mark] of anywhere) if (bytes.includes(mark)) return name
  for (const [name, at, mark] of atPlace) {
    if (bytes.toString('latin1', at, at + mark.length) === mark) return name
  }
  if (kind === 'image' && bytes.includes('%PDF-')) return 'PDF'
  if (kind === 'pdf' && findPdfHeader(bytes) > 0) {
    const leading = findLeadingFormat(bytes.toString('latin1', 0, HEAD_BYTES))
    if (leading) return leading
  }
  // Text about markup is normal further inside a PDF.
  const searched = kind === 'pdf' ? bytes.subarray(0, HEAD_BYTES) : bytes
  return MARKUP.test(searched.toString('latin1')) ? 'web page' : undefined
}

function findLeadingFormat(text: string): string | undefined {
  const printed = text.replace(BYTE_ORDER_MARK, '').replaceAll('\0', '').trimStart()
  if (printed.startsWith('<')) return 'web page'
  return atFirst.find(([, marks]) => marks.some((mark) => text.startsWith(mark)))?.[0]
}

/** A ZIP is read from its end record, which gives the position of its directory: before it, or absolute. */
function holdsZip(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(ZIP_END); at >= 0; at = bytes.indexOf(ZIP_END, at + 4)) {
    if (at + ZIP_END_BYTES > bytes.length) return false
    const entries = bytes.readUInt16LE(at + 10)
    const directoryBytes = bytes.readUInt32LE(at + 12)
    const directoryAt = bytes.readUInt32LE(at + 16)
    if (entries > 0 && (isDirectory(bytes, directoryAt) || isDirectory(bytes, at - directoryBytes)))
      return true
  }
  return false
}

function isDirectory(bytes: Buffer, at: number): boolean {
  return at >= 0 && bytes.toString('latin1', at, at + 4) === 'PK\x01\x02'
}
