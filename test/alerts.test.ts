/**
 * Each alert of deploy/prometheus/rules.yaml fires in the state that it describes, and does not fire in a similar state
 * beside it. promtool evaluates the rules over generated series. The tests are skipped where promtool is not installed.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const rulesFile = fileURLToPath(new URL('../deploy/prometheus/rules.yaml', import.meta.url))
const yaml = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown }
const missing = spawnSync('promtool', ['--version']).status !== 0 && 'promtool is not installed'

interface Rule {
  readonly alert: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}
type Series = Readonly<Record<string, string>>

const calls = 'clearing_request_duration_seconds_count'
const day = 86_400
/** Values for each minute of two hours and ten minutes, in the notation of promtool. Time starts at 0. */
function always(value: number): string {
  return `${value}x130`
}
function growing(by: number): string {
  return `0+${by}x130`
}

/** The series over which an alert fires, the labels that it then has, and the series over which it does not fire. */
const states: Readonly<Record<string, { fires: Series; labels?: Series; rests: Series }>> = {
  ClearingDown: {
    fires: { 'up{job="clearing"}': always(0) },
    labels: { job: 'clearing' },
    rests: { 'up{job="clearing"}': always(1) },
  },
  ClearingDatabaseAway: {
    fires: { clearing_figures_up: always(0) },
    rests: { clearing_figures_up: always(1) },
  },
  ClearingFaults: {
    // The first fault creates the series, which has never been 0.
    fires: { [`${calls}{operation="get-account",status="500"}`]: '_x125 1x5' },
    labels: { operation: 'get-account' },
    rests: { [`${calls}{operation="get-account",status="500"}`]: always(1) },
  },
  ClearingUnavailable: {
    fires: { [`${calls}{status="503"}`]: growing(2), [`${calls}{status="200"}`]: growing(98) },
    rests: { [`${calls}{status="503"}`]: growing(1), [`${calls}{status="200"}`]: growing(199) },
  },
  ClearingSlow: {
    fires: {
      'clearing_request_duration_seconds_bucket{le="1"}': growing(50),
      'clearing_request_duration_seconds_bucket{le="2.5"}': growing(100),
      'clearing_request_duration_seconds_bucket{le="+Inf"}': growing(100),
    },
    rests: {
      'clearing_request_duration_seconds_bucket{le="1"}': growing(100),
      'clearing_request_duration_seconds_bucket{le="+Inf"}': growing(100),
    },
  },
  ClearingLimitsHit: {
    fires: { 'clearing_limits_hit_total{code="ERR.1"}': growing(120) },
    labels: { code: 'ERR.1' },
    rests: { 'clearing_limits_hit_total{code="ERR.1"}': growing(30) },
  },
  ClearingConnectionsWaiting: {
    fires: { 'clearing_pool_connections{state="waiting"}': always(3) },
    labels: { state: 'waiting' },
    rests: { 'clearing_pool_connections{state="waiting"}': '3x127 0x2' },
  },
  ClearingQueueOld: {
    fires: { clearing_queue_oldest_seconds: always(301) },
    rests: { clearing_queue_oldest_seconds: always(299) },
  },
  ClearingJobsFailed: {
    fires: { 'clearing_queue_jobs{state="failed"}': always(1) },
    rests: {
      'clearing_queue_jobs{state="failed"}': always(0),
      'clearing_queue_jobs{state="waiting"}': always(9),
    },
  },
  ClearingBusinessDayBehind: {
    fires: { clearing_business_date_timestamp_seconds: always(-5 * day) },
    rests: { clearing_business_date_timestamp_seconds: always(-4 * day) },
  },
  ClearingCloseStuck: {
    fires: { clearing_close_running_seconds: always(3_601) },
    rests: { clearing_close_running_seconds: always(600) },
  },
  ClearingMoveUnfinished: {
    fires: { 'clearing_moving_firm_seconds{state="frozen"}': always(601) },
    labels: { state: 'frozen' },
    rests: {
      'clearing_moving_firm_seconds{state="frozen"}': always(599),
      'clearing_moving_firm_seconds{state="arriving"}': always(0),
    },
  },
  ClearingProofOld: {
    fires: { clearing_proof_timestamp_seconds: always(-30 * 3_600) },
    rests: { clearing_proof_timestamp_seconds: always(-25 * 3_600) },
  },
  ClearingProofBroken: {
    fires: {
      'clearing_proof_held{instance="a"}': always(1),
      'clearing_audit_verified{instance="b"}': always(0),
    },
    rests: { clearing_proof_held: always(1), clearing_audit_verified: always(1) },
  },
  ClearingAuditUnsigned: {
    fires: { clearing_audit_unsigned_seconds: always(7_201), clearing_audit_interval_seconds: always(3_600) },
    // An interval of a day, which AUDIT_HEADS_MINUTES allows.
    rests: { clearing_audit_unsigned_seconds: always(90_000), clearing_audit_interval_seconds: always(day) },
  },
  ClearingWebhooksLate: {
    fires: { clearing_webhook_oldest_seconds: always(6 * 3_600 + 1) },
    rests: { clearing_webhook_oldest_seconds: always(3_600) },
  },
  ClearingEventLag: {
    fires: { clearing_event_lag_seconds: always(301) },
    rests: { clearing_event_lag_seconds: always(10) },
  },
  ClearingNotificationsAway: {
    fires: {
      'clearing_notifications_up{pool="events",instance="a"}': always(0),
      'clearing_notifications_up{pool="events",instance="b"}': always(1),
    },
    labels: { pool: 'events' },
    rests: { 'clearing_notifications_up{pool="events"}': always(1) },
  },
  ClearingReplicaLag: {
    fires: { 'clearing_replica_lag_bytes{slot="pg2"}': always(1e8) },
    labels: { slot: 'pg2' },
    rests: { 'clearing_replica_lag_bytes{slot="pg2"}': always(1e6) },
  },
  ClearingCommitsUnconfirmed: {
    fires: { clearing_commits_confirmed: always(0) },
    rests: { clearing_commits_confirmed: always(1) },
  },
  ClearingReadReplica: {
    fires: {
      clearing_read_replica_up: always(1),
      'clearing_replica_reads_total{outcome="answered"}': growing(10),
      'clearing_replica_reads_total{outcome="behind"}': growing(20),
    },
    rests: {
      clearing_read_replica_up: always(1),
      clearing_read_replica_lag_seconds: always(2),
      'clearing_replica_reads_total{outcome="answered"}': growing(20),
      'clearing_replica_reads_total{outcome="behind"}': growing(10),
    },
  },
  ClearingDiskFull: {
    fires: { 'clearing_free_bytes{folder="data"}': always(9e8) },
    labels: { folder: 'data' },
    rests: { 'clearing_free_bytes{folder="data"}': always(2e9) },
  },
  ClearingEventLoopLate: {
    fires: { nodejs_eventloop_lag_p99_seconds: always(1) },
    rests: { nodejs_eventloop_lag_p99_seconds: always(0.1) },
  },
  ClearingTwoReleases: {
    fires: { 'clearing_build_info{version="1"}': always(1), 'clearing_build_info{version="2"}': always(1) },
    rests: {
      'clearing_build_info{version="2",i="1"}': always(1),
      'clearing_build_info{version="2",i="2"}': always(1),
    },
  },
}

const { groups } = yaml.load(readFileSync(rulesFile, 'utf8')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

test('each alert has a state in which it fires', () => {
  assert.deepEqual(rules.map(({ alert }) => alert).sort(), Object.keys(states).sort())
})

test('each alert fires in its state and not in the state beside it', { skip: missing }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'alerts-'))
  try {
    const tests = rules.flatMap(({ alert, labels, annotations }) => {
      const { fires, rests, labels: more } = states[alert] ?? assert.fail(alert)
      const fired = { exp_labels: { ...labels, ...more }, exp_annotations: annotations }
      return [[fires, [fired]] as const, [rests, []] as const].map(([series, expected]) => ({
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        alert_rule_test: [{ eval_time: '130m', alertname: alert, exp_alerts: expected }],
      }))
    })
    // JSON is valid YAML.
    writeFileSync(
      join(folder, 'test.yaml'),
      JSON.stringify({ rule_files: [rulesFile], evaluation_interval: '5m', tests }),
    )
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', join(folder, 'test.yaml')], {
      encoding: 'utf8',
    })
    assert.equal(status, 0, `${stdout}${stderr}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
