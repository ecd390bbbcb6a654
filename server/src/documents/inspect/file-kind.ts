// The five kinds of content behind the seven allowed extensions, and the results of an inspection.

export type FileKind = 'pdf' | 'jpeg' | 'png' | 'bmp' | 'tiff'

export type Verdict =
  | { outcome: 'accepted'; kind: FileKind; mediaType: string; pages: number }
  /** `reason` is a sentence for the caller that contains nothing of the file. */
  | { outcome: 'rejected'; code: 'ERR.1023'; reason: string }

/** The result of a structure check: the number of pages (one for images), or a sentence about the fault. */
export type Structure = { pages: number; problem?: never } | { pages?: never; problem: string }

const extensions: Record<string, FileKind> = {
  pdf: 'pdf',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  png: 'png',
  bmp: 'bmp',
  tif: 'tiff',
  tiff: 'tiff',
}

const mediaTypes: Record<FileKind, string> = {
  pdf: 'application/pdf',
  jpeg: 'image/jpeg',
  png: 'image/png',
  bmp: 'image/bmp',
  tiff: 'image/tiff',
}

/** Finds the kind of an extension without its dot, in any letter case. */
export function kindOfExtension(extension: string): FileKind | undefined {
  const lower = extension.toLowerCase()
  return Object.hasOwn(extensions, lower) ? extensions[lower] : undefined
}

export function extensionOf(kind: FileKind): string {
  switch (kind) {
    case 'jpeg':
      return 'jpg'
    case 'tiff':
      return 'tif'
    default:
      return kind
  }
}

export function mediaTypeOf(kind: FileKind): string {
  return mediaTypes[kind]
}

/** PDF readers search for the header in this many first bytes. */
const PDF_HEAD_BYTES = 1_024

/** Returns -1 when there is no header. */
export function findPdfHeader(bytes: Buffer): number {
  return bytes.subarray(0, PDF_HEAD_BYTES).indexOf('%PDF-')
}

/**
 * Finds the kind by the first bytes. The mark of BMP has only two letters, so its structure decides. A PDF may have a
 * few bytes before its header.
 */
export function sniffKind(bytes: Buffer): FileKind | undefined {
  const pdfAt = findPdfHeader(bytes)
  if (pdfAt === 0) return 'pdf'
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  if (bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  const mark = bytes.toString('latin1', 0, 4)
  if (mark === 'II*\0' || mark === 'MM\0*') return 'tiff'
  if (mark.startsWith('BM')) return 'bmp'
  return pdfAt > 0 ? 'pdf' : undefined
}

/** The variant of TIFF with offsets of 64 bits, for files of more than 4 GB. */
export function isBigTiff(bytes: Buffer): boolean {
  return ['II+\0', 'MM\0+'].includes(bytes.toString('latin1', 0, 4))
}
