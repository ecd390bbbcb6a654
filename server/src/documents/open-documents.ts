/** Opens the document store and the virus scanner of the configuration. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Started } from '../started.ts'
import type { BlobStore } from './blob-store.ts'
import { openFolderStore, pathInFolder } from './folder-store.ts'
import { createVirusScanner, type VirusScanner } from './virus-scanner.ts'

/** A separate part of the document store, which housekeeping of documents does not touch. */
const headsPart = 'audit-heads'
/** The part with the object whose id the database has. */
const marksPart = 'store-id'

export function openBlobs(config: Config, started: Started): Promise<BlobStore> {
  return open(config, started, '')
}

/** Opens the store of the audit trail's checkpoints. */
export function openHeadBlobs(config: Config, started: Started): Promise<BlobStore> {
  return open(config, started, headsPart)
}

export function openMarks(config: Config, started: Started): Promise<BlobStore> {
  return open(config, started, marksPart)
}

/** Whether the store of the configuration has the object with this id. A folder is not created. */
export async function hasMark(config: Config, id: string, started: Started): Promise<boolean> {
  const { blobs } = config
  if (blobs.kind === 'folder') return existsSync(pathInFolder(join(blobs.folder, marksPart), id))
  return (await (await openMarks(config, started)).measure(id)) !== undefined
}

/** The setting of the store, as messages name it. */
export function settingOfStore({ blobs }: Pick<Config, 'blobs'>): string {
  return blobs.kind === 'folder' ? `the folder of ${blobs.setting}` : 'S3_BUCKET'
}

async function open(config: Config, started: Started, part: string): Promise<BlobStore> {
  if (config.blobs.kind === 'folder') {
    const { folder, setting } = config.blobs
    return openFolderStore(join(folder, part)).catch((fault: Error) => {
      throw new Error(`${setting} must be a folder in which the service can write: ${fault.message}`)
    })
  }
  const { bucket, region, endpoint, credentials } = config.blobs
  // Loaded only when needed: the S3 client takes as much memory as the service.
  const { openS3Store } = await import('./s3-store.ts')
  const store = openS3Store({
    bucket,
    region,
    ...(endpoint ? { endpoint } : {}),
    ...(credentials ? { credentials } : {}),
    ...(part === '' ? {} : { keyPrefix: `${part}/` }),
  })
  started.add(async () => store.close())
  return store
}

export function openScanner({ virusScanner }: Config): VirusScanner | undefined {
  if (!virusScanner) return undefined
  if (virusScanner.startsWith('/')) return createVirusScanner({ address: { path: virusScanner } })
  const [host = '', port = ''] = virusScanner.split(':')
  return createVirusScanner({ address: { host, port: Number(port) } })
}
