/**
 * Receives a multipart form with one file (Specification, add-document). Fields may come in any order; the file is
 * streamed to encrypted storage. Every fault of the form is a rejection, and every part of the form has a limit.
 */
import { limits, type Rejection, reject } from '@clearing/protocol'
import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { type ReceivedUpload, receiveUpload } from '../../documents/receive-upload.ts'
import type { ReceivedFile } from '../../operations/context.ts'
import { PartUnavailable } from '../../part-unavailable.ts'
import { ClientGone } from '../faults.ts'
import { Delimiters } from './delimiters.ts'
import { gatherMembers, type Members } from './query.ts'
import { type BodyTimes, cutSlowBody } from './read-body.ts'

export interface FormSettings extends BodyTimes {
  readonly boundary: string
  /** The folder of uploads in progress. */
  readonly folder: string
}

export type ReceivedForm =
  | (Members & {
      readonly whole: true
      /** Absent when the form has no file or the file was refused. */
      readonly file: ReceivedFile | undefined
      /** Names of fields that are too long for every field. Their values are cut, and must be refused. */
      readonly cut: readonly string[]
      readonly rejections: readonly Rejection[]
    })
  /** The form ended early or was not read completely, so missing fields cannot be reported. */
  | { readonly whole: false; readonly rejections: readonly Rejection[] }

/** The size allowed in addition to the file: fields, and the headers and boundaries of all parts. */
const overheadSizeBytesMax =
  limits.uploadFieldsMax * limits.uploadFieldSizeBytesMax +
  (limits.uploadPartsMax + 1) * limits.uploadPartHeadersSizeBytesMax
const formSizeBytesMax = limits.uploadSizeBytesMax + overheadSizeBytesMax
const boundaryLinesSizeBytes = 256

const fileTooLarge = reject(
  'ERR.1022',
  'file',
  `File must be at most ${limits.uploadSizeBytesMax.toLocaleString('en-US')} bytes.`,
)
/** The parts of such a form are not read, so the reason is true of a large file and of many fields. */
function formTooLarge(sizeBytes: number): Rejection {
  const [file, whole, sent] = [limits.uploadSizeBytesMax, formSizeBytesMax, sizeBytes].map((bytes) =>
    bytes.toLocaleString('en-US'),
  )
  const reason = `File must be at most ${file} bytes, and the form with all its fields at most ${whole}; the form has ${sent}.`
  return reject('ERR.1022', 'file', reason)
}
const malformed = reject('ERR.2004', '', 'The multipart form is malformed or incomplete.')
const unreadablePart = reject(
  'ERR.2004',
  '',
  'A part of the form cannot be read: no text may follow its boundary, and its header must name its field.',
)
const fileTwice = reject('ERR.1014', 'file', 'File is given twice.')
const tooManyParts = reject('ERR.2015', '', `The form must have at most ${limits.uploadPartsMax} parts.`)

const partLimits = {
  fieldSize: limits.uploadFieldSizeBytesMax,
  fields: limits.uploadFieldsMax,
  // One file more than allowed, so that a second file gets another error than too many parts.
  files: limits.uploadFilesMax + 1,
  parts: limits.uploadPartsMax,
  // One byte more than allowed: the receiver of the file counts its bytes.
  fileSize: limits.uploadSizeBytesMax + 1,
  headerSize: limits.uploadPartHeadersSizeBytesMax,
}

/** Receives the form. Throws ClientGone, and PartUnavailable when the file cannot be written. */
export async function receiveForm(request: FastifyRequest, settings: FormSettings): Promise<ReceivedForm> {
  const announcedBytes = Number(request.headers['content-length'] ?? 0)
  if (announcedBytes > formSizeBytesMax) return { whole: false, rejections: [formTooLarge(announcedBytes)] }
  const form = new Form(settings)
  const stopWatching = cutSlowBody(request.raw, settings)
  try {
    const broken = await form.receive(request)
    if (broken !== undefined) {
      await form.discard()
      return { whole: false, rejections: [broken] }
    }
  } catch (error) {
    await form.discard()
    if (request.raw.destroyed && !request.raw.complete) {
      throw new ClientGone('the connection ended before the form did')
    }
    return { whole: false, rejections: [judge(error)] }
  } finally {
    stopWatching()
  }
  const { rejections } = form
  if (rejections.length > 0) await form.discard()
  else if (form.file === undefined) rejections.push(reject('ERR.1000', 'file', 'File is required.'))
  return { whole: true, ...gatherMembers(form.fields), file: form.file, cut: form.cut, rejections }
}

/** The reason of a cut field whose own limit did not refuse it, for example because it is full of white space. */
export function refuseCut(fieldName: string): Rejection {
  return reject('ERR.1010', fieldName, `A field must be at most ${limits.uploadFieldSizeBytesMax} bytes.`)
}

function judge(error: unknown): Rejection {
  if (!(error instanceof Error)) throw error
  // The error comes from the file system, for example a full disk or a missing folder.
  if ('syscall' in error) throw new PartUnavailable('the upload could not be written', { cause: error })
  const code = 'code' in error ? error.code : undefined
  if (code === 'FST_REQ_FILE_TOO_LARGE') return fileTooLarge
  if (code === 'FST_FILES_LIMIT') return fileTwice
  return code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT' ? tooManyParts : malformed
}

/**
 * The parser replaces bytes that are not UTF-8 with this character. The original text is lost, so the field is refused.
 */
