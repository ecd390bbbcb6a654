// Blobs as files of one folder, in 256 shards. A blob is written to another file, synced and renamed, and its
// folder is synced before `put` resolves. A crash leaves no file, the whole blob, or a file in `incoming`
// that housekeeping removes. A missing folder is not created again: on an unmounted disk, contents would be
// written below the mount point. All operations take turns, because the folder may be on another machine.
import { randomUUID } from 'node:crypto'
import { opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import type { BlobSource, BlobStore, StoredBlob } from './blob-store.ts'
import { BlobMissing, checkBlobId, isBlobId } from './blob-store.ts'
import { documentTurns, FolderSilent } from './file-turns.ts'
import { probeFolder } from './probe-folder.ts'
import { withStoreFaults } from './store-faults.ts'
import { openTurned } from './turned-file.ts'

const INCOMING = 'incoming'
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

function inTurn<T>(act: () => Promise<T>): Promise<T> {
  return documentTurns.run(act)
}

export async function openFolderStore(folder: string): Promise<BlobStore> {
  const incoming = join(folder, INCOMING)
  await makeFolders(folder)
  const { dev: disk } = await inTurn(() => stat(folder))

  const shardOf = (id: string) => dirname(pathInFolder(folder, id))
  const pathOf = (id: string) => {
    checkBlobId(id)
    return pathInFolder(folder, id)
  }

  /** Runs `act`, and runs it again after the folder was made again, empty, on the same disk. */
  const inFolders = async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      return await act()
    } catch (error) {
      if (!isAbsence(error)) throw error
      if ((await inTurn(() => stat(folder))).dev !== disk) throw error
      await makeFolders(folder)
      return act()
    }
  }

  /** Checks that the folder exists when a file in it does not; a lost folder has lost the shard too. */
  const mustHaveShard = async (id: string): Promise<void> => {
    await inTurn(() => stat(shardOf(id)))
  }

  const write = async (id: string, source: BlobSource): Promise<void> => {
    const beside = join(incoming, `${id}.${randomUUID()}`)
    try {
      await writeSynced(beside, source)
      await inTurn(() => rename(beside, pathOf(id)))
    } catch (error) {
      await inTurn(() => rm(beside, { force: true })).catch(() => {})
      throw error
    }
  }

  const store: BlobStore = {
    async put(id, source) {
      checkBlobId(id)
      await inFolders(() => write(id, source))
      await syncFolder(shardOf(id))
      return { bytes: source.sizeBytes }
    },

    async get(id) {
      const file = await openTurned(documentTurns, pathOf(id), 'r').catch(async (cause) => {
        if (!isAbsence(cause)) throw cause
        await mustHaveShard(id)
        throw new BlobMissing(`Blob ${id} is not in its folder.`, { cause })
      })
      return file.stream()
    },

    async measure(id) {
      const found = await inTurn(() => stat(pathOf(id))).catch(async (error) => {
        if (!isAbsence(error)) throw error
        await mustHaveShard(id)
        return undefined
      })
      return found?.size
    },

    async remove(id) {
      await inTurn(() => rm(pathOf(id), { force: true }))
    },

    async *list(prefix = ''): AsyncGenerator<StoredBlob> {
      for (const shard of await inTurn(() => readdir(folder, { withFileTypes: true }))) {
        if (!shard.isDirectory() || shard.name === INCOMING) continue
        for await (const name of namesIn(join(folder, shard.name))) {
          if (!isBlobId(name) || !name.startsWith(prefix)) continue
          const found = await statIfThere(join(folder, shard.name, name))
          if (found?.isFile()) yield { id: name, bytes: found.size, storedAt: found.mtime }
        }
      }
    },

    async check() {
      await inFolders(() => inTurn(() => probeFolder(incoming)))
    },

    async removeUnfinished(ageMsMin, now) {
      let removed = 0
      for (const name of await inTurn(() => readdir(incoming))) {
        const path = join(incoming, name)
        const found = await statIfThere(path)
        if (!found || now.getTime() - found.mtimeMs < ageMsMin) continue
        await inTurn(() => rm(path, { force: true }))
        removed++
      }
      return removed
    },
  }
  return withStoreFaults(store, (fault) => 'syscall' in fault || fault instanceof FolderSilent)
}

/** The last digits of a UUIDv7 are random; the first ones are the time. */
export function pathInFolder(folder: string, id: string): string {
  return join(folder, id.slice(-2), id)
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** The names of a folder, which may have more entries than one operation returns. */
async function* namesIn(path: string): AsyncGenerator<string> {
  const folder = await documentTurns.run(
    () => opendir(path),
    (late) => documentTurns.runLater(() => late.close()),
  )
  try {
    for (;;) {
      const entry = await inTurn(() => folder.read())
      if (entry === null) return
      yield entry.name
    }
  } finally {
    documentTurns.runLater(() => folder.close())
  }
}

async function statIfThere(path: string) {
  return inTurn(() => stat(path)).catch((fault) => {
    if (fault instanceof FolderSilent) throw fault
    return undefined
  })
}

async function writeSynced(path: string, source: BlobSource): Promise<void> {
  const file = await openTurned(documentTurns, path, 'wx', FILE_MODE)
  try {
    for await (const piece of source.open()) await file.write(piece)
    const bytes = await file.measure()
    if (bytes !== source.sizeBytes) throw new Error(`A blob of ${source.sizeBytes} bytes gave ${bytes}.`)
    await file.sync()
  } finally {
    file.close()
  }
}

/** All shards are made and synced at once, so that no `put` depends on a folder that another `put` is still syncing. */
async function makeFolders(folder: string): Promise<void> {
  const firstMade = await inTurn(() => makeFolder(join(folder, INCOMING), FOLDER_MODE))
  const shards = Array.from({ length: 256 }, (_, shard) => shard.toString(16).padStart(2, '0'))
  await Promise.all(shards.map((shard) => inTurn(() => makeFolder(join(folder, shard), FOLDER_MODE))))
  await syncFolder(folder)
  if (firstMade === undefined) return
  for (let path = folder; path.length >= firstMade.length && path !== dirname(path); path = dirname(path)) {
    await syncFolder(dirname(path))
  }
}

async function syncFolder(path: string): Promise<void> {
  const file = await openTurned(documentTurns, path, 'r')
  try {
    await file.sync()
  } finally {
    file.close()
  }
}
