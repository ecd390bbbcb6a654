/**
 * Opens the pools of the service, each with its role and limits, on its own PostgreSQL or on the configured
 * one. All missing migrations are applied before any other use.
 */
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Started } from '../started.ts'
import { checkDurability } from './durability.ts'
import { openEmbeddedPostgres } from './embedded-postgres.ts'
import { migrate, type Wait } from './migrate.ts'
import { namingSetting } from './naming-setting.ts'
import { openPool, type Pool, type PoolLimits, type PoolName } from './pool.ts'
import { assertSameDatabase } from './same-database.ts'

/** Of a new database, of which the names of all migrations say nothing. */
const firstMigration = '001-roles'
const identityConnectionsMax = 4
const eventsConnectionsMax = 4
export const loadsLimits = {
  connectionsMax: 4,
  /** A load waits for a connection as long as batches of other loads take. */
  acquireTimeoutMs: 30_000,
  statementTimeoutMs: 60_000,
  answerTimeoutMs: 65_000,
  lockTimeoutMs: 30_000,
}

/** Snapshots copy whole tables. One of these connections listens for changes of the clock. */
const controlsLimits = {
  connectionsMax: 5,
  statementTimeoutMs: 60_000,
  answerTimeoutMs: 65_000,
  lockTimeoutMs: 10_000,
}

/** The largest number of connections that one process opens. */
export function connectionsOf({ connectionsMax, jobsAtOnce }: Config): number {
  return (
    ownerConnections(jobsAtOnce) +
    connectionsMax +
    operationsConnections(connectionsMax) +
    // The thread of loads opens the same number again.
    2 * loadsLimits.connectionsMax +
    identityConnectionsMax +
    eventsConnectionsMax +
    controlsLimits.connectionsMax
  )
}

function ownerConnections(jobsAtOnce: number): number {
  return jobsAtOnce + 3
}

function operationsConnections(connectionsMax: number): number {
  return Math.max(4, Math.ceil(connectionsMax / 2))
}

/** The address of the database for each role. */
export type DatabaseUrls = Readonly<Record<PoolName, string>>

/** The limits for an isolated sandbox: few connections, which are closed when they are idle. */
const leanLimits = { connectionsMin: 0, idleTimeoutMs: 10_000 }
const leanConnectionsMax = 3

export type Pools = Record<PoolName | 'identity' | 'loads' | 'events' | 'controls', Pool>

/** `lean` is for an isolated sandbox, which shares its server with many others. */
export async function openPools(
  urls: DatabaseUrls,
  { config, log, started, lean = false }: { config: Config; log: Logger; started: Started; lean?: boolean },
): Promise<Pools> {
  const open = (name: PoolName, url: string, limits: Partial<PoolLimits>, shared = false): Pool => {
    const most = limits.connectionsMax
    const pool = openPool({
      name,
      url,
      setting: settingOf(config, name, shared),
      limits: lean
        ? {
            ...limits,
            ...leanLimits,
            connectionsMax: Math.min(most ?? leanConnectionsMax, leanConnectionsMax),
          }
        : limits,
      shared,
      onLost: (error) => log.warn({ err: error, pool: name }, 'a connection to the database was lost'),
    })
    started.add(() => pool.end())
    return pool
  }
  const firmsUrl = config.database.kind === 'external' && !lean ? config.database.firmsUrl : undefined
  const appLimits = {
    connectionsMax: config.connectionsMax,
    connectionsMin: Math.ceil(config.connectionsMax / 2),
  }
  const pools = {
    owner: open('owner', urls.owner, { connectionsMax: ownerConnections(config.jobsAtOnce) }),
    app: open('app', firmsUrl ?? urls.app, appLimits, firmsUrl !== undefined),
    operations: open('operations', urls.operations, {
      connectionsMax: operationsConnections(config.connectionsMax),
    }),
    loads: open('operations', urls.operations, loadsLimits),
    identity: open('operations', urls.operations, { connectionsMax: identityConnectionsMax }),
    events: open('operations', urls.operations, { connectionsMax: eventsConnectionsMax }),
    controls: open('owner', urls.owner, controlsLimits),
  }
  const ownerSetting = settingOf(config, 'owner')
  await namingSetting(ownerSetting, checkDurability(pools.owner))
  if (!lean) await compareAddresses(config)
  const onWait = (wait: Wait) => log.warn(wait, 'the migration of the schema waits')
  const applied = await namingSetting(ownerSetting, migrate(pools.owner, undefined, { onWait }))
  const [first] = applied
  if (first === firstMigration) log.info({ schema: applied.at(-1) }, 'the schema was made')
  else if (first !== undefined) log.info({ migrations: applied }, 'the schema was brought up to date')
  return pools
}

/** Throws UnsuitableDatabase if the addresses of the settings lead to several databases. */
export async function compareAddresses({ database }: Pick<Config, 'database'>): Promise<void> {
  if (database.kind === 'embedded') return
  const { url, ownerUrl, firmsUrl } = database
  const firms = { setting: 'DATABASE_FIRMS_URL', shared: true }
  if (ownerUrl === url) {
    if (firmsUrl !== undefined)
      await assertSameDatabase({ setting: 'DATABASE_URL', url }, [{ ...firms, url: firmsUrl }])
    return
  }
  await assertSameDatabase({ setting: 'DATABASE_OWNER_URL', url: ownerUrl }, [
    { setting: 'DATABASE_URL', url },
    ...(firmsUrl === undefined ? [] : [{ ...firms, url: firmsUrl }]),
  ])
}

/** The name of the setting that holds the address of a pool. The embedded database has none. */
export function settingOf({ database }: Config, name: PoolName, shared = false): string | undefined {
  if (database.kind === 'embedded') return undefined
  if (shared) return 'DATABASE_FIRMS_URL'
  return name === 'owner' && database.ownerUrl !== database.url ? 'DATABASE_OWNER_URL' : 'DATABASE_URL'
}

/** Starts the embedded PostgreSQL, if none is configured. */
export async function openDatabase(config: Config, log: Logger, started: Started): Promise<DatabaseUrls> {
  if (config.database.kind === 'external') {
    const { url, ownerUrl } = config.database
    return { owner: ownerUrl, app: url, operations: url }
  }
  const embedded = await openEmbeddedPostgres({
    dataDir: config.dataDir,
    onEvent: (event) => log.warn(event),
  })
  started.add(() => embedded.stop())
  await embedded.start()
  return embedded.urls
}
