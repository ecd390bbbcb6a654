/**
 * The running service: opens its data, makes its parts, starts its jobs, and serves. It stops in the reverse order.
 * All long-lived objects are passed down; nothing is global.
 */
import { operations } from '@clearing/protocol'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from './config/config.ts'
import { FirstStatistics } from './database/first-statistics.ts'
import { prepareAdmitPerson } from './http/admission/session.ts'
import { RequestLog } from './http/answer/request-log.ts'
import { closeHttp } from './http/close-http.ts'
import { createHttp } from './http/create-http.ts'
import { httpLimits } from './http/limits.ts'
import { mountPublic } from './http/mount-public.ts'
import { mountSandboxes } from './http/mount-sandboxes.ts'
import { mountStaff } from './http/staff/mount-staff.ts'
import { mountIdentity } from './identity/mount-identity.ts'
import { startJobs } from './jobs/start-jobs.ts'
import { checkPort, listen, listenAlone } from './listen.ts'
import { type Addresses, type MadeParts, makeParts, type PartSettings } from './make-parts.ts'
import type { WatchedFolder } from './observe/free-space.ts'
import { createMetrics, type Metrics } from './observe/metrics.ts'
import { openStandbys, type Standbys } from './observe/open-standbys.ts'
import { openStatus } from './observe/read-status.ts'
import { findWhyNotReady, listChecks, loggingChanges } from './observe/readiness.ts'
import { serveMetrics } from './observe/serve-metrics.ts'
import { type OpenedData, openData, type Surroundings } from './open-data.ts'
import { handlers, waysOfReading } from './operations/index.ts'
import type { ParentLink } from './processes/parent-link.ts'
import { openWithin } from './sandbox/isolated/open-within.ts'
import { loadDemonstration } from './sandbox/load-demonstration.ts'
import { keepFirstState } from './sandbox/snapshots.ts'
import { startDuties } from './start-duties.ts'
import { Started } from './started.ts'

export interface Service {
  /** `http://host:port` with the actual port. */
  readonly address: string
  /** The password of the sandbox's people; undefined in production. */
  readonly staffPassword: string | undefined
  /** Reports that the service is not ready, and continues to serve. */
  drain(): void
  /** Refuses new requests, lets running requests and jobs finish, and closes the database. */
  stop(): Promise<void>
}

/**
 * With `started`, a caller can stop the parts before the service is ready; the start then ends with a fault.
 * `link` is the link of a process to its parent, which has checked the ports.
 */
export async function startService(
  config: Config,
  log: Logger,
  started: Started = new Started(),
  link?: ParentLink,
): Promise<Service> {
  try {
    const { address, staffPassword, drain } = await start({ config, log, started, link })
    return { address, staffPassword, drain, stop: () => started.stop(log) }
  } catch (fault) {
    await started.stop(log)
    throw fault
  }
}

interface Starting extends Surroundings {
  /** Set for a process with others behind one port. */
  readonly link?: ParentLink | undefined
}

interface Ready extends Omit<Service, 'stop'> {
  /** Accepts no further calls, and lets running ones finish. */
  closeHttp(): Promise<void>
}

async function start(starting: Starting): Promise<Ready> {
  const { config, log, started, link, within } = starting
  if (link === undefined && within === undefined) await checkPorts(config)
  const clockPeers = starting.clockPeers ?? link?.peersOfClock('')
  const data = await openData({ config, log, started, within, clockPeers })
  const addresses: Addresses = { public: config.issuer, own: '' }
  const openSandbox: PartSettings['openSandbox'] = (place, { path, baseUrl, serve }) =>
    openWithin({ place, server: app.server, address: addresses.own + path, serve }, baseUrl, {
      config,
      log,
      start: (settings) => start({ ...settings, clockPeers: link?.peersOfClock(place.id) }),
    })
  const shareRates = link?.shareRates.bind(link)
  const made = await makeParts({ config, log, started, within, data, addresses, shareRates, openSandbox })
  await startDuties(starting, data, made)
  const opened: Opened = { ...starting, data, made, addresses, ...(await observe(starting, data, made)) }
  const statistics = new FirstStatistics(data.pools.owner, log)
  started.add(() => statistics.stop())
  await startJobs({
    config,
    log,
    started,
    pools: data.pools,
    parts: made.parts,
    count(task, outcome) {
      opened.metrics.countJob(task, outcome)
      statistics.countJob()
    },
  })
  const app = await makeHttp(opened)
  const phase: Phase = { complete: config.mode !== 'sandbox', draining: false }
  mountPages(app, opened, phase)
  if (config.metricsPort !== undefined && link === undefined)
    await serveMetrics(config.host, config.metricsPort, opened.metrics.render, started)
  const address = await openToCallers(app, opened)
  await completeSandbox(opened)
  phase.complete = true
  startSandboxes(made, started)
  return {
    address,
    staffPassword: data.staffPassword,
    drain() {
      phase.draining = true
    },
    closeHttp: () => closeHttp(app),
  }
}

async function checkPorts(config: Config): Promise<void> {
  await checkPort(config, 'PORT')
  if (config.metricsPort !== undefined)
    await checkPort({ host: config.host, port: config.metricsPort }, 'METRICS_PORT')
}

/** A service whose parts exist and which does not serve yet. */
interface Opened extends Starting {
  readonly data: OpenedData
  readonly made: MadeParts
  readonly addresses: Addresses
  readonly metrics: Metrics
  readonly standbys: Standbys
  readonly folders: readonly WatchedFolder[]
}

