import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { limits } from '@clearing/protocol'
import fc from 'fast-check'
import { inspectFile } from './inspect-file.ts'
import { PAGES_MAX } from './limits.ts'
import {
  joinPng,
  jpegSegment,
  type PngShape,
  pngChunk,
  pngHeader,
  sampleBmp,
  sampleJpeg,
  samplePng,
  sampleTiff,
} from './sample-files.ts'

function assertAccepted(bytes: Buffer, name: string, pages = 1, label = name): void {
  const verdict = inspectFile(bytes, name)
  assert.equal(verdict.outcome, 'accepted', `${label}: ${JSON.stringify(verdict)}`)
  assert.equal(verdict.outcome === 'accepted' && verdict.pages, pages, label)
}

function assertRejected(bytes: Buffer, name: string, reason: RegExp, label = name): void {
  const verdict = inspectFile(bytes, name)
  assert.equal(verdict.outcome, 'rejected', label)
  if (verdict.outcome !== 'rejected') return
  assert.equal(verdict.code, 'ERR.1023')
  assert.match(verdict.reason, reason, label)
}

const idat = pngChunk('IDAT', deflateSync(Buffer.alloc(39)))
const iend = pngChunk('IEND')
const twoPages = [{}, { width: 12, height: 4 }]

const samples: [name: string, bytes: Buffer, pages: number][] = [
  ['rgb.png', samplePng(), 1],
  ['palette.PNG', samplePng({ colourType: 3, depth: 2 }), 1],
  ['interlaced.png', samplePng({ colourType: 6, depth: 16, interlace: 1 }), 1],
  ['baseline.jpg', sampleJpeg(), 1],
  ['progressive.jpeg', sampleJpeg({ frame: 0xc2, scans: 5 }), 1],
  ['windows.bmp', sampleBmp(), 1],
  ['os2.bmp', sampleBmp({ headerBytes: 12, bits: 8 }), 1],
  ['one.tif', sampleTiff(), 1],
  ['three.TIFF', sampleTiff([{}, {}, {}], false), 3],
]

test('valid images of every type are accepted with their number of pages', () => {
  for (const [name, bytes, pages] of samples) assertAccepted(bytes, name, pages)
})

test('an image under the extension of another type is refused', () => {
  for (const [name, bytes] of samples) {
    for (const extension of ['pdf', 'png', 'jpg', 'bmp', 'tif']) {
      const own = /\.(...)/i.exec(name)?.[1]?.toLowerCase() === (extension === 'jpg' ? 'jpe' : extension)
      if (own || (extension === 'jpg' && /jp/.test(name))) continue
      assertRejected(bytes, `a.${extension}`, /which its extension does not say/, `${name} as ${extension}`)
    }
  }
  assertRejected(Buffer.from('GIF89a'), 'a.png', /none of the allowed types/)
  for (const mark of ['II+\0\x08\0\0\0', 'MM\0+\0\x08\0\0'])
    assertRejected(Buffer.from(mark, 'latin1'), 'a.tif', /is a BigTIFF/)
  assertRejected(
    Buffer.from('BM-Kurier, Ausgabe 7. Berlin, im November. Nachrichten.'),
    'a.bmp',
    /unknown header/,
  )
  assertRejected(Buffer.alloc(0), 'a.png', /empty/)
})

test('an image truncated at any of fifty positions is refused', () => {
  for (const [name, bytes] of samples) {
    for (let part = 1; part < 50; part++) {
      const cut = bytes.subarray(0, Math.floor((bytes.length * part) / 50))
      assertRejected(cut, name, /./, `${name}, ${part}/50`)
    }
    assertRejected(bytes.subarray(0, -1), name, /./, `${name} without its last byte`)
  }
})

