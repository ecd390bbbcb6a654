/** Starts the service of an isolated sandbox in this process, with its own settings. */
import type { Server } from 'node:http'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { Started } from '../../started.ts'
import type { Handle, OpenSandbox } from './isolated-sandboxes.ts'
import type { Place } from './sandbox-databases.ts'

/** A service without a port of its own, to which another service passes calls. */
export interface Within {
  readonly place: Place
  readonly server: Server
  /** The address of its server on this machine. */
  readonly address: string
  /** Resolves to the handler of its calls when it can answer. */
  readonly serve: (handle: Handle) => void
}

export interface Surroundings {
  readonly config: Config
  readonly log: Logger
  /** Starts all parts of a service; `closeHttp` lets its running requests finish. */
  readonly start: (settings: {
    config: Config
    log: Logger
    started: Started
    within: Within
  }) => Promise<{ closeHttp(): Promise<void> }>
}

/** The limits of jobs and connections, because many sandboxes share a server. */
const connectionsMax = 3
const jobsAtOnce = 2

/** `issuer` is the public address of the sandbox. */
export async function openWithin(
  within: Within,
  issuer: string,
  { config, log, start }: Surroundings,
): Promise<OpenSandbox> {
  const { id, dataDir, loadsDemonstration } = within.place
  const started = new Started()
  const own = log.child({ sandbox: id })
  const settings: Config = {
    ...config,
    issuer,
    dataDir,
    // Standbys answer reads only for the service's own database.
    database:
      config.database.kind === 'external' ? { ...config.database, readUrl: undefined } : config.database,
    empty: !loadsDemonstration,
    blobs: { kind: 'folder', folder: `${dataDir}/documents`, setting: 'DATA_DIR' },
    connectionsMax,
    jobsAtOnce,
    metricsPort: undefined,
    traceExporter: undefined,
    staffProvider: undefined,
  }
  try {
    const { closeHttp } = await start({ config: settings, log: own, started, within })
    return { closeHttp, stop: () => started.stop(own) }
  } catch (fault) {
    await started.stop(own)
    throw fault
  }
}
