// The frame of a PDF: the bytes before its header, its version, and its end, which is the pointer to its
// cross-reference table and the end mark. Real files may lack either, and readers then search the file, as this reader
// does.

/** Readers search for the end in this many last bytes. */
const TAIL_BYTES = 1_024
/** The longest text that mail gateways and web servers add after the end. */
const JUNK_BYTES_MAX = 64
const END_MARK = '%%EOF'
const TOO_EARLY = 'The PDF ends too early: its end is missing. Save it anew, or print it to a new PDF.'
const DATA_AFTER = 'The file has data after the end of the PDF.'

export function judgeFrame(bytes: Buffer, headerAt: number): string | undefined {
  if (/(?<![A-Za-z])obj(?![A-Za-z])|xref|trailer/.test(bytes.toString('latin1', 0, headerAt))) {
    return 'The PDF has parts of a PDF before its header. Print it to a new PDF.'
  }
  if (!/^%PDF-[12]\.\d/.test(bytes.toString('latin1', headerAt, headerAt + 8))) {
    return 'The PDF has an unknown version.'
  }
  const mark = bytes.lastIndexOf(END_MARK)
  const pointerAt = bytes.lastIndexOf('startxref')
  // The target is not checked here: tables that were moved by a change of line ends, or by bytes before the header, are
  // common, and readers rebuild them.
  const pointer = /^startxref\s+\d{1,10}(?=[\s%]|$)/.exec(bytes.toString('latin1', pointerAt, pointerAt + 64))
  if (pointerAt > mark) {
    return pointer ? judgeTail(bytes, pointerAt + pointer[0].length) : TOO_EARLY
  }
  if (mark < 0) return TOO_EARLY
  if (pointerAt < 0 && !bytes.includes('trailer')) return 'The PDF has no cross-reference table.'
  if (pointerAt >= 0 && !pointer)
    return 'The PDF has a wrong pointer to its cross-reference table. Print it to a new PDF.'
  return judgeTail(bytes, mark + END_MARK.length)
}

/** `end` is the declared end of the PDF, whose padding was cut. A gateway adds its text at the end, not after a gap. */
function judgeTail(bytes: Buffer, end: number): string | undefined {
  if (bytes.length - end > TAIL_BYTES) return DATA_AFTER
  return bytes.toString('latin1', end).trim().length > JUNK_BYTES_MAX ? DATA_AFTER : undefined
}
