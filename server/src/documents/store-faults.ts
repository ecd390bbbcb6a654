/**
 * Wraps a store so that its own failures are StoreUnavailable, whatever the file system or the object store calls them;
 * callers may then retry. A missing blob, and a source of another size than declared, stay unchanged.
 */
import { Readable } from 'node:stream'
import { type BlobStore, StoreUnavailable } from './blob-store.ts'

/** `isOwn` returns true for a fault of the store. */
export function withStoreFaults<Store extends BlobStore>(
  store: Store,
  isOwn: (fault: Error) => boolean,
): Store {
  const judge = (fault: unknown): unknown =>
    fault instanceof Error && !(fault instanceof StoreUnavailable) && isOwn(fault)
      ? new StoreUnavailable(fault)
      : fault
  const judged = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (fault) {
      throw judge(fault)
    }
  }
  async function* judgedPieces<T>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* pieces
    } catch (fault) {
      throw judge(fault)
    }
  }
  return {
    ...store,
    put: (id, source) => judged(store.put(id, source)),
    async get(id) {
      const given = await judged(store.get(id))
      const pieces = Readable.from(judgedPieces(given), { objectMode: false })
      // Needed also before the first read.
      pieces.once('close', () => given.destroy())
      return pieces
    },
    measure: (id) => judged(store.measure(id)),
    remove: (id) => judged(store.remove(id)),
    list: (prefix) => judgedPieces(store.list(prefix)),
    removeUnfinished: (ageMsMin, now) => judged(store.removeUnfinished(ageMsMin, now)),
    check: () => judged(store.check()),
  }
}
