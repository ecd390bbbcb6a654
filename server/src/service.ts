/**
 * The running service: opens what it works on, makes its parts, starts its jobs, and serves. It stops in the reverse order.
 * All long-lived objects are passed down; nothing is global.
 */
import { operations } from '@clearing/protocol'
import type { Logger } from 'pino'
import { scheduleClose } from './business-day/schedule-close.ts'
import type { Config } from './config/config.ts'
import { removeStaleUploads } from './documents/receive-upload.ts'
import { prepareAdmitPerson } from './http/admission/session.ts'
import { RequestLog } from './http/answer/request-log.ts'
import { closeHttp } from './http/close-http.ts'
import { createHttp } from './http/create-http.ts'
import { httpLimits } from './http/limits.ts'
import { mountPublic } from './http/mount-public.ts'
import { mountSandboxes } from './http/mount-sandboxes.ts'
import { mountStaff } from './http/staff/mount-staff.ts'
import { mountIdentity } from './identity/mount-identity.ts'
import { startHousekeeping } from './jobs/housekeeping.ts'
import { startJobs } from './jobs/start-jobs.ts'
import { checkPort, listen, listenAlone } from './listen.ts'
import { makeParts, type PartSettings, signingWaitMs } from './make-parts.ts'
import type { WatchedFolder } from './observe/free-space.ts'
import { createMetrics } from './observe/metrics.ts'
import { openStandbys } from './observe/open-standbys.ts'
import { openStatus } from './observe/read-status.ts'
import { findWhyNotReady, tellingChanges } from './observe/readiness.ts'
import { serveMetrics } from './observe/serve-metrics.ts'
import { openData, type Surroundings } from './open-data.ts'
import { handlers, waysOfReading } from './operations/index.ts'
import type { ParentLink } from './processes/parent-link.ts'
import { openWithin } from './sandbox/isolated/open-within.ts'
import { loadDemonstration } from './sandbox/load-demonstration.ts'
import { keepFirstState } from './sandbox/snapshots.ts'
import { Started } from './started.ts'
import { within as inTime } from './within.ts'

export interface Service {
  /** `http://host:port` with the actual port. */
  readonly address: string
  /** The password of the sandbox's people; undefined in production. */
  readonly staffPassword: string | undefined
  /** From now on the service says that it is not ready, and serves on. */
  drain(): void
  /** Refuses new requests, lets running requests and jobs finish, and closes the database. */
  stop(): Promise<void>
}

const staleUploadAgeMs = 60 * 60 * 1_000
const minuteMs = 60_000

/**
 * With `started`, a caller can stop the parts before the service is ready; the start then ends with a fault. `link` is the
 * link of a process to its parent, which has checked the ports.
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
  /** Of a process beside others behind one port. */
  readonly link?: ParentLink | undefined
}

interface Ready extends Omit<Service, 'stop'> {
  /** Takes no further calls, and lets running ones finish. */
  closeHttp(): Promise<void>
}

