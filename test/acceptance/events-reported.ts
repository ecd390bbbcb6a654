/** Waits until the event log shows what was written before: it shows no event while an older transaction is open. */
import { setTimeout as pause } from 'node:timers/promises'

const triesMax = 3_000

/** `query` runs a statement in the database of the service. */
export async function eventsReported(
  query: (sql: string) => Promise<{ readonly rows: readonly Record<string, string>[] }>,
): Promise<void> {
  const [{ number = '' } = {}] = (await query('select pg_current_xact_id()::text as number')).rows
  for (let tries = 0; tries < triesMax; tries++) {
    const seen = await query('select pg_snapshot_xmin(pg_current_snapshot())::text as open')
    if (BigInt(seen.rows[0]?.open ?? 0) > BigInt(number)) return
    await pause(10)
  }
  throw new Error('a transaction has held back the events for a long time')
}
