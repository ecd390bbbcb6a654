/**
 * The document store becomes unavailable in every possible way. Adding and reading documents gets 503 with Retry-After,
 * the log has the cause, the service is not ready, and all other requests continue. When the store is available again,
 * documents are served again.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { ServiceStatus } from '@clearing/protocol'
import S3rver from 's3rver'
import { samplePdf } from '../../server/src/documents/inspect/sample-files.ts'
import { statusLimits } from '../../server/src/observe/read-status.ts'
import { applicationFor } from './applications.ts'
import { openAndFollow, until } from './calling.ts'
import { type Gate, startGate } from './gate.ts'
import { type RawAnswer, type RunningService, startRunningService } from './running-service.ts'
import { shorten } from './shorten.ts'

const content = samplePdf()
shorten(statusLimits, { keptMs: 200 })

async function add(service: RunningService, accountNumber: string): Promise<RawAnswer> {
  const body = new FormData()
  const fields = { documentTypeName: 'Identity Documents', reference: 'UTIL', accountNumber }
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  body.set('file', new File([new Uint8Array(content)], 'bill.pdf'))
  const headers = { authorization: `Bearer ${await service.token('alpha')}` }
  return service.send('/account-api/v1/add-document', { headers, body })
}

function isAway(answer: RawAnswer): void {
  assert.equal(answer.status, 503, answer.text)
  assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
  assert.deepEqual(
    answer.json.errors.map(({ code }: { code: string }) => code),
    ['ERR.5003'],
  )
}

async function ready({ address }: RunningService) {
  const answer = await fetch(`${address}/health/ready`)
  const { reason } = (await answer.json()) as { reason?: string }
  return reason === undefined ? { status: answer.status } : { status: answer.status, reason }
}

/** A check of the store that the busy machine made slow says once more that the service is not ready. */
function becomesReady(service: RunningService) {
  return until(
    () => ready(service),
    ({ status }) => status === 200,
  )
}

/** The state of each component on the status page. */
async function componentsOf({ address }: RunningService): Promise<Record<string, string>> {
  const { components } = (await (await fetch(`${address}/status.json`)).json()) as ServiceStatus
  return Object.fromEntries(components.map(({ component, status }) => [component, status]))
}

/** Removes the store, checks the service, and restores the store. `documentId` was added before. */
async function during(
  service: RunningService,
  accountNumber: string,
  away: {
    begin(): unknown
    end(): unknown
    readsGoOn?: boolean
    writesGoOn?: boolean
    reason?: RegExp
    operation?: string
  },
) {
  const { json } = await add(service, accountNumber)
  const { documentId } = json.data
  const read = () => service.post('get-document', { accountNumber, documentId })
  const logged = service.log().length
  await away.begin()
  try {
    if (away.writesGoOn) assert.equal((await add(service, accountNumber)).status, 200)
    else isAway(await add(service, accountNumber))
    if (away.readsGoOn) assert.equal((await read()).status, 200)
    else isAway(await read())
    const { status, reason } = await ready(service)
    assert.equal(status, 503)
    assert.match(reason ?? '', away.reason ?? /document/)
    assert.equal((await service.post('get-account', { accountNumber })).status, 200)
    await until(
      () => componentsOf(service),
      (components) => components.Documents === 'Unavailable' && components.Reading === 'Operational',
    )
    const form = await service.post('generate-document', { accountNumber, reference: 'W9' })
    assert.equal(form.status, 200, form.text)
  } finally {
    await away.end()
  }
  const operation = away.operation ?? 'add-document'
  assert.match(
    service.log().slice(logged),
    new RegExp(`"level":"error".*"operation":"${operation}".*"cause"`),
  )
  assert.match(service.log().slice(logged), /"level":"warn".*"msg":"not ready"/)
  await becomesReady(service)
  await until(
    () => componentsOf(service),
    (components) => components.Documents === 'Operational',
  )
  const answer = await read()
  assert.equal(answer.status, 200, answer.text)
  assert.equal((await add(service, accountNumber)).status, 200)
}

class NoMount extends Error {}

function mount(words: readonly string[]): void {
  try {
    execFileSync('mount', words, { stdio: 'ignore' })
  } catch {
    throw new NoMount()
  }
}
function unmount(path: string): void {
  try {
    execFileSync('umount', [path], { stdio: 'ignore' })
  } catch {}
}
function skipWithoutMount(fault: unknown): void {
  if (!(fault instanceof NoMount)) throw fault
}

