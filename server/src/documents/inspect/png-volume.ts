// Compares the expanded size of the compressed data of a PNG with its pixels: its image, the frames of its animation,
// its texts and its profile. Nothing is expanded.
import { hasZlibHeader, measureZlib } from './deflated-size.ts'
import { IMAGE_SPARE_BYTES_MAX, PIXELS_TOTAL_MAX, PNG_TEXT_BYTES_MAX } from './limits.ts'

const channelsByColourType: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
/** The first column and row, and the steps between columns and rows, of the seven passes (W3C PNG, 8.2). */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

type Frame = { width: number; height: number; data: Buffer[] }

export class PngVolume {
  private readonly bytes: Buffer
  private bitsPerPixel = 0
  private interlaced = false
  private readonly image: Frame = { width: 0, height: 0, data: [] }
  private readonly frames: Frame[] = []
  private texts = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** Adds a chunk, in order; its header has been checked. */
  add(type: string, at: number, length: number): void {
    const body = this.bytes.subarray(at, at + length)
    switch (type) {
      case 'IHDR':
        if (length === 13) this.readHeader(body)
        return
      case 'IDAT':
        this.image.data.push(body)
        return
      case 'fcTL':
        if (length === 26)
          this.frames.push({ width: body.readUInt32BE(4), height: body.readUInt32BE(8), data: [] })
        return
      case 'fdAT':
        this.frames.at(-1)?.data.push(body.subarray(4))
        return
      case 'zTXt':
      case 'iCCP':
        this.addText(body, 1)
        return
      case 'iTXt':
        if (body[body.indexOf(0) + 1] === 1) this.addText(body, 2)
        return
      default:
    }
  }

  isTooLarge(): boolean {
    const all = [this.image, ...this.frames]
    const pixels = all.reduce((sum, { width, height }) => sum + width * height, 0)
    if (pixels > PIXELS_TOTAL_MAX || this.texts > PNG_TEXT_BYTES_MAX) return true
    return all.some((frame) => {
      const room = this.countBytes(frame) + IMAGE_SPARE_BYTES_MAX
      return measureZlib(Buffer.concat(frame.data), room) > room
    })
  }

  /** Whether the image has fewer bytes than its pixels need. The sequence of its frames is not needed to show it. */
  isTooShort(): boolean {
    const data = Buffer.concat(this.image.data)
    const needed = this.countBytes(this.image)
    return !hasZlibHeader(data) || measureZlib(data, needed) < needed
  }

  private readHeader(body: Buffer): void {
    this.image.width = body.readUInt32BE(0)
    this.image.height = body.readUInt32BE(4)
    this.bitsPerPixel = (body[8] ?? 0) * (channelsByColourType[body[9] ?? 0] ?? 0)
    this.interlaced = body[12] === 1
  }

  /** The method follows the keyword. International texts have a flag before it and two further names. */
  private addText(body: Buffer, marks: number): void {
    let at = body.indexOf(0) + 1 + marks
    if (marks === 2) {
      at = body.indexOf(0, at) + 1
      at = body.indexOf(0, at) + 1
    }
    this.texts += measureZlib(body.subarray(at), PNG_TEXT_BYTES_MAX)
  }

  /** Each row of pixels has one byte for its filter. */
  private countBytes({ width, height }: Frame): number {
    const rowBytes = (columns: number) =>
      columns === 0 ? 0 : 1 + Math.ceil((columns * this.bitsPerPixel) / 8)
    if (!this.interlaced) return height * rowBytes(width)
    let bytes = 0
    for (const [left, top, stepX, stepY] of PASSES) {
      const columns = Math.max(0, Math.ceil((width - left) / stepX))
      bytes += Math.max(0, Math.ceil((height - top) / stepY)) * rowBytes(columns)
    }
    return bytes
  }
}
