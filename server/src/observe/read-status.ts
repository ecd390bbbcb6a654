/**
 * The state of the parts of the service: a probe of each part, together with the incidents that operations
 * report. The probes run when the status is read, at most once in five seconds.
 */
import { type CodeOf, codeLists, type Data, type ServiceStatus } from '@clearing/protocol'
import type { Pool } from '../database/pool.ts'
import { inTransaction, type Tx } from '../database/transaction.ts'
import { renderIncident } from '../events/incidents.ts'
import type { Parts } from '../operations/parts.ts'
import { findShownIncidents } from '../store/incidents.ts'
import { readServiceFigures, type ServiceFigures } from '../store/service-figures.ts'
import { checkFree } from './free-space.ts'
import { type Disks, isWritable, probeUploads, succeedsInTime } from './readiness.ts'

/** The time for which several readers share one result. A test may shorten it before the service starts. */
export const statusLimits = { keptMs: 5_000 }
/** The age from which the alerts on old jobs and on late events fire. */
const queueOldSeconds = 300

type Status = CodeOf<'componentStatus'>
type Incidents = Data<'list-incidents'>['incidents']

interface Probed {
  readonly status: Status
  /** The reason of the state; empty for a part that works. */
  readonly reason: string
}

const works: Probed = { status: 'Operational', reason: '' }

export interface StatusSources {
  readonly pools: { readonly app: Pool; readonly operations: Pool }
  readonly parts: Parts
  readonly disks: Disks
  /** False while no synchronous standby confirms commits. */
  readonly takesWrites: () => boolean
  readonly now: () => Date
}

export function openStatus(sources: StatusSources): () => Promise<ServiceStatus> {
  let running: Promise<ServiceStatus> | undefined
  return () => {
    if (running === undefined) {
      running = findStatus(sources)
      const forget = () => {
        running = undefined
      }
      running.then(() => setTimeout(forget, statusLimits.keptMs).unref(), forget)
    }
    return running
  }
}

async function findStatus(sources: StatusSources): Promise<ServiceStatus> {
  const [probes, incidents] = await Promise.all([probe(sources), readIncidents(sources)])
  const components = codeLists.serviceComponent.map(({ value, label }) => {
    const probed = probes[value]
    const reported = (incidents ?? [])
      .filter(({ resolvedOn, components }) => resolvedOn === null && components.includes(value))
      .map(({ impact }) => (impact === 'None' ? 'Operational' : (impact as Status)))
    return {
      component: value,
      label,
      status: worstOf([probed.status, ...reported]),
      probed: probed.status,
      reason: probed.reason,
    }
  })
  return {
    status: worstOf(components.map(({ status }) => status)),
    checkedOn: new Date().toISOString(),
    components,
    incidents,
  }
}

const order: readonly Status[] = ['Operational', 'Degraded', 'Unavailable']
function worstOf(statuses: readonly Status[]): Status {
  return order[Math.max(0, ...statuses.map((status) => order.indexOf(status)))] ?? 'Operational'
}

async function probe({
  pools,
  parts,
  disks,
  takesWrites,
}: StatusSources): Promise<Record<CodeOf<'serviceComponent'>, Probed>> {
  const [writable, signs, documents, figures] = await Promise.all([
    valueInTime(() => isWritable(pools.app)),
    succeedsInTime(() => parts.identity.checkSigning()),
    probeDocuments(parts, disks),
    inView(pools.operations, readServiceFigures),
  ])
  const away: Probed = { status: 'Unavailable', reason: 'The database does not answer.' }
  const ifReads = (probed: Probed) => (writable === undefined ? away : probed)
  return {
    Reading: ifReads(works),
    Writing: ifReads(
      !writable
        ? { status: 'Unavailable', reason: 'The database refuses writes.' }
        : takesWrites()
          ? works
          : { status: 'Unavailable', reason: 'No standby confirms commits.' },
    ),
    Tokens: signs ? works : { status: 'Unavailable', reason: 'No key can sign tokens.' },
    Documents: documents,
    Onboarding: ifReads(judgeAge(figures, 'oldest_job_seconds', 'The oldest job waits')),
    Webhooks: ifReads(judgeAge(figures, 'event_lag_seconds', 'The oldest event waits')),
  }
}

async function probeDocuments(parts: Parts, disks: Disks): Promise<Probed> {
  const checks: readonly [reason: string, check: () => Promise<unknown>][] = [
    ['The document store does not answer.', () => parts.blobs.check()],
    ['The service cannot store uploads.', () => probeUploads(disks)],
    [
      'The disk is nearly full.',
      () => Promise.all(disks.folders.map((folder) => checkFree(folder, disks.freeMinMb))),
    ],
    ['The virus scanner does not answer.', async () => parts.virusScanner?.check()],
  ]
  const held = await Promise.all(checks.map(([, check]) => succeedsInTime(check)))
  const failed = checks.find((_, at) => !held[at])
  return failed === undefined ? works : { status: 'Unavailable', reason: failed[0] }
}

function judgeAge(
  figures: ServiceFigures | undefined,
  figure: 'oldest_job_seconds' | 'event_lag_seconds',
  what: string,
): Probed {
  if (figures === undefined) return { status: 'Degraded', reason: 'The queue cannot be read.' }
  const minutes = Math.floor(figures[figure] / 60)
  return figures[figure] > queueOldSeconds
    ? { status: 'Degraded', reason: `${what} for ${minutes} minutes.` }
    : works
}

async function readIncidents({ pools, now }: StatusSources): Promise<Incidents | null> {
  const found = await inView(pools.operations, (tx) => findShownIncidents(tx, now()))
  return found?.map(renderIncident) ?? null
}

/** The result of a read over all firms; undefined if the read does not end in time. */
function inView<T>(operations: Pool, read: (tx: Tx) => Promise<T>): Promise<T | undefined> {
  return valueInTime(() => inTransaction(operations, { firm: null, readOnly: true, repeatable: true }, read))
}

/** Undefined if the read fails, or has not ended after two seconds. */
async function valueInTime<T>(read: () => Promise<T>): Promise<T | undefined> {
  let found: T | undefined
  await succeedsInTime(async () => {
    found = await read()
  })
  return found
}
