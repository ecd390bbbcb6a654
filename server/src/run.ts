/**
 * Runs the service until a signal ends it. It logs its address, drains on a signal, and ends on an uncaught
 * fault. A start without a database is retried for a while, because a failover may be in
 * progress.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from './config/config.ts'
import { DatabaseUnavailable, OutcomeUnknown } from './database/faults.ts'
import { readHeapLimit, smallHeapAdvice } from './memory-settings.ts'
import { createLog, createLogOfProcess } from './observe/log.ts'
import { endingSignals } from './processes/messages.ts'
import type { ParentLink } from './processes/parent-link.ts'
import { type Service, startService } from './service.ts'
import { Started } from './started.ts'
import { explainFirstStart, greet, isForPeople, reportFailedStart, warnOfSettings } from './welcome.ts'

const stopTimeoutMs = 30_000
const databaseTimeoutMs = 30_000
const databasePauseMs = 1_000

/** With `link`, this is one of several processes. Their parent passes signals on and prints the welcome. */
export async function run(settings: Config, link?: ParentLink): Promise<void> {
  const config = link ? configOfProcess(settings, link) : settings
  const level = isForPeople(config) ? 'warn' : config.logLevel
  const log = link ? createLogOfProcess(level, link.assignment.number) : createLog(level)
  const { megabytes, isSmall } = readHeapLimit()
  if (isSmall) log.warn({ megabytes }, `the heap of the process is small: ${smallHeapAdvice}`)
  // Of several processes, the parent warns.
  if (link === undefined) warnOfSettings(config, log)
  let started = new Started()
  let starting: Promise<Service> | undefined
  let service: Service | undefined
  let stopping = false
  let draining = false
  const drained = new AbortController()
  /** Continues to serve while proxies notice that the process is not ready. A second signal ends the wait. */
  const drain = async (): Promise<void> => {
    if (service === undefined || stopping || config.drainSeconds === 0) return
    if (draining) return drained.abort()
    draining = true
    service.drain()
    log.info({ seconds: config.drainSeconds }, 'no longer ready, draining')
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
  const onSignal = (signal: NodeJS.Signals) => void drain().then(() => stop(signal, 0))
  if (link) link.onSignal(onSignal)
  else for (const signal of endingSignals) process.on(signal, onSignal)
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
        return await startService(config, log, started, link)
      } catch (fault) {
        // The stop of an interrupted start closes the connections itself.
        if (stopping || !mayPass(fault) || performance.now() > endMs) throw fault
        log.warn({ reason: (fault as Error).message }, 'the database is away; the start is tried again')
        await pause(databasePauseMs)
        if (stopping) throw fault
        started = new Started()
      }
    }
  }
  const stopExplaining = link ? () => {} : explainFirstStart(config)
  try {
    starting = start()
    service = await starting.finally(stopExplaining)
  } catch (fault) {
    if (stopping) return
    reportFailedStart(fault, log, config)
    process.exit(1)
  }
  if (stopping) return
  log.info({ address: service.address, mode: config.mode }, 'ready')
  if (link) link.sayReady(service.address, service.staffPassword)
  else greet(config, service)
}

/**
 * True for a fault that a failover causes, which ends on its own. A wrong login or a missing database is an
 * error in the settings.
 */
function mayPass(fault: unknown): boolean {
  if (fault instanceof OutcomeUnknown) return true
  if (!(fault instanceof DatabaseUnavailable)) return false
  return fault.code === undefined || !/^(28|3D)/.test(fault.code)
}

/** The configuration of one of several processes. */
export function configOfProcess(config: Config, link: ParentLink): Config {
  const { port, databaseUrl: url } = link.assignment
  const database: Config['database'] =
    url === undefined
      ? config.database
      : { kind: 'external', url, ownerUrl: url, firmsUrl: undefined, readUrl: undefined }
  return { ...config, port, database }
}
