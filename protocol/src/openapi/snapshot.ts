/**
 * The committed snapshots of the OpenAPI document: the current document, reviewed as a diff, and the last released
 * document.
 */
import { renderOpenApi } from './document.ts'

export const snapshotFile = new URL('../../openapi.json', import.meta.url)
/** The released contract, on which clients rely. A test compares the current document with it. */
export const releasedFile = new URL('../../released.snapshot.json', import.meta.url)

export function renderSnapshot() {
  return `${JSON.stringify(renderOpenApi(), null, 2)}\n`
}
/** One line, since only programs read it. */
export function renderReleased() {
  return `${JSON.stringify(renderOpenApi())}\n`
}