async function observe(
  { config, log, started, within }: Starting,
  { pools }: OpenedData,
  { parts: { auditHeads, loadThread } }: MadeParts,
): Promise<Pick<Opened, 'metrics' | 'standbys' | 'folders'>> {
  const folders: WatchedFolder[] = [
    { name: 'data', path: config.dataDir },
    ...(config.blobs.kind === 'folder' ? [{ name: 'documents', path: config.blobs.folder } as const] : []),
  ]
  const metrics = createMetrics({ ...pools, 'loads-thread': loadThread }, folders, auditHeads, config)
  const standbys = await openStandbys(pools, metrics, within !== undefined, { config, log, started })
  return { metrics, standbys, folders }
}

async function makeHttp({ config, log, started, link, within, ...opened }: Opened): Promise<FastifyInstance> {
  const { pools, clock } = opened.data
  const { parts, people, uploadFolder } = opened.made
  const { identity, controls } = parts
  const traces = config.traceExporter
    ? (await import('./observe/traces.ts')).startTraces(config.traceExporter)
    : undefined
  if (traces) started.add(() => traces.stop())
  const requestLog = new RequestLog(pools.operations, log)
  started.add(() => requestLog.close())
  return createHttp({
    operations,
    handlers: handlers as Parameters<typeof createHttp>[0]['handlers'],
    parts,
    pools,
    authenticate: controls?.loopback.authenticate(identity.authenticate) ?? identity.authenticate,
    admitPerson: prepareAdmitPerson(people),
    clock: () => clock.now(),
    logger: log,
    uploadFolder,
    ...waysOfReading,
    replica: opened.standbys.replica,
    observe: opened.metrics.observe,
    requestLog,
    trustedProxies: config.trustedProxies,
    clientCertificateHeader: config.clientCertificateHeader,
    shareRates: link?.shareRates.bind(link),
    ...(traces ? { tracer: traces.tracer } : {}),
    ...(within ? { server: within.server } : {}),
  })
}

interface Phase {
  /**
   * Waits until the first state is saved before the service is ready, because losing the database during that
   * step would end the service.
   */
  complete: boolean
  draining: boolean
}

/**
 * Mounts the paths that are not operations: tokens, event streams, the sign-in of staff, sandboxes, health and
 * documentation.
 */
function mountPages(app: FastifyInstance, opened: Opened, phase: Phase): void {
  const { config, log, started, link, within, metrics, standbys, folders } = opened
  const { pools, clock } = opened.data
  const { parts, events, people, uploadFolder } = opened.made
  const { identity, auditHeads, sandboxes } = parts
  mountIdentity(app, identity)
  events.mount(app, identity.authenticate)
  if (within === undefined) mountStaff(app, people, { events: pools.events, started, log, clock })
  if (sandboxes) mountSandboxes(app, sandboxes, { logger: log, observe: () => {}, limits: httpLimits })
  const disks = { uploadFolder, folders, freeMinMb: config.freeSpaceMinMb }
  const checks = listChecks(pools.app, parts, disks)
  const findWhy = loggingChanges(() => findWhyNotReady(checks), log)
  link?.answerMetrics(metrics.readJson)
  const ownMetrics = config.metricsPort !== undefined || config.mode !== 'sandbox' || within !== undefined
  mountPublic(app, {
    readStatus: openStatus({
      pools,
      parts,
      disks,
      takesWrites: standbys.takesWrites,
      now: () => clock.now(),
    }),
    docs: within === undefined,
    serverUrl: config.issuer,
    async whyNotReady() {
      if (phase.draining) return 'the process is ending'
      if (phase.complete) return findWhy()
      return config.empty ? 'saving the first state' : 'loading the demonstration accounts'
    },
    takesWrites: standbys.takesWrites,
    auditKeys: () => auditHeads.keys(),
    renderMetrics: ownMetrics ? undefined : (link?.renderMetrics.bind(link) ?? metrics.render),
  })
}

/** Returns the address of the service, and completes `addresses`. */
async function openToCallers(app: FastifyInstance, opened: Opened): Promise<string> {
  const { config, started, link, within, addresses } = opened
  started.add(() => closeHttp(app))
  started.add(async () => opened.made.parts.controls?.mover.stop())
  let address = within?.address ?? ''
  if (within === undefined) {
    await link?.takePort()
    address = await listen(app, config)
  } else {
    await app.ready()
    within.serve((raw, response) => app.routing(raw, response))
  }
  // Calls to itself must not reach another process, which does not know their tokens.
  const alone = config.mode === 'sandbox' && link !== undefined ? await listenAlone(app) : undefined
  if (alone) started.add(async () => alone.close())
  addresses.own = alone?.address ?? address
  addresses.public = config.port === 0 ? address : config.issuer
  opened.made.parts.controls?.loopback.listensAt(addresses.own)
  return address
}

/** Creates the demonstration accounts of a sandbox through its own operations, and saves its first state. */
async function completeSandbox({ config, log, data, made, addresses }: Opened): Promise<void> {
  const { operations } = data.pools
  const { controls } = made.parts
  const demonstration =
    config.mode === 'sandbox' && !config.empty
      ? await quietly(log, () =>
          loadDemonstration({ address: addresses.own, operations, now: data.clock.now(), log }),
        )
      : 'there'
  if (controls && demonstration !== 'unfinished')
    await keepFirstState(operations, controls.snapshots, demonstration === 'made')
}

function startSandboxes({ parts: { sandboxes } }: MadeParts, started: Started): void {
  if (sandboxes === undefined) return
  sandboxes.start()
  started.add(() => sandboxes.stop())
}

/**
 * Leaves calls that the service makes to itself out of the log, so that its address stays visible at the
 * start.
 */
async function quietly<T>(log: Logger, work: () => Promise<T>): Promise<T> {
  const { level } = log
  log.level = 'warn'
  return work().finally(() => {
    log.level = level
  })
}
