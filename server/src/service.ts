/**
 * The running service: starts its parts in order, and stops them in the reverse order. All long-lived objects are made
 * here and passed down; nothing is global.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { operations } from '@clearing/protocol'
import type { Logger } from 'pino'
import { AuditHeads } from './audit/audit-heads.ts'
import { BusinessDay } from './business-day/close-day.ts'
import { usualCloseTime } from './business-day/close-time.ts'
import { scheduleClose } from './business-day/schedule-close.ts'
import { wallClock } from './clock.ts'
import type { Config } from './config/config.ts'
import { openDatabase, openPools } from './database/open-pools.ts'
import { inTransaction } from './database/transaction.ts'
import { FormPrinter } from './documents/forms/form-printer.ts'
import { createInspector } from './documents/inspect/inspector.ts'
import { openBlobs, openHeadBlobs, openScanner } from './documents/open-documents.ts'
import { removeStaleUploads } from './documents/receive-upload.ts'
import { createKeyring } from './encryption/keyring.ts'
import { loadMasterKeys } from './encryption/master-key-file.ts'
import { isOpenToOthers } from './events/webhooks/receiver-address.ts'
import { prepareAdmitPerson } from './http/admission/session.ts'
import { RequestLog } from './http/answer/request-log.ts'
import { closeHttp } from './http/close-http.ts'
import { createHttp } from './http/create-http.ts'
import { httpLimits } from './http/limits.ts'
import { mountPublic } from './http/mount-public.ts'
import { mountSandboxes } from './http/mount-sandboxes.ts'
import { mountStaff } from './http/staff/mount-staff.ts'
import { openEvents } from './http/streams/open-events.ts'
import { ensureClearingFirm } from './identity/first-credential.ts'
import { openIdentity } from './identity/identity.ts'
import { rotateDaily } from './identity/keys/rotate-daily.ts'
import { mountIdentity } from './identity/mount-identity.ts'
import { assertNoSandboxCredentials, seedSandboxFirms } from './identity/sandbox-firms.ts'
import { openPeople } from './identity/staff/people.ts'
import { assertNoSandboxStaff, seedSandboxStaff } from './identity/staff/sandbox-staff.ts'
import { startHousekeeping } from './jobs/housekeeping.ts'
import { proofTask } from './jobs/prove-records.ts'
import { startJobs } from './jobs/start-jobs.ts'
import { checkPort, listen, listenAlone } from './listen.ts'
import type { WatchedFolder } from './observe/free-space.ts'
import { createMetrics } from './observe/metrics.ts'
import { openStandbys } from './observe/open-standbys.ts'
import { findWhyNotReady, tellingChanges } from './observe/readiness.ts'
import { serveMetrics } from './observe/serve-metrics.ts'
import { handlers, waysOfReading } from './operations/index.ts'
import type { Parts } from './operations/parts.ts'
import type { ParentLink } from './processes/parent-link.ts'
import { makeControls } from './sandbox/controls.ts'
import { IsolatedSandboxes } from './sandbox/isolated/isolated-sandboxes.ts'
import { openWithin, type Within } from './sandbox/isolated/open-within.ts'
import { loadDemonstration } from './sandbox/load-demonstration.ts'
import { SandboxClock } from './sandbox/sandbox-clock.ts'
import { keepFirstState } from './sandbox/snapshots.ts'
import { loadFictitiousList } from './screening/load-fictitious-list.ts'
import { WatchLists } from './screening/watch-lists.ts'
import { Started } from './started.ts'
import { AccessRecords } from './store/access-records.ts'
import { loadFirmKeys } from './store/firms.ts'
import { queue } from './store/jobs.ts'
import { assertNoSandboxClock } from './store/sandbox-clock.ts'
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
/** How long the start, and a close of a day, wait for the signing of audit heads; the signing continues after that. */
const signingWaitMs = 5_000

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

interface Starting {
  readonly config: Config
  readonly log: Logger
  readonly started: Started
  /** Of a process beside others behind one port. */
  readonly link?: ParentLink | undefined
  /** Of an isolated sandbox. */
  readonly within?: Within
}

interface Ready extends Omit<Service, 'stop'> {
  /** Takes no further calls, and lets running ones finish. */
  closeHttp(): Promise<void>
}

