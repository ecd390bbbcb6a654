/**
 * Runs the service until a signal ends it: logs its address, drains on SIGTERM, ends on SIGINT, and ends on an uncaught
 * fault. A start without a database is retried for a while, because a failover may be in progress.
 */
import { relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isMistakeOfOurs } from './commands/is-mistake.ts'
import type { Config } from './config/config.ts'
import { DatabaseUnavailable, OutcomeUnknown } from './database/faults.ts'
import { createLog } from './observe/log.ts'
import { type Service, startService } from './service.ts'
import { Started } from './started.ts'
import { renderWelcome } from './welcome.ts'

const stopTimeoutMs = 30_000
const databaseTimeoutMs = 30_000
const databasePauseMs = 1_000

export async function run(config: Config): Promise<void> {
  const forPeople = config.mode === 'sandbox' && process.stdout.isTTY === true
  const log = createLog(forPeople ? 'warn' : config.logLevel)
  let started = new Started()
  let starting: Promise<Service> | undefined
  let service: Service | undefined
  let stopping = false
  let draining = false
  const drained = new AbortController()
  /** Serves on while proxies notice that the process is not ready. A second signal ends the wait. */
  const drain = async (): Promise<void> => {
    if (service === undefined || stopping || config.drainSeconds === 0) return
    if (draining) return drained.abort()
    draining = true
    service.drain()
    log.info({ seconds: config.drainSeconds }, 'not ready any more, draining')
    await pause(config.drainSeconds * 1_000, undefined, { signal: drained.signal }).catch(() => {})
  }
  const stop = async (reason: string, exitCode: number): Promise<void> => {
    if (stopping) return
    stopping = true
    log.info({ reason }, 'stopping')
    setTimeout(() => process.exit(exitCode || 1), stopTimeoutMs).unref()
    await started.stop(log)
    // An interrupted start stops its last part itself.
    await starting?.catch(() => {})
    process.exit(exitCode)
  }
  process.on('SIGTERM', () => void drain().then(() => stop('SIGTERM', 0)))
  process.on('SIGINT', () => void stop('SIGINT', 0))
  process.on('uncaughtException', (fault) => {
    log.fatal({ err: fault }, 'uncaught fault')
    void stop('fault', 1)
  })
  process.on('unhandledRejection', (fault) => {
    log.fatal({ err: fault }, 'uncaught rejection')
    void stop('fault', 1)
  })
  const start = async (): Promise<Service> => {
    const endMs = performance.now() + databaseTimeoutMs
    for (;;) {
      try {
        return await startService(config, log, started)
      } catch (fault) {
        if (!mayPass(fault) || performance.now() > endMs) throw fault
        log.warn({ reason: (fault as Error).message }, 'the database is away; the start is tried again')
        await pause(databasePauseMs)
        if (stopping) throw fault
        started = new Started()
      }
    }
  }
  try {
    starting = start()
    service = await starting
  } catch (fault) {
    if (stopping) return
    // Written once: as a line for people, or as a log line.
    if (forPeople) console.error(isMistakeOfOurs(fault) ? fault : (fault as Error).message)
    else if (isMistakeOfOurs(fault)) log.fatal({ err: fault }, 'the service did not start')
    else log.fatal({ reason: (fault as Error).message }, 'the service did not start')
    process.exit(1)
  }
  if (stopping) return
  log.info({ address: service.address, mode: config.mode }, 'ready')
  if (config.mode === 'sandbox')
    process.stdout.write(renderWelcome(service.address, service.staffPassword ?? '', placeOfData(config)))
}

/** A failover ends by itself; a wrong login or a missing database is an error in the settings. */
function mayPass(fault: unknown): boolean {
  if (fault instanceof OutcomeUnknown) return true
  if (!(fault instanceof DatabaseUnavailable)) return false
  return fault.code === undefined || !/^(28|3D)/.test(fault.code)
}

function placeOfData({ database, dataDir }: Config): string {
  if (database.kind === 'external') return `your database and ${dataDir}`
  const below = relative(process.cwd(), dataDir)
  return below === '' || below.startsWith('..') ? dataDir : `./${below}`
}
