// JPEG: the markers of every segment and scan up to the end of the image (ITU-T T.81, annex B), and further complete
// JPEGs after it when a multi-picture header (CIPA DC-007) announces them, and the notes of a Samsung camera. No pixel
// is decoded.
import type { Structure } from './file-kind.ts'
import { JPEG_IMAGES_MAX, JPEG_SCANS_MAX, PIXELS_MAX } from './limits.ts'
import { AFTER_END, isPadding } from './padding.ts'
import { isSamsungTrailer } from './samsung-trailer.ts'

type Image =
  | { end: number; scans: number; multiPicture: boolean; problem?: never }
  | { end?: never; problem: string }

const EARLY = 'The JPEG ends too early.'
const DAMAGED = 'The JPEG has a damaged segment.'
const MANY_SCANS = `The JPEG has more than ${JPEG_SCANS_MAX} passes over its image.`

export function inspectJpeg(bytes: Buffer): Structure {
  const first = walkImage(bytes, 0)
  if (first.problem !== undefined) return first
  let { end, scans } = first
  for (let images = 1; !isPadding(bytes, end) && !isSamsungTrailer(bytes, end); images++) {
    if (!first.multiPicture) return { problem: AFTER_END }
    if (images === JPEG_IMAGES_MAX) return { problem: `The JPEG holds more than ${JPEG_IMAGES_MAX} images.` }
    // Cameras align the further images.
    while (bytes[end] === 0) end++
    if (bytes[end] !== 0xff || bytes[end + 1] !== 0xd8) return { problem: AFTER_END }
    const further = walkImage(bytes, end)
    if (further.problem !== undefined) return further
    end = further.end
    scans += further.scans
    if (scans > JPEG_SCANS_MAX) return { problem: MANY_SCANS }
  }
  return { pages: 1 }
}

function walkImage(bytes: Buffer, start: number): Image {
  let at = start + 2
  let framed = false
  let lines = 0
  let columns = 0
  let scans = 0
  let multiPicture = false

  for (;;) {
    if (at + 2 > bytes.length) return { problem: EARLY }
    if (bytes[at] !== 0xff) return { problem: DAMAGED }
    while (bytes[at + 1] === 0xff) at++
    const marker = bytes[at + 1]
    if (marker === undefined) return { problem: EARLY }
    if (marker === 0xd9) {
      if (!framed || scans === 0) return { problem: 'The JPEG has no image.' }
      if (lines === 0) return { problem: 'The JPEG has no height.' }
      return { end: at + 2, scans, multiPicture }
    }
    if (marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)) return { problem: DAMAGED }
    if (at + 4 > bytes.length) return { problem: EARLY }
    const length = bytes.readUInt16BE(at + 2)
    const bodyAt = at + 4
    const next = at + 2 + length
    if (length < 2) return { problem: DAMAGED }
    if (next > bytes.length) return { problem: EARLY }

    if (isFrame(marker)) {
      if (framed) return { problem: 'The JPEG has two frames.' }
      const components = length >= 8 ? (bytes[bodyAt + 5] ?? 0) : 0
      if (components < 1 || components > 4 || length !== 8 + 3 * components) return { problem: DAMAGED }
      lines = bytes.readUInt16BE(bodyAt + 1)
      columns = bytes.readUInt16BE(bodyAt + 3)
      if (columns === 0) return { problem: 'The JPEG has no width.' }
      framed = true
    } else if (marker === 0xdc) {
      // Defines the number of lines after the first scan, when the frame leaves it open.
      if (!framed || lines !== 0 || length !== 4) return { problem: DAMAGED }
      lines = bytes.readUInt16BE(bodyAt)
    } else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xcc && marker !== 0xc8) {
      return { problem: 'The JPEG is of the hierarchical kind, which is not accepted.' }
    } else if (marker === 0xe2 && bytes.toString('latin1', bodyAt, bodyAt + 4) === 'MPF\0') {
      multiPicture = true
    }
    if (lines * columns > PIXELS_MAX) {
      return { problem: `The image has more than ${PIXELS_MAX / 1e6} million pixels.` }
    }

    at = next
    if (marker === 0xda) {
      const components = length >= 6 ? (bytes[bodyAt] ?? 0) : 0
      if (!framed || components < 1 || components > 4 || length !== 6 + 2 * components)
        return { problem: DAMAGED }
      if (++scans > JPEG_SCANS_MAX) return { problem: MANY_SCANS }
      at = skipScan(bytes, at)
      if (at < 0) return { problem: EARLY }
    }
  }
}

/** Baseline, extended, progressive and lossless frames, Huffman or arithmetic. */
function isFrame(marker: number): boolean {
  return (marker >= 0xc0 && marker <= 0xc3) || (marker >= 0xc9 && marker <= 0xcb)
}

/** Returns the marker that ends entropy-coded data: an FF that is not stuffed (FF 00), a restart, or fill. */
function skipScan(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(0xff, from)
  while (at >= 0) {
    const after = bytes[at + 1]
    if (after === undefined) return -1
    if (after === 0xff) at++
    else if (after === 0 || (after >= 0xd0 && after <= 0xd7)) at = bytes.indexOf(0xff, at + 2)
    else return at
  }
  return -1
}
