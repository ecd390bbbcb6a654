import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ReceivedUpload, UploadTooLarge } from './receive-upload.ts'
import { readReceived, receiveUpload, removeStaleUploads } from './receive-upload.ts'
import { CHUNK_BYTES } from './sealed-chunks.ts'

const sizeBytesMax = 10_485_760
let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uploads-'))
})
after(() => rm(folder, { recursive: true, force: true }))

function sourceOf(bytes: Buffer, pieceBytes = 50_000) {
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
    })(),
    { objectMode: false },
  )
}

function assertReceived(upload: ReceivedUpload | UploadTooLarge): asserts upload is ReceivedUpload {
  assert.ok(upload.received)
}

test('an upload is measured and hashed, and can be read back completely and repeatedly', async () => {
  for (const size of [0, 1, CHUNK_BYTES, CHUNK_BYTES + 1, 5 * CHUNK_BYTES - 3]) {
    const bytes = randomBytes(size)
    await using upload = await receiveUpload(sourceOf(bytes), { folder, sizeBytesMax }).then((received) => {
      assertReceived(received)
      return received
    })
    assert.equal(upload.bytes, size)
    assert.deepEqual(upload.sha256, createHash('sha256').update(bytes).digest())
    assert.ok((await buffer(upload.open())).equals(bytes))
    assert.ok((await buffer(upload.open())).equals(bytes))
    assert.ok((await readReceived(upload.tempPath, upload.tempKey, size)).equals(bytes))
  }
  assert.deepEqual(await readdir(folder), [], 'left by await using')
})

test('the file on disk never contains plain text and is readable by its owner only', async () => {
  const upload = await receiveUpload(sourceOf(Buffer.alloc(300_000, 'canary 123-45-6789 ')), {
    folder,
    sizeBytesMax,
  })
  assertReceived(upload)
  assert.ok(!(await readFile(upload.tempPath)).includes('123-45-6789'))
  assert.equal((await stat(upload.tempPath)).mode & 0o777, 0o600)
  await upload.remove()
  await upload.remove()
})

test('an upload of exactly the largest size is accepted, and one more byte is refused', async () => {
  const passing = await receiveUpload(sourceOf(Buffer.alloc(sizeBytesMax)), { folder, sizeBytesMax })
  assertReceived(passing)
  assert.equal(passing.bytes, sizeBytesMax)
  await passing.remove()
  const refused = await receiveUpload(sourceOf(Buffer.alloc(sizeBytesMax + 1)), { folder, sizeBytesMax })
  assert.deepEqual(refused, { received: false, sizeBytesMax })
  assert.deepEqual(await readdir(folder), [])
})

test('a source without an end is stopped at the limit and destroyed', async () => {
  const endless = new Readable({
    read() {
      this.push(Buffer.alloc(65_536))
    },
  })
  assert.deepEqual(await receiveUpload(endless, { folder, sizeBytesMax: 100_000 }), {
    received: false,
    sizeBytesMax: 100_000,
  })
  assert.ok(endless.destroyed)
})

test('a source that fails or is abandoned causes an error and leaves no file', async () => {
  const broken = new PassThrough()
  broken.write(randomBytes(200_000))
  const receiving = receiveUpload(broken, { folder, sizeBytesMax })
  broken.destroy(new Error('the caller disconnected'))
  await assert.rejects(receiving)

  const later = new Readable({
    read() {
      this.push(Buffer.alloc(65_536))
      if (this.readableDidRead) this.destroy(new Error('the caller disconnected'))
    },
  })
  await assert.rejects(receiveUpload(later, { folder, sizeBytesMax }), /disconnected/)

  const abort = new AbortController()
  const waiting = receiveUpload(new PassThrough(), { folder, sizeBytesMax, signal: abort.signal })
  abort.abort()
  await assert.rejects(waiting, { name: 'AbortError' })
  assert.deepEqual(await readdir(folder), [])
})

test('a changed or shortened file cannot be read', async () => {
  const upload = await receiveUpload(sourceOf(randomBytes(150_000)), { folder, sizeBytesMax })
  assertReceived(upload)
  const sealed = await readFile(upload.tempPath)
  sealed[70_000] = (sealed[70_000] ?? 0) ^ 1
  await writeFile(upload.tempPath, sealed)
  await assert.rejects(buffer(upload.open()))
  await assert.rejects(readReceived(upload.tempPath, upload.tempKey, upload.bytes))
  await writeFile(upload.tempPath, sealed.subarray(0, 65_552))
  await assert.rejects(readReceived(upload.tempPath, upload.tempKey, upload.bytes))
  await upload.remove()
  await assert.rejects(buffer(upload.open()), { code: 'ENOENT' })
})

test('files that a crash left are removed by age, and no other file is removed', async () => {
  const crashed = join(folder, 'crashed')
  await mkdir(crashed)
  const now = new Date('2026-01-02T12:00:00Z')
  for (const [name, minutes] of [
    ['old.upload', 90],
    ['young.upload', 10],
    ['old.other', 90],
  ] as const) {
    await writeFile(join(crashed, name), 'x')
    const written = new Date(now.getTime() - minutes * 60_000)
    await utimes(join(crashed, name), written, written)
  }
  assert.equal(await removeStaleUploads(crashed, 3_600_000, now), 1)
  assert.deepEqual((await readdir(crashed)).sort(), ['old.other', 'young.upload'])
  assert.equal(await removeStaleUploads(join(folder, 'absent'), 0, now), 0)
  await rm(crashed, { recursive: true })
})

const uploadsAtOnce = 20
const piecesOfUpload = 160
const heldMax = 20 * 1024 * 1024

test('twenty concurrent uploads each hold a few chunks in memory, not the whole file', async () => {
  const before = process.memoryUsage().arrayBuffers
  const waiting: (() => void)[] = []
  const allWait = Promise.withResolvers<void>()
  // Each source keeps its last piece until all others have been received.
  const sources = Array.from({ length: uploadsAtOnce }, () => {
    let left = piecesOfUpload
    return new Readable({
      read() {
        left--
        if (left > 0) this.push(Buffer.alloc(65_536, left))
        else if (left < 0) this.push(null)
        else if (waiting.push(() => this.push(Buffer.alloc(65_536))) === uploadsAtOnce) allWait.resolve()
      },
    })
  })
  const receiving = Promise.all(sources.map((source) => receiveUpload(source, { folder, sizeBytesMax })))
  await allWait.promise
  const held = await withoutGarbage(() => process.memoryUsage().arrayBuffers - before)
  for (const goOn of waiting) goOn()
  for (const upload of await receiving) {
    assertReceived(upload)
    assert.equal(upload.bytes, piecesOfUpload * 65_536)
    await upload.remove()
  }
  // 200 MB were received.
  assert.ok(held <= heldMax, `${held / 1e6} MB`)
})

/** The least of many samples: V8 frees the memory of buffers some time after a collection. */
async function withoutGarbage(sample: () => number): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  let least = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < 100 && least > heldMax; turn++) {
    collectGarbage()
    await setTimeout(20)
    least = Math.min(least, sample())
  }
  return least
}
