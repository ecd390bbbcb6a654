/** A short load runs at once: it costs less than the start of a thread, and takes no turn. */

/** About three hundred lines. */
const shortBytesMax = 65_536

/** A body without an announced length is not short. */
export function isShort(bytes: number | undefined): boolean {
  return bytes !== undefined && bytes <= shortBytesMax
}
