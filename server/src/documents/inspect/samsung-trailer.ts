// The notes that Samsung cameras write after the last image of a JPEG, as ExifTool reads them: blocks of a type, a name
// and a value, then a directory of the blocks that begins with SEFH, its length, and SEFT. Numbers are little-endian.
import { SAMSUNG_TRAILER_BYTES_MAX } from './limits.ts'

const DIRECTORY_HEAD_BYTES = 12
const ENTRY_BYTES = 12
const BLOCK_HEAD_BYTES = 8
/** The length of the directory, and SEFT. */
const END_BYTES = 8
/** Blocks that hold a recording: the sound of a photograph, and the video of a motion photograph. */
const RECORDINGS = new Set([0x0100, 0x0a30])

/**
 * Whether all bytes from `from` on are one such trailer, without a gap between its blocks and without a video or sound
 * (the blocks of some cameras). Larger trailers hold further pictures or recordings, which nothing here inspects.
 */
export function isSamsungTrailer(bytes: Buffer, from: number): boolean {
  const trailer = bytes.subarray(from)
  if (trailer.length > SAMSUNG_TRAILER_BYTES_MAX) return false
  if (trailer.length < DIRECTORY_HEAD_BYTES + END_BYTES || !isAt(trailer, trailer.length - 4, 'SEFT'))
    return false
  const directoryBytes = trailer.readUInt32LE(trailer.length - END_BYTES)
  const directoryAt = trailer.length - END_BYTES - directoryBytes
  if (directoryAt < 0 || directoryBytes < DIRECTORY_HEAD_BYTES || !isAt(trailer, directoryAt, 'SEFH'))
    return false
  const count = trailer.readUInt32LE(directoryAt + 8)
  if (count === 0 || directoryBytes !== DIRECTORY_HEAD_BYTES + count * ENTRY_BYTES) return false

  const blocks: { at: number; end: number }[] = []
  for (let index = 0; index < count; index++) {
    const entryAt = directoryAt + DIRECTORY_HEAD_BYTES + index * ENTRY_BYTES
    const at = directoryAt - trailer.readUInt32LE(entryAt + 4)
    const end = at + trailer.readUInt32LE(entryAt + 8)
    if (at < 0 || end > directoryAt || !isNote(trailer.subarray(at, end), trailer.subarray(entryAt)))
      return false
    blocks.push({ at, end })
  }
  blocks.sort((a, b) => a.at - b.at)
  let covered = 0
  for (const { at, end } of blocks) {
    if (at !== covered) return false
    covered = end
  }
  return covered === directoryAt
}

function isNote(block: Buffer, entry: Buffer): boolean {
  if (block.length < BLOCK_HEAD_BYTES || block.compare(entry, 0, 4, 0, 4) !== 0) return false
  const valueAt = BLOCK_HEAD_BYTES + block.readUInt32LE(4)
  if (valueAt > block.length || RECORDINGS.has(block.readUInt16LE(2))) return false
  const name = block.toString('latin1', BLOCK_HEAD_BYTES, valueAt)
  return !/^(?:MotionPhoto|SoundShot)/i.test(name) && !block.subarray(valueAt).includes('ftyp')
}

function isAt(bytes: Buffer, at: number, mark: string): boolean {
  return bytes.toString('latin1', at, at + mark.length) === mark
}