async function start({ config, log, started, link, within }: Starting): Promise<Ready> {
  const sandbox = config.mode === 'sandbox'
  const shareRates = link?.shareRates.bind(link)
  if (link === undefined && within === undefined) {
    await checkPort(config, 'PORT')
    if (config.metricsPort !== undefined)
      await checkPort({ host: config.host, port: config.metricsPort }, 'METRICS_PORT')
  }
  // Each user of the folder reports its own fault. On a disk that refuses writes, everything except uploads can be
  // served.
  await mkdir(config.dataDir, { recursive: true }).catch((fault) =>
    log.error({ err: fault }, 'the data folder cannot be made'),
  )
  const urls = within?.place.urls ?? (await openDatabase(config, log, started))
  const pools = await openPools(urls, { config, log, started, lean: within !== undefined })
  const masterKeys = await loadMasterKeys(
    sandbox
      ? { mode: 'sandbox', dataFolder: config.dataDir, keyFiles: config.masterKeyFiles }
      : {
          mode: 'production',
          keyFile: config.masterKeyFiles[0] ?? '',
          olderKeyFiles: config.masterKeyFiles.slice(1),
        },
  )
  const sandboxClock = sandbox
    ? await SandboxClock.open(pools.controls, (fault) => log.warn({ err: fault }, 'the clock'))
    : undefined
  if (sandboxClock) started.add(async () => sandboxClock[Symbol.asyncDispose]())
  const clock = sandboxClock ?? wallClock
  // Firms, secrets and files use the wall clock.
  const now = new Date()
  await ensureClearingFirm({ operations: pools.operations, masterKeys, now })
  if (sandbox) await seedSandboxFirms({ operations: pools.operations, masterKeys, now })
  else {
    await assertNoSandboxCredentials(pools.operations, now)
    await inTransaction(pools.operations, { firm: null, readOnly: true }, assertNoSandboxClock)
    await assertNoSandboxStaff(pools.operations)
  }
  const staffPassword = sandbox
    ? await seedSandboxStaff({ operations: pools.operations, dataDir: config.dataDir, now })
    : undefined
  if (sandbox) await loadFictitiousList(pools.operations, now)

  let publicUrl = config.issuer
  // A separate pool: a flood of operations must not delay the admission of callers.
  const identity = await openIdentity({
    operations: pools.identity,
    masterKeys,
    issuer: config.issuer,
    publicUrl: () => publicUrl,
    takesCertificates: config.clientCertificateHeader !== undefined,
    onEvent: (event) => log.info(event, 'token'),
    onFault: (fault) => log.error({ err: fault }, 'identity'),
  })
  started.add(async () => identity[Symbol.asyncDispose]())
  started.add(rotateDaily(identity, (fault) => log.error({ err: fault }, 'signing keys')))

  const uploadFolder = join(config.dataDir, 'uploads')
  const inspector = createInspector({ uploadFolder })
  started.add(() => inspector.close())
  const formPrinter = new FormPrinter()
  started.add(() => formPrinter.close())
  const auditHeads = new AuditHeads({
    pool: pools.loads,
    masterKeys,
    blobs: await openHeadBlobs(config, started),
    clock,
    log,
    onBreaks: () =>
      inTransaction(pools.operations, { firm: null }, async (tx) =>
        queue(tx, { task: proofTask, payload: {}, key: proofTask, due: null, attemptsMax: 1 }),
      ),
  })
  const businessDay = new BusinessDay({
    pool: pools.operations,
    masterKeys,
    marginRates: config.marginRates,
    concentration: config.concentration,
    checks: config.closeChecks,
    log,
    onClosed: () => inTime(auditHeads.sign(), signingWaitMs),
  })
  started.add(() => businessDay.stop())
  const keyring = createKeyring({ masterKeys, loadFirmKeys: (firmId) => loadFirmKeys(pools.app, firmId) })
  const events = openEvents({
    app: pools.app,
    operations: pools.events,
    keyring,
    source: config.issuer,
    sandbox,
    openToOthers: isOpenToOthers(config),
    logger: log,
    shareRates,
  })
  started.add(async () => events[Symbol.asyncDispose]())
  const controls =
    sandboxClock &&
    makeControls({
      owner: pools.controls,
      operations: pools.operations,
      clock: sandboxClock,
      businessDay,
      closeAt: config.closeAt ?? usualCloseTime,
      forget: () => {
        identity.expectChange()
        for (const firmId of identity.directory.known()?.firms.keys() ?? []) keyring.forget(firmId)
        events.webhooks.wake()
      },
      afterRestore: () =>
        auditHeads
          .afterSnapshot()
          .catch((fault) => log.error({ err: fault }, 'audit heads after a restored snapshot')),
      onFault: (fault) => log.warn({ err: fault }, 'check for a running restore'),
    })
  let ownAddress = ''
  const sandboxes =
    sandbox && within === undefined
      ? new IsolatedSandboxes({
          owner: pools.controls,
          urls,
          folder: join(config.dataDir, 'sandboxes'),
          sandboxesMax: config.sandboxesMax,
          sparesMin: config.sandboxesReady,
          publicUrl: () => publicUrl,
          open: (place, { path, baseUrl, serve }) =>
            openWithin({ place, server: app.server, address: ownAddress + path, serve }, baseUrl, {
              config,
              log,
              start,
            }),
          log,
        })
      : undefined
  const parts: Parts = {
    sandbox,
    accountNumbers: config.accountNumbers,
    updateHours: config.updateHours,
    clock,
    identity,
    keyring,
    accessRecords: new AccessRecords(pools.operations),
    auditHeads,
    blobs: await openBlobs(config, started),
    inspector,
    formPrinter,
    virusScanner: openScanner(config),
    watchLists: new WatchLists(),
    loads: pools.loads,
    webhooks: events.webhooks,
    businessDay,
    controls,
    sandboxes,
  }
  const people = openPeople({
    operations: pools.identity,
    identity,
    keyring,
    sandbox,
    log,
    outside: config.staffProvider,
  })
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
  const metrics = createMetrics(pools, folders, auditHeads)
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
  if (within === undefined)
    mountPublic(app, {
      serverUrl: config.issuer,
      whyNotReady,
      takesWrites: standbys.takesWrites,
      auditKeys: () => auditHeads.keys(),
      renderMetrics: ownPort || !sandbox ? undefined : (link?.renderMetrics.bind(link) ?? metrics.render),
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
  ownAddress = alone?.address ?? address
  publicUrl = config.port === 0 ? address : config.issuer
  controls?.loopback.listensAt(ownAddress)
  const demonstration =
    sandbox && !config.empty
      ? await quietly(log, () =>
          loadDemonstration({ address: ownAddress, operations: pools.operations, now: clock.now(), log }),
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
