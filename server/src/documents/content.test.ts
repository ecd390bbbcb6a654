import assert from 'node:assert/strict'
import { createHash, createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { BlobStore } from './blob-store.ts'
import { BlobMissing } from './blob-store.ts'
import type { ContentFrom } from './content.ts'
import { readContent, storeContent } from './content.ts'
import { openFolderStore } from './folder-store.ts'
import {
  CHUNK_BYTES,
  ChunksBroken,
  countSealedBytes,
  openChunks,
  SEALED_CHUNK_BYTES,
  sealChunks,
} from './sealed-chunks.ts'
import { countSealedDocumentBytes, SEALED_HEADER_BYTES } from './sealed-stream.ts'
import type { TestKeyring } from './test-keyring.ts'
import { makeTestKeyring } from './test-keyring.ts'

let folder = ''
let blobs: BlobStore
let keyring: TestKeyring

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'content-'))
  blobs = await openFolderStore(join(folder, 'documents'))
  keyring = await makeTestKeyring('A', 'B')
})
after(() => rm(folder, { recursive: true, force: true }))

function upload(plain: Buffer): ContentFrom {
  return {
    bytes: plain.length,
    sha256: createHash('sha256').update(plain).digest(),
    open: () => Readable.from(splitUnevenly(plain), { objectMode: false }),
  }
}

function* splitUnevenly(plain: Buffer): Generator<Buffer> {
  for (let at = 0, step = 1; at < plain.length; at += step, step = (step * 7) % 90_001) {
    yield plain.subarray(at, at + step)
  }
}

async function seal(key: ReturnType<typeof createSecretKey>, plain: Buffer): Promise<Buffer> {
  return buffer(Readable.from(splitUnevenly(plain), { objectMode: false }).pipe(sealChunks(key)))
}

/** The bytes that the stream released before it ended or failed. */
async function release(
  key: ReturnType<typeof createSecretKey>,
  sealed: Buffer,
): Promise<{ plain: Buffer; error: unknown }> {
  const pieces: Buffer[] = []
  const error = await pipeline(
    Readable.from([sealed], { objectMode: false }),
    openChunks(key),
    async (chunks) => {
      for await (const piece of chunks) pieces.push(piece as Buffer)
    },
  ).then(
    () => undefined,
    (fault) => fault,
  )
  return { plain: Buffer.concat(pieces), error }
}

const sizes = [
  0,
  1,
  15,
  16,
  CHUNK_BYTES - 1,
  CHUNK_BYTES,
  CHUNK_BYTES + 1,
  2 * CHUNK_BYTES,
  3 * CHUNK_BYTES + 7,
]

test('chunks of every size open to the original bytes, and the sealed size is the computed size', async () => {
  const key = createSecretKey(randomBytes(32))
  for (const size of sizes) {
    const plain = randomBytes(size)
    const sealed = await seal(key, plain)
    assert.equal(sealed.length, countSealedBytes(size))
    const { plain: opened, error } = await release(key, sealed)
    assert.equal(error, undefined)
    assert.ok(opened.equals(plain), `${size} bytes`)
  }
})

test('content in pieces that end just before, at and after the end of a chunk can be sealed and opened', async () => {
  const key = createSecretKey(randomBytes(32))
  const plain = randomBytes(2 * CHUNK_BYTES + 9)
  for (const first of [CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1]) {
    const pieces = [plain.subarray(0, first), plain.subarray(first, first + 1), plain.subarray(first + 1)]
    const sealed = await buffer(Readable.from(pieces, { objectMode: false }).pipe(sealChunks(key)))
    assert.ok((await release(key, sealed)).plain.equals(plain))
  }
})

test('a sealed stream that is cut, reordered, repeated, extended or changed fails, and no unverified byte is released', async () => {
  const key = createSecretKey(randomBytes(32))
  const plain = randomBytes(3 * CHUNK_BYTES + 500)
  const sealed = await seal(key, plain)
  const chunk = (number: number) =>
    sealed.subarray(number * SEALED_CHUNK_BYTES, (number + 1) * SEALED_CHUNK_BYTES)
  const [first, second, third, last] = [chunk(0), chunk(1), chunk(2), chunk(3)]
  const changed = Buffer.from(sealed)
  changed[SEALED_CHUNK_BYTES + 100] = (changed[SEALED_CHUNK_BYTES + 100] ?? 0) ^ 1
  const cases: [string, Buffer[]][] = [
    ['without the last chunk', [first, second, third]],
    ['without the last byte', [sealed.subarray(0, -1)]],
    ['without a middle chunk', [first, third, last]],
    ['without the first chunk', [second, third, last]],
    ['swapped', [first, third, second, last]],
    ['repeated', [first, second, second, third, last]],
    ['the last twice', [sealed, last]],
    ['a byte more', [sealed, Buffer.alloc(1)]],
    ['a changed bit', [changed]],
    ['nothing', []],
    ['half a tag', [sealed.subarray(0, 8)]],
  ]
  for (const [label, parts] of cases) {
    const { plain: released, error } = await release(key, Buffer.concat(parts))
    assert.ok(error instanceof ChunksBroken, label)
    assert.ok(released.equals(plain.subarray(0, released.length)), `${label}: the released bytes are correct`)
    assert.ok(released.length < plain.length, label)
  }
})

