/** Waits until other sessions wait for locks of a test's own transaction. */
import { until } from '../../server/src/database/test-waiting.ts'
import type { RunningService } from './running-service.ts'

/**
 * A session also counts when it waits for another that waits. Sessions of other databases of the server wait too, and
 * do not count. In a transaction, `pg_stat_activity` would show the sessions of its first query.
 */
const countBehind = `with recursive behind (pid) as (
    select pg_backend_pid()
    union
    select lock.pid from pg_locks as lock join behind on behind.pid = any (pg_blocking_pids(lock.pid)) where not granted
  )
  select count(*)::int - 1 as count from behind`

/** The test's transaction began with a query of `service`. */
export async function untilBehind(service: RunningService, count: number): Promise<void> {
  await until(
    `${count} sessions behind this one`,
    async () => (await service.query(countBehind)).rows[0].count >= count,
  )
}
