/** For tests: parts of PDFs, and the verdicts on them. */
import assert from 'node:assert/strict'
import { inspectFile } from './inspect-file.ts'
import type { PdfObject, PdfShape } from './sample-files.ts'
import { pdfBasics, samplePdf } from './sample-files.ts'

export const [catalog, , page] = pdfBasics
export function catalogWith(entries: string): PdfObject {
  return {
    number: 1,
    text: `<< /Type /Catalog /Pages 2 0 R ${entries} >>`,
  }
}
export function pageWith(entries: string): PdfObject {
  return {
    number: 3,
    text: `${page?.text.slice(0, -2)} ${entries} >>`,
  }
}
export function link(action: string, rectangle = '[72 700 200 720]') {
  return pageWith(`/Annots [<< /Type /Annot /Subtype /Link /Rect ${rectangle} /A ${action} >>]`)
}

export function judge(bytes: Buffer): string {
  const verdict = inspectFile(bytes, 'a.pdf')
  return verdict.outcome === 'accepted' ? 'accepted' : verdict.outcome === 'rejected' ? verdict.reason : ''
}

function render(shape: PdfShape | Buffer) {
  return 'length' in shape ? shape : samplePdf(shape)
}

export function assertAccepted(shape: PdfShape | Buffer, label = 'a PDF'): void {
  assert.equal(judge(render(shape)), 'accepted', label)
}

export function assertRejected(shape: PdfShape | Buffer, reason: RegExp, label = 'a PDF'): void {
  assert.match(judge(render(shape)), reason, label)
}