function isDamaged(text: string): boolean {
  return text.includes('\ufffd')
}
const nameNotPlain = reject('ERR.1016', 'file', "Send the file's name as UTF-8 in filename, or in filename*.")
/** A word of RFC 2047, as in mail. A form has none (RFC 7578, 4.2 and 5.1.3). */
const encodedWord = /=\?[^?\s]+\?[bq]\?[^?\s]*\?=/i
const notUtf8 = 'The text must be UTF-8.'

class Form {
  readonly fields: [string, unknown][] = []
  readonly rejections: Rejection[] = []
  readonly cut: string[] = []
  file: ReceivedFile | undefined
  readonly #settings: FormSettings
  #files = 0
  #tooLarge = false
  #parts = 0
  /** Bytes of the contents of parts; all other bytes are headers and boundaries. */
  #contentBytes = 0

  constructor(settings: FormSettings) {
    this.#settings = settings
  }

  /** Returns the rejection when the form cannot be used at all. */
  async receive(request: FastifyRequest): Promise<Rejection | undefined> {
    let receivedBytes = 0
    const delimiters = new Delimiters(this.#settings.boundary)
    // The parser keeps the path of a file name, so that a name with a path is refused instead of shortened.
    const parts = request.parts({ limits: partLimits, preservePath: true })
    let next = parts.next()
    // Attached after the parser, which reads by now and must not miss a byte.
    request.raw.on('data', (piece: Buffer) => {
      receivedBytes += piece.length
      delimiters.add(piece)
    })
    for (;;) {
      const part = await next
      if (part.done) break
      this.#parts++
      if (part.value.type === 'file') await this.#takeFile(part.value)
      else this.#takeField(part.value)
      if (this.#tooLarge) return fileTooLarge
      next = parts.next()
    }
    // The parser drops such a part without an error. The last delimiter is the end of the form.
    if (delimiters.count > this.#parts + 1) return unreadablePart
    if (delimiters.namesFileInPieces) this.rejections.push(nameNotPlain)
    const headerBytes = receivedBytes - this.#contentBytes
    const allowed = (this.#parts + 1) * (limits.uploadPartHeadersSizeBytesMax + boundaryLinesSizeBytes)
    // The rest of a field that is too large is not counted as its content, and the field has its rejection.
    return headerBytes > allowed && this.cut.length === 0 ? malformed : undefined
  }

  #takeField(part: Exclude<Multipart, MultipartFile>): void {
    const value = part.value as unknown
    if (typeof value === 'string') this.#contentBytes += Buffer.byteLength(value)
    if (typeof part.fieldname !== 'string') this.rejections.push(malformed)
    else if (part.valueTruncated && typeof value === 'string') {
      this.cut.push(part.fieldname)
      // The last character may be cut in the middle.
      this.fields.push([part.fieldname, value.replace(/\ufffd+$/, '')])
    } else if (isFileName(part.fieldname)) {
      this.rejections.push(reject('ERR.2002', 'file', 'File must be a file part with a file name.'))
      this.#files++
    } else if (typeof value === 'string' && isDamaged(value)) {
      this.rejections.push(reject('ERR.1016', part.fieldname, notUtf8))
    } else this.fields.push([part.fieldname, value])
  }

  async #takeFile(part: MultipartFile): Promise<void> {
    const refusal = this.#judgeFile(part)
    if (refusal !== undefined) {
      this.rejections.push(refusal)
      await this.#passOver(part)
      return
    }
    const upload = await receiveUpload(part.file, {
      folder: this.#settings.folder,
      sizeBytesMax: limits.uploadSizeBytesMax,
    })
    if (!upload.received) {
      this.#tooLarge = true
      return
    }
    this.#contentBytes += upload.bytes
    if (part.filename === '' && upload.bytes === 0) {
      // Browsers send this when no file was chosen.
      await upload.remove()
      this.rejections.push(reject('ERR.1000', 'file', 'File is required.'))
      return
    }
    this.file = { fileName: readFileName(part), upload }
    if (upload.bytes === 0) this.rejections.push(reject('ERR.1000', 'file', 'File is empty.'))
  }

  #judgeFile(part: MultipartFile): Rejection | undefined {
    if (typeof part.fieldname !== 'string') return malformed
    if (!isFileName(part.fieldname)) {
      return reject(
        'ERR.2001',
        part.fieldname.slice(0, limits.uploadFieldNameLengthMax),
        'The file must be in the field named file.',
      )
    }
    if (++this.#files > 1) return fileTwice
    if (typeof part.filename !== 'string') return reject('ERR.1000', 'file', 'File must have a file name.')
    if (encodedWord.test(part.filename)) return nameNotPlain
    if (isDamaged(part.filename)) return reject('ERR.1016', 'file', notUtf8)
    if (readFileName(part).length > limits.fileNameLengthMax) {
      return reject(
        'ERR.1010',
        'file',
        `The file name must be at most ${limits.fileNameLengthMax} characters.`,
      )
    }
    return undefined
  }

  async #passOver(part: MultipartFile): Promise<void> {
    for await (const piece of part.file) this.#contentBytes += (piece as Buffer).length
  }

  async discard(): Promise<void> {
    const { file } = this
    this.file = undefined
    await (file?.upload as ReceivedUpload | undefined)?.remove()
  }
}

/**
 * Browsers, fetch and curl send a quote in a file name as `%22`, and no other character in such a form but line ends
 * (WHATWG HTML).
 */
function readFileName({ filename }: MultipartFile): string {
  return filename.replaceAll('%22', '"')
}

function isFileName(fieldName: string) {
  return /^file$/i.test(fieldName)
}
