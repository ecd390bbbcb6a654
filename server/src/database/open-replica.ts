/** Opens the pools of the standbys that answer reads, where the settings name them. */
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Started } from '../started.ts'
import { loadsLimits } from './open-pools.ts'
import { openPool, type Pool, type PoolLimits, type PoolName } from './pool.ts'
import { type ReadPool, Replica, type ReplicaOutcome } from './replica.ts'

/** A reader waits only briefly for a standby, because the primary can answer too. */
const acquireTimeoutMs = 1_000

export interface OpenReplica {
  readonly replica: Replica
  readonly pools: Readonly<Record<ReadPool, Pool>>
}

export async function openReplica(
  { database, connectionsMax, replicaLagMaxSeconds }: Config,
  primary: Pool,
  { log, started }: { readonly log: Logger; readonly started: Started },
  onOutcome: (outcome: ReplicaOutcome) => void,
): Promise<OpenReplica | undefined> {
  if (database.kind === 'embedded' || database.readUrl === undefined) return undefined
  const { readUrl: url } = database
  const open = (name: PoolName, limitsOfPool: Partial<PoolLimits>) => {
    const limits = { ...limitsOfPool, acquireTimeoutMs }
    const pool = openPool({ name, url, setting: 'DATABASE_READ_URL', standby: true, limits })
    started.add(() => pool.end())
    return pool
  }
  const pools = {
    app: open('app', { connectionsMax }),
    operations: open('operations', { connectionsMax: Math.max(4, Math.ceil(connectionsMax / 2)) }),
    loads: open('operations', loadsLimits),
  }
  const replica = new Replica({
    pools,
    primary,
    lagMaxMs: replicaLagMaxSeconds * 1_000,
    onOutcome,
    onState: (state) => log[state === 'there' ? 'info' : 'warn']({ state }, 'the standby for reads'),
  })
  started.add(await replica.start())
  return { replica, pools }
}
