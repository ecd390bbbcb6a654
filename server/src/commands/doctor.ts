/**
 * `main.ts doctor` examines a configuration without starting the service. It prints wrong settings, advice,
 * and correct settings. It changes nothing. The exit code is 1 when a setting is wrong.
 */
import { once } from 'node:events'
import { constants, existsSync } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { type Config, examineConfig } from '../config/config.ts'
import { openBlobs, openScanner } from '../documents/open-documents.ts'
import { probeFolder } from '../documents/probe-folder.ts'
import { uploadSuffix } from '../documents/receive-upload.ts'
import { readMasterKeyFile } from '../encryption/master-key-file.ts'
import { describeOverlap, openDirectoryPool } from '../identity/cells/open-cells.ts'
import { readHeapLimit, smallHeapAdvice } from '../memory-settings.ts'
import { checkFree } from '../observe/free-space.ts'
import { createLog } from '../observe/log.ts'
import { Started } from '../started.ts'
import { readCellsIfAny } from '../store/cell-directory.ts'
import { examineDatabase } from './examine-database.ts'
import type { Finding } from './finding.ts'

export async function runDoctor(environment: NodeJS.ProcessEnv): Promise<void> {
  const findings = await examine(environment)
  for (const { kind, text } of findings) console.log(`${kind.padEnd(8)}${text}`)
  const wrong = findings.filter(({ kind }) => kind === 'wrong').length
  console.log(
    wrong === 0 ? '\nNothing is wrong.' : `\n${wrong} ${wrong === 1 ? 'thing is' : 'things are'} wrong.`,
  )
  process.exitCode = wrong === 0 ? 0 : 1
}

/** Examines the settings first, and then the files, databases and addresses that they name. */
export async function examine(environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { config, mistakes } = examineConfig(environment, [])
  const findings: Finding[] = mistakes.map((text) => ({ kind: 'wrong', text }))
  if (mistakes.length === 0)
    findings.push({ kind: 'right', text: `the settings can be read (${config.mode})` })
  const withoutEffect = config.withoutEffect.map(({ setting, why }) => `${setting} has no effect: ${why}`)
  findings.push(...[...withoutEffect, ...adviseOn(config)].map((text): Finding => ({ kind: 'advice', text })))
  findings.push(examineHeap())
  const unread = (name: string) => mistakes.some((mistake) => mistake.startsWith(name))
  const probes: [what: string, probe: () => Promise<unknown>][] = [
    ...(unread('MASTER_KEY_FILE') ? [] : probesOfKeys(config)),
    ['HOST is an address of this machine', () => probeHost(config.host)],
    ['the data folder (DATA_DIR) takes files', () => probePlace(config.dataDir)],
    ...probesOfDisks(config),
    [`the document store takes documents (${settingOfDocuments(config)})`, () => probeDocuments(config)],
  ]
  if (config.virusScanner !== undefined && !unread('CLAMD'))
    probes.push(['the virus scanner answers (CLAMD)', async () => openScanner(config)?.check()])
  for (const [what, probe] of probes) findings.push(await tryOut(what, probe))
  if (config.database.kind === 'external' && !unread('DATABASE_')) {
    findings.push(...(await examineDatabase(config.database, config)))
  }
  if (config.cell !== undefined && !unread('DIRECTORY_URL')) findings.push(await examineCell(config))
  return findings
}

async function tryOut(what: string, probe: () => Promise<unknown>): Promise<Finding> {
  try {
    await probe()
    return { kind: 'right', text: what }
  } catch (fault) {
    return { kind: 'wrong', text: `check failed: ${what}. ${describe(fault as Error)}` }
  }
}

function describe({ message, cause }: Error): string {
  return cause instanceof Error ? `${message.replace(/\.$/, '')}: ${cause.message}` : message
}

function examineHeap(): Finding {
  const { megabytes, isSmall } = readHeapLimit()
  const text = `the heap of a process grows to ${megabytes} MB at most`
  return isSmall ? { kind: 'advice', text: `${text}: ${smallHeapAdvice}` } : { kind: 'right', text }
}

