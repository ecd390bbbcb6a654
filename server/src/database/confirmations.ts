// Detects that no synchronous standby confirms commits. Writes are then refused at once, instead of holding all
// connections, and reads continue. See decisions/112.
import { cancelRunning } from './cancel.ts'
import { flushSeen } from './flush.ts'
import type { Client, Pool } from './pool.ts'
import { roundTrip, type Step } from './round-trip.ts'
import { afterRunning } from './running-time.ts'
import { databaseOf, setConfirmed } from './standby-waits.ts'
import { control } from './statement.ts'

const probeEveryMs = 1_000
/** The time within which a standby must confirm. */
const patienceMs = 3_000

const asksStandbys: Step = {
  kind: 'run',
  statement: control(
    'asks-standbys',
    "select pg_catalog.current_setting('synchronous_standby_names') <> '' as asks",
  ),
  values: [],
}

/** Without synchronous standbys a slow response shows only that the server is busy. */
async function waitsForStandbys(pool: Pool, client: Client): Promise<boolean> {
  try {
    const [reply] = await roundTrip(pool, client, [asksStandbys])
    return (reply?.rows[0] as { asks: boolean } | undefined)?.asks === true
  } catch (error) {
    client.release(true)
    throw error
  }
}

/** Ends the wait of a session, which may lead to an old primary. The next probe opens another session. */
function giveUp(client: Client): void {
  cancelRunning(client)
  client.connection.stream.destroy()
}

export interface ConfirmationWatch {
  /** True while commits are confirmed. */
  readonly confirmed: boolean
  stop(): void
}

/** Requests a confirmation every second over `pool`. The result counts for all pools of its database. */
export function watchConfirmations(
  pool: Pool,
  pools: readonly Pool[],
  onChange: (confirmed: boolean) => void,
): ConfirmationWatch {
  const databases = new Set(pools.map(databaseOf))
  let confirmed = true
  let timer: NodeJS.Timeout | undefined
  const mark = (now: boolean) => {
    if (now === confirmed) return
    confirmed = now
    for (const database of databases) setConfirmed(database, now)
    onChange(now)
  }
  const probe = async () => {
    let stopWaiting: (() => void) | undefined
    let client: Client | undefined
    try {
      client = await pool.acquire()
      if (!(await waitsForStandbys(pool, client))) {
        client.release()
        mark(true)
        return
      }
      const session = client
      stopWaiting = afterRunning(patienceMs, () => {
        mark(false)
        giveUp(session)
      })
      await flushSeen(pool, client, { standbys: true, probes: true })
      mark(true)
    } catch {
      // Another part detects that the database is unavailable. After a failover, other sessions may lead to
      // the old primary too.
      if (client !== undefined) pool.distrust()
    } finally {
      stopWaiting?.()
      if (timer !== undefined) timer = setTimeout(probe, probeEveryMs).unref()
    }
  }
  timer = setTimeout(probe, 0).unref()
  return {
    get confirmed() {
      return confirmed
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      for (const database of databases) setConfirmed(database, true)
    },
  }
}
