/** A connection that breaks while the log of calls is written loses no call and records none twice. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pino from 'pino'
import { openPool } from '../../database/pool.ts'
import { until } from '../../database/test-waiting.ts'
import { type Fault, startFaultProxy } from '../../database/testing/fault-proxy.ts'
import { inTransaction } from '../../database/transaction.ts'
import { alpha, startLog } from '../../events/test-log.ts'
import { findRequests } from '../../store/requests.ts'
import type { Call } from '../call.ts'
import { RequestLog } from './request-log.ts'

const log = await startLog()
after(() => log[Symbol.asyncDispose]())

function callOf(traceId: string): Call {
  return {
    traceId,
    startedMs: performance.now(),
    address: '127.0.0.1',
    route: { name: 'get-account', firmBound: true, operation: { writes: false } },
    firm: { firmId: alpha, moving: false },
    caller: { clientId: 'alpha', scopes: new Set() },
    replayed: false,
  } as unknown as Call
}

async function recorded(): Promise<string[]> {
  const { requests } = await inTransaction(log.database.app, { firm: alpha, readOnly: true }, (tx) =>
    findRequests(tx, alpha, { size: 100 }),
  )
  return requests.map(({ trace_id }) => trace_id).sort()
}

test('calls are recorded once when the connection breaks at COMMIT, whether or not it was committed', async () => {
  await using proxy = await startFaultProxy(log.database.urls.operations)
  const pool = openPool({ name: 'operations', url: proxy.through(log.database.urls.operations) })
  const requestLog = new RequestLog(pool, pino({ level: 'silent' }))
  const sent: string[] = []
  const cuts: Extract<Fault, { kind: 'cut' }>['at'][] = [
    'before-commit',
    'after-commit',
    'before-reply',
    'after-reply',
  ]
  for (const at of cuts) {
    proxy.inject({ kind: 'cut', at })
    const before = proxy.counts.cuts
    for (const name of [`${at}-1`, `${at}-2`]) {
      sent.push(name)
      requestLog.keep(callOf(name), 200, [], undefined)
    }
    await until('the calls', async () => (await recorded()).length >= sent.length)
    assert.deepEqual(await recorded(), sent.toSorted(), at)
    assert.equal(proxy.counts.cuts, before + 1)
  }
  // The log goes on after the faults.
  requestLog.keep(callOf('later'), 200, [], undefined)
  await requestLog.close()
  assert.deepEqual(await recorded(), [...sent, 'later'].sort())
  await pool.end()
})