test('data before or after an image is refused, and blanks after an image are accepted', () => {
  for (const [name, bytes, pages] of samples) {
    assertRejected(Buffer.concat([Buffer.from('x'), bytes]), name, /./)
    assertRejected(Buffer.concat([Buffer.from('\n'), bytes]), name, /./)
    assertRejected(Buffer.concat([bytes, Buffer.from('x')]), name, /after the end/)
    assertRejected(Buffer.concat([bytes, Buffer.from('<html>')]), name, /after the end/)
    assertRejected(Buffer.concat([bytes, bytes]), name, /after the end/)
    assertAccepted(Buffer.concat([bytes, Buffer.from('\r\n\0')]), name, pages)
    const padding = Buffer.alloc(limits.uploadSizeBytesMax - bytes.length)
    assertAccepted(Buffer.concat([bytes, padding]), name, pages)
    padding[padding.length - 1] = 0x78
    assertRejected(Buffer.concat([bytes, padding]), name, /after the end/)
  }
})

test('PNG: chunks, checksums and their order are checked', () => {
  const ancillary = pngChunk('tEXt', Buffer.from('a\0b'))
  const palette = pngChunk('PLTE', Buffer.alloc(6))
  const animated = joinPng(
    pngHeader(),
    pngChunk('acTL', Buffer.alloc(8)),
    idat,
    pngChunk('fdAT', Buffer.alloc(9)),
    iend,
  )
  assertAccepted(animated, 'animated.png')
  assertAccepted(joinPng(pngHeader(), palette, idat, ancillary, iend), 'suggested palette.png')
  const cases: [string, Buffer, RegExp][] = [
    ['no end', joinPng(pngHeader(), idat), /too early/],
    ['no data', joinPng(pngHeader(), iend), /no image data/],
    ['header second', joinPng(ancillary, pngHeader(), idat, iend), /does not begin/],
    ['header twice', joinPng(pngHeader(), pngHeader(), idat, iend), /wrong header/],
    ['data apart', joinPng(pngHeader(), idat, ancillary, idat, iend), /two places/],
    ['palette after data', joinPng(pngHeader(), idat, palette, iend), /palette/],
    ['palette twice', joinPng(pngHeader(), palette, palette, idat, iend), /palette/],
    ['palette on grey', joinPng(pngHeader({ colourType: 0 }), palette, idat, iend), /palette/],
    ['palette missing', joinPng(pngHeader({ colourType: 3 }), idat, iend), /lacks its palette/],
    ['palette of four bytes', joinPng(pngHeader(), pngChunk('PLTE', Buffer.alloc(4)), idat, iend), /palette/],
    ['unknown critical', joinPng(pngHeader(), pngChunk('ABCD'), idat, iend), /critical/],
    ['chunk of symbols', joinPng(pngHeader(), pngChunk('a b!'), idat, iend), /damaged/],
    ['end with a body', joinPng(pngHeader(), idat, pngChunk('IEND', Buffer.alloc(1))), /wrong end/],
    ['depth 3', joinPng(pngHeader({ depth: 3 }), idat, iend), /depth/],
    ['colour type 1', joinPng(pngHeader({ colourType: 1 }), idat, iend), /colour type/],
    ['rgb of 4 bits', joinPng(pngHeader({ depth: 4 }), idat, iend), /depth/],
    ['interlace 2', joinPng(pngHeader({ interlace: 2 }), idat, iend), /interlace/],
    ['no width', joinPng(pngHeader({ width: 0 }), idat, iend), /no width/],
    ['width above 2^31', joinPng(pngHeader({ width: 0x80000000, height: 1 }), idat, iend), /no width/],
    ['50,000 x 50,000', joinPng(pngHeader({ width: 50_000, height: 50_000 }), idat, iend), /million pixels/],
  ]
  for (const [label, bytes, reason] of cases) assertRejected(bytes, 'a.png', reason, label)
  const bilevel = pngHeader({ width: 10_000, height: 10_000, colourType: 0, depth: 1 })
  const hundredMegapixels = pngChunk('IDAT', deflateSync(Buffer.alloc(10_000 * 1_251)))
  assertAccepted(joinPng(bilevel, hundredMegapixels, iend), 'hundred megapixels.png')

  const sound = samplePng()
  for (let at = 8; at < sound.length; at++) {
    const changed = Buffer.from(sound)
    changed[at] = (changed[at] ?? 0) ^ 0x10
    assertRejected(changed, 'a.png', /./, `byte ${at}`)
  }
})

