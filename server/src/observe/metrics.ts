/**
 * Metrics for Prometheus: requests by operation and status, limits, jobs, pools, the runtime, and the whole
 * service.
 */
import { readFileSync } from 'node:fs'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { AuditHeads } from '../audit/audit-heads.ts'
import type { Config } from '../config/config.ts'
import { isListening } from '../database/change-listener.ts'
import type { OpenReplica } from '../database/open-replica.ts'
import type { Pool } from '../database/pool.ts'
import type { Replica, ReplicaOutcome } from '../database/replica.ts'
import type { Observation } from '../http/call.ts'
import { measureFree, type WatchedFolder } from './free-space.ts'
import { addServiceGauges, type FigurePools } from './service-gauges.ts'

export interface RenderedMetrics {
  readonly contentType: string
  readonly text: string
}

/**
 * The metrics of several processes are added up. A metric that needs another aggregation has an `aggregator`.
 */
export interface Metrics {
  observe(observation: Observation): void
  countJob(task: string, outcome: 'done' | 'failed'): void
  countReplicaRead(outcome: ReplicaOutcome): void
  watchCommits(areConfirmed: () => boolean): void
  /** Adds the standbys that answer reads. */
  watch(replica: OpenReplica): void
  render(): Promise<RenderedMetrics>
  readJson(): ReturnType<Registry['getMetricsAsJSON']>
}

const minuteSeconds = 60
const statusesOfLimits: ReadonlySet<number> = new Set([408, 413, 429])
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

type ShownPools = [name: string, pool: Pick<Pool, 'figures'>][]

export function createMetrics(
  pools: Readonly<Record<string, Pick<Pool, 'figures'>>> & FigurePools,
  folders: readonly WatchedFolder[],
  auditHeads: Pick<AuditHeads, 'signedAtMs' | 'verified'>,
  { auditHeadsMinutes }: Pick<Config, 'auditHeadsMinutes'>,
): Metrics {
  const registry = new Registry()
  const shown: ShownPools = Object.entries(pools)
  collectDefaultMetrics({ register: registry })
  addServiceGauges(registry, pools)
  addProcesses(registry)
  addConnections(registry, shown)
  addNotifications(registry, shown)
  addFreeSpace(registry, folders)
  addAuditGauges(registry, auditHeads)
  new Gauge({
    name: 'clearing_audit_interval_seconds',
    help: 'How often the heads of the audit trail are signed (AUDIT_HEADS_MINUTES).',
    registers: [registry],
    aggregator: 'max',
  }).set(auditHeadsMinutes * minuteSeconds)
  return {
    ...addCalls(registry),
    ...addStandbys(registry, shown),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    readJson: () => registry.getMetricsAsJSON(),
  }
}

function addProcesses(registry: Registry): void {
  new Gauge({
    name: 'clearing_build_info',
    help: 'Version of the service and of Node.js; the value is 1.',
    labelNames: ['version', 'node'],
    registers: [registry],
    aggregator: 'first',
  }).set({ version, node: process.version }, 1)
  new Gauge({
    name: 'clearing_processes',
    help: 'Processes that serve behind the port.',
    registers: [registry],
  }).set(1)
}

function addConnections(registry: Registry, shown: Readonly<ShownPools>): void {
  new Gauge({
    name: 'clearing_pool_connections',
    help: 'Connections to the database, by pool and state.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [name, pool] of shown) {
        const { open, idle, waiting } = pool.figures()
        this.set({ pool: name, state: 'open' }, open)
        this.set({ pool: name, state: 'idle' }, idle)
        this.set({ pool: name, state: 'waiting' }, waiting)
      }
    },
  })
}

function addNotifications(registry: Registry, shown: Readonly<ShownPools>): void {
  new Gauge({
    name: 'clearing_notifications_up',
    help: 'Whether notifications of the database arrive, by pool: 1 or 0; absent for pools that listen to none.',
    labelNames: ['pool'],
    registers: [registry],
    aggregator: 'min',
    collect() {
      this.reset()
      for (const [name, pool] of shown) {
        const listening = isListening(pool)
        if (listening !== undefined) this.set({ pool: name }, listening ? 1 : 0)
      }
    },
  })
}