function probesOfKeys({ mode, masterKeyFiles }: Config): [string, () => Promise<unknown>][] {
  return masterKeyFiles.map((file) => [
    `${file} holds a master key (MASTER_KEY_FILE)`,
    () => readMasterKeyFile(file, mode),
  ])
}

/** Listens for a moment on a free port, since the running service may hold its own. */
async function probeHost(host: string): Promise<void> {
  const server = createServer()
  await once(server.listen({ host, port: 0 }), 'listening')
  server.close()
}

/** The start creates a missing folder, so its parent must be writable. */
async function probePlace(folder: string): Promise<void> {
  if (existsSync(folder)) return probeFolder(folder, uploadSuffix)
  const above = nearestPlace(folder)
  if (!(await stat(above)).isDirectory()) throw new Error(`${above} is not a folder`)
  await access(above, constants.W_OK)
}

/** The folder, or the nearest place above it that exists. */
function nearestPlace(folder: string): string {
  return existsSync(folder) ? folder : nearestPlace(dirname(folder))
}

/** A process with less free space is not ready. */
function probesOfDisks({ dataDir, blobs, freeSpaceMinMb }: Config): [string, () => Promise<unknown>][] {
  const folders = [
    { name: 'data' as const, folder: dataDir },
    ...(blobs.kind === 'folder' ? [{ name: 'documents' as const, folder: blobs.folder }] : []),
  ]
  return folders.map(({ name, folder }) => [
    `the disk of the ${name} folder has FREE_SPACE_MIN_MB (${freeSpaceMinMb}) free`,
    () => checkFree({ name, path: nearestPlace(folder) }, freeSpaceMinMb),
  ])
}

function settingOfDocuments({ blobs }: Config): string {
  return blobs.kind === 'folder' ? blobs.setting : 'S3_BUCKET'
}

async function probeDocuments(config: Config): Promise<void> {
  if (config.blobs.kind === 'folder') return probePlace(config.blobs.folder)
  const started = new Started()
  try {
    await (await openBlobs(config, started)).check()
  } finally {
    await started.stop(createLog('silent'))
  }
}

/**
 * An unavailable directory does not prevent a start, so it is advice. A range that overlaps that of another
 * cell is wrong.
 */
async function examineCell({ cell, accountNumbers }: Config): Promise<Finding> {
  if (cell === undefined || accountNumbers === undefined) throw new Error('there is no cell to examine')
  const pool = openDirectoryPool(cell.directoryUrl)
  try {
    const overlap = describeOverlap({ name: cell.name, accountNumbers }, await readCellsIfAny(pool))
    if (overlap !== '') return { kind: 'wrong', text: overlap }
    return { kind: 'right', text: 'the directory answers, and no other cell has the account numbers' }
  } catch (fault) {
    return {
      kind: 'advice',
      text: `no firm can be made without the directory. ${(fault as Error).message}`,
    }
  } finally {
    await pool.end()
  }
}

/** Advice: settings that work but are unusual in production. */
function adviseOn(config: Config): string[] {
  if (config.mode !== 'production') return []
  const advice: string[] = []
  if (config.database.kind === 'external') {
    const { url, ownerUrl, firmsUrl = url, readUrl = url } = config.database
    for (const address of new Set([url, ownerUrl, firmsUrl, readUrl]))
      if (URL.canParse(address) && isPlain(new URL(address)))
        advice.push(
          'the database is reached over the network without TLS: add sslmode=verify-full to its address',
        )
  }
  if (config.trustedProxies.length === 0)
    advice.push('TRUSTED_PROXIES names no proxy: behind one, every caller has its address')
  if (config.metricsPort === undefined) advice.push('METRICS_PORT is absent: there are no metrics')
  if (config.virusScanner === undefined) advice.push('CLAMD is absent: uploads are not scanned for viruses')
  return [...new Set(advice)]
}

const localHosts = ['', 'localhost', '127.0.0.1', '[::1]']

function isPlain({ hostname, searchParams }: URL): boolean {
  if (localHosts.includes(hostname) || searchParams.get('host')?.startsWith('/')) return false
  return !['require', 'verify-ca', 'verify-full'].includes(searchParams.get('sslmode') ?? '')
}
