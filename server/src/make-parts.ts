/**
 * Makes the long-lived parts of a service: the objects that handlers, jobs and the pipeline of calls use.
 * Each part is stopped with the service.
 */
import { join } from 'node:path'
import { AuditHeads } from './audit/audit-heads.ts'
import { LoadThread } from './books/loads/load-thread.ts'
import { KnownMarkets } from './books/positions/known-market.ts'
import { Summaries } from './books/positions/summary-now.ts'
import { BusinessDay } from './business-day/close-day.ts'
import { usualCloseTime } from './business-day/close-time.ts'
import { inTransaction } from './database/transaction.ts'
import { FormPrinter } from './documents/forms/form-printer.ts'
import { createInspector } from './documents/inspect/inspector.ts'
import {
  openBlobs,
  openHeadBlobs,
  openMarks,
  openScanner,
  settingOfStore,
} from './documents/open-documents.ts'
import { checkStore, OtherStore } from './documents/store-of-database.ts'
import { createKeyring } from './encryption/keyring.ts'
import { isOpenToOthers } from './events/webhooks/receiver-address.ts'
import { makeRenderedAccounts } from './firm-rules/rendered-accounts.ts'
import { TimeInState } from './firm-rules/time-in-state.ts'
import type { ShareRates } from './http/admission/rate-limit.ts'
import { openEvents } from './http/streams/open-events.ts'
import { openIdentity } from './identity/identity.ts'
import { rotateDaily } from './identity/keys/rotate-daily.ts'
import { openPeople } from './identity/staff/people.ts'
import { proofTask } from './jobs/prove-records.ts'
import type { OpenedData, Surroundings } from './open-data.ts'
import type { Parts } from './operations/parts.ts'
import { makeControls } from './sandbox/controls.ts'
import { IsolatedSandboxes, type IsolatedSandboxesSettings } from './sandbox/isolated/isolated-sandboxes.ts'
import { WatchLists } from './screening/watch-lists.ts'
import { AccessRecords } from './store/access-records.ts'
import { loadFirmKeys } from './store/firms.ts'
import { HeldJobs } from './store/held-jobs.ts'
import { queue } from './store/jobs.ts'
import { Turns } from './turns.ts'
import { within as inTime } from './within.ts'

/**
 * How long the start, and a close of a day, wait for the signing of audit heads. The signing continues after
 * that.
 */
export const signingWaitMs = 5_000

/** Connections for operations that large loads leave to other calls. */
const connectionsLeftByLoads = 2

/**
 * Verifications of books and audit chains. They leave half of the connections for loads to others, and a turn and a
 * part of the verification end within the time limit of a call.
 */
const verifyTurns = { work: 'verifications', runningMax: 2, waitMs: 10_000 }

/** Connections for firms, of ten, that hold responses while their clients read: of all firms, and of one. */
const tenthsOfReaders = { all: 7, firm: 3 }
const readersWaitMs = 10_000

/** The addresses of the service. Both are known when it listens. */
export interface Addresses {
  /** The address that callers use. */
  public: string
  /** The address on this machine. */
  own: string
}

export interface MadeParts {
  readonly parts: Parts
  readonly events: ReturnType<typeof openEvents>
  readonly people: ReturnType<typeof openPeople>
  /** Uploads wait here, encrypted, until they are inspected. */
  readonly uploadFolder: string
}

export interface PartSettings extends Surroundings {
  readonly data: OpenedData
  readonly addresses: Addresses
  readonly shareRates: ShareRates | undefined
  readonly openSandbox: IsolatedSandboxesSettings['open']
}

export async function makeParts(settings: PartSettings): Promise<MadeParts> {
  const { config, log, started, data, shareRates } = settings
  const { pools, masterKeys, clock, cells } = data
  const sandbox = config.mode === 'sandbox'
  const identity = await makeIdentity(settings)
  const uploadFolder = join(config.dataDir, 'uploads')
  const documents = await makeDocuments(settings, uploadFolder)
  const books = await makeBooks(settings)
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
  const shared = { identity, keyring, webhooks: events.webhooks, ...books }
  const markets = new KnownMarkets()
  const parts: Parts = {
    ...shared,
    ...documents,
    sandbox,
    accountNumbers: config.accountNumbers,
    cells,
    updateHours: config.updateHours,
    clock,
    // One batch runs at a time. Calls of operations that use all their connections must not delay reads of firms.
    accessRecords: new AccessRecords(pools.identity),
    heldJobs: new HeldJobs(),
    renderedAccounts: makeRenderedAccounts(),
    markets,
    summaries: new Summaries(markets),
    timeInState: new TimeInState(),
    watchLists: new WatchLists(),
    loads: pools.loads,
    activityTurns: makeActivityTurns(pools.app.limits.connectionsMax),
    controls: makeSandboxControls(settings, { ...shared, events }),
    sandboxes: makeSandboxes(settings),
  }
  const people = openPeople({
    operations: pools.identity,
    identity,
    keyring,
    sandbox,
    log,
    outside: config.staffProvider,
  })
  return { parts, events, people, uploadFolder }
}