function addFreeSpace(registry: Registry, folders: readonly WatchedFolder[]): void {
  new Gauge({
    name: 'clearing_free_bytes',
    help: 'Space left on the disk of a folder where the service writes files.',
    labelNames: ['folder'],
    registers: [registry],
    aggregator: 'min',
    async collect() {
      this.reset()
      for (const folder of folders) {
        const free = await measureFree(folder)
        if (free !== undefined) this.set({ folder: folder.name }, free)
      }
    },
  })
}

function addAuditGauges(registry: Registry, auditHeads: Pick<AuditHeads, 'signedAtMs' | 'verified'>): void {
  new Gauge({
    name: 'clearing_audit_signed_timestamp_seconds',
    help: 'When the newest checkpoint of the audit trail was signed that this process knows; 0 for none.',
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.set((auditHeads.signedAtMs ?? 0) / 1_000)
    },
  })
  new Gauge({
    name: 'clearing_audit_verified',
    help: 'Whether the audit trail held when this process last verified all of it: 1 or 0; absent before.',
    registers: [registry],
    aggregator: 'min',
    collect() {
      // A gauge that is only reset would report 0, so it has no value.
      if (auditHeads.verified === undefined) this.remove()
      else this.set(auditHeads.verified ? 1 : 0)
    },
  })
}

function addCalls(registry: Registry): Pick<Metrics, 'observe' | 'countJob'> {
  const requests = new Histogram({
    name: 'clearing_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['operation', 'status'],
    buckets: secondsBuckets,
    registers: [registry],
  })
  const limitsHit = new Counter({
    name: 'clearing_limits_hit_total',
    help: 'Responses about a reached limit (408, 413, 429), by error code.',
    labelNames: ['status', 'code'],
    registers: [registry],
  })
  const jobs = new Counter({
    name: 'clearing_jobs_total',
    help: 'Jobs run, by task and outcome.',
    labelNames: ['task', 'outcome'],
    registers: [registry],
  })
  return {
    observe({ operation, status, durationMs, codes = [] }) {
      requests.observe({ operation, status: String(status) }, durationMs / 1_000)
      if (statusesOfLimits.has(status)) limitsHit.inc({ status: String(status), code: codes[0] ?? '' })
    },
    countJob: (task, outcome) => jobs.inc({ task, outcome }),
  }
}

/**
 * Standbys are known later than the metrics. Until then commits count as confirmed, and no standby is
 * available.
 */
function addStandbys(
  registry: Registry,
  shown: ShownPools,
): Pick<Metrics, 'watchCommits' | 'watch' | 'countReplicaRead'> {
  let areConfirmed: () => boolean = () => true
  let replica: Replica | undefined
  const reads = new Counter({
    name: 'clearing_replica_reads_total',
    help: 'Reads that a standby may answer, by outcome: answered, or why the primary answered.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  new Gauge({
    name: 'clearing_commits_confirmed',
    help: 'Whether synchronous standbys confirm commits: 1, also without such standbys, or 0 while writes are refused.',
    registers: [registry],
    aggregator: 'min',
    collect() {
      this.set(areConfirmed() ? 1 : 0)
    },
  })
  new Gauge({
    name: 'clearing_read_replica_up',
    help: 'Whether a standby answers for reads: 1 or 0; absent without one.',
    registers: [registry],
    aggregator: 'min',
    collect() {
      if (replica === undefined) this.remove()
      else this.set(replica.figures().isThere ? 1 : 0)
    },
  })
  new Gauge({
    name: 'clearing_read_replica_lag_seconds',
    help: 'How far the standby that answers reads is behind the primary; absent while none answers.',
    registers: [registry],
    aggregator: 'max',
    collect() {
      const lagSeconds = replica?.figures().lagSeconds
      if (lagSeconds === undefined) this.remove()
      else this.set(lagSeconds)
    },
  })
  return {
    watchCommits(ask) {
      areConfirmed = ask
    },
    watch(opened) {
      replica = opened.replica
      const { app, operations, loads } = opened.pools
      shown.push(['replica', app], ['replica-operations', operations], ['replica-loads', loads])
    },
    countReplicaRead: (outcome) => reads.inc({ outcome }),
  }
}
