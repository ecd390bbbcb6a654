// Inspects one whole file (reading 5.3): its name, its first bytes and its structure must agree on one of the
// seven types, and it must have no other type. A pure function, linear in the file's size. It decodes no
// images and trusts no unchecked length. It runs in a separate process (inspector.ts), because parsers of
// hostile bytes may fail.
import { readFileName } from '../file-name.ts'
import { inspectBmp } from './bmp.ts'
import type { FileKind, Structure, Verdict } from './file-kind.ts'
import { isBigTiff, mediaTypeOf, sniffKind } from './file-kind.ts'
import { findForeignFormat } from './foreign-format.ts'
import { inspectJpeg } from './jpeg.ts'
import { withoutPadding } from './padding.ts'
import { inspectPdf } from './pdf.ts'
import { inspectPng } from './png.ts'
import { inspectTiff } from './tiff.ts'

const UNKNOWN = 'The content of the file is none of the allowed types: PDF, JPEG, BMP, PNG, TIFF.'
const BIG_TIFF =
  'The file is a BigTIFF, which many programs cannot open. Save it as a TIFF, or print it to PDF.'

export function inspectFile(bytes: Buffer, fileName: string): Verdict {
  const name = readFileName(fileName)
  if (name.problem !== undefined) return reject(name.problem)
  if (bytes.length === 0) return reject('The file is empty.')
  const kind = sniffKind(bytes)
  if (!kind) return reject(isBigTiff(bytes) ? BIG_TIFF : UNKNOWN)
  if (kind !== name.kind) {
    return reject(`The content of the file is ${kind.toUpperCase()}, which its extension does not say.`)
  }
  const structure = inspectStructure(kind, bytes)
  if (structure.problem !== undefined) return reject(structure.problem)
  const foreign = findForeignFormat(bytes, kind === 'pdf' ? 'pdf' : 'image')
  if (foreign) return reject(`The file is also readable as something else (${foreign}).`)
  return { outcome: 'accepted', kind, mediaType: mediaTypeOf(kind), pages: structure.pages }
}

function inspectStructure(kind: FileKind, bytes: Buffer): Structure {
  switch (kind) {
    case 'pdf':
      return inspectPdf(withoutPadding(bytes))
    case 'jpeg':
      return inspectJpeg(bytes)
    case 'png':
      return inspectPng(bytes)
    case 'bmp':
      return inspectBmp(bytes)
    case 'tiff':
      return inspectTiff(bytes)
    default:
      return kind satisfies never
  }
}

function reject(reason: string): Verdict {
  return { outcome: 'rejected', code: 'ERR.1023', reason }
}
