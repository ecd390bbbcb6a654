/** The part of `doctor` that examines the database with its roles, schema and keys, and its standbys. */
import type { Config } from '../config/config.ts'
import {
  type ConnectionsMax,
  checkDurability,
  readConnectionsMax,
  UnsuitableDatabase,
} from '../database/durability.ts'
import { readMissing } from '../database/migrate.ts'
import { compareAddresses, connectionsOf } from '../database/open-pools.ts'
import { openPool, type Pool, type PoolName } from '../database/pool.ts'
import { isOfSameLine } from '../database/replica.ts'
import { WrongRole } from '../database/session.ts'
import { inTransaction } from '../database/transaction.ts'
import { hasMark, settingOfStore } from '../documents/open-documents.ts'
import { describeOtherStore } from '../documents/store-of-database.ts'
import { readMasterKeyFile } from '../encryption/master-key-file.ts'
import { firstKeyNotHeld, isHeldByProcesses } from '../identity/assert-master-keys.ts'
import { openDirectoryPool } from '../identity/cells/open-cells.ts'
import { createLog } from '../observe/log.ts'
import { assertNoProduction } from '../sandbox/assert-no-production.ts'
import { assertNoSandbox } from '../sandbox/assert-no-sandbox.ts'
import { Started } from '../started.ts'
import { readCellsIfAny } from '../store/cell-directory.ts'
import { findMovedAccounts, type MovedAccount } from '../store/cell-moves.ts'
import { readStoreId } from '../store/document-store.ts'
import { isLineDue } from '../store/event-lines.ts'
import { findForeignNumber } from '../store/foreign-numbers.ts'
import { readMasterKeyUses } from '../store/master-keys.ts'
import type { Finding } from './finding.ts'

type ExternalDatabase = Extract<Config['database'], { kind: 'external' }>

const connectTimeoutMs = 5_000

/** Examines the addresses of the database one after the other, as the roles of the service. */
export async function examineDatabase(
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
    // The first migration makes the role of the pool that names the login of the service.
    if (missing.some((name) => name.startsWith('001-')))
      findings.push(compareConnections(config, await readConnectionsMax(pool)))
  })
  // An address that does not answer has a finding of its own.
  await compareAddresses(config).catch((fault) => {
    if (fault instanceof UnsuitableDatabase) findings.push({ kind: 'wrong', text: fault.message })
  })
  // The first migration makes the roles of the two other pools.
  if (missing === undefined || missing.some((name) => name.startsWith('001-'))) return findings
  for (const name of ['app', 'operations'] as const)
    await withPool(name, async (pool) => {
      if (name === 'operations') findings.push(compareConnections(config, await readConnectionsMax(pool)))
      const client = await pool.acquire()
      client.release()
      findings.push({ kind: 'right', text: `the database lets the service in as ${name}` })
      // Migration 010 makes the last of the tables that hold keys.
      if (name === 'operations' && !missing?.some((name) => name.startsWith('010-')))
        findings.push(...(await examineMasterKeys(pool, config)))
      if (name === 'operations' && missing?.length === 0)
        findings.push(...(await examineStore(pool, config)), ...(await examineNumbers(pool, config)))
      if (name === 'operations') await checkMode(pool, config, missing ?? [])
    })
  if (readUrl !== undefined)
    findings.push(await examineReplica(readUrl, missing.length === 0 ? url : undefined))
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
  const [first = ''] = held
  const isHeld = await isHeldByProcesses(operations, first)
  const advice: Finding[] = isHeld ? [] : [{ kind: 'advice', text: firstKeyNotHeld }]
  const uses = await inTransaction(operations, { firm: null, readOnly: true }, readMasterKeyUses)
  const others = uses.filter(({ masterKeyId }) => !held.includes(masterKeyId))
  if (others.length === 0)
    return [
      { kind: 'right', text: 'MASTER_KEY_FILE has the master key of every key of the database' },
      ...advice,
    ]
  const wrong = others.map(
    ({ masterKeyId, keys }): Finding => ({
      kind: 'wrong',
      text: `MASTER_KEY_FILE lacks the master key ${masterKeyId}, under which the database has ${keys} keys: add its file`,
    }),
  )
  return [...wrong, ...advice]
}

