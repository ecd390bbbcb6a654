import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import type { PdfShape } from './sample-files.ts'
import { samplePdf } from './sample-files.ts'
import { assertAccepted, assertRejected, catalog, judge } from './test-pdf-verdicts.ts'

test('encrypted PDFs are refused, whatever the form of their cross-reference table', () => {
  assertRejected({ trailer: '/Encrypt 9 0 R' }, /encrypted/)
  assertRejected({ trailer: '/#45ncrypt << /Filter /Standard >>' }, /encrypted/)
  assertRejected(
    { objects: [{ number: 9, text: '/Type /XRef /W [1 1 1] /Encrypt 8 0 R', stream: Buffer.alloc(3) }] },
    /encrypted/,
  )
  assertAccepted({ trailer: '/Encrypt null' })
})

test('a PDF without a readable document is refused', () => {
  const cases: [string, Buffer, RegExp][] = [
    ['header only', Buffer.from('%PDF-1.4\n%%EOF'), /cross-reference/],
    ['header too far', Buffer.concat([Buffer.alloc(1_020, '\n'), samplePdf()]), /none of the allowed/],
    ['no version', Buffer.concat([Buffer.from('%PDF-x'), samplePdf().subarray(6)]), /version/],
    ['version 9', Buffer.concat([Buffer.from('%PDF-9'), samplePdf().subarray(6)]), /version/],
    ['text after blanks', samplePdf({ tail: `${' '.repeat(1024)}x` }), /after the end/],
    ['a program after blanks', samplePdf({ tail: `${'\0'.repeat(99_999)}MZ` }), /after the end/],
    [
      'a script after blanks',
      samplePdf({ tail: `${'\n'.repeat(2000)}9 0 obj << /S /JavaScript /JS (x) >> endobj` }),
      /JavaScript/,
    ],
    ['data after the end', samplePdf({ tail: `\n${'x'.repeat(65)}` }), /after the end/],
    [
      'pointer of letters',
      Buffer.from(
        samplePdf()
          .toString('latin1')
          .replace(/startxref\n\d+/, 'startxref\nabc'),
        'latin1',
      ),
      /pointer/,
    ],
    ['no catalogue', samplePdf({ objects: [{ number: 1, text: '<< /Type /Font >>' }] }), /catalogue/],
    ['no root', Buffer.from(samplePdf().toString('latin1').replace('/Root', '/Boot'), 'latin1'), /catalogue/],
  ]
  for (const [label, bytes, reason] of cases) assertRejected(bytes, reason, label)
  assert.ok(catalog)
})

test('bytes before the header of a PDF must not contain objects or begin another format', () => {
  const junk: [string, RegExp][] = [
    ['1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n', /before its header/],
    ['xref\n0 1\n', /before its header/],
    ['trailer\n', /before its header/],
    ['1 0 obj << /OpenAction << /S /JavaScript /JS (x) >> >> endobj\n', /JavaScript/],
    ['MZ\x90\0', /program/],
    ['#!/bin/sh\nexit\n', /program/],
    ['%!PS-Adobe-3.0\n', /program/],
    ['GIF89a', /picture/],
    ['\x89PNG\r\n\x1a\n', /PNG/],
    ['{\\rtf1 ', /office/],
    ['<svg onload=alert(1)>', /web page/],
    ['\xef\xbb\xbf <?xml version="1.0"?>', /web page/],
    ['PK\x03\x04', /archive/],
  ]
  for (const [text, reason] of junk) {
    assertRejected(Buffer.concat([Buffer.from(text, 'latin1'), samplePdf()]), reason, text)
  }
  // A table that leads to another object if offsets are counted from the header.
  const sound = samplePdf({ objects: [{ number: 9, text: '[3 0 R /Fit]' }] })
  const decoy = sound.indexOf('9 0 obj') + 10
  const table = `9 1\n${String(decoy).padStart(10, '0')} 00000 n \ntrailer`
  const led = (text: string) => Buffer.from(text.replace('trailer', table), 'latin1')
  const hidden = sound.toString('latin1').replace('9 0 obj\n[3 0 R /Fit]', '9 0 obj\n(   9 0 obj null )')
  assertRejected(led(hidden), /differently/, 'as it is')
  assertRejected(led(`junk\n${hidden}`), /differently/, 'counted from the header')
})

test('a PDF truncated at any of fifty positions is refused', () => {
  for (const shape of [{}, { objects: [], inObjectStream: [1, 2, 3] }]) {
    const sound = samplePdf(shape)
    for (let part = 1; part < 50; part++) {
      assertRejected(sound.subarray(0, Math.floor((sound.length * part) / 50)), /./, `${part}/50`)
    }
  }
})

test('objects that cannot be inspected are refused', () => {
  const packed = (text: string, stream: Buffer): PdfShape => ({ objects: [{ number: 9, text, stream }] })
  const flate = deflateSync(Buffer.from('10 0 << /A 1 >>'))
  assertRejected(packed('/Type /ObjStm /N 1 /First 5 /Filter /LZWDecode', flate), /cannot be checked/)
  assertRejected(packed('/Type /ObjStm /N 1 /First 5 /Filter 8 0 R', flate), /cannot be checked/)
  assertRejected(packed('/Type /ObjStm /N 1 /First 5 /Filter /Crypt', flate), /cannot be checked/)
  assertRejected(
    packed('/Type /ObjStm /N 1 /First 5 /Filter /FlateDecode', Buffer.from('not deflated')),
    /cannot be checked/,
  )
  assertRejected(
    packed('/Type /ObjStm /N 1 /First 5 /Filter /FlateDecode /DecodeParms << /Predictor 12 >>', flate),
    /cannot be checked/,
  )
})

