/**
 * The standbys of the database, which confirm commits or answer reads. An isolated sandbox has its own
 * database, so it does not use the address for reads.
 */
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { watchConfirmations } from '../database/confirmations.ts'
import type { Pools } from '../database/open-pools.ts'
import { openReplica } from '../database/open-replica.ts'
import type { Replica } from '../database/replica.ts'
import type { Started } from '../started.ts'
import type { Metrics } from './metrics.ts'

export interface Standbys {
  readonly replica: Replica | undefined
  readonly takesWrites: () => boolean
}

export async function openStandbys(
  pools: Pools,
  metrics: Metrics,
  isIsolated: boolean,
  { config, log, started }: { readonly config: Config; readonly log: Logger; readonly started: Started },
): Promise<Standbys> {
  if (isIsolated) return { replica: undefined, takesWrites: () => true }
  const confirmations = watchConfirmations(pools.controls, Object.values(pools), (confirmed) => {
    if (confirmed) log.info('synchronous standbys confirm commits again')
    else log.error('no synchronous standby confirms commits: writes are refused, reads continue')
  })
  started.add(async () => confirmations.stop())
  const takesWrites = () => confirmations.confirmed
  metrics.watchCommits(takesWrites)
  const opened = await openReplica(config, pools.operations, { log, started }, metrics.countReplicaRead)
  if (opened) metrics.watch(opened)
  return { replica: opened?.replica, takesWrites }
}
