/** Where documents are kept and who looks at them for viruses, as the configuration says. */
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Started } from '../started.ts'
import type { BlobStore } from './blob-store.ts'
import { openFolderStore } from './folder-store.ts'
import { createVirusScanner, type VirusScanner } from './virus-scanner.ts'

/** A part of the document store apart from the documents, which no document's tidying touches. */
const headsPart = 'audit-heads'

export const openBlobs = (config: Config, started: Started): Promise<BlobStore> => open(config, started, '')

/** Where checkpoints of the audit trail lie. */
export const openHeadBlobs = (config: Config, started: Started): Promise<BlobStore> =>
  open(config, started, headsPart)

const open = async (config: Config, started: Started, part: string): Promise<BlobStore> => {
  if (config.blobs.kind === 'folder') return openFolderStore(join(config.blobs.folder, part))
  const { bucket, region, endpoint } = config.blobs
  // Loaded where it is used: the client of S3 takes as much memory as the service.
  const { openS3Store } = await import('./s3-store.ts')
  const store = openS3Store({
    bucket,
    region,
    ...(endpoint ? { endpoint } : {}),
    ...(part === '' ? {} : { keyPrefix: `${part}/` }),
  })
  started.add(async () => store.close())
  return store
}

export const openScanner = ({ virusScanner }: Config): VirusScanner | undefined => {
  if (!virusScanner) return undefined
  if (virusScanner.startsWith('/')) return createVirusScanner({ address: { path: virusScanner } })
  const [host = '', port = ''] = virusScanner.split(':')
  return createVirusScanner({ address: { host, port: Number(port) } })
}
