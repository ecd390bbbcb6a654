import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { inspectFile } from './inspect-file.ts'
import { JPEG_SCANS_MAX, PAGES_MAX, PDF_TREE_DEPTH_MAX, PIXELS_MAX, PIXELS_TOTAL_MAX } from './limits.ts'
import type { PdfObject } from './sample-files.ts'
import {
  joinPng,
  pdfBasics,
  pngChunk,
  pngHeader,
  sampleJpeg,
  samplePdf,
  samplePng,
  sampleTiff,
} from './sample-files.ts'

const MEBIBYTE = 1024 * 1024

function judge(bytes: Buffer, name: string): string {
  const verdict = inspectFile(bytes, name)
  return verdict.outcome === 'accepted' ? 'accepted' : verdict.outcome === 'rejected' ? verdict.reason : ''
}

function pdf(...objects: PdfObject[]) {
  return judge(samplePdf({ objects }), 'a.pdf')
}
const blank = deflateSync(Buffer.alloc(100 * MEBIBYTE), { level: 9 })
function image(number: number, width: number, height: number, stream: Buffer, filter = '/FlateDecode') {
  return {
    number,
    text: `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /Filter ${filter}`,
    stream,
  }
}

test('a PDF whose pages, fonts or other streams expand beyond the limit is refused, compressed once or twice', () => {
  const one = (number: number): PdfObject => ({ number, text: '/Filter /FlateDecode', stream: blank })
  assert.equal(pdf(one(4), one(5)), 'accepted')
  assert.match(pdf(one(4), one(5), one(6)), /expand too far/)
  const hex = Buffer.from(`${blank.toString('hex')}>`)
  const inHex = (number: number) => ({ number, text: '/Filter [/ASCIIHexDecode /FlateDecode]', stream: hex })
  assert.match(pdf(one(4), inHex(5), inHex(6)), /expand too far/)
  const byName = (number: number) => ({ number, text: '/Filter 40 0 R', stream: blank })
  const name = { number: 40, text: '[/FlateDecode]' }
  assert.equal(pdf(name, byName(4)), 'accepted')
  assert.match(pdf(name, byName(4), byName(5), byName(6)), /expand too far/)
  assert.match(pdf({ number: 4, text: '/Filter 41 0 R', stream: blank }), /cannot be checked/)

  const twice = deflateSync(blank)
  assert.match(
    pdf({ number: 4, text: '/Filter [/FlateDecode /FlateDecode]', stream: twice }),
    /cannot be checked/,
  )
  const runs = Buffer.alloc(5 * MEBIBYTE, Buffer.of(129, 0))
  const inRuns = (number: number) => ({ number, text: '/Filter /RunLengthDecode', stream: runs })
  assert.match(pdf(inRuns(4)), /expand too far/)
})

test('the data of an image in a PDF is limited by its pixels, and the total of the pixels of all images is limited', () => {
  assert.equal(pdf(image(8, 10_000, 9_900, blank)), 'accepted')
  assert.match(pdf(image(8, 1, 1, blank)), /expand too far/)
  assert.match(pdf(image(8, 10_001, 10_000, blank)), /more than 100 million pixels/)
  const row = deflateSync(Buffer.alloc(1_000))
  const many = Array.from({ length: PIXELS_TOTAL_MAX / PIXELS_MAX + 1 }, (_, index) =>
    image(10 + index, 10_000, 10_000, row),
  )
  assert.equal(pdf(...many.slice(1)), 'accepted')
  assert.match(pdf(...many), /too many pixels together/)
  const large = sampleJpeg({ width: 60_000, height: 60_000 })
  assert.match(pdf(image(8, 4, 4, large, '/DCTDecode')), /million pixels/)
  assert.match(pdf(image(8, 4, 4, deflateSync(large), '[/FlateDecode /DCTDecode]')), /million pixels/)
  assert.match(pdf(image(8, 4, 4, sampleJpeg({ scans: JPEG_SCANS_MAX + 1 }), '/DCTDecode')), /expand too far/)
  assert.equal(pdf(image(8, 16, 8, sampleJpeg({ scans: 12 }), '/DCTDecode')), 'accepted')
  const grid = Buffer.from('ff4fff51002f0000000fffff000fffff', 'hex')
  assert.match(pdf(image(8, 4, 4, grid, '/JPXDecode')), /million pixels/)
})