test('PNG: image data that cannot be read or are too short for the pixels are refused', () => {
  const judge = (shape: PngShape, data: Buffer) =>
    inspectFile(joinPng(pngHeader(shape), pngChunk('IDAT', data), iend), 'a.png').outcome
  // Each row has a byte for its filter, also in each of the passes of an interlaced image that have pixels.
  const cases: [PngShape, number][] = [
    [{ width: 1, height: 1 }, 4],
    [{ width: 4, height: 3 }, 39],
    [{ width: 9, height: 2, colourType: 0, depth: 1 }, 6],
    [{ width: 9, height: 2, colourType: 6, depth: 16 }, 146],
    [{ width: 8, height: 8, colourType: 0, interlace: 1 }, 79],
    [{ width: 1, height: 1, colourType: 6, interlace: 1 }, 5],
    [{ width: 3, height: 5, colourType: 0, depth: 1, interlace: 1 }, 20],
  ]
  for (const [shape, bytes] of cases) {
    for (const level of [0, 9]) {
      const label = `${JSON.stringify(shape)} at level ${level}`
      const outcomes = [bytes - 1, bytes, bytes + 1].map((size) =>
        judge(shape, deflateSync(Buffer.alloc(size, 7), { level })),
      )
      assert.deepEqual(outcomes, ['rejected', 'accepted', 'accepted'], label)
    }
  }
  const sound = deflateSync(Buffer.alloc(39))
  const wrong: Record<string, Buffer> = {
    nothing: Buffer.alloc(0),
    text: Buffer.from('this is no compressed data, although it is long enough for all the pixels'),
    'no header': deflateRawSync(Buffer.alloc(39)),
    gzip: gzipSync(Buffer.alloc(39)),
    'another method': Buffer.concat([Buffer.of(0x77, 0x9c), sound.subarray(2)]),
    'a window above 32 kB': Buffer.concat([Buffer.of(0x88, 0x1c), sound.subarray(2)]),
    'a wrong check': Buffer.concat([Buffer.of(0x78, 0x9d), sound.subarray(2)]),
    'a preset dictionary': Buffer.concat([Buffer.of(0x78, 0xbb), sound.subarray(2)]),
    'cut off': deflateSync(Buffer.alloc(39), { level: 0 }).subarray(0, 20),
  }
  for (const [label, data] of Object.entries(wrong)) assert.equal(judge({}, data), 'rejected', label)
})

