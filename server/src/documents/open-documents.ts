/** Opens the document store and the virus scanner of the configuration. */
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

/** The path of the object with this id in a folder of documents, which may not exist. */
export function pathOfMark(folder: string, id: string): string {
  return pathInFolder(join(folder, marksPart), id)
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