test('a stored document is read back byte for byte, and its blob reveals nothing of it', async () => {
  for (const size of sizes) {
    const plain = Buffer.alloc(size, 'canary 123-45-6789 ')
    const place = { firm: 'A', documentId: randomUUID() }
    const facts = await storeContent(blobs, keyring, place, upload(plain))
    assert.equal(await blobs.measure(place.documentId), countSealedDocumentBytes(size))
    const sealed = await buffer(await blobs.get(place.documentId))
    assert.ok(size < 20 || !sealed.includes('123-45-6789'))
    assert.ok((await buffer(await readContent(blobs, keyring, place, facts))).equals(plain), `${size} bytes`)
  }
})

test('any content can be stored and read back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), async (bytes) => {
      const place = { firm: 'B', documentId: randomUUID() }
      const facts = await storeContent(blobs, keyring, place, upload(Buffer.from(bytes)))
      assert.deepEqual(await buffer(await readContent(blobs, keyring, place, facts)), Buffer.from(bytes))
    }),
    { numRuns: 30 },
  )
})

test('content does not open under the id of another document or for another firm', async () => {
  const one = { firm: 'A', documentId: randomUUID() }
  const two = { firm: 'A', documentId: randomUUID() }
  const plain = randomBytes(1000)
  const facts = await storeContent(blobs, keyring, one, upload(plain))
  const sealed = await buffer(await blobs.get(one.documentId))
  await blobs.put(two.documentId, { sizeBytes: sealed.length, open: () => Readable.from([sealed]) })
  await assert.rejects(readContent(blobs, keyring, two, facts).then(buffer), ChunksBroken)
  await assert.rejects(readContent(blobs, keyring, { ...one, firm: 'B' }, facts).then(buffer), ChunksBroken)
})

test('any changed byte of a blob makes its read fail', async () => {
  const place = { firm: 'A', documentId: randomUUID() }
  const plain = randomBytes(CHUNK_BYTES + 50)
  const facts = await storeContent(blobs, keyring, place, upload(plain))
  const sealed = await buffer(await blobs.get(place.documentId))
  for (const at of [0, 3, 4, 7, 8, SEALED_HEADER_BYTES - 1, SEALED_HEADER_BYTES, 5000, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    await blobs.put(place.documentId, { sizeBytes: changed.length, open: () => Readable.from([changed]) })
    await assert.rejects(readContent(blobs, keyring, place, facts).then(buffer), `byte ${at}`)
  }
})

test('a record with another size or hash makes the read fail before its last bytes', async () => {
  const place = { firm: 'A', documentId: randomUUID() }
  const plain = randomBytes(200_000)
  const facts = await storeContent(blobs, keyring, place, upload(plain))
  for (const wrong of [
    { ...facts, bytes: 199_999 },
    { ...facts, sha256: Buffer.alloc(32) },
  ]) {
    const released: Buffer[] = []
    const reading = await readContent(blobs, keyring, place, wrong)
    const fault = await new Promise((resolve) => {
      reading.on('data', (piece: Buffer) => released.push(piece)).on('error', resolve)
    })
    assert.ok(fault instanceof ChunksBroken)
    assert.ok(Buffer.concat(released).length < plain.length)
  }
})

test('content that is missing or ends inside its header is a fault at once', async () => {
  const place = { firm: 'A', documentId: randomUUID() }
  const facts = { bytes: 5, sha256: Buffer.alloc(32) }
  await assert.rejects(readContent(blobs, keyring, place, facts), BlobMissing)
  await blobs.put(place.documentId, { sizeBytes: 10, open: () => Readable.from([Buffer.alloc(10)]) })
  await assert.rejects(readContent(blobs, keyring, place, facts), ChunksBroken)
})

test('a document stored by another instance under a newer key is read', async () => {
  await keyring.load('A')
  const elsewhere = await keyring.replaceKeyElsewhere('A')
  const place = { firm: 'A', documentId: randomUUID() }
  const facts = await storeContent(blobs, elsewhere, place, upload(Buffer.from('new key')))
  assert.equal((await buffer(await readContent(blobs, keyring, place, facts))).toString(), 'new key')
})

test('a source that fails leaves no blob', async () => {
  const place = { firm: 'A', documentId: randomUUID() }
  const failing: ContentFrom = {
    ...upload(Buffer.alloc(100_000)),
    open: () =>
      Readable.from(
        (function* () {
          yield Buffer.alloc(70_000)
          throw new Error('the disk is missing')
        })(),
        { objectMode: false },
      ),
  }
  await assert.rejects(storeContent(blobs, keyring, place, failing), /the disk is missing/)
  assert.equal(await blobs.measure(place.documentId), undefined)
})