test('JPEG: segments, frames and scans are checked', () => {
  const exif = jpegSegment(0xe1, Buffer.from('Exif\0\0MM\0*\xff\xd8\xff\xd9', 'latin1'))
  const profile = jpegSegment(0xe2, Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1'))
  assertAccepted(
    sampleJpeg({ extra: [exif, profile, jpegSegment(0xfe, Buffer.from('a comment'))] }),
    'camera.jpg',
  )
  for (const frame of [0xc1, 0xc3, 0xc9, 0xca]) assertAccepted(sampleJpeg({ frame }), 'a.jpg')

  const sound = sampleJpeg()
  const swap = (find: number[], replace: number[]) => {
    const changed = Buffer.from(sound)
    changed.set(replace, changed.indexOf(Buffer.from(find)))
    return changed
  }
  const soi = Buffer.of(0xff, 0xd8)
  const eoi = Buffer.of(0xff, 0xd9)
  const cases: [string, Buffer, RegExp][] = [
    ['marks only', Buffer.concat([soi, eoi]), /no image/],
    [
      'no scan',
      Buffer.concat([soi, jpegSegment(0xc0, Buffer.of(8, 0, 1, 0, 1, 1, 1, 0x11, 0)), eoi]),
      /no image/,
    ],
    ['no end', sound.subarray(0, -2), /too early/],
    ['height 0', sampleJpeg({ height: 0 }), /no height/],
    ['width 0', sampleJpeg({ width: 0 }), /no width/],
    ['65,535 x 65,535', sampleJpeg({ width: 65_535, height: 65_535 }), /million pixels/],
    ['hierarchical', sampleJpeg({ frame: 0xc5 }), /hierarchical/],
    [
      'two frames',
      sampleJpeg({ extra: [jpegSegment(0xc0, Buffer.of(8, 0, 1, 0, 1, 1, 1, 0x11, 0))] }),
      /two frames/,
    ],
    ['segment of length 0', swap([0xff, 0xdb, 0, 67], [0xff, 0xdb, 0, 0]), /damaged/],
    ['segment beyond the end', swap([0xff, 0xdb, 0, 67], [0xff, 0xdb, 255, 67]), /too early/],
    ['bytes between segments', swap([0xff, 0xdb, 0, 67], [0xff, 0xdb, 0, 66]), /damaged/],
    [
      'five components',
      swap([0xff, 0xc0, 0, 11, 8, 0, 8, 0, 16, 1], [0xff, 0xc0, 0, 11, 8, 0, 8, 0, 16, 5]),
      /damaged/,
    ],
    ['restart outside a scan', swap([0xff, 0xdb], [0xff, 0xd0]), /damaged/],
  ]
  for (const [label, bytes, reason] of cases) assertRejected(bytes, 'a.jpg', reason, label)
})

test('JPEG: a height given after the first scan is read and limited', () => {
  const open = sampleJpeg({ height: 0 })
  const withLines = (lines: number) =>
    Buffer.concat([
      open.subarray(0, -2),
      jpegSegment(0xdc, Buffer.of(lines >> 8, lines & 255)),
      open.subarray(-2),
    ])
  assertAccepted(withLines(8), 'a.jpg')
  assertRejected(withLines(0), 'a.jpg', /no height/)
})

test('JPEG: further images are accepted only if a multi-picture header announces them and they are complete', () => {
  const announced = sampleJpeg({ extra: [jpegSegment(0xe2, Buffer.from('MPF\0II*\0\x08\0\0\0', 'latin1'))] })
  const further = sampleJpeg()
  assertAccepted(Buffer.concat([announced, further]), 'a.jpg')
  assertAccepted(Buffer.concat([announced, Buffer.alloc(64), further, further]), 'a.jpg')
  assertRejected(Buffer.concat([sampleJpeg(), further]), 'a.jpg', /after the end/)
  assertRejected(Buffer.concat([announced, further.subarray(0, -2)]), 'a.jpg', /too early/)
  assertRejected(Buffer.concat([announced, further, Buffer.from('PK')]), 'a.jpg', /after the end/)
  assertRejected(
    Buffer.concat([announced, ...Array.from({ length: 16 }, () => further)]),
    'a.jpg',
    /more than 16/,
  )
})

test('BMP: headers of all versions are checked', () => {
  for (const headerBytes of [16, 20, 36, 40, 52, 56, 64, 108, 124]) {
    assertAccepted(sampleBmp({ headerBytes }), 'a.bmp', 1, `header of ${headerBytes}`)
  }
  for (const bits of [1, 2, 4, 8, 16, 24, 32]) assertAccepted(sampleBmp({ bits }), 'a.bmp', 1, `${bits} bits`)
  assertAccepted(sampleBmp({ height: -3 }), 'top-down.bmp')
  assertAccepted(sampleBmp({ bits: 16, compression: 3 }), 'bit fields.bmp')
  assertAccepted(sampleBmp({ bits: 8, colours: 17 }), 'few colours.bmp')
  assertAccepted(sampleBmp({ bits: 24, colours: 40 }), 'suggested palette.bmp')
  assertAccepted(sampleBmp({ bits: 8, gap: Buffer.alloc(100, 1) }), 'small gap.bmp')
  assertAccepted(sampleBmp({ gap: Buffer.alloc(5000) }), 'blank gap.bmp')

  const runs = Buffer.of(5, 1, 0, 0, 0, 3, 9, 9, 9, 0, 0, 2, 1, 1, 0, 1)
  assertAccepted(sampleBmp({ bits: 8, compression: 1, pixels: runs }), 'runs.bmp')
  assertAccepted(
    sampleBmp({ bits: 4, compression: 2, pixels: Buffer.of(0, 5, 1, 2, 3, 0, 0, 1) }),
    'runs4.bmp',
  )

  const cases: [string, Buffer, RegExp][] = [
    [
      'runs without an end',
      sampleBmp({ bits: 8, compression: 1, pixels: runs.subarray(0, -2) }),
      /too early/,
    ],
    [
      'runs and more',
      sampleBmp({ bits: 8, compression: 1, pixels: Buffer.concat([runs, runs]) }),
      /after the end/,
    ],
    ['embedded JPEG', sampleBmp({ compression: 4 }), /compression/],
    ['3 bits', sampleBmp({ bits: 3 }), /depth/],
    ['run-length of 24 bits', sampleBmp({ compression: 1 }), /depth/],
    ['header of 41 bytes', sampleBmp({ headerBytes: 41 }), /unknown header/],
    ['header of 4 GB', Buffer.concat([Buffer.from('BM'), Buffer.alloc(60, 0xff)]), /unknown header/],
    ['no width', sampleBmp({ width: 0 }), /no width/],
    ['negative width', sampleBmp({ width: -5, pixels: Buffer.alloc(100) }), /no width/],
    ['large gap', sampleBmp({ gap: Buffer.alloc(5000, 1) }), /between its header and its pixels/],
    ['palette of 2^31', sampleBmp({ bits: 24, colours: 0 }).fill(0x7f, 46, 50), /wrong palette/],
    [
      '60,000 x 60,000',
      sampleBmp({ width: 60_000, height: 60_000, pixels: Buffer.alloc(9) }),
      /million pixels/,
    ],
    ['pixels in the header', sampleBmp().fill(20, 10, 11), /inside its header/],
    ['two planes', sampleBmp().fill(2, 26, 27), /planes/],
  ]
  for (const [label, bytes, reason] of cases) assertRejected(bytes, 'a.bmp', reason, label)
})

test('BMP: a colour profile after the pixels belongs to the image', () => {
  const bytes = Buffer.concat([sampleBmp({ headerBytes: 124 }), Buffer.alloc(200, 3)])
  assertRejected(bytes, 'a.bmp', /after the end/)
  bytes.write('DEBM', 70, 'latin1')
  bytes.writeUInt32LE(bytes.length - 200 - 14, 126)
  bytes.writeUInt32LE(200, 130)
  assertAccepted(bytes, 'a.bmp')
  bytes.writeUInt32LE(201, 130)
  assertRejected(bytes, 'a.bmp', /too early/)
})

test('TIFF: directories, values and strips are checked in both byte orders', () => {
  for (const little of [true, false]) {
    assertAccepted(sampleTiff([{}], little), 'a.tif')
    assertAccepted(sampleTiff(twoPages, little), 'a.tif', 2)
    const thumbnail: [number, number, number[]] = [254, 4, [1]]
    assertAccepted(sampleTiff([{}, { tags: [thumbnail] }], little), 'a.tif', 1, 'a thumbnail is not a page')
    assertAccepted(
      sampleTiff([{ tags: [[65_000, 99, [1]]] }], little),
      'a.tif',
      1,
      'unknown type of a private tag',
    )
    assertRejected(sampleTiff([{ width: 0 }], little), 'a.tif', /without width/)
    assertRejected(
      sampleTiff([{ width: 2 ** 20, height: 2 ** 20 }].slice(0, 0), little),
      'a.tif',
      /./,
      'no page',
    )
    assertRejected(
      sampleTiff([{ tags: [[34665, 4, [8]]] }], little),
      'a.tif',
      /loop/,
      'EXIF is the page itself',
    )
    assertRejected(
      sampleTiff([{ tags: [[330, 4, [1e9]]] }], little),
      'a.tif',
      /too early/,
      'sub-image outside',
    )
  }
})

test('TIFF: too many pixels, too many pages and a loop of pages are refused', () => {
  const wide = sampleTiff()
  wide.writeUInt32LE(50_000, 10 + 8)
  wide.writeUInt32LE(50_000, 10 + 12 + 8)
  assertRejected(wide, 'a.tif', /million pixels/)

  const loop = sampleTiff(twoPages)
  const firstNext = loop.readUInt32LE(10 + 9 * 12)
  loop.writeUInt32LE(8, firstNext + 2 + 9 * 12)
  assertRejected(loop, 'a.tif', /loop/)

  assertAccepted(sampleTiff(Array(300).fill({})), 'a.tif', 300)
  assertRejected(sampleTiff(Array(PAGES_MAX + 1).fill({})), 'a.tif', /more than 2000 pages/)
})

test('TIFF: the number of reads of an array of strips that many pages share is limited', () => {
  // 1,500 directories name the same 400,000 strips: 600 million reads without a limit.
  const strips = 400_000
  const pages = 1_500
  const directoryBytes = 2 + 4 * 12 + 4
  const arrayAt = 8 + pages * directoryBytes
  const bytes = Buffer.alloc(arrayAt + strips * 4)
  bytes.write('II*\0', 'latin1')
  bytes.writeUInt32LE(8, 4)
  for (let page = 0; page < pages; page++) {
    const at = 8 + page * directoryBytes
    bytes.writeUInt16LE(4, at)
    for (const [index, [tag, count, value]] of [
      [256, 1, 4],
      [257, 1, 4],
      [273, strips, arrayAt],
      [279, strips, arrayAt],
    ].entries()) {
      const entryAt = at + 2 + index * 12
      bytes.writeUInt16LE(tag ?? 0, entryAt)
      bytes.writeUInt16LE(4, entryAt + 2)
      bytes.writeUInt32LE(count ?? 0, entryAt + 4)
      bytes.writeUInt32LE(value ?? 0, entryAt + 8)
    }
    bytes.writeUInt32LE(page === pages - 1 ? 0 : at + directoryBytes, at + 2 + 48)
  }
  assertRejected(bytes, 'a.tif', /too many strips/)
})

test('TIFF: the size of a single uncompressed strip is computed if its tag is missing', () => {
  const bytes = sampleTiff()
  // The tag of sizes becomes a private tag. The height then implies two strips of two lines each.
  bytes.writeUInt16LE(65_000, 10 + 8 * 12)
  assertAccepted(bytes, 'a.tif')
  assertRejected(bytes.subarray(0, -1), 'a.tif', /too early/)
})

test('no mutant of an image makes the inspection throw, and each mutant gets a verdict', () => {
  const mutants = fc.record({
    sample: fc.nat(samples.length - 1),
    edits: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 }),
    cut: fc.option(fc.nat()),
    inserted: fc.option(fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 20 }))),
  })
  fc.assert(
    fc.property(mutants, ({ sample, edits, cut, inserted }) => {
      const [name, sound] = samples[sample] ?? assert.fail()
      let bytes = Buffer.from(sound)
      for (const [at, value] of edits) bytes[at % bytes.length] = value
      if (inserted) {
        const at = inserted[0] % bytes.length
        bytes = Buffer.concat([bytes.subarray(0, at), inserted[1], bytes.subarray(at)])
      }
      if (cut !== null) bytes = bytes.subarray(0, cut % bytes.length)
      assert.ok(['accepted', 'rejected'].includes(inspectFile(bytes, name).outcome))
    }),
    { numRuns: 3000 },
  )
})
