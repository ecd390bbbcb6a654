/**
 * Jobs of applications that their process holds. A worker takes such a job while the process works on it, and snapshots
 * are saved and restored while jobs wait and run. Each application is processed once (R025, R026).
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { applicationFor } from '../acceptance/applications.ts'
import { follow, open, read, refusalOf, until } from '../acceptance/calling.ts'
import { type RunningService, startRunningService } from '../acceptance/running-service.ts'

/** Held jobs at a time: half of JOBS_AT_ONCE. */
const heldAtOnce = 2
/** Far less than a lock may take. */
const restoringMs = 200

let service: RunningService
before(async () => {
  service = await startRunningService({
    environment: { JOBS_AT_ONCE: `${heldAtOnce * 2}` },
    forTheFirstTime: false,
  })
  // While the gate is closed, work on an onboarding stops between its lock and its COMMIT.
  await service.query(`
    create table public.closed_gate ();
    create function public.wait_at_gate() returns trigger language plpgsql security definer as $$
    begin
      while exists (select from public.closed_gate) loop perform pg_sleep(0.01); end loop;
      return new;
    end $$;
    create trigger gate before update on clearing.onboarding for each row execute function public.wait_at_gate()`)
})
after(() => service?.stop())

async function closeGate(): Promise<void> {
  await service.query('insert into public.closed_gate default values')
}
async function openGate(): Promise<void> {
  await service.query('delete from public.closed_gate')
}

async function submit(): Promise<string> {
  return (await open(service.alpha, applicationFor('Individual'))).accountNumber
}
/** Submits twice as many applications as are processed at a time. */
async function submitMany(): Promise<string[]> {
  const submitted = await Promise.all(Array.from({ length: heldAtOnce * 2 }, submit))
  await until(countStopped, (count) => count === heldAtOnce)
  return submitted
}

/** The names for which the jobs of applications are locked. */
async function holders(): Promise<(string | null)[]> {
  const { rows } = await service.query(
    "select locked_by as holder from graphile_worker.jobs where task_identifier = 'onboarding'",
  )
  return rows.map(({ holder }) => holder)
}

async function countStopped(): Promise<number> {
  const { rows } = await service.query(
    "select count(*)::int as count from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()",
  )
  return rows[0].count
}

async function checkOpenedOnce(accountNumbers: readonly string[]): Promise<void> {
  for (const accountNumber of accountNumbers) {
    await follow(service.alpha, accountNumber)
    assert.equal((await read(service.alpha, accountNumber)).accountStatus, 'Open')
  }
  await until(holders, (names) => names.length === 0)
  await service.eventsReported()
  const { events } = (await service.alpha.listEvents({ size: 100, types: ['account.opened'] })).data
  const opened = events.flatMap(({ subject = '' }) => (accountNumbers.includes(subject) ? subject : []))
  assert.deepEqual(opened.sort(), [...accountNumbers].sort())
  assert.doesNotMatch(service.log(), /a job failed/)
}

test('a job that a worker takes while its process works on it takes effect once', async () => {
  await closeGate()
  const accountNumber = await submit()
  await until(countStopped, (count) => count === 1)
  const held = await holders()
  assert.match(`${held}`, /^held-/)
  // As if the lease had expired.
  await service.query('select graphile_worker.force_unlock_workers($1)', [held])
  await until(holders, ([name]) => typeof name === 'string')
  await openGate()
  await checkOpenedOnce([accountNumber])
})

test('jobs that wait and run when a snapshot is saved are run after its restore, and later ones are not', async () => {
  const { sandbox } = service.alpha
  await sandbox.freezeClock({})
  await closeGate()
  const saved = await submitMany()
  await sandbox.saveSnapshot({ name: 'held' })
  await openGate()
  await checkOpenedOnce(saved)

  await closeGate()
  const later = await submitMany()
  const restoring = sandbox.restoreSnapshot({ name: 'held' })
  await pause(restoringMs)
  await openGate()
  await restoring
  await checkOpenedOnce(saved)
  for (const accountNumber of later)
    assert.equal((await refusalOf(service.alpha.getAccount({ accountNumber }))).status, 404)
})
