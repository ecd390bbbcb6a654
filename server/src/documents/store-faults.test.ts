/**
 * Faults of a store become StoreUnavailable, whatever their name. Errors of the caller and signs of damage stay
 * unchanged.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type BlobStore, StoreUnavailable } from './blob-store.ts'
import { openFolderStore } from './folder-store.ts'
import { openS3Store, type S3Store } from './s3-store.ts'

function sourceOf(bytes: Buffer) {
  return { sizeBytes: bytes.length, open: () => Readable.from([bytes]) }
}

describe('a folder', () => {
  let root: string
  let store: BlobStore
  let files: FileHandle
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'store-faults-'))
    store = await openFolderStore(join(root, 'documents'))
    const some = await open(root)
    files = Object.getPrototypeOf(some) as FileHandle
    await some.close()
  })
  after(() => rm(root, { recursive: true, force: true }))

  for (const code of ['EACCES', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE', 'ENOSPC', 'EPERM', 'EROFS', 'ESTALE']) {
    for (const method of ['writeFile', 'sync'] as const) {
      test(`is unavailable while its file system returns ${code} for ${method}, and is available again afterwards`, async () => {
        const own = files[method]
        const id = randomUUID()
        files[method] = () => Promise.reject(Object.assign(new Error(code), { code, syscall: method }))
        try {
          await assert.rejects(
            store.put(id, sourceOf(Buffer.from('x'))),
            (fault) => fault instanceof StoreUnavailable && fault.code === code,
          )
        } finally {
          files[method] = own as never
        }
        await store.put(id, sourceOf(Buffer.from('x')))
        assert.equal((await buffer(await store.get(id))).toString(), 'x')
      })
    }
  }

  test('is unavailable if it fails while a blob is read', async () => {
    const id = randomUUID()
    await store.put(id, sourceOf(Buffer.alloc(300_000)))
    const own = files.read
    let reads = 0
    files.read = function broken(this: FileHandle, ...words: unknown[]) {
      reads += 1
      if (reads > 1) return Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'read' }))
      return (own as (...words: unknown[]) => never).apply(this, words)
    } as typeof own
    try {
      await assert.rejects(buffer(await store.get(id)), StoreUnavailable)
    } finally {
      files.read = own
    }
  })

  test('passes on a fault of the source unchanged', async () => {
    const source = {
      sizeBytes: 1,
      open: () =>
        Readable.from(
          (function* () {
            yield Buffer.alloc(0)
            throw new Error('the source broke')
          })(),
        ),
    }
    await assert.rejects(store.put(randomUUID(), source), /the source broke/)
  })
})

function refusal(status: number, code: string): RequestListener {
  return (request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/xml' })
    response.end(
      request.method === 'HEAD' ? undefined : `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`,
    )
  }
}

const answers: Record<string, RequestListener> = {
  'receives too many requests': refusal(503, 'SlowDown'),
  fails: refusal(500, 'InternalError'),
  'refuses its credentials': refusal(403, 'AccessDenied'),
  'does not have the bucket': refusal(404, 'NoSuchBucket'),
  'says nothing': () => {},
  'ends the connection': (request) => request.socket.destroy(),
}

describe('an object store', () => {
  let server: Server
  let store: S3Store
  let answer: RequestListener = () => {}
  function openTestStore(requestTimeoutMs: number): S3Store {
    return openS3Store({
      bucket: 'documents',
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
      requestTimeoutMs,
      attemptsMax: 1,
    })
  }
  before(async () => {
    server = createServer((request, response) => answer(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    store = openTestStore(100)
  })
  after(() => {
    store.close()
    server.closeAllConnections()
    server.close()
  })

  for (const [what, listener] of Object.entries(answers)) {
    test(`is unavailable if it ${what}`, async () => {
      answer = listener
      const id = randomUUID()
      const calls = [
        () => store.put(id, sourceOf(Buffer.alloc(10))),
        () => store.get(id),
        () => store.check(),
        () => store.list()[Symbol.asyncIterator]().next(),
      ]
      for (const call of calls) await assert.rejects(call(), StoreUnavailable)
    })
  }

  test('is unavailable if it breaks the connection in the middle of a blob', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write(Buffer.alloc(10), () => response.destroy())
    }
    await assert.rejects(buffer(await store.get(randomUUID())), StoreUnavailable)
  })

  test('is unavailable if it stops in the middle of a blob, but waits for a slow reader', async () => {
    const requestTimeoutMs = 1_000
    const patient = openTestStore(requestTimeoutMs)
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write(Buffer.alloc(10))
    }
    await assert.rejects(buffer(await patient.get(randomUUID())), (fault) => {
      assert.ok(fault instanceof StoreUnavailable)
      assert.match(String(fault.cause), /sent nothing for 1000 ms/)
      return true
    })
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '20' })
      response.end(Buffer.alloc(20))
    }
    let bytes = 0
    for await (const piece of await patient.get(randomUUID())) {
      await pause(requestTimeoutMs * 1.3)
      bytes += (piece as Buffer).length
    }
    assert.equal(bytes, 20)
    patient.close()
  })
})
