/**
 * Runs queued work: graphile-worker over the owner's pool, with leases, so that another process takes over the jobs of
 * a killed worker.
 */
import { EventEmitter } from 'node:events'
import { Logger, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type { Pool } from '../database/pool.ts'
import { openQueueConnections } from './queue-connections.ts'
import { type LeaseLimits, WorkerLeases } from './worker-lease.ts'

export interface JobLog {
  info(message: string): void
  warn(message: string): void
  error(fault: unknown, message: string): void
}

export interface JobRunner {
  /** Lets running jobs finish. */
  stop(): Promise<void>
}

const pollIntervalMs = 1_000

export async function runJobs(settings: {
  owner: Pool
  tasks: TaskList
  /** A crontab in UTC: when each task is queued, once for all processes. */
  schedule?: string
  jobsAtOnce: number
  /** True when no other process works on this database. */
  alone: boolean
  log: JobLog
  leases?: LeaseLimits
}): Promise<JobRunner> {
  const { owner, tasks, jobsAtOnce, alone, log } = settings
  const leases = new WorkerLeases(
    owner,
    (fault) => log.error(fault, 'worker leases could not be renewed'),
    settings.leases,
  )
  const events: WorkerEvents = new EventEmitter()
  events.on('worker:create', ({ worker }) => leases.add(worker))
  await leases.start(alone)
  const connections = openQueueConnections(owner)
  const runner = await run({
    pgPool: connections.pool,
    taskList: tasks,
    ...(settings.schedule ? { crontab: settings.schedule } : {}),
    concurrency: jobsAtOnce,
    pollInterval: pollIntervalMs,
    noHandleSignals: true,
    events,
    logger: new Logger(() => (level, message) => {
      if (level === 'error') log.error(new Error(message), 'job queue')
      else if (level === 'warning') log.warn(message)
    }),
  }).catch(async (fault) => {
    await leases.stop().catch(() => {})
    throw fault
  })
  runner.promise.catch((fault) => log.error(fault, 'the job queue stopped'))
  return {
    async stop() {
      connections.stopWaiting()
      await runner.stop()
      await leases.stop()
      connections.end()
    },
  }
}