// Concurrent: each has its own service, and mostly waits for the next check of the status.
describe('documents', { concurrency: true }, () => {
  describe('a folder of documents', { concurrency: 1 }, () => {
    let folder: string
    let documents: string
    let service: RunningService
    let accountNumber: string
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'documents-'))
      documents = join(folder, 'documents')
      await mkdir(documents)
      service = await startRunningService({ environment: { DOCUMENTS_DIR: documents } })
      accountNumber = await openAndFollow(service.alpha, applicationFor('Individual'))
    })
    after(async () => {
      await service?.stop()
      await rm(folder, { recursive: true, force: true })
    })

    const elsewhere = () => join(folder, 'elsewhere')
    const takeAway = () => rename(documents, elsewhere())
    const bringBack = async () => {
      await rm(documents, { recursive: true, force: true })
      await rename(elsewhere(), documents)
    }

    test('that is gone', () => during(service, accountNumber, { begin: takeAway, end: bringBack }))

    test('that is replaced by a file', () =>
      during(service, accountNumber, {
        begin: async () => {
          await takeAway()
          await writeFile(documents, '')
        },
        end: bringBack,
      }))

    test('that is an empty folder, as when a disk is not mounted', () =>
      during(service, accountNumber, {
        begin: async () => {
          await takeAway()
          await mkdir(documents)
          mount(['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', documents])
        },
        end: async () => {
          unmount(documents)
          await bringBack()
        },
      }).catch(skipWithoutMount))

    test('that was removed and created again is used again', async () => {
      await takeAway()
      isAway(await add(service, accountNumber))
      await mkdir(documents)
      await becomesReady(service)
      assert.equal((await add(service, accountNumber)).status, 200)
      await bringBack()
    })
  })

  describe('a disk of documents', { concurrency: 1 }, () => {
    let disk: string
    let mounted = false
    let service: RunningService
    let accountNumber: string
    before(async () => {
      disk = await mkdtemp(join(tmpdir(), 'documents-disk-'))
      try {
        mount(['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk])
        mounted = true
      } catch {}
      service = await startRunningService({ environment: { DOCUMENTS_DIR: join(disk, 'documents') } })
      accountNumber = await openAndFollow(service.alpha, applicationFor('Individual'))
    })
    after(async () => {
      await service?.stop()
      if (mounted) unmount(disk)
      await rm(disk, { recursive: true, force: true })
    })

    test('that accepts no writes, or is full', async (context) => {
      if (!mounted) return context.skip('needs the right to mount a disk')
      await during(service, accountNumber, {
        begin: () => mount(['-o', 'remount,ro', disk]),
        end: () => mount(['-o', 'remount,rw', disk]),
        readsGoOn: true,
      })
      const ballast = join(disk, 'ballast')
      await during(service, accountNumber, {
        begin: () => writeFile(ballast, Buffer.alloc(70_000_000)).catch(() => {}),
        end: () => rm(ballast),
        readsGoOn: true,
      })
    })

    test('that is nearly full makes the service not ready in advance', async (context) => {
      if (!mounted) return context.skip('needs the right to mount a disk')
      const ballast = join(disk, 'ballast')
      await writeFile(ballast, Buffer.alloc(40_000_000))
      const { status, reason } = await ready(service)
      assert.equal(status, 503)
      assert.match(reason ?? '', /less than 32 MB.*documents/)
      const metrics = await (await fetch(`${service.address}/metrics`)).text()
      const free = Number(/^clearing_free_bytes\{folder="documents"\} (\S+)$/m.exec(metrics)?.[1])
      assert.ok(free > 0 && free < 32_000_000, `${free}`)
      assert.equal((await add(service, accountNumber)).status, 200)
      await rm(ballast)
      await becomesReady(service)
    })
  })

  describe('a bucket of documents', { concurrency: 1 }, () => {
    let folder: string
    let server: S3rver
    let gate: Gate
    let service: RunningService
    let accountNumber: string
    let port = 0
    const serve = async () => {
      server = new S3rver({
        address: '127.0.0.1',
        port,
        silent: true,
        directory: folder,
        configureBuckets: [{ name: 'documents', configs: [] }],
      })
      port = ((await server.run()) as AddressInfo).port
    }
    before(async () => {
      process.env.AWS_ACCESS_KEY_ID = 'S3RVER'
      process.env.AWS_SECRET_ACCESS_KEY = 'S3RVER'
      folder = await mkdtemp(join(tmpdir(), 'documents-bucket-'))
      await serve()
      gate = await startGate(() => port)
      service = await startRunningService({
        environment: { S3_BUCKET: 'documents', S3_ENDPOINT: `http://127.0.0.1:${gate.port}` },
      })
      accountNumber = await openAndFollow(service.alpha, applicationFor('Individual'))
    })
    after(async () => {
      await service?.stop()
      await gate?.[Symbol.asyncDispose]()
      await server?.close()
      await rm(folder, { recursive: true, force: true })
    })

    test('whose store does not respond', () =>
      during(service, accountNumber, { begin: () => server.close(), end: serve }))

    test('that no longer exists', () =>
      during(service, accountNumber, {
        begin: () => rename(join(folder, 'documents'), join(folder, 'elsewhere')),
        end: () => rename(join(folder, 'elsewhere'), join(folder, 'documents')),
      }))

    test('that refuses writes', () =>
      during(service, accountNumber, {
        begin: () => gate.refuse('PUT', 403),
        end: gate.open,
        readsGoOn: true,
      }))

    test('that refuses reads', () =>
      during(service, accountNumber, {
        begin: () => gate.refuse('GET', 403),
        end: gate.open,
        writesGoOn: true,
        operation: 'get-document',
      }))

    test('that is slow delays no request without a document', async () => {
      gate.hold('PUT')
      const added = Promise.all(Array.from({ length: 25 }, () => add(service, accountNumber)))
      await until(
        async () => gate.waiting(),
        (count) => count >= 25,
      )
      const read = await service.post('get-account', { accountNumber })
      assert.equal(read.status, 200, read.text)
      gate.open()
      for (const { status, text } of await added) assert.equal(status, 200, text)
    })
  })

  describe('the folder of waiting uploads', { concurrency: 1 }, () => {
    test('that cannot be made', async () => {
      const service = await startRunningService()
      try {
        const accountNumber = await openAndFollow(service.alpha, applicationFor('Individual'))
        const uploads = join(service.dataDir, 'uploads')
        await during(service, accountNumber, {
          begin: async () => {
            await rename(uploads, `${uploads}-elsewhere`)
            await writeFile(uploads, '')
          },
          end: () => rm(uploads),
          readsGoOn: true,
          reason: /uploads/,
        })
      } finally {
        await service.stop()
      }
    })
  })
})
