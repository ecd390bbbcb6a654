/**
 * Opens the data of a service: the database and its pools, the master keys, the clock, and the rows that every
 * installation has. A sandbox gets its fictitious firms, staff and watch list; each mode is refused on a
 * database of the other.
 */
import type { Logger } from 'pino'
import { type Clock, wallClock } from './clock.ts'
import type { Config } from './config/config.ts'
import { type DatabaseUrls, openDatabase, openPools, type Pools } from './database/open-pools.ts'
import { type MasterKeys, nameSessions } from './encryption/master-key.ts'
import { loadMasterKeys, SANDBOX_KEY_FILE } from './encryption/master-key-file.ts'
import { assertMasterKeys, firstKeyNotHeld, isHeldByProcesses } from './identity/assert-master-keys.ts'
import { type Cells, openCells } from './identity/cells/open-cells.ts'
import { ensureClearingFirm } from './identity/first-credential.ts'
import { seedSandboxFirms } from './identity/sandbox-firms.ts'
import { seedSandboxStaff } from './identity/staff/sandbox-staff.ts'
import { newTraceId } from './ids.ts'
import { makeFolder } from './make-folder.ts'
import { assertNoProduction } from './sandbox/assert-no-production.ts'
import { assertNoSandbox } from './sandbox/assert-no-sandbox.ts'
import { openFirstDay } from './sandbox/first-day.ts'
import type { Within } from './sandbox/isolated/open-within.ts'
import { type ClockPeers, SandboxClock } from './sandbox/sandbox-clock.ts'
import { loadFictitiousList } from './screening/load-fictitious-list.ts'
import type { Started } from './started.ts'
import { followCluster } from './store/event-lines.ts'
import { passIdsOfEvents } from './store/event-log-ahead.ts'
import { notifyOfRestore } from './store/restored-log.ts'

/** The inputs of the start of a service. */
export interface Surroundings {
  readonly config: Config
  readonly log: Logger
  readonly started: Started
  /** Set for an isolated sandbox. */
  readonly within?: Within | undefined
  /** The clock of the same sandbox in other processes. */
  readonly clockPeers?: ClockPeers | undefined
}

export interface OpenedData {
  readonly urls: DatabaseUrls
  readonly pools: Pools
  readonly masterKeys: MasterKeys
  readonly clock: Clock
  /** The clock of a sandbox, which can be moved. */
  readonly sandboxClock: SandboxClock | undefined
  /** The wall clock at the start. Firms, secrets and files use the wall clock. */
  readonly now: Date
  /** The other cells; undefined without a directory, and in an isolated sandbox. */
  readonly cells: Cells | undefined
  /** The password of the sandbox's people; undefined in production. */
  readonly staffPassword: string | undefined
}

export async function openData(surroundings: Surroundings): Promise<OpenedData> {
  const { config, log, started, within, clockPeers } = surroundings
  const sandbox = config.mode === 'sandbox'
  await makeFolder(config.dataDir).catch(({ message }: Error) => {
    // A sandbox keeps its password there. In production, only uploads cannot be served on a disk that refuses writes.
    if (sandbox) throw new Error(`DATA_DIR must be a folder in which the service can write: ${message}`)
    log.error({ reason: message }, 'the data folder (DATA_DIR) cannot be made')
  })
  const urls = within?.place.urls ?? (await openDatabase(config, log, started))
  const pools = await openPools(urls, { config, log, started, lean: within !== undefined })
  // Before anything is written: a production process may be serving on the database.
  if (sandbox && within === undefined) await assertNoProduction(pools.operations)
  await passIdsOfEvents(pools.operations, {
    onWait: (transactions) =>
      log.warn(
        { transactions },
        'the start waits: the log of events is ahead of this database cluster, as after pg_dump, and transactions are used up',
      ),
  })
  if (
    await followCluster(pools.operations, (tx) =>
      notifyOfRestore(tx, { at: new Date(), traceId: newTraceId() }),
    )
  )
    log.warn(
      'the database has a new time line: cursors of events that were written in a time that a restore has lost are refused from now on',
    )
  const masterKeys = await loadMasterKeys(
    sandbox
      ? { mode: 'sandbox', dataFolder: config.dataDir, keyFiles: config.masterKeyFiles }
      : {
          mode: 'production',
          keyFile: config.masterKeyFiles[0] ?? '',
          olderKeyFiles: config.masterKeyFiles.slice(1),
        },
  )
  const keySetting = config.masterKeyFiles.length > 0 ? 'MASTER_KEY_FILE' : `DATA_DIR (${SANDBOX_KEY_FILE})`
  await assertMasterKeys(pools.operations, masterKeys, keySetting)
  if (within === undefined && !(await isHeldByProcesses(pools.operations, masterKeys.current.keyId)))
    log.warn({ masterKey: masterKeys.current.keyId }, firstKeyNotHeld)
  pools.identity.nameSessions(nameSessions(masterKeys))
  const sandboxClock = sandbox
    ? await SandboxClock.open(pools.controls, (fault) => log.warn({ err: fault }, 'the clock'), clockPeers)
    : undefined
  if (sandboxClock) started.add(async () => sandboxClock[Symbol.asyncDispose]())
  const clock = sandboxClock ?? wallClock
  const now = new Date()
  await ensureClearingFirm({ operations: pools.operations, masterKeys, now })
  const cells = within === undefined ? openCells(config, { pools, started, log }) : undefined
  if (sandbox) await seedSandboxFirms({ operations: pools.operations, masterKeys, now, cells })
  else await assertNoSandbox(pools.operations, now)
  const staffPassword = sandbox
    ? await seedSandboxStaff({ operations: pools.operations, dataDir: config.dataDir, now })
    : undefined
  if (sandbox) {
    await loadFictitiousList(pools.operations, now)
    await openFirstDay(pools.operations, { now: clock.now(), closeAt: config.closeAt })
  }
  return { urls, pools, masterKeys, clock, sandboxClock, now, cells, staffPassword }
}
