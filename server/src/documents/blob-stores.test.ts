import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import {
  chmod,
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import S3rver from 's3rver'
import type { BlobStore, StoredBlob } from './blob-store.ts'
import { BlobMissing } from './blob-store.ts'
import { readContent, storeContent } from './content.ts'
import { openFolderStore } from './folder-store.ts'
import type { S3Store } from './s3-store.ts'
import { openS3Store } from './s3-store.ts'
import { makeTestKeyring } from './test-keyring.ts'

let root = ''
let folder: BlobStore
let s3: S3Store
let endpoint = ''
let server: S3rver
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'blobs-'))
  folder = await openFolderStore(join(root, 'deep', 'folder'))
  await mkdir(join(root, 's3'))
  server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: join(root, 's3'),
    configureBuckets: [{ name: 'documents', configs: [] }],
  })
  endpoint = `http://127.0.0.1:${((await server.run()) as AddressInfo).port}`
  s3 = openS3Store({
    bucket: 'documents',
    region: 'us-east-1',
    endpoint,
    credentials,
    keyPrefix: 'sealed/',
  })
})
after(async () => {
  s3.close()
  await server.close()
  await rm(root, { recursive: true, force: true })
})

function sourceOf(bytes: Buffer, sizeBytes = bytes.length) {
  return {
    sizeBytes,
    open: () =>
      Readable.from(
        (function* () {
          for (let at = 0; at < bytes.length; at += 60_000) yield bytes.subarray(at, at + 60_000)
        })(),
        { objectMode: false },
      ),
  }
}

/** Sends all declared bytes, and one more byte some time later. */
function slowlyTooLarge(sizeBytes: number) {
  return {
    sizeBytes,
    open: () =>
      Readable.from(
        (async function* () {
          yield Buffer.alloc(sizeBytes)
          await new Promise((resolve) => setTimeout(resolve, 50))
          yield Buffer.alloc(1)
        })(),
        { objectMode: false },
      ),
  }
}

async function gather(blobs: AsyncIterable<StoredBlob>): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for await (const blob of blobs) {
    assert.ok(blob.storedAt.getTime() > 0)
    found.set(blob.id, blob.bytes)
  }
  return found
}

for (const [name, store] of [
  ['folder', () => folder],
  ['S3', () => s3 as BlobStore],
] as const) {
  describe(`the ${name} store`, () => {
    test('returns and measures blobs of any size', async () => {
      for (const size of [1, 300_080, 1_000_000]) {
        const id = randomUUID()
        const bytes = randomBytes(size)
        assert.deepEqual(await store().put(id, sourceOf(bytes)), { bytes: size })
        assert.equal(await store().measure(id), size)
        assert.ok((await buffer(await store().get(id))).equals(bytes))
      }
    })

    test('replaces a blob that is put again', async () => {
      const id = randomUUID()
      await store().put(id, sourceOf(Buffer.from('first')))
      await store().put(id, sourceOf(Buffer.from('second one')))
      assert.equal((await buffer(await store().get(id))).toString(), 'second one')
    })

    test('reports a missing blob, and a second removal succeeds', async () => {
      const id = randomUUID()
      assert.equal(await store().measure(id), undefined)
      await assert.rejects(store().get(id), BlobMissing)
      await store().put(id, sourceOf(Buffer.from('x')))
      await store().remove(id)
      await store().remove(id)
      await assert.rejects(store().get(id), BlobMissing)
    })

    test('lists all blobs, or the blobs whose ids begin with a prefix', async () => {
      const ids = ['aaaaaaaa', 'aaaabbbb', 'cccccccc'].map((start) => start + randomUUID().slice(8))
      for (const id of ids) await store().put(id, sourceOf(Buffer.from(id)))
      const all = await gather(store().list())
      for (const id of ids) assert.equal(all.get(id), 36)
      assert.deepEqual([...(await gather(store().list('aaaa'))).keys()].sort(), ids.slice(0, 2))
      for (const id of all.keys()) await store().remove(id)
      assert.equal((await gather(store().list())).size, 0)
    })

    test('stores nothing from a source that fails or has another size than declared', async () => {
      const id = randomUUID()
      const failing = {
        sizeBytes: 100_000,
        open: () =>
          Readable.from(
            (function* () {
              yield Buffer.alloc(50_000)
              throw new Error('the source broke')
            })(),
            { objectMode: false },
          ),
      }
      await assert.rejects(store().put(id, failing))
      await assert.rejects(store().put(id, sourceOf(Buffer.alloc(99_999), 100_000)), /100000 bytes/)
      await assert.rejects(store().put(id, sourceOf(Buffer.alloc(120_001), 120_000)), /120000 bytes/)
      await assert.rejects(store().put(id, slowlyTooLarge(120_000)), /120000 bytes/)
      // s3rver stores an empty object for an interrupted put; real object stores and folders do not.
      assert.ok(((await store().measure(id)) ?? 0) === 0)
      await store().remove(id)
    })

    test('accepts only ids, never names', async () => {
      const names = [
        '',
        'a',
        '../x',
        'a.pdf',
        '/etc/passwd',
        'incoming',
        randomUUID().toUpperCase(),
        `${randomUUID()}/..`,
      ]
      for (const id of names) {
        await assert.rejects(store().put(id, sourceOf(Buffer.from('x'))), /UUID/)
        await assert.rejects(store().get(id), /UUID/)
        await assert.rejects(store().measure(id), /UUID/)
        await assert.rejects(store().remove(id), /UUID/)
      }
    })

    test('returns sealed documents that can be opened', async () => {
      const keyring = await makeTestKeyring('A')
      const plain = randomBytes(200_000)
      const upload = {
        bytes: plain.length,
        sha256: createHash('sha256').update(plain).digest(),
        open: () => sourceOf(plain).open(),
      }
      const place = { firm: 'A', documentId: randomUUID() }
      const facts = await storeContent(store(), keyring, place, upload)
      assert.ok((await buffer(await readContent(store(), keyring, place, facts))).equals(plain))
    })

    test('passes its check', () => store().check())
  })
}

