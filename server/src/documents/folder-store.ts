// Blobs as files of one folder, in 256 shards. A blob is written to another file, synced and renamed, and its
// folder is synced before `put` resolves. A crash leaves no file, the whole blob, or a file in `incoming`
// that housekeeping removes. A missing folder is not created again: on an unmounted disk, contents would be
// written below the mount point.
import { randomUUID } from 'node:crypto'
import { open, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import type { BlobSource, BlobStore, StoredBlob } from './blob-store.ts'
import { BlobMissing, checkBlobId, isBlobId } from './blob-store.ts'
import { probeFolder } from './probe-folder.ts'
import { withStoreFaults } from './store-faults.ts'

const INCOMING = 'incoming'
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

export async function openFolderStore(folder: string): Promise<BlobStore> {
  const incoming = join(folder, INCOMING)
  await makeFolders(folder)
  const { dev: disk } = await stat(folder)

  // The last digits of a UUIDv7 are random; the first ones are the time.
  const shardOf = (id: string) => join(folder, id.slice(-2))
  const pathOf = (id: string) => {
    checkBlobId(id)
    return join(shardOf(id), id)
  }

  /** Runs `act`, and runs it again after the folder was made again, empty, on the same disk. */
  const inFolders = async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      return await act()
    } catch (error) {
      if (!isAbsence(error)) throw error
      if ((await stat(folder)).dev !== disk) throw error
      await makeFolders(folder)
      return act()
    }
  }

  /** Checks that the folder exists when a file in it does not; a lost folder has lost the shard too. */
  const mustHaveShard = async (id: string): Promise<void> => {
    await stat(shardOf(id))
  }

  const write = async (id: string, source: BlobSource): Promise<void> => {
    const beside = join(incoming, `${id}.${randomUUID()}`)
    try {
      await writeSynced(beside, source)
      await rename(beside, pathOf(id))
    } catch (error) {
      await rm(beside, { force: true }).catch(() => {})
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
      const file = await open(pathOf(id), 'r').catch(async (cause) => {
        if (!isAbsence(cause)) throw cause
        await mustHaveShard(id)
        throw new BlobMissing(`Blob ${id} is not in its folder.`, { cause })
      })
      return file.createReadStream()
    },

    async measure(id) {
      const found = await stat(pathOf(id)).catch(async (error) => {
        if (!isAbsence(error)) throw error
        await mustHaveShard(id)
        return undefined
      })
      return found?.size
    },

    async remove(id) {
      await rm(pathOf(id), { force: true })
    },

    async *list(prefix = ''): AsyncGenerator<StoredBlob> {
      for (const shard of await readdir(folder, { withFileTypes: true })) {
        if (!shard.isDirectory() || shard.name === INCOMING) continue
        for await (const entry of await opendir(join(folder, shard.name))) {
          if (!isBlobId(entry.name) || !entry.name.startsWith(prefix)) continue
          const found = await stat(join(folder, shard.name, entry.name)).catch(() => undefined)
          if (found?.isFile()) yield { id: entry.name, bytes: found.size, storedAt: found.mtime }
        }
      }
    },

    async check() {
      await inFolders(() => probeFolder(incoming))
    },

    async removeUnfinished(ageMsMin, now) {
      let removed = 0
      for (const name of await readdir(incoming)) {
        const path = join(incoming, name)
        const found = await stat(path).catch(() => undefined)
        if (!found || now.getTime() - found.mtimeMs < ageMsMin) continue
        await rm(path, { force: true })
        removed++
      }
      return removed
    },
  }
  return withStoreFaults(store, (fault) => 'syscall' in fault)
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

async function writeSynced(path: string, source: BlobSource): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE)
  try {
    await file.writeFile(source.open())
    const { size } = await file.stat()
    if (size !== source.sizeBytes) throw new Error(`A blob of ${source.sizeBytes} bytes gave ${size}.`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** All shards are made and synced at once, so that no `put` depends on a folder that another `put` is still syncing. */
async function makeFolders(folder: string): Promise<void> {
  const firstMade = await makeFolder(join(folder, INCOMING), FOLDER_MODE)
  const shards = Array.from({ length: 256 }, (_, shard) => shard.toString(16).padStart(2, '0'))
  await Promise.all(shards.map((shard) => makeFolder(join(folder, shard), FOLDER_MODE)))
  await syncFolder(folder)
  if (firstMade === undefined) return
  for (let path = folder; path.length >= firstMade.length && path !== dirname(path); path = dirname(path)) {
    await syncFolder(dirname(path))
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
