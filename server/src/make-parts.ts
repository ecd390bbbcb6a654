/**
 * Makes the long-lived parts of a service: the objects that handlers, jobs and the pipeline of calls are given. Each part
 * is stopped with the service.
 */
import { join } from 'node:path'
import { AuditHeads } from './audit/audit-heads.ts'
import { LoadThread } from './books/loads/load-thread.ts'
import { BusinessDay } from './business-day/close-day.ts'
import { usualCloseTime } from './business-day/close-time.ts'
import { inTransaction } from './database/transaction.ts'
import { FormPrinter } from './documents/forms/form-printer.ts'
import { createInspector } from './documents/inspect/inspector.ts'
import { openBlobs, openHeadBlobs, openScanner } from './documents/open-documents.ts'
import { createKeyring } from './encryption/keyring.ts'
import { isOpenToOthers } from './events/webhooks/receiver-address.ts'
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
import { queue } from './store/jobs.ts'
import { within as inTime } from './within.ts'

/** How long the start, and a close of a day, wait for the signing of audit heads; the signing continues after that. */
export const signingWaitMs = 5_000

/** Where the service answers. Both are known when it listens. */
export interface Addresses {
  /** The address that callers use. */
  public: string
  /** Where it answers on this machine. */
  own: string
}

export interface MadeParts {
  readonly parts: Parts
  readonly events: ReturnType<typeof openEvents>
  readonly people: ReturnType<typeof openPeople>
  /** Uploads wait here, encrypted, until they are judged. */
  readonly uploadFolder: string
}

export interface PartSettings extends Surroundings {
  readonly data: OpenedData
  readonly addresses: Addresses
  readonly shareRates: ShareRates | undefined
  readonly openSandbox: IsolatedSandboxesSettings['open']
}

export async function makeParts(settings: PartSettings): Promise<MadeParts> {
  const { config, log, started, within, data, addresses, shareRates, openSandbox } = settings
  const { urls, pools, masterKeys, clock, sandboxClock, cells } = data
  const sandbox = config.mode === 'sandbox'
  // A separate pool: a flood of operations must not delay the admission of callers.
  const identity = await openIdentity({
    operations: pools.identity,
    masterKeys,
    issuer: config.issuer,
    publicUrl: () => addresses.public,
    takesCertificates: config.clientCertificateHeader !== undefined,
    findKeys: cells?.exchangeKeys,
    onEvent: (event) => log.info(event, 'token'),
    onFault: (fault) => log.error({ err: fault }, 'identity'),
  })
  started.add(async () => identity[Symbol.asyncDispose]())
  await cells?.join()
  started.add(rotateDaily(identity, (fault) => log.error({ err: fault }, 'signing keys')))

  const uploadFolder = join(config.dataDir, 'uploads')
  const inspector = createInspector({ uploadFolder })
  started.add(() => inspector.close())
  const formPrinter = new FormPrinter()
  started.add(() => formPrinter.close())
  const loadThread = new LoadThread({ pool: pools.loads, clock, log })
  started.add(() => loadThread.close())
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
  const sandboxes =
    sandbox && within === undefined
      ? new IsolatedSandboxes({
          owner: pools.controls,
          urls,
          folder: join(config.dataDir, 'sandboxes'),
          sandboxesMax: config.sandboxesMax,
          sparesMin: config.sandboxesReady,
          publicUrl: () => addresses.public,
          open: openSandbox,
          log,
        })
      : undefined
  const parts: Parts = {
    sandbox,
    accountNumbers: config.accountNumbers,
    cells,
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
    loadThread,
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
  return { parts, events, people, uploadFolder }
}