/** Compares the document store with that of the database, and creates neither. A sandbox has no such id. */
async function examineStore(operations: Pool, config: Config): Promise<Finding[]> {
  const id = await readStoreId(operations)
  if (id === undefined || config.mode !== 'production') return []
  const started = new Started()
  try {
    if (await hasMark(config, id, started))
      return [{ kind: 'right', text: 'the document store is that of the database' }]
    return [{ kind: 'wrong', text: describeOtherStore(settingOfStore(config), id) }]
  } finally {
    await started.stop(createLog('silent'))
  }
}

/** Throws as the start does. Migration 050 makes the last of the tables that show the mode. */
async function checkMode(operations: Pool, { mode }: Config, missing: readonly string[]): Promise<void> {
  const lacks = (number: number) => missing.some((name) => Number(name.slice(0, 3)) <= number)
  if (mode === 'sandbox') {
    if (!lacks(50)) await assertNoProduction(operations, !lacks(321))
  } else if (missing.length === 0) await assertNoSandbox(operations, new Date())
}

/**
 * Finds accounts from before the installation became a cell. The directory does not list them, so other cells and
 * `load --cells` take them for accounts of the cell that has the range of their numbers, and that cell can assign a
 * number again.
 */
async function examineNumbers(operations: Pool, { cell, accountNumbers }: Config): Promise<Finding[]> {
  if (cell === undefined || accountNumbers === undefined) return []
  const moved = await readMoved(cell.directoryUrl)
  if (moved === undefined) return []
  const known = moved.filter((account) => account.cell === cell.name).map(({ number }) => number)
  const foreign = await findForeignNumber(operations, accountNumbers, known)
  if (foreign === undefined) return []
  const { first, last } = accountNumbers
  const text = `the account ${foreign}, and perhaps others, has a number outside ACCOUNT_NUMBERS ${first}-${last}: other cells take it for an account of another cell. An installation with such accounts cannot be one of several cells`
  return [{ kind: 'wrong', text }]
}

/** Undefined if the directory cannot be read, which has a finding of its own. */
async function readMoved(directoryUrl: string): Promise<readonly MovedAccount[] | undefined> {
  if (!URL.canParse(directoryUrl)) return undefined
  const directory = openDirectoryPool(directoryUrl)
  try {
    return (await readCellsIfAny(directory)).length === 0 ? [] : await findMovedAccounts(directory)
  } catch {
    return undefined
  } finally {
    await directory.end()
  }
}

/**
 * An unavailable standby is not a mistake, because the primary answers in the meantime. `primaryUrl` is undefined if
 * the schema lacks migrations.
 */
async function examineReplica(url: string, primaryUrl: string | undefined): Promise<Finding> {
  const limits = { connectionsMax: 2, acquireTimeoutMs: connectTimeoutMs }
  const pool = openPool({ name: 'operations', url, standby: true, limits })
  try {
    const client = await pool.acquire()
    client.release()
    return (
      (primaryUrl === undefined ? undefined : await compareLines(pool, primaryUrl)) ?? {
        kind: 'right',
        text: 'the standby of DATABASE_READ_URL lets the service in as operations',
      }
    )
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

/** Undefined if the standby has the newest line of the event log of the primary, and no line is about to begin. */
async function compareLines(standby: Pool, url: string): Promise<Finding | undefined> {
  const primary = openPool({ name: 'operations', url, limits: { connectionsMax: 2 } })
  try {
    if (!(await isOfSameLine(standby, primary)))
      return {
        kind: 'wrong',
        text: 'DATABASE_READ_URL is not a standby of DATABASE_URL: it is of another cluster, or of the time that a restore has lost. The primary answers all reads',
      }
    if (await isLineDue(primary))
      return {
        kind: 'advice',
        text: 'the database was restored or promoted since the last start: DATABASE_READ_URL must name standbys of its present cluster and time line',
      }
    return undefined
  } finally {
    await primary.end()
  }
}

function compareConnections(config: Config, { most, by }: ConnectionsMax): Finding {
  const { processes } = config
  const open = processes * connectionsOf(config)
  const text = `${processes} ${processes === 1 ? 'process opens' : 'processes open'} at most ${open} connections of the ${most} that the database allows (${by})`
  return { kind: open < most ? 'right' : 'advice', text }
}