function makeActivityTurns(connections: number): Turns {
  const tenths = (count: number) => Math.max(1, Math.floor((connections * count) / 10))
  const runningMax = tenths(tenthsOfReaders.all)
  const runningOfFirmMax = tenths(tenthsOfReaders.firm)
  return new Turns({ work: 'reads of activity', runningMax, runningOfFirmMax, waitMs: readersWaitMs })
}

async function makeIdentity({ config, log, started, data, addresses }: PartSettings) {
  const identity = await openIdentity({
    // A separate pool, because a flood of operations must not delay the admission of callers.
    operations: data.pools.identity,
    masterKeys: data.masterKeys,
    issuer: config.issuer,
    publicUrl: () => addresses.public,
    takesCertificates: config.clientCertificateHeader !== undefined,
    findKeys: data.cells?.exchangeKeys,
    onEvent: (event) => log.info(event, 'token'),
    onFault: (fault) => log.error({ err: fault }, 'identity'),
  })
  started.add(async () => identity[Symbol.asyncDispose]())
  await data.cells?.join()
  started.add(rotateDaily(identity, (fault) => log.error({ err: fault }, 'signing keys')))
  return identity
}

async function makeDocuments({ config, log, started, data }: PartSettings, uploadFolder: string) {
  const inspector = createInspector({ uploadFolder })
  started.add(() => inspector.close())
  const formPrinter = new FormPrinter()
  started.add(() => formPrinter.close())
  const opened = await openBlobs(config, started)
  // Copies of a started sandbox have stores of their own.
  if (config.mode === 'sandbox')
    return { inspector, formPrinter, blobs: opened, virusScanner: openScanner(config) }
  const marks = await openMarks(config, started)
  const store = { operations: data.pools.operations, marks, setting: settingOfStore(config) }
  // A store that does not answer now is checked again before the process is ready.
  await checkStore(store).catch((fault) => {
    if (fault instanceof OtherStore) throw fault
    log.error({ err: fault }, 'the document store was not compared with the database')
  })
  const check = async () => {
    await opened.check()
    await checkStore(store)
  }
  const blobs = { ...opened, check }
  return { inspector, formPrinter, blobs, virusScanner: openScanner(config) }
}

async function makeBooks({ config, log, started, data }: PartSettings) {
  const { pools, masterKeys, clock } = data
  const loadThread = new LoadThread({ pool: pools.loads, clock, log })
  started.add(() => loadThread.close())
  const loadTurns = new Turns({
    work: 'large loads',
    runningMax: Math.max(1, pools.operations.limits.connectionsMax - connectionsLeftByLoads),
    waitMs: pools.loads.limits.acquireTimeoutMs,
  })
  const auditHeads = new AuditHeads({
    pool: pools.loads,
    masterKeys,
    blobs: await openHeadBlobs(config, started),
    clock,
    hasSnapshots: config.mode === 'sandbox',
    log,
    queueProof: () =>
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
  return { loadThread, loadTurns, verifyTurns: new Turns(verifyTurns), auditHeads, businessDay }
}

function makeSandboxControls(
  { config, log, data }: PartSettings,
  parts: Pick<Parts, 'identity' | 'keyring' | 'auditHeads' | 'businessDay'> & Pick<MadeParts, 'events'>,
): Parts['controls'] {
  const { pools, sandboxClock } = data
  if (sandboxClock === undefined) return undefined
  const { identity, keyring, events, auditHeads, businessDay } = parts
  return makeControls({
    owner: pools.controls,
    operations: pools.operations,
    spare: pools.loads,
    clock: sandboxClock,
    businessDay,
    closeAt: config.closeAt ?? usualCloseTime,
    forget() {
      identity.expectChange()
      for (const firmId of identity.directory.known()?.firms.keys() ?? []) keyring.forget(firmId)
      events.forget()
      events.webhooks.wake()
    },
    afterRestore: () =>
      auditHeads
        .afterSnapshot()
        .catch((fault) => log.error({ err: fault }, 'audit heads after a restored snapshot')),
    onFault: (fault) => log.warn({ err: fault }, 'check for a running restore'),
  })
}

function makeSandboxes({
  config,
  log,
  within,
  data,
  addresses,
  openSandbox,
}: PartSettings): Parts['sandboxes'] {
  if (config.mode !== 'sandbox' || within !== undefined) return undefined
  return new IsolatedSandboxes({
    owner: data.pools.controls,
    urls: data.urls,
    folder: join(config.dataDir, 'sandboxes'),
    sandboxesMax: config.sandboxesMax,
    sparesMin: config.sandboxesReady,
    publicUrl: () => addresses.public,
    open: openSandbox,
    log,
  })
}