test('a tree of pages, names or fields that contains itself is refused', () => {
  const node = (number: number, kids: string, entries = ''): PdfObject => ({
    number,
    text: `<< /Type /Pages ${entries} /Kids ${kids} /Count 1 >>`,
  })
  assert.match(pdf(node(2, '[3 0 R 2 0 R]')), /holds itself/)
  assert.match(pdf(node(2, '[3 0 R 5 0 R]'), node(5, '[6 0 R]'), node(6, '[5 0 R]')), /holds itself/)
  assert.match(pdf(node(2, '7 0 R'), { number: 7, text: '[3 0 R 2 0 R]' }), /holds itself/)
  assert.match(
    pdf({ number: 9, text: '<< /Kids [10 0 R] >>' }, { number: 10, text: '<< /Kids [9 0 R] >>' }),
    /holds itself/,
  )
  assert.match(pdf(node(2, '[3 0 R]', '/Parent 5 0 R'), node(5, '[]', '/Parent 2 0 R')), /holds itself/)
  const chain = (levels: number) =>
    Array.from({ length: levels }, (_, level) => node(level === 0 ? 2 : 100 + level, `[${101 + level} 0 R]`))
  assert.equal(pdf(...chain(PDF_TREE_DEPTH_MAX)), 'accepted')
  assert.match(pdf(...chain(PDF_TREE_DEPTH_MAX + 2)), /holds itself/)
})

test('a page tree that lists the same pages many times or declares too many pages is refused', () => {
  const levels = Array.from({ length: 8 }, (_, level) => ({
    number: level === 0 ? 2 : 100 + level,
    text: `<< /Type /Pages /Count 9 /Kids [${`${level === 7 ? 3 : 101 + level} 0 R `.repeat(10)}] >>`,
  }))
  assert.match(pdf(...levels), /more than 2000 pages/)
  const count = (pages: number) =>
    pdf({ number: 2, text: `<< /Type /Pages /Kids [3 0 R] /Count ${pages} >>` })
  assert.equal(count(PAGES_MAX), 'accepted')
  assert.match(count(PAGES_MAX + 1), /more than 2000 pages/)
  assert.match(count(2_147_483_647), /more than 2000 pages/)
  const kids = Array.from({ length: 900 }, () => '3 0 R').join(' ')
  assert.match(
    pdf(
      { number: 2, text: '<< /Type /Pages /Count 1 /Kids [101 0 R 102 0 R 103 0 R] >>' },
      ...[101, 102, 103].map((number) => ({ number, text: `<< /Kids [${kids}] >>` })),
    ),
    /more than 2000 pages/,
  )
  assert.equal(pdf(pdfBasics[1] ?? assert.fail()), 'accepted')
})

