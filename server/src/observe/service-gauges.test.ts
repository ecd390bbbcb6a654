/** Figures of the whole service that alerts watch. */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import pino from 'pino'
import { AuditHeads } from '../audit/audit-heads.ts'
import { makeTestFolder } from '../database/test-folder.ts'
import { inTransaction } from '../database/transaction.ts'
import { openFolderStore } from '../documents/folder-store.ts'
import { ensureClearingFirm } from '../identity/first-credential.ts'
import { prepareGround } from '../identity/test-service.ts'
import { writeAuditRow } from '../store/audit.ts'
import { createMetrics } from './metrics.ts'

const [alpha, beta] = ['00000000-0000-4000-8000-000000000301', '00000000-0000-4000-8000-000000000302']
const hourMs = 3_600_000

test('a job that failed for good is not due, however old it is', async () => {
  await using ground = await prepareGround()
  const { operations, owner } = ground.database
  const read = async () => {
    const auditHeads = { signedAtMs: undefined, verified: undefined }
    const { text } = await createMetrics({ operations, owner }, [], auditHeads, {
      auditHeadsMinutes: 10,
    }).render()
    const figure = (name: string) =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')[1],
      )
    return {
      waiting: figure('clearing_queue_jobs{state="waiting"}'),
      failed: figure('clearing_queue_jobs{state="failed"}'),
      minutes: Math.round(figure('clearing_queue_oldest_seconds') / 60),
    }
  }
  for (const minutes of [20, 90])
    await owner.pg.query(
      "select graphile_worker.add_job('some-task', run_at => now() - $1 * interval '1 minute', max_attempts => 1, job_key => 'some-task ' || $1::int)",
      [minutes],
    )
  assert.deepEqual(await read(), { waiting: 2, failed: 0, minutes: 90 })
  await owner.pg.query(
    "update graphile_worker._private_jobs set attempts = 1, last_error = 'broken' where run_at < now() - interval '1 hour'",
  )
  assert.deepEqual(await read(), { waiting: 1, failed: 1, minutes: 20 })
})

test('the oldest row of the audit trail without a signed head has an age, of whichever firm, until it is signed', async () => {
  const folder = await makeTestFolder('unsigned-')
  await using ground = await prepareGround()
  const { database, masterKeys, clock } = ground
  const { operations, owner } = database
  await ensureClearingFirm({ operations, masterKeys, now: clock.now() })
  const heads = new AuditHeads({
    pool: operations,
    masterKeys,
    blobs: await openFolderStore(folder),
    clock: clock as never,
    log: pino({ level: 'silent' }),
    queueProof: async () => {},
  })
  const write = (firmId: string, hoursAgo: number) =>
    inTransaction(operations, { firm: null }, async (tx) =>
      writeAuditRow(tx, {
        firmId,
        at: new Date(Date.now() - hoursAgo * hourMs),
        actor: 'test',
        action: 'write',
        traceId: '',
        detail: {},
      }),
    )
  const readHours = async (): Promise<number> => {
    const { text } = await createMetrics({ operations, owner }, [], heads, { auditHeadsMinutes: 90 }).render()
    assert.match(text, /^clearing_audit_interval_seconds 5400$/m)
    const [, seconds = ''] = /^clearing_audit_unsigned_seconds (.+)$/m.exec(text) ?? []
    return Math.round(Number(seconds) / 3_600)
  }
  try {
    await heads.sign()
    assert.equal(await readHours(), 0)
    await write(alpha, 9)
    await write(alpha, 5)
    await write(beta, 3)
    assert.equal(await readHours(), 9)
    await heads.sign()
    assert.equal(await readHours(), 0)
    await write(beta, 2)
    assert.equal(await readHours(), 2)
  } finally {
    await rm(folder, { recursive: true })
  }
})
