/** Runs the service until a signal ends it: says where it is, drains on SIGTERM and SIGINT, and ends on a fault nobody caught. */
import type { Config } from './config.ts'
import { createLog } from './observe/log.ts'
import { type Service, startService } from './service.ts'
import { Started } from './started.ts'
import { renderWelcome } from './welcome.ts'

const stopTimeoutMs = 30_000

export const run = async (config: Config): Promise<void> => {
  const forPeople = config.mode === 'sandbox' && process.stdout.isTTY === true
  const log = createLog(forPeople ? 'warn' : config.logLevel)
  const started = new Started()
  let starting: Promise<Service> | undefined
  let stopping = false
  const stop = async (reason: string, exitCode: number): Promise<void> => {
    if (stopping) return
    stopping = true
    log.info({ reason }, 'stopping')
    setTimeout(() => process.exit(exitCode || 1), stopTimeoutMs).unref()
    await started.stop(log)
    // A start that was cut short puts away what came last.
    await starting?.catch(() => {})
    process.exit(exitCode)
  }
  process.on('SIGTERM', () => void stop('SIGTERM', 0))
  process.on('SIGINT', () => void stop('SIGINT', 0))
  process.on('uncaughtException', (fault) => {
    log.fatal({ err: fault }, 'a fault that nobody caught')
    void stop('fault', 1)
  })
  process.on('unhandledRejection', (fault) => {
    log.fatal({ err: fault }, 'a rejection that nobody caught')
    void stop('fault', 1)
  })
  let service: Service
  try {
    starting = startService(config, log, started)
    service = await starting
  } catch (fault) {
    if (stopping) return
    log.fatal({ err: fault }, 'the service did not start')
    console.error(fault instanceof Error ? fault.message : fault)
    process.exit(1)
  }
  if (stopping) return
  log.info({ address: service.address, mode: config.mode }, 'ready')
  if (config.mode === 'sandbox')
    process.stdout.write(renderWelcome(service.address, service.staffPassword ?? ''))
}
