/** get-load: how far a load has come, and its rejects a page at a time. */
import { limits, reject } from '@clearing/protocol'
import { type Handler, Rejected } from '../context.ts'
import { isBlobId as isUuid } from '../documents/blob-store.ts'
import { readLoad, readRejects } from '../store/books/loads.ts'

export const getLoad: Handler<'get-load'> = async ({ loadId, afterLine, size }, { tx }) => {
  const load = isUuid(loadId) ? await readLoad(tx, loadId) : undefined
  if (!load) return new Rejected([reject('ERR.2013', 'loadId', 'There is no load with this id.')])
  const most = size ?? limits.loadRejectsMax
  const rejects = await readRejects(tx, loadId, afterLine ?? 0, most)
  const { received, accepted, duplicates, rejected, kind, startedAt, endedAt, silent } = load
  return {
    loadId,
    received,
    accepted,
    duplicates,
    rejected,
    rejects,
    kind,
    state: silent ? 'CutOff' : load.state,
    startedOn: startedAt,
    endedOn: endedAt,
    nextLine: rejects.length < most ? null : (rejects.at(-1)?.line ?? null),
  }
}
