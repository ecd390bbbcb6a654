// The pixels and passes in the header of a JPEG or JPEG 2000, at any offset of damaged data. They are counted
// because viewers decode images inside a PDF without checking that they are complete.

/** The total of all frames; zero when there is none. */
export type PictureSize = { pixels: number; scans: number }

/** Counts frames of all kinds that viewers decode, and the beginnings of scans (ITU-T T.81, annex B). */
export function findJpegSize(data: Buffer): PictureSize {
  let pixels = 0
  let scans = 0
  for (let at = data.indexOf(0xff); at >= 0 && at + 9 < data.length; at = data.indexOf(0xff, at + 1)) {
    const marker = data[at + 1] ?? 0
    const length = data.readUInt16BE(at + 2)
    if (isFrame(marker) && length === 8 + 3 * (data[at + 9] ?? 0) && length > 8) {
      pixels += data.readUInt16BE(at + 5) * data.readUInt16BE(at + 7)
    } else if (marker === 0xda && length === 6 + 2 * (data[at + 4] ?? 0)) {
      scans++
    }
  }
  return { pixels, scans }
}

/** The size of the reference grid (ISO/IEC 15444-1, A.5.1). */
export function findJpeg2000Size(data: Buffer): PictureSize {
  let pixels = 0
  for (let at = data.indexOf(START); at >= 0 && at + 16 <= data.length; at = data.indexOf(START, at + 4)) {
    pixels += data.readUInt32BE(at + 8) * data.readUInt32BE(at + 12)
  }
  return { pixels, scans: 0 }
}

/** The start of the codestream, and the size segment that must follow it. */
const START = Buffer.of(0xff, 0x4f, 0xff, 0x51)

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}
