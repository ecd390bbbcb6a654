/** The metrics of several processes show the worst of them where a sum would hide it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gauge, Registry } from 'prom-client'
import { createTestDatabase } from '../database/test-database.ts'
import { createMetrics } from '../observe/metrics.ts'
import { AddedMetrics } from './added-metrics.ts'
import type { MetricsJson } from './messages.ts'

async function addUp(...metrics: readonly MetricsJson[]): Promise<string> {
  const added = new AddedMetrics()
  for (const [at, ofProcess] of metrics.entries()) added.take(at + 1, ofProcess)
  return (await added.render()).text
}

test('the delay of the event loop is that of the latest process', async () => {
  const lateBy = (seconds: number) => {
    const registry = new Registry()
    const settings = { help: 'Delay.', registers: [registry], aggregator: 'average' as const }
    new Gauge({ ...settings, name: 'nodejs_eventloop_lag_p99_seconds' }).set(seconds)
    return registry.getMetricsAsJSON()
  }
  const text = await addUp(await lateBy(0.01), await lateBy(0.81), await lateBy(0.02))
  assert.match(text, /^nodejs_eventloop_lag_p99_seconds 0.81$/m)
})

test('commits are confirmed only if every process says so', async () => {
  await using database = await createTestDatabase()
  const read = (areConfirmed: boolean) => {
    const heads = { signedAtMs: undefined, verified: undefined }
    const metrics = createMetrics({ operations: database.operations, owner: database.owner }, [], heads, {
      auditHeadsMinutes: 10,
    })
    metrics.watchCommits(() => areConfirmed)
    return metrics.readJson()
  }
  const [yes, no] = [await read(true), await read(false)]
  assert.match(await addUp(yes, yes), /^clearing_commits_confirmed 1$/m)
  assert.match(await addUp(yes, no), /^clearing_commits_confirmed 0$/m)
  assert.match(await addUp(yes, no), /^clearing_processes 2$/m)
})
