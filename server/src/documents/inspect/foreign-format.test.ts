import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { inspectFile } from './inspect-file.ts'
import {
  joinPng,
  jpegSegment,
  pngChunk,
  pngHeader,
  sampleBmp,
  sampleJpeg,
  samplePdf,
  samplePng,
  sampleTiff,
} from './sample-files.ts'

const idat = pngChunk('IDAT', deflateSync(Buffer.alloc(39)))

/** A ZIP of one stored file; the offset of its directory is counted from `base`. */
function sampleZip(base = 0): Buffer {
  const name = Buffer.from('a.txt')
  const local = Buffer.alloc(30)
  local.write('PK\x03\x04', 'latin1')
  local.writeUInt16LE(name.length, 26)
  const directory = Buffer.alloc(46)
  directory.write('PK\x01\x02', 'latin1')
  directory.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(directory.length + name.length, 12)
  end.writeUInt32LE(base + local.length + name.length, 16)
  return Buffer.concat([local, name, directory, name, end])
}

const html = Buffer.from('<html><script>alert(1)</script></html>')
const tar = (() => {
  const bytes = Buffer.alloc(512)
  bytes.write('ustar', 257, 'latin1')
  return bytes
})()

/** The five host files, each with a guest file where its format allows one. */
function hosts(guest: Buffer): [name: string, bytes: Buffer][] {
  const tiffStrip = sampleTiff([{ tags: [[65_000, 4, [...new Uint32Array(Math.ceil(guest.length / 4))]]] }])
  const room = tiffStrip.length - 16 - Math.ceil(guest.length / 4) * 4
  guest.copy(tiffStrip, room)
  return [
    ['comment.jpg', sampleJpeg({ extra: [jpegSegment(0xfe, guest)] })],
    ['chunk.png', joinPng(pngHeader(), pngChunk('prVt', guest), idat, pngChunk('IEND'))],
    [
      'pixels.bmp',
      sampleBmp({ width: 40, height: 40, pixels: Buffer.concat([guest, Buffer.alloc(4800 - guest.length)]) }),
    ],
    ['value.tif', tiffStrip],
    ['stream.pdf', samplePdf({ objects: [{ number: 0, text: '', stream: guest }] })],
  ]
}

test('a ZIP, RAR or 7z archive inside any type is refused', () => {
  const guests: [string, Buffer][] = [
    ['ZIP', sampleZip()],
    ['ZIP with comment', Buffer.concat([sampleZip().fill(5, 106, 107), Buffer.from('hello')])],
    ['RAR', Buffer.from('Rar!\x1a\x07\x01\0........', 'latin1')],
    ['7z', Buffer.from('7z\xbc\xaf\x27\x1c\0\x04........', 'latin1')],
  ]
  for (const [label, guest] of guests) {
    for (const [name, bytes] of hosts(guest)) {
      const verdict = inspectFile(bytes, name)
      assert.ok(
        verdict.outcome === 'rejected' && /something else/.test(verdict.reason),
        `${label} in ${name}: ${JSON.stringify(verdict)}`,
      )
    }
  }
})

test('a ZIP is refused even if its directory can be found only by its absolute offset', () => {
  const zip = sampleZip()
  // The end record is separate from the directory and refers to it by its offset from the beginning of the file.
  const apart = Buffer.concat([zip.subarray(0, 86), Buffer.alloc(7), zip.subarray(86)])
  const pixels = Buffer.concat([apart, Buffer.alloc(4800 - apart.length)])
  const bytes = sampleBmp({ width: 40, height: 40, pixels })
  bytes.writeUInt32LE(54 + 35, 54 + 86 + 7 + 16)
  assert.equal(inspectFile(bytes, 'a.bmp').outcome, 'rejected')
})

test('a ZIP appended to any type is refused, whether its offsets are adjusted or not', () => {
  const wholes: [string, Buffer][] = [
    ['a.jpg', sampleJpeg()],
    ['a.png', samplePng()],
    ['a.bmp', sampleBmp()],
    ['a.tif', sampleTiff()],
    ['a.pdf', samplePdf()],
  ]
  for (const [name, bytes] of wholes) {
    for (const base of [0, bytes.length]) {
      assert.equal(inspectFile(Buffer.concat([bytes, sampleZip(base)]), name).outcome, 'rejected', name)
    }
  }
})

test('a PDF or a web page inside an image is refused', () => {
  for (const guest of [
    samplePdf(),
    html,
    Buffer.from('<!DOCTYPE  html>'),
    Buffer.from('<?php system("id"); ?>'),
  ]) {
    for (const [name, bytes] of hosts(guest)) {
      if (name.endsWith('.pdf')) continue
      assert.equal(
        inspectFile(bytes, name).outcome,
        'rejected',
        `${guest.toString('latin1', 0, 8)} in ${name}`,
      )
    }
  }
})

test('a web page at the beginning of a PDF is refused, and text about markup further inside is accepted', () => {
  const early = samplePdf({
    objects: [{ number: 1, text: '<< /Type /Catalog /Pages 2 0 R /Note (<script >) >>' }],
  })
  assert.equal(inspectFile(early, 'a.pdf').outcome, 'rejected')
  const filler = { number: 5, text: '', stream: Buffer.alloc(2000, 0x41) }
  const late = samplePdf({ objects: [filler, { number: 6, text: '', stream: html }] })
  assert.equal(inspectFile(late, 'a.pdf').outcome, 'accepted')
})

test('the type at the first byte must fit the extension, so a polyglot is refused under both names', () => {
  const both = Buffer.concat([samplePng(), samplePdf()])
  for (const name of ['a.png', 'a.pdf']) assert.equal(inspectFile(both, name).outcome, 'rejected')
})

test('a tar header around an image is refused', () => {
  const pixels = Buffer.alloc(40 * 40 * 3)
  tar.copy(pixels, 0, 54)
  assert.equal(inspectFile(sampleBmp({ width: 40, height: 40, pixels }), 'a.bmp').outcome, 'rejected')
})

test('bytes that only resemble a ZIP are accepted', () => {
  const lonely = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18, 1)])
  for (const [name, bytes] of hosts(lonely)) assert.equal(inspectFile(bytes, name).outcome, 'accepted', name)
})