test('the data of a PNG is limited by its pixels, and its texts and frames are limited', () => {
  const png = (...chunks: Buffer[]) => judge(joinPng(...chunks), 'a.png')
  const end = pngChunk('IEND')
  const data = (bytes: number) => pngChunk('IDAT', deflateSync(Buffer.alloc(bytes)))
  assert.match(png(pngHeader({ width: 1, height: 1 }), data(40 * MEBIBYTE), end), /expand too far/)
  const half = deflateSync(Buffer.alloc(40 * MEBIBYTE))
  const halves = [half.subarray(0, 9), half.subarray(9)].map((part) => pngChunk('IDAT', part))
  assert.match(png(pngHeader({ width: 1, height: 1 }), ...halves, end), /expand too far/)
  for (const interlace of [0, 1]) {
    for (const [colourType, depth, bytes] of [
      [6, 16, 8],
      [2, 8, 3],
      [0, 1, 0.125],
    ] as const) {
      const shape = { width: 1_000, height: 3_000, colourType, depth, interlace }
      // Interlacing adds rows, each with a byte for its filter and padding.
      const exact = 3_000_000 * bytes + 3_000 + interlace * 8_000
      assert.equal(png(pngHeader(shape), data(exact), end), 'accepted', JSON.stringify(shape))
      assert.match(png(pngHeader(shape), data(exact + 200_000), end), /expand too far/, JSON.stringify(shape))
    }
  }
  const text = (type: string, head: string) =>
    samplePng()
      .toString('latin1')
      .replace(
        /.{4}tIME/s,
        (time) =>
          `${pngChunk(type, Buffer.concat([Buffer.from(head, 'latin1'), blank])).toString('latin1')}${time}`,
      )
  for (const [type, head] of [
    ['zTXt', 'a\0\0'],
    ['iCCP', 'a\0\0'],
    ['iTXt', 'a\0\x01\0en\0a\0'],
  ] as const) {
    assert.match(judge(Buffer.from(text(type, head), 'latin1'), 'a.png'), /expand too far/, type)
  }
  const frame = (width: number, height: number) => {
    const body = Buffer.alloc(26)
    body.writeUInt32BE(width, 4)
    body.writeUInt32BE(height, 8)
    return pngChunk('fcTL', body)
  }
  const small = pngChunk('IDAT', deflateSync(Buffer.alloc(39)))
  const part = (bytes: number) =>
    pngChunk('fdAT', Buffer.concat([Buffer.alloc(4), deflateSync(Buffer.alloc(bytes))]))
  assert.equal(png(pngHeader(), small, frame(4, 3), part(39), end), 'accepted')
  assert.match(png(pngHeader(), small, frame(4, 3), part(MEBIBYTE), end), /expand too far/)
  const frames = Array.from({ length: 21 }, () => frame(10_000, 10_000))
  assert.match(png(pngHeader(), small, ...frames, end), /expand too far/)
})

test('the total number of passes of all images in a JPEG is limited', () => {
  assert.equal(judge(sampleJpeg({ frame: 0xc2, scans: JPEG_SCANS_MAX }), 'a.jpg'), 'accepted')
  assert.match(judge(sampleJpeg({ frame: 0xc2, scans: JPEG_SCANS_MAX + 1 }), 'a.jpg'), /more than 200 passes/)
  assert.match(judge(sampleJpeg({ scans: 400_000 }), 'a.jpg'), /more than 200 passes/)
})

test('the pixels of all pages of a TIFF are limited, and the data that its pages share is limited', () => {
  const wide = (pages: number) => {
    const bytes = sampleTiff(Array(pages).fill({}))
    let at = 8
    for (let page = 0; page < pages; page++) {
      bytes.writeUInt32LE(10_000, at + 10)
      bytes.writeUInt32LE(10_000, at + 22)
      at = bytes.readUInt32LE(at + 2 + 9 * 12)
    }
    return judge(bytes, 'a.tif')
  }
  assert.equal(wide(20), 'accepted')
  assert.match(wide(21), /too many pixels together/)
  assert.match(wide(2_000), /too many pixels together/)

  const shared = sampleTiff(Array(40).fill({ width: 40_000 }))
  let at = 8
  for (let page = 0; page < 40; page++) {
    const entryAt = at + 2 + 5 * 12
    const stripsAt = shared.readUInt32LE(entryAt + 8)
    shared.writeUInt32LE(8, stripsAt)
    const sizesAt = shared.readUInt32LE(at + 2 + 8 * 12 + 8)
    shared.writeUInt32LE(shared.length - 8, sizesAt)
    at = shared.readUInt32LE(at + 2 + 9 * 12)
  }
  assert.match(judge(shared, 'a.tif'), /same data too often/)
})
