/**
 * The files of one firm do not delay those of another: neither in the inspection, nor at the database's connections.
 * Large loads leave connections to other calls.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@clearing/sdk'
import { shortLoadBytesMax } from '../../server/src/books/loads/short-load.ts'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationFor } from './applications.ts'
import { openAndFollow, refusalOf } from './calling.ts'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
let accounts: { alpha: string; beta: string }
before(async () => {
  service = await startRunningService()
  accounts = {
    alpha: await openAndFollow(service.alpha, applicationFor('Individual')),
    beta: await openAndFollow(
      service.beta,
      applicationFor('Individual', { entityNumber: '302', main: { repCode: 'BB01' } }),
    ),
  }
})
after(() => service?.stop())

function add(client: Client, accountNumber: string, content: Buffer) {
  return client.addDocument({
    documentTypeName: 'Identity Documents',
    reference: 'UTIL',
    accountNumber,
    file: { name: 'a.pdf', content },
  })
}

/** Ordinary at both ends, with only beginnings of objects in between. */
function slowToInspect(megabytes: number): Buffer {
  const sound = samplePdf()
  const lines = Buffer.alloc(megabytes * 1_000_000, '1 0 obj\n')
  return Buffer.concat([sound.subarray(0, 15), lines, sound.subarray(15)])
}

test('a small document of one firm overtakes twenty hostile ones of another, and so does a reading', async () => {
  // On a slow machine too, all of them are inspected within the time limit of their calls.
  const hostile = slowToInspect(0.25)
  const files = 20
  let answered = 0
  const first = Promise.withResolvers<void>()
  const sent = Array.from({ length: files }, async () => {
    const refusal = await refusalOf(add(service.alpha, accounts.alpha, hostile))
    answered++
    first.resolve()
    return refusal.status
  })
  // All of them have been sent and wait for each other.
  await first.promise
  await add(service.beta, accounts.beta, samplePdf())
  const { data } = await service.beta.getDocumentDetails({ accountNumber: accounts.beta })
  const before = answered
  assert.equal(data.total, 1)
  assert.ok(before <= files / 2, `${before} of ${files} files of the other firm were answered before`)
  assert.deepEqual(new Set(await Promise.all(sent)), new Set([415]))
})

test('files that wait for their inspection hold no connection of the database', async () => {
  const hostile = slowToInspect(0.5)
  // The service has four connections for firms.
  const sent = Array.from({ length: 8 }, () => refusalOf(add(service.alpha, accounts.alpha, hostile)))
  let done = false
  const all = Promise.all(sent).finally(() => {
    done = true
  })
  let most = 0
  while (!done) {
    const { rows } = await service.query(
      `select count(*)::int as held from pg_stat_activity
       where datname = current_database() and application_name = 'clearing app'
         and state like 'idle in transaction%'`,
    )
    most = Math.max(most, rows[0]?.held ?? 0)
  }
  await all
  assert.ok(most <= 2, `${most} transactions were open at once`)
})

test('large loads leave connections to other calls of operations, however many there are, and wait for their turn', async () => {
  // Empty lines make it longer than a short load, which takes no turn.
  const rate = (day: number) =>
    `${JSON.stringify({ currency: 'EUR', date: `2025-01-0${day}`, rate: '1.1' })}${'\n'.repeat(shortLoadBytesMax)}`
  const bodies = Array.from({ length: 5 }, () => new TransformStream<Uint8Array, Uint8Array>())
  const writers = bodies.map(({ writable }) => writable.getWriter())
  const headers = {
    authorization: `Bearer ${await service.token('operations')}`,
    'content-type': 'application/x-ndjson',
  }
  const loading = bodies.map(({ readable: body }, at) =>
    service.send('/operations-api/v1/load-fx-rates', {
      headers: { ...headers, 'idempotency-key': `turn-${at}` },
      body,
    }),
  )
  for (const [at, writer] of writers.entries()) void writer.write(Buffer.from(rate(at + 1)))
  const { listLoads, listFirms } = service.operations.operations
  const running = async () => (await listLoads({ state: 'Running' })).data.loads.length
  for (let tries = 0; (await running()) < 2 && tries < 500; tries++) await pause(20)
  assert.ok((await listFirms()).data.firms.length > 0)
  for (const writer of writers) void writer.close()
  for (const { status, json } of await Promise.all(loading))
    assert.deepEqual([status, json.data?.accepted], [200, 1])
})