test('a folder holds blobs under their ids, readable by their owner only, and no other files', async () => {
  const path = join(root, 'shown')
  const store = await openFolderStore(path)
  const id = randomUUID()
  await store.put(id, sourceOf(Buffer.from('x')))
  assert.deepEqual(await readdir(join(path, id.slice(-2))), [id])
  assert.deepEqual(await readdir(join(path, 'incoming')), [])
  assert.equal((await stat(join(path, id.slice(-2), id))).mode & 0o777, 0o600)
  assert.equal((await stat(join(path, id.slice(-2)))).mode & 0o777, 0o700)
})

test('a folder syncs a blob before its rename, and syncs the rename before the put resolves', async () => {
  const path = join(root, 'synced')
  const store = await openFolderStore(path)
  const id = randomUUID()
  const blob = join(path, id.slice(-2), id)
  const isThere = () =>
    stat(blob).then(
      () => true,
      () => false,
    )
  const some = await open(path)
  const kind = Object.getPrototypeOf(some) as FileHandle
  await some.close()
  const sync = kind.sync
  const seen: string[] = []
  kind.sync = async function (this: FileHandle) {
    const what = (await this.stat()).isDirectory() ? 'folder' : 'file'
    seen.push(`${what} ${(await isThere()) ? 'named' : 'unnamed'}`)
    return sync.call(this)
  }
  try {
    await store.put(id, sourceOf(Buffer.from('x')))
  } finally {
    kind.sync = sync
  }
  assert.deepEqual(seen, ['file unnamed', 'folder named'])
})

test('a folder that is opened again has its blobs and removes unfinished writes by age', async () => {
  const path = join(root, 'again')
  const id = randomUUID()
  await (await openFolderStore(path)).put(id, sourceOf(Buffer.from('kept')))
  const now = new Date()
  const hourAgo = new Date(now.getTime() - 3_600_000)
  await writeFile(join(path, 'incoming', 'old'), 'x')
  await utimes(join(path, 'incoming', 'old'), hourAgo, hourAgo)
  await writeFile(join(path, 'incoming', 'young'), 'x')
  const store = await openFolderStore(path)
  assert.equal(await store.removeUnfinished(1_800_000, now), 1)
  assert.deepEqual(await readdir(join(path, 'incoming')), ['young'])
  assert.equal((await buffer(await store.get(id))).toString(), 'kept')
})

test('a folder keeps no file of a source that fails', async () => {
  const path = join(root, 'failing')
  const store = await openFolderStore(path)
  await assert.rejects(store.put(randomUUID(), sourceOf(Buffer.alloc(9), 10)))
  assert.deepEqual(await readdir(join(path, 'incoming')), [])
})

test('a folder that cannot be written fails its check and every put', {
  skip: process.getuid?.() === 0,
}, async () => {
  const path = join(root, 'locked')
  const store = await openFolderStore(path)
  await chmod(join(path, 'incoming'), 0o500)
  await assert.rejects(store.check())
  await assert.rejects(store.put(randomUUID(), sourceOf(Buffer.from('x'))))
  await chmod(join(path, 'incoming'), 0o700)
})

test('an unreachable object store, or one without the bucket, fails its check', async () => {
  const absent = openS3Store({ bucket: 'absent', region: 'us-east-1', endpoint, credentials, attemptsMax: 1 })
  await assert.rejects(absent.check())
  absent.close()
  const nowhere = openS3Store({
    bucket: 'documents',
    region: 'us-east-1',
    endpoint: 'http://127.0.0.1:1',
    credentials,
    attemptsMax: 2,
  })
  await assert.rejects(nowhere.check())
  await assert.rejects(nowhere.put(randomUUID(), sourceOf(Buffer.alloc(200_000))), { code: 'ECONNREFUSED' })
  nowhere.close()
})

// s3rver 3.7 cannot write a continuation token, so the test writes two pages itself.
test('a list of several pages is read to its end', async () => {
  const ids = [randomUUID(), randomUUID(), randomUUID()]
  const entry = (id: string) =>
    `<Contents><Key>sealed/${id}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified><Size>7</Size></Contents>`
  const asked: (string | null)[] = []
  const pages = createServer((request, response) => {
    const token = new URL(request.url ?? '', 'http://localhost').searchParams.get('continuation-token')
    asked.push(token)
    const [first = '', second = '', third = ''] = ids.map(entry)
    const content =
      token === null
        ? `<IsTruncated>true</IsTruncated><NextContinuationToken>page 2</NextContinuationToken>${first}${second}`
        : `<IsTruncated>false</IsTruncated>${third}${entry('not-ours')}`
    response.setHeader('content-type', 'application/xml')
    response.end(`<?xml version="1.0"?><ListBucketResult>${content}</ListBucketResult>`)
  })
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  const store = openS3Store({
    bucket: 'documents',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${(pages.address() as AddressInfo).port}`,
    credentials,
    keyPrefix: 'sealed/',
  })
  try {
    assert.deepEqual(
      [...(await gather(store.list()))],
      ids.map((id) => [id, 7]),
    )
    assert.deepEqual(asked, [null, 'page 2'])
  } finally {
    store.close()
    pages.closeAllConnections()
    pages.close()
  }
})
