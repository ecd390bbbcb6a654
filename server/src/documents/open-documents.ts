/** Where documents are kept and who looks at them for viruses, as the configuration says. */
import type { Config } from '../config.ts'
import type { Started } from '../started.ts'
import type { BlobStore } from './blob-store.ts'
import { openFolderStore } from './folder-store.ts'
import { createVirusScanner, type VirusScanner } from './virus-scanner.ts'

export const openBlobs = async (config: Config, started: Started): Promise<BlobStore> => {
  if (config.blobs.kind === 'folder') return openFolderStore(config.blobs.folder)
  const { bucket, region, endpoint } = config.blobs
  // Loaded where it is used: the client of S3 takes as much memory as the service.
  const { openS3Store } = await import('./s3-store.ts')
  const store = openS3Store({ bucket, region, ...(endpoint ? { endpoint } : {}) })
  started.add(async () => store.close())
  return store
}

export const openScanner = ({ virusScanner }: Config): VirusScanner | undefined => {
  if (!virusScanner) return undefined
  if (virusScanner.startsWith('/')) return createVirusScanner({ address: { path: virusScanner } })
  const [host = '', port = ''] = virusScanner.split(':')
  return createVirusScanner({ address: { host, port: Number(port) } })
}
