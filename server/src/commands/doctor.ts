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
import { checkDurability, readConnectionsMax } from '../database/durability.ts'
import { readMissing } from '../database/migrate.ts'
import { connectionsOf } from '../database/open-pools.ts'
import { openPool, type Pool, type PoolName } from '../database/pool.ts'
import { WrongRole } from '../database/session.ts'
import { inTransaction } from '../database/transaction.ts'
import { openBlobs, openMarks, openScanner, pathOfMark } from '../documents/open-documents.ts'
import { probeFolder } from '../documents/probe-folder.ts'
import { uploadSuffix } from '../documents/receive-upload.ts'
import { describeOtherStore } from '../documents/store-of-database.ts'
import { readMasterKeyFile } from '../encryption/master-key-file.ts'
import { describeOverlap, openDirectoryPool } from '../identity/cells/open-cells.ts'
import { readHeapLimit, smallHeapAdvice } from '../memory-settings.ts'
import { checkFree } from '../observe/free-space.ts'
import { createLog } from '../observe/log.ts'
import { Started } from '../started.ts'
import { readCellsIfAny } from '../store/cell-directory.ts'
import { findMovedAccounts } from '../store/cell-moves.ts'
import { readStoreId } from '../store/document-store.ts'
import { findForeignNumber } from '../store/foreign-numbers.ts'
import { readMasterKeyUses } from '../store/master-keys.ts'

export interface Finding {
  readonly kind: 'wrong' | 'advice' | 'right'
  readonly text: string
}

type ExternalDatabase = Extract<Config['database'], { kind: 'external' }>

const connectTimeoutMs = 5_000

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
  findings.push(...adviseOn(config).map((text): Finding => ({ kind: 'advice', text })))
  findings.push(examineHeap())
  const unread = (name: string) => mistakes.some((mistake) => mistake.startsWith(name))
  const probes: [what: string, probe: () => Promise<unknown>][] = [
    ...(unread('MASTER_KEY_FILE') ? [] : probesOfKeys(config)),
    ['HOST is an address of this machine', () => probeHost(config.host)],
    ['the data folder takes files', () => probePlace(config.dataDir)],
    ...probesOfDisks(config),
    ['the document store takes documents', () => probeDocuments(config)],
  ]
  if (config.virusScanner !== undefined && !unread('CLAMD'))
    probes.push(['the virus scanner answers', async () => openScanner(config)?.check()])
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
  return masterKeyFiles.map((file) => [`${file} holds a master key`, () => readMasterKeyFile(file, mode)])
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

async function probeDocuments(config: Config): Promise<void> {
  if (config.blobs.kind === 'folder') return probePlace(config.blobs.folder)
  const started = new Started()
  try {
    await (await openBlobs(config, started)).check()
  } finally {
    await started.stop(createLog('silent'))
  }
}

async function examineDatabase(
  { url, ownerUrl, firmsUrl, readUrl }: ExternalDatabase,
  config: Config,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const withPool = async (name: PoolName, act: (pool: ReturnType<typeof openPool>) => Promise<void>) => {
    const ofFirms = name === 'app' && firmsUrl !== undefined
    const pool = openPool({
      name,
      url: name === 'owner' ? ownerUrl : ofFirms ? firmsUrl : url,
      shared: ofFirms,
      limits: { connectionsMax: 2, acquireTimeoutMs: connectTimeoutMs },
    })
    try {
      await act(pool)
    } catch (fault) {
      const setting =
        name === 'owner' && ownerUrl !== url
          ? 'DATABASE_OWNER_URL'
          : ofFirms
            ? 'DATABASE_FIRMS_URL'
            : 'DATABASE_URL'
      findings.push({ kind: 'wrong', text: `${setting}, as ${name}: ${(fault as Error).message}` })
    } finally {
      await pool.end()
    }
  }
  let missing: readonly string[] | undefined
  await withPool('owner', async (pool) => {
    await checkDurability(pool)
    missing = await readMissing(pool)
    const state = missing.length === 0 ? 'its schema is current' : `the start applies ${missing[0]} and later`
    findings.push({ kind: 'right', text: `the database takes writes and keeps them; ${state}` })
    findings.push(compareConnections(config, await readConnectionsMax(pool)))
  })
  // The first migration makes the roles of the two other pools.
  if (missing === undefined || missing.some((name) => name.startsWith('001-'))) return findings
  for (const name of ['app', 'operations'] as const)
    await withPool(name, async (pool) => {
      const client = await pool.acquire()
      client.release()
      findings.push({ kind: 'right', text: `the database lets the service in as ${name}` })
      // Migration 010 makes the last of the tables that hold keys.
      if (name === 'operations' && !missing?.some((name) => name.startsWith('010-')))
        findings.push(...(await examineMasterKeys(pool, config)))
      if (name === 'operations' && missing?.length === 0)
        findings.push(...(await examineStore(pool, config)), ...(await examineNumbers(pool, config)))
    })
  if (readUrl !== undefined) findings.push(await examineReplica(readUrl))
  return findings
}

