/**
 * Runs queued work: graphile-worker over the owner's pool, with leases, so that another process takes over the jobs of
 * a killed worker.
 */
import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Logger, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type { Pool } from '../database/pool.ts'
import type { HeldJobs, WorkHeld } from '../store/held-jobs.ts'
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
const restartPauseMs = 1_000

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
  /** Jobs that this process runs without a worker. */
  held?: { readonly jobs: HeldJobs; readonly work: WorkHeld }
  /** Receives the events of the library. */
  events?: WorkerEvents
}): Promise<JobRunner> {
  const { owner, tasks, jobsAtOnce, alone, log } = settings
  const leases = new WorkerLeases({
    owner,
    onFault: (fault) => log.error(fault, 'worker leases could not be renewed'),
    heldJobs: settings.held?.jobs,
    limits: settings.leases,
  })
  const events: WorkerEvents = settings.events ?? new EventEmitter()
  events.on('worker:create', ({ worker }) => leases.add(worker))
  const warnOfListener = watchListener(events, log)
  await leases.start(alone)
  const connections = openQueueConnections(owner)
  const start = () =>
    run({
      pgPool: connections.pool,
      taskList: tasks,
      ...(settings.schedule ? { crontab: settings.schedule } : {}),
      concurrency: jobsAtOnce,
      pollInterval: pollIntervalMs,
      noHandleSignals: true,
      events,
      logger: new Logger(() => (level, message) => {
        if (message.startsWith(listenerFault)) warnOfListener(message)
        else if (level === 'error') log.error(new Error(message), 'job queue')
        else if (level === 'warning') log.warn(message)
      }),
    })
  let runner = await start().catch(async (fault) => {
    await leases.stop().catch(() => {})
    throw fault
  })
  // Half as many, so that a rush of applications is accepted before it is processed (decision 175).
  settings.held?.jobs.start(settings.held.work, Math.ceil(jobsAtOnce / 2))
  const stopping = new AbortController()
  /** Starts the queue again when it ends on its own. A process without jobs would look healthy. */
  const keepRunning = async (): Promise<void> => {
    for (;;) {
      await ended(runner, (fault) => log.error(fault, 'the job queue failed'))
      if (stopping.signal.aborted) return
      log.error(new Error('the job queue ended unexpectedly'), 'the job queue is started again')
      leases.forget()
      runner = await startAgain(start, stopping.signal, (fault) => log.error(fault, 'the job queue'))
      if (stopping.signal.aborted) return runner.stop().catch(() => {})
    }
  }
  const kept = keepRunning().catch((fault) => {
    if (!stopping.signal.aborted) throw fault
  })
  return {
    async stop() {
      connections.stopWaiting()
      stopping.abort()
      await Promise.all([
        settings.held?.jobs.stop(),
        runner.stop().catch((fault) => log.error(fault, 'the job queue stopped')),
      ])
      await kept
      await leases.stop()
      connections.end()
    },
  }
}

const listenerFault = 'Error with notify listener (trying again'

/**
 * The queue connects its listener again after increasing pauses, and finds jobs by polling meanwhile. Returns a
 * function that warns at the first fault until the listener is connected again.
 */
function watchListener(events: WorkerEvents, log: JobLog): (message: string) => void {
  let warned = false
  events.on('pool:listen:success', () => {
    if (warned) log.info('the job queue is connected again for notifications')
    warned = false
  })
  return (message) => {
    const cause = message.slice(message.indexOf('): ') + 3)
    if (!warned) log.warn(`the job queue gets no notifications, and finds jobs by polling: ${cause}`)
    warned = true
  }
}

/** Resolves when the queue has ended, for any reason. */
function ended(runner: Runner, onFault: (fault: unknown) => void): Promise<void> {
  return runner.promise.catch(onFault)
}

/** Throws when the signal comes first. */
async function startAgain(
  start: () => Promise<Runner>,
  signal: AbortSignal,
  onFault: (fault: unknown) => void,
): Promise<Runner> {
  for (;;) {
    await pause(restartPauseMs, undefined, { signal })
    try {
      return await start()
    } catch (fault) {
      onFault(fault)
    }
  }
}
