/** The committed snapshots of the OpenAPI document: the current one, reviewed as a diff, and the one released last. */
import { renderOpenApi } from './document.ts'

export const snapshotFile = new URL('../../openapi.json', import.meta.url)
/** What clients may rely on; the current document is compared with it. */
export const releasedFile = new URL('../../released.snapshot.json', import.meta.url)

export const renderSnapshot = () => `${JSON.stringify(renderOpenApi(), null, 2)}\n`
/** On one line: it is read by programs alone. */
export const renderReleased = () => `${JSON.stringify(renderOpenApi())}\n`