/**
 * Finds keys of the database that no configured master key can unwrap. A file that cannot be read has a finding of its
 * own.
 */
async function examineMasterKeys(operations: Pool, { masterKeyFiles, mode }: Config): Promise<Finding[]> {
  const read = await Promise.allSettled(masterKeyFiles.map((file) => readMasterKeyFile(file, mode)))
  const held = read.flatMap((each) => (each.status === 'fulfilled' ? [each.value.keyId] : []))
  if (held.length === 0 || held.length < masterKeyFiles.length) return []
  const uses = await inTransaction(operations, { firm: null, readOnly: true }, readMasterKeyUses)
  const others = uses.filter(({ masterKeyId }) => !held.includes(masterKeyId))
  if (others.length === 0)
    return [{ kind: 'right', text: 'MASTER_KEY_FILE has the master key of every key of the database' }]
  return others.map(({ masterKeyId, keys }) => ({
    kind: 'wrong',
    text: `MASTER_KEY_FILE lacks the master key ${masterKeyId}, under which the database has ${keys} keys: add its file`,
  }))
}

/** Compares the document store with that of the database, and creates neither. A sandbox has no such id. */
async function examineStore(operations: Pool, config: Config): Promise<Finding[]> {
  const id = await readStoreId(operations)
  if (id === undefined || config.mode !== 'production') return []
  const started = new Started()
  const { blobs } = config
  try {
    const isThere =
      blobs.kind === 'folder'
        ? existsSync(pathOfMark(blobs.folder, id))
        : (await (await openMarks(config, started)).measure(id)) !== undefined
    if (isThere) return [{ kind: 'right', text: 'the document store is that of the database' }]
    const setting = blobs.kind === 'folder' ? `the folder of ${blobs.setting}` : 'S3_BUCKET'
    return [{ kind: 'wrong', text: describeOtherStore(setting, id) }]
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
      text: `DIRECTORY_URL, without which no firm can be made: ${(fault as Error).message}`,
    }
  } finally {
    await pool.end()
  }
}

/**
 * Finds accounts from before the installation became a cell. The directory does not list them, so other cells and
 * `load --cells` take them for accounts of the cell that has the range of their numbers, and that cell can assign a
 * number again.
 */
async function examineNumbers(operations: Pool, { cell, accountNumbers }: Config): Promise<Finding[]> {
  if (cell === undefined || accountNumbers === undefined) return []
  const directory = openDirectoryPool(cell.directoryUrl)
  try {
    const moved = (await readCellsIfAny(directory)).length === 0 ? [] : await findMovedAccounts(directory)
    const known = moved.filter((account) => account.cell === cell.name).map(({ number }) => number)
    const foreign = await findForeignNumber(operations, accountNumbers, known)
    if (foreign === undefined) return []
    const { first, last } = accountNumbers
    const text = `the account ${foreign}, and perhaps others, has a number outside ACCOUNT_NUMBERS ${first}-${last}: other cells take it for an account of another cell. An installation with such accounts cannot be one of several cells`
    return [{ kind: 'wrong', text }]
  } finally {
    await directory.end()
  }
}

/** An unavailable standby is not a mistake, because the primary answers in the meantime. */
async function examineReplica(url: string): Promise<Finding> {
  const limits = { connectionsMax: 2, acquireTimeoutMs: connectTimeoutMs }
  const pool = openPool({ name: 'app', url, standby: true, limits })
  try {
    const client = await pool.acquire()
    client.release()
    return { kind: 'right', text: 'the standby of DATABASE_READ_URL lets the service in as app' }
  } catch (fault) {
    const { message } = fault as Error
    if (fault instanceof WrongRole) return { kind: 'wrong', text: `DATABASE_READ_URL: ${message}` }
    return {
      kind: 'advice',
      text: `DATABASE_READ_URL is not used, the primary answers all reads: ${message}`,
    }
  } finally {
    await pool.end()
  }
}

function compareConnections(config: Config, most: number): Finding {
  const { processes } = config
  const open = processes * connectionsOf(config)
  const text = `${processes} ${processes === 1 ? 'process opens' : 'processes open'} at most ${open} connections of the ${most} of the database (max_connections)`
  return { kind: open < most ? 'right' : 'advice', text }
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
