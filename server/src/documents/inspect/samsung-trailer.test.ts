/** JPEGs with the notes of a Samsung camera after their images. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspectFile } from './inspect-file.ts'
import { SAMSUNG_TRAILER_BYTES_MAX } from './limits.ts'
import { jpegSegment, sampleJpeg } from './sample-files.ts'

interface Note {
  readonly type: number
  readonly name: string
  readonly value: string | Buffer
}

const notes: readonly Note[] = [
  { type: 0x0a01, name: 'Image_UTC_Data', value: '1700000000000' },
  { type: 0x0aa1, name: 'MCC_Data', value: '310' },
  { type: 0x0c61, name: 'Camera_Capture_Mode_Info', value: '1' },
]

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, index * 4)
  return bytes
}

/** `gap` bytes follow the first block, and `shift` is added to the offset of every block. */
function trailerOf(of: readonly Note[], { gap = 0, shift = 0, count = of.length } = {}): Buffer {
  const blocks = of.map(({ type, name, value }, index) =>
    Buffer.concat([
      numbers(type * 0x10000, name.length),
      Buffer.from(name),
      Buffer.from(value),
      Buffer.alloc(index === 0 ? gap : 0),
    ]),
  )
  const all = Buffer.concat(blocks)
  let at = 0
  const entries = blocks.map((block, index) => {
    const size = block.length - (index === 0 ? gap : 0)
    const entry = numbers((of[index]?.type ?? 0) * 0x10000, all.length - at + shift, size)
    at += block.length
    return entry
  })
  const directory = Buffer.concat([Buffer.from('SEFH'), numbers(106, count), ...entries])
  return Buffer.concat([all, directory, numbers(directory.length), Buffer.from('SEFT')])
}

function outcomeOf(...parts: Buffer[]): string {
  const verdict = inspectFile(Buffer.concat(parts), 'IMG_20261130.jpg')
  return verdict.outcome === 'rejected' ? verdict.reason : verdict.outcome
}

test('a photograph with the notes of a Samsung camera is accepted', () => {
  const announced = sampleJpeg({ extra: [jpegSegment(0xe2, Buffer.from('MPF\0II*\0\x08\0\0\0', 'latin1'))] })
  assert.equal(outcomeOf(sampleJpeg(), trailerOf(notes)), 'accepted')
  assert.equal(outcomeOf(sampleJpeg(), trailerOf(notes.slice(0, 1))), 'accepted')
  assert.equal(outcomeOf(announced, sampleJpeg(), trailerOf(notes)), 'accepted')
})

test('such notes are accepted up to their limit, and nothing may be before, between or after them', () => {
  const overhead = trailerOf([{ type: 0x0a01, name: 'a', value: '' }]).length
  const ofSize = (bytes: number) =>
    trailerOf([{ type: 0x0a01, name: 'a', value: Buffer.alloc(bytes - overhead, 1) }])
  assert.equal(outcomeOf(sampleJpeg(), ofSize(SAMSUNG_TRAILER_BYTES_MAX)), 'accepted')
  const whole = trailerOf(notes)
  const wrong: Record<string, Buffer> = {
    'one byte more than the limit': ofSize(SAMSUNG_TRAILER_BYTES_MAX + 1),
    'bytes before': Buffer.concat([Buffer.from('x'), whole]),
    'bytes after': Buffer.concat([whole, Buffer.from('x')]),
    'a byte between': trailerOf(notes, { gap: 1 }),
    'offsets beyond the beginning': trailerOf(notes, { shift: 1 }),
    'offsets into the directory': trailerOf(notes, { shift: -1 }),
    'an entry fewer': trailerOf(notes, { count: 2 }),
    'an entry more': trailerOf(notes, { count: 4 }),
    'billions of entries': trailerOf(notes, { count: 0xffffffff }),
    'no entry': trailerOf([]),
    'two trailers': Buffer.concat([whole, whole]),
    'only its end': Buffer.from('\x0c\0\0\0SEFT', 'latin1'),
  }
  for (const [label, trailer] of Object.entries(wrong))
    assert.match(outcomeOf(sampleJpeg(), trailer), /after the end/, label)
  for (let at = 0; at < whole.length; at++) outcomeOf(sampleJpeg(), whole.subarray(at))
})

test('a motion photograph, a photograph with sound and a hidden second file are refused', () => {
  const video = Buffer.from('\0\0\0\x18ftypmp42', 'latin1')
  const recordings: readonly Note[] = [
    { type: 0x0a30, name: 'MotionPhoto_Data', value: video },
    { type: 0x0a30, name: 'a', value: 'a' },
    { type: 0x0a31, name: 'MotionPhoto_Data', value: 'mpv2' },
    { type: 0x0a01, name: 'Image_UTC_Data', value: video },
    { type: 0x0100, name: 'SoundShot_000', value: 'a' },
  ]
  for (const recording of recordings)
    assert.match(outcomeOf(sampleJpeg(), trailerOf([...notes, recording])), /after the end/, recording.name)
  const hidden = { type: 0x0a01, name: 'Image_UTC_Data', value: '%PDF-1.7' }
  assert.match(outcomeOf(sampleJpeg(), trailerOf([hidden])), /readable as something else \(PDF\)/)
})
