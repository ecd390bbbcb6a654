/**
 * A backup taken while the service runs, and its uses. A loss of power that destroys all unsynced data loses no
 * acknowledged write (R001). A restore elsewhere is the same service, with books that tie out, an audit chain that
 * verifies and every document (R028).
 */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startEmbeddedPostgres } from '../../server/src/database/embedded-postgres.ts'
import { openPool } from '../../server/src/database/pool.ts'
import { samplePng } from '../../server/src/documents/inspect/sample-files.ts'
import { applicationFor } from '../acceptance/applications.ts'
import { follow, open, openAndFollow } from '../acceptance/calling.ts'
import { cutAfter, cutHere, restoreAll, restoreCut, takeBaseBackup } from './base-backup.ts'
import { makeServiceProcess, type ServiceProcess } from './service-process.ts'

const workers = 4
const dayMs = 86_400_000
const tradeDate = new Date(Date.now() - 30 * dayMs).toISOString().slice(0, 10)

/** The writes that were acknowledged so far. */
interface Acknowledged {
  readonly accounts: string[]
  readonly deposits: string[]
  readonly documents: { readonly accountNumber: string; readonly documentId: string }[]
}
const acknowledged: Acknowledged = { accounts: [], deposits: [], documents: [] }

let service: ServiceProcess
let first: string
let base: string
const folders: string[] = []
before(async () => {
  service = await makeServiceProcess()
  await service.start()
  first = await openAndFollow(service.alpha, applicationFor('Individual'))
})
after(async () => {
  await service?.dispose()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

/** One worker: accounts, documents and facts of the books, until the end. */
async function work(worker: number, isOver: () => boolean): Promise<void> {
  for (let number = 0; !isOver(); number += 1) {
    const { accountNumber } = await open(service.alpha, applicationFor('Individual'))
    acknowledged.accounts.push(accountNumber)
    const { data } = await service.alpha.addDocument({
      documentTypeName: 'Identity Documents',
      reference: 'PASS',
      accountNumber: first,
      file: { name: 'scan.png', content: samplePng() },
    })
    acknowledged.documents.push({ accountNumber: first, documentId: data.documentId })
    const externalId = `deposit-${worker}-${number}`
    const line = {
      externalId,
      acctNo: first,
      acctType: '1',
      transType: 'Deposit',
      netAmount: '10.25',
      tradeDate,
    }
    const loaded = await service.operations.operations.loadActivity({ lines: { ndjson: [line] } })
    assert.equal(loaded.data.accepted, 1, JSON.stringify(loaded.data))
    acknowledged.deposits.push(externalId)
  }
}

/** The acknowledged data is complete, each document included, and chains and books verify. */
async function assertWhole(restored: ServiceProcess, expected: Acknowledged): Promise<void> {
  for (const accountNumber of expected.accounts) await restored.alpha.onboardingResult({ accountNumber })
  const { rows } = await restored.query('select external_id from clearing.activity')
  const there = new Set(rows.map(({ external_id: id }) => id))
  assert.deepEqual(
    expected.deposits.filter((id) => !there.has(id)),
    [],
  )
  for (const { accountNumber, documentId } of expected.documents) {
    const file = await restored.alpha.getDocument({ accountNumber, documentId })
    assert.ok(Buffer.from(await file.bytes()).equals(samplePng()))
  }
  const { operations } = restored.operations
  const chains = await operations.verifyAudit({})
  assert.equal(chains.data.verified, true, JSON.stringify(chains.data))
  const books = await operations.verifyBooks({})
  assert.deepEqual(books.data.breaks, [])
  assert.ok(books.data.entries > 0)
}

async function serveFrom(dataDir: string): Promise<ServiceProcess> {
  const restored = await makeServiceProcess({ dataDir })
  try {
    await restored.start()
  } catch (fault) {
    await restored.dispose()
    throw fault
  }
  return restored
}

describe('a backup under load', { concurrency: 1 }, () => {
  test('and a loss of power after it lose no acknowledged write', async () => {
    let over = false
    const load = Promise.all(Array.from({ length: workers }, (_, worker) => work(worker, () => over)))
    load.catch(() => {})
    const until = async (documents: number) => {
      while (acknowledged.documents.length < documents) await Promise.race([load, pause(20)])
    }
    await until(workers)
    base = await takeBaseBackup(service.dataDir)
    folders.push(base)
    await until(acknowledged.documents.length + 4 * workers)
    // Writes during the cut may be in it or not.
    const before = structuredClone(acknowledged)
    const cut = await cutHere(service.dataDir)
    over = true
    await load
    const restored = await serveFrom(await restoreCut(base, service.dataDir, cut))
    try {
      await assertWhole(restored, before)
      // Jobs continue where the loss of power stopped them.
      for (const accountNumber of before.accounts) await follow(restored.alpha, accountNumber)
    } finally {
      await restored.dispose()
    }
  })

  test('control: such a cut loses a write that is acknowledged before the sync', async () => {
    await service.query('create table public.control (number integer)')
    await service.query('insert into public.control values (0)')
    for (let attempt = 1; ; attempt += 1) {
      // The server itself syncs asynchronous commits a few times a second.
      const cut = await cutAfter(
        service.dataDir,
        `set synchronous_commit = off; insert into public.control values (${attempt})`,
      )
      if (!cut.behind) {
        assert.ok(attempt < 50, 'every commit was synced at once')
        continue
      }
      const dataDir = await restoreCut(base, service.dataDir, cut)
      folders.push(dataDir)
      await using server = await startEmbeddedPostgres({ dataDir })
      const owner = openPool({
        name: 'owner',
        url: server.urls.superuser.replace('/postgres?', '/clearing?'),
      })
      const { rows } = await owner.pg.query('select min(number), max(number) from public.control')
      await owner.end()
      assert.equal(rows[0].min, 0)
      assert.ok(rows[0].max < attempt, 'the cut lost nothing, so it proves nothing')
      return
    }
  })

  test('and a restore elsewhere is the same service', async () => {
    await service.query('drop table public.control')
    for (const accountNumber of acknowledged.accounts) await follow(service.alpha, accountNumber)
    const restored = await serveFrom(await restoreAll(base, service.dataDir))
    try {
      await assertWhole(restored, acknowledged)
      const heads = await service.operations.operations.verifyAudit({})
      assert.deepEqual((await restored.operations.operations.verifyAudit({})).data, heads.data)
      const own = await open(restored.alpha, applicationFor('Individual'))
      await follow(restored.alpha, own.accountNumber)
    } finally {
      await restored.dispose()
    }
  })
})