test('an object stream with a wrong checksum, length, type or count is still inspected', () => {
  const objects = '11 0 12 8 << /A 1 >><< /S /JavaScript >>'
  const deflated = deflateSync(Buffer.from(objects))
  const wrongSum = Buffer.from(deflated).fill(0, deflated.length - 4)
  const cases: [string, string, Buffer][] = [
    ['wrong checksum', '/Type /ObjStm /N 2 /First 10 /Filter /FlateDecode', wrongSum],
    ['cut off', '/Type /ObjStm /N 2 /First 10 /Filter /FlateDecode', deflated.subarray(0, -4)],
    ['no type', '/N 2 /First 10 /Filter /FlateDecode', deflated],
    ['count too small', '/Type /ObjStm /N 1 /First 10 /Filter /FlateDecode', deflated],
    ['offsets by reference', '/Type /ObjStm /N 7 0 R /First 8 0 R /Filter /Fl', deflated],
    [
      'end mark inside, length right',
      '/Type /ObjStm /N 2 /First 10',
      Buffer.from(`11 0 12 20 (endstream          )<< /S /JavaScript >>`),
    ],
  ]
  for (const [label, text, stream] of cases) {
    assertRejected({ objects: [{ number: 9, text, stream }] }, /JavaScript/, label)
  }
})

test('compressed objects that expand too far are refused', () => {
  const bomb = deflateSync(Buffer.alloc(40 * 1024 * 1024, 0x20), { level: 9 })
  assert.ok(bomb.length < 50_000)
  const text = '/Type /ObjStm /N 1 /First 5 /Filter /FlateDecode'
  assertRejected({ objects: [{ number: 9, text, stream: bomb }] }, /expand too far/)
  const half = deflateSync(Buffer.alloc(20 * 1024 * 1024, 0x20))
  const two = [9, 10].map((number) => ({ number, text, stream: half }))
  assertRejected({ objects: two }, /expand too far/)
  const nested = deflateSync(deflateSync(Buffer.alloc(40 * 1024 * 1024, 0x20)))
  assertRejected(
    {
      objects: [
        { number: 9, text: text.replace('/Flate', '[/FlateDecode /Flate').concat(']'), stream: nested },
      ],
    },
    /expand too far/,
  )
})

test('metadata that declares entities is refused, and so are functions that are not calculations', () => {
  const xml = Buffer.from(
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "https://example.com">]><a>&x;</a>',
  )
  const metadata = (stream: Buffer, filter = '') => ({
    objects: [{ number: 9, text: `/Type /Metadata /Subtype /XML ${filter}`, stream }],
  })
  assertRejected(metadata(xml), /metadata/)
  assertRejected(metadata(deflateSync(xml), '/Filter /FlateDecode'), /metadata/)
  assertRejected(metadata(Buffer.from(xml.toString(), 'utf16le')), /metadata/)
  const script = Buffer.from('{ fetch("https://example.com") }')
  assertRejected({ objects: [{ number: 9, text: '/FunctionType 4', stream: script }] }, /function/)
})

test('structures with endless nesting or repetition get a verdict', () => {
  const wrap = (body: Buffer | string) => {
    const sound = samplePdf()
    return Buffer.concat([sound.subarray(0, 15), Buffer.from(body as string), sound.subarray(15)])
  }
  const megabyte = 1_000_000
  const cases: [string, string][] = [
    ['deep arrays', '9 0 obj '.concat('['.repeat(megabyte))],
    ['deep dictionaries', '9 0 obj '.concat('<</A'.repeat(megabyte / 4))],
    ['objects left open', '9 0 obj << '.repeat(megabyte / 11)],
    ['strings left open', '9 0 obj ( '.repeat(megabyte / 10)],
    ['streams left open', '9 0 obj <</First 1>> stream\n'.repeat(megabyte / 27)],
    ['headers in a row', '1 0 obj\n'.repeat(megabyte)],
    [
      'headers of many objects',
      Array.from({ length: megabyte / 2 }, (_, index) => `${index} 0 obj\n`).join(''),
    ],
    ['tables in a row', 'xref 0 9999999 15 0 n '.repeat(megabyte / 4)],
    ['trailers left open', 'trailer << '.repeat(megabyte / 11)],
    ['numbers in a row', `9 0 obj [${'1 '.repeat(megabyte)}] endobj `],
    ['names in a row', `9 0 obj [${'/A'.repeat(2 * megabyte)}] endobj `],
    ['blanks between numbers', `9 0 obj [${`1${' '.repeat(999)}`.repeat(megabyte / 1000)}] endobj `],
    ['comments', '%\n'.repeat(megabyte)],
    ['hex left open', `9 0 obj <${'41'.repeat(megabyte / 2)}`],
    ['escapes', `9 0 obj (${'\\'.repeat(megabyte)}`],
  ]
  for (const [label, body] of cases) assert.ok(judge(wrap(body)), label)
})