async function start({ config, log, started, link, within, clockPeers }: Starting): Promise<Ready> {
  if (link === undefined && within === undefined) {
    await checkPort(config, 'PORT')
    if (config.metricsPort !== undefined)
      await checkPort({ host: config.host, port: config.metricsPort }, 'METRICS_PORT')
  }
  const sandbox = config.mode === 'sandbox'
  const shareRates = link?.shareRates.bind(link)
  const data = await openData({
    config,
    log,
    started,
    within,
    clockPeers: clockPeers ?? link?.peersOfClock(''),
  })
  const { pools, clock, now, staffPassword } = data
  const addresses = { public: config.issuer, own: '' }
  const openSandbox: PartSettings['openSandbox'] = (place, { path, baseUrl, serve }) =>
    openWithin({ place, server: app.server, address: addresses.own + path, serve }, baseUrl, {
      config,
      log,
      start: (settings) => start({ ...settings, clockPeers: link?.peersOfClock(place.id) }),
    })
  const made = await makeParts({ config, log, started, within, data, addresses, shareRates, openSandbox })
  const { parts, events, people, uploadFolder } = made
  const { identity, auditHeads, businessDay, controls, sandboxes } = parts
  await removeStaleUploads(uploadFolder, staleUploadAgeMs, now).catch((fault) =>
    log.error({ err: fault }, 'uploads left by a crash'),
  )
  started.add(
    startHousekeeping({
      operations: pools.operations,
      parts,
      uploadFolder,
      retention: config.retention,
      log,
    }),
  )
  await auditHeads.prepare()
  await inTime(auditHeads.sign(), signingWaitMs)
  const isPutBack = () => controls?.drain.refusing === true
  started.add(auditHeads.start(config.auditHeadsMinutes * minuteMs, isPutBack))
  if (config.closeAt !== undefined) {
    const { closeAt } = config
    const held = () => isPutBack() || controls?.mover.moving === true
    started.add(scheduleClose({ pool: pools.operations, clock, businessDay, closeAt, log, held }))
  }
  const folders: WatchedFolder[] = [
    { name: 'data', path: config.dataDir },
    ...(config.blobs.kind === 'folder' ? [{ name: 'documents', path: config.blobs.folder } as const] : []),
  ]
  const metrics = createMetrics({ ...pools, 'loads-thread': parts.loadThread }, folders, auditHeads)
  const standbys = await openStandbys(pools, metrics, within !== undefined, { config, log, started })
  await startJobs({ config, log, started, pools, parts, count: metrics.countJob })

  const traces = config.traceExporter
    ? (await import('./observe/traces.ts')).startTraces(config.traceExporter)
    : undefined
  if (traces) started.add(() => traces.stop())
  const requestLog = new RequestLog(pools.operations, log)
  started.add(() => requestLog.close())
  const app = createHttp({
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
    replica: standbys.replica,
    observe: metrics.observe,
    requestLog,
    trustedProxies: config.trustedProxies,
    clientCertificateHeader: config.clientCertificateHeader,
    shareRates,
    ...(traces ? { tracer: traces.tracer } : {}),
    ...(within ? { server: within.server } : {}),
  })
  mountIdentity(app, identity)
  events.mount(app, identity.authenticate)
  if (within === undefined) mountStaff(app, people, { events: pools.events, started, log, clock })
  if (sandboxes) mountSandboxes(app, sandboxes, { logger: log, observe: () => {}, limits: httpLimits })
  // Ready only after the first state is saved: losing the database during that step would end the service.
  let complete = !sandbox
  const disks = { uploadFolder, folders, freeMinMb: config.freeSpaceMinMb }
  const findWhy = tellingChanges(() => findWhyNotReady(pools.app, parts, disks), log)
  let draining = false
  const whyNotReady = async () => {
    if (draining) return 'the process is ending'
    if (complete) return findWhy()
    return config.empty ? 'the first state is being kept' : 'the demonstration accounts are being loaded'
  }
  const ownPort = config.metricsPort !== undefined
  link?.answerMetrics(metrics.readJson)
  const ownMetrics = ownPort || !sandbox || within !== undefined
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
    whyNotReady,
    takesWrites: standbys.takesWrites,
    auditKeys: () => auditHeads.keys(),
    renderMetrics: ownMetrics ? undefined : (link?.renderMetrics.bind(link) ?? metrics.render),
  })
  if (config.metricsPort !== undefined && link === undefined)
    await serveMetrics(config.host, config.metricsPort, metrics.render, started)
  const close = () => closeHttp(app)
  started.add(close)
  let address = within?.address ?? ''
  if (within === undefined) address = await listen(app, config)
  else {
    await app.ready()
    within.serve((raw, response) => app.routing(raw, response))
  }
  // Calls to itself must not reach another process, which does not know their tokens.
  const alone = sandbox && link !== undefined ? await listenAlone(app) : undefined
  if (alone) started.add(async () => alone.close())
  addresses.own = alone?.address ?? address
  addresses.public = config.port === 0 ? address : config.issuer
  controls?.loopback.listensAt(addresses.own)
  const demonstration =
    sandbox && !config.empty
      ? await quietly(log, () =>
          loadDemonstration({ address: addresses.own, operations: pools.operations, now: clock.now(), log }),
        )
      : 'there'
  if (controls && demonstration !== 'unfinished')
    await keepFirstState(pools.operations, controls.snapshots, demonstration === 'made')
  complete = true
  if (sandboxes) {
    sandboxes.start()
    started.add(() => sandboxes.stop())
  }
  const drain = () => {
    draining = true
  }
  return { address, staffPassword, drain, closeHttp: close }
}

/** Does not log the calls that the service makes to itself, so that its address stays visible at the start. */
async function quietly<T>(log: Logger, work: () => Promise<T>): Promise<T> {
  const { level } = log
  log.level = 'warn'
  return work().finally(() => {
    log.level = level
  })
}
