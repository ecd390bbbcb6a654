/** Runs several processes of the service behind one port (`PROCESSES`), until a signal or a fault ends them. */
import type { Config } from './config/config.ts'
import { createLog } from './observe/log.ts'
import { endingSignals } from './processes/messages.ts'
import { Parent } from './processes/parent.ts'
import { ProcessEnded } from './processes/slot.ts'
import { explainFirstStart, greet, isForPeople, reportFailedStart, warnOfSettings } from './welcome.ts'

export async function runProcesses(config: Config): Promise<void> {
  const log = createLog(isForPeople(config) ? 'warn' : config.logLevel)
  warnOfSettings(config, log)
  const parent = new Parent(config, log)
  let exitCode = 0
  const end = (signal: NodeJS.Signals) => void parent.end(signal).then(() => process.exit(exitCode))
  for (const signal of endingSignals) process.on(signal, end)
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (fault) => {
      log.fatal({ err: fault }, 'uncaught fault')
      exitCode = 1
      end('SIGINT')
    })
  const stopExplaining = explainFirstStart(config)
  try {
    const serving = await parent.start((ready) => {
      stopExplaining()
      greet(config, ready)
    })
    if (!parent.ending) log.info({ processes: serving }, 'processes are ready')
  } catch (fault) {
    stopExplaining()
    if (parent.ending) return
    exitCode = 1
    // A process that did not start has logged the reason.
    if (!(fault instanceof ProcessEnded)) reportFailedStart(fault, log, config)
    end('SIGINT')
  }
}
