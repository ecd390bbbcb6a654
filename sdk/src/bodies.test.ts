import assert from 'node:assert/strict'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { limits } from '@clearing/protocol'
import { failure, type Sent, startService, success, traceId } from '../test/scripted-service.ts'
import { type FileAnswer, parseFileName } from './answer.ts'
import { createClient, methodOf } from './client.ts'
import type { Bytes, Lines } from './content.ts'
import { CallFailed, OutcomeUnknown, RequestRejected, ServiceFailed, ServiceUnavailable } from './failures.ts'

const fields = { documentTypeName: 'Identity Documents', reference: 'UTIL', accountNumber: '30100001' }
const content = new Uint8Array([0x25, 0x50, 0x44, 0x46, 0x2d, 0, 255])

async function* inPieces() {
  yield content.subarray(0, 3)
  yield content.subarray(3)
}

/** The parts of a multipart body as the service received it: from name to [file name, media type, content]. */
async function partsOf({ headers, text }: Sent) {
  const form = await new Response(Buffer.from(text, 'latin1'), {
    headers: { 'content-type': headers['content-type'] as string },
  }).formData()
  const parts: Record<string, unknown> = {}
  for (const [name, value] of form) {
    parts[name] = typeof value === 'string' ? value : [value.name, value.type, await value.bytes()]
  }
  return parts
}

const contents: readonly [title: string, () => Bytes][] = [
  ['bytes', () => content],
  ['an array buffer', () => content.buffer],
  ['a blob', () => new Blob([content])],
  ['a stream', () => new Blob([content]).stream()],
  ['pieces', () => inPieces()],
]
for (const [title, give] of contents) {
  test(`an upload of ${title} is multipart form data with the fields and the file, also when it is sent again`, async () => {
    await using service = await startService({ script: ['hang-up', success({})] })
    const request = {
      ...fields,
      file: { name: 'Rechnung März.pdf', content: give(), mediaType: 'application/pdf' },
    }
    const { idempotencyKey } = await createClient(service.settings).addDocument(request)
    assert.equal(service.calls.length, 2)
    for (const call of service.calls) {
      assert.deepEqual(await partsOf(call), {
        ...fields,
        file: ['Rechnung März.pdf', 'application/pdf', content],
      })
      assert.equal(call.headers['idempotency-key'], idempotencyKey)
    }
  })
}

test('a File has its own name and type, and other content has the type application/octet-stream by default', async () => {
  await using service = await startService()
  const client = createClient(service.settings)
  await client.addDocument({ ...fields, file: new File([content], 'a.png', { type: 'image/png' }) })
  await client.addDocument({ ...fields, file: { name: 'b.bmp', content } })
  const [first, second] = await Promise.all(service.calls.map(partsOf))
  assert.deepEqual(first?.file, ['a.png', 'image/png', content])
  assert.deepEqual(second?.file, ['b.bmp', 'application/octet-stream', content])
})

test('a file is uploaded from the disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sdk-'))
  try {
    const path = join(folder, 'c.pdf')
    await writeFile(path, content)
    await using service = await startService()
    await createClient(service.settings).addDocument({
      ...fields,
      file: { name: 'c.pdf', content: await openAsBlob(path) },
    })
    const [call] = service.calls
    assert.deepEqual((await partsOf(call as Sent)).file, ['c.pdf', 'application/octet-stream', content])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a stream without an end is read only up to the maximum size', async () => {
  let ended = false
  let readBytes = 0
  async function* endless() {
    try {
      for (;;) {
        readBytes += 1 << 20
        yield new Uint8Array(1 << 20)
      }
    } finally {
      ended = true
    }
  }
  await using service = await startService({ script: [failure(413, [{ code: 'ERR.1022', field: 'file' }])] })
  const upload = createClient(service.settings).addDocument({
    ...fields,
    file: { name: 'a.pdf', content: endless() },
  })
  await assert.rejects(upload, (error) => error instanceof RequestRejected && error.has('ERR.1022'))
  assert.ok(ended)
  assert.ok(readBytes > limits.uploadSizeBytesMax && readBytes <= limits.uploadSizeBytesMax + (1 << 20))
})

const load = { listName: 'sdn' }
async function* texts() {
  yield '{"a":1}\n'
  yield '{"a":2}\n'
}
async function* objects() {
  yield { a: 1 }
  yield { a: 2 }
}
const ndjson = '{"a":1}\n{"a":2}\n'
const loads: readonly [title: string, () => Lines, type: string, sent: string][] = [
  ['a text', () => ({ csv: 'a,b\n1,2\n' }), 'text/csv', 'a,b\n1,2\n'],
  ['a blob', () => ({ csv: new Blob(['a\n']) }), 'text/csv', 'a\n'],
  ['bytes', () => ({ csv: new TextEncoder().encode('a\n') }), 'text/csv', 'a\n'],
  ['a stream', () => ({ csv: new Blob(['a\n1\n']).stream() }), 'text/csv', 'a\n1\n'],
  ['pieces of text', () => ({ ndjson: texts() }), 'application/x-ndjson', ndjson],
  ['objects', () => ({ ndjson: [{ a: 1 }, { a: 2 }] }), 'application/x-ndjson', ndjson],
  ['a stream of objects', () => ({ ndjson: objects() }), 'application/x-ndjson', ndjson],
]
for (const [title, give, type, sent] of loads) {
  test(`a load of ${title} has a body of lines, and its other members are in the query`, async () => {
    await using service = await startService()
    const client = createClient(service.settings)
    await client.operations.loadWatchList({ listName: 'EU & UK', part: 'sdn', lines: give() })
    const [call] = service.calls
    assert.equal(call?.path, '/operations-api/v1/load-watch-list?listName=EU+%26+UK&part=sdn')
    assert.equal(call?.headers['content-type'], type)
    assert.equal(call?.text, sent)
  })
}

test('lines in memory or from a function are sent again in a retry, and a stream is sent once', async () => {
  for (const lines of [{ csv: 'a\n' }, { ndjson: [{ a: 1 }] }, { csv: () => new Blob(['a\n']).stream() }]) {
    await using service = await startService({ script: ['hang-up', success({})] })
    await createClient(service.settings).operations.loadWatchList({ ...load, lines })
    assert.equal(service.calls.length, 2)
    assert.equal(service.calls[0]?.text, service.calls[1]?.text)
  }
  await using service = await startService({ script: ['hang-up', success({})] })
  const once = createClient(service.settings).operations.loadWatchList({
    ...load,
    lines: { ndjson: objects() },
  })
  await assert.rejects(once, OutcomeUnknown)
  assert.equal(service.calls.length, 1)
})

test('a source of lines that fails ends the load, and the error has its cause', async () => {
  async function* broken() {
    yield 'a\n'
    throw new Error('disk unplugged')
  }
  await using service = await startService()
  const client = createClient(service.settings)
  await assert.rejects(client.operations.loadWatchList({ ...load, lines: { csv: broken() } }), (error) => {
    assert.ok(error instanceof CallFailed)
    assert.match(
      error.message,
      /^load-watch-list: no response, fetch failed: disk unplugged; the write may have taken effect/,
    )
    return true
  })
})

const documentCall = { accountNumber: '30100001', documentId: 'd' }
const attachment = {
  headers: {
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="a.pdf"`,
    'content-length': '7',
  },
  text: Buffer.from(content).toString('latin1'),
}

test('a file is returned with its name, type, size and content', async () => {
  await using service = await startService({ script: [attachment] })
  const file = await createClient(service.settings).getDocument(documentCall)
  assert.deepEqual([file.fileName, file.mediaType, file.sizeBytes], ['a.pdf', 'application/pdf', 7])
  assert.deepEqual(await file.bytes(), content)
})

test('a file is returned as a stream', async () => {
  await using service = await startService({ script: [attachment] })
  const file = await createClient(service.settings).getDocument(documentCall)
  const pieces: Uint8Array[] = []
  for await (const piece of file.body) pieces.push(piece)
  assert.deepEqual(new Uint8Array(Buffer.concat(pieces)), content)
})

test('the download of a file that breaks off fails with the number of bytes and the advice to repeat', async () => {
  await using service = await startService({ script: ['broken-off'] })
  const client = createClient(service.settings)
  const readers: readonly ((file: FileAnswer) => Promise<unknown>)[] = [
    (file) => file.bytes(),
    async (file) => {
      for await (const _piece of file.body);
    },
  ]
  for (const read of readers) {
    const file = await client.getDocument(documentCall)
    await assert.rejects(read(file), (error) => {
      assert.ok(error instanceof ServiceUnavailable)
      assert.match(error.message, /^get-document: the file broke off after [05] of 1000 bytes: .+ \(200\)\n/)
      assert.match(error.message, /\n {2}Nothing was changed\. Send the call again later\.$/)
      assert.equal(error.traceId, traceId)
      return true
    })
  }
})

test('the download of a file that stops or is aborted fails with the reason', async () => {
  await using service = await startService({ script: ['half'] })
  const client = createClient({ ...service.settings, timeoutMs: 300 })
  const silent = await client.getDocument(documentCall)
  await assert.rejects(silent.bytes(), (error) => {
    assert.ok(error instanceof ServiceUnavailable)
    assert.match(error.message, /after 18 of 1000 bytes: no response for 300 ms/)
    assert.match(error.message, /raise timeoutMs/)
    return true
  })
  const controller = new AbortController()
  const unwanted = await client.getDocument(documentCall, { signal: controller.signal, timeoutMs: 60_000 })
  controller.abort(new Error('no longer wanted'))
  await assert.rejects(unwanted.bytes(), /no longer wanted/)
})

test('an error response instead of a file is a rejection', async () => {
  await using service = await startService({ script: [failure(404, [{ code: 'ERR.2013' }])] })
  await assert.rejects(createClient(service.settings).getDocument(documentCall), RequestRejected)
})

for (const status of [400, 403, 404, 409, 413, 301, 307]) {
  test(`a page of an intermediary with the status ${status} is not a rejection of the service`, async () => {
    const location = 'https://clearing.example/v2'
    const headers = { 'content-type': 'text/html', ...(status < 400 ? { location } : {}) }
    await using service = await startService({
      script: [{ status, headers, text: '<p>Request Entity Too Large' }],
    })
    await assert.rejects(createClient(service.settings).codeLists(), (error) => {
      assert.ok(error instanceof ServiceFailed)
      assert.equal(error.status, status)
      assert.match(error.message, /an intermediary answered, not the service/)
      assert.match(error.message, /Check baseUrl, and the proxy, gateway or firewall/)
      assert.equal(error.message.includes(`redirects to ${location}`), status < 400)
      return true
    })
    assert.equal(service.calls.length, 1)
  })
}

test('a page of an intermediary is not returned as a file', async () => {
  const page = { headers: { 'content-type': 'text/html; charset=utf-8' }, text: '<p>Sign in' }
  await using service = await startService({ script: [page] })
  await assert.rejects(createClient(service.settings).getDocument(documentCall), ServiceFailed)
})

test('the name of a file is read in both forms of the header, without its path', () => {
  const rows: [string | null, string][] = [
    ['attachment; filename="a b.pdf"', 'a b.pdf'],
    ['attachment; filename=a.pdf', 'a.pdf'],
    [`attachment; filename="x.pdf"; filename*=UTF-8''M%C3%A4rz.pdf`, 'März.pdf'],
    [`attachment; filename="x.pdf"; filename*=UTF-8''%ff`, 'x.pdf'],
    ['attachment; filename="a\\"b.pdf"', 'a"b.pdf'],
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    ['attachment', 'document'],
    [null, 'document'],
  ]
  for (const [header, expected] of rows) assert.equal(parseFileName(header), expected, String(header))
})

test('a missing file, a path as the content of a file, and missing lines are reported before the call', async () => {
  await using service = await startService()
  const client = createClient(service.settings)
  const wrong: readonly [request: object, message: RegExp][] = [
    [fields, /^file is missing/],
    [{ ...fields, file: null }, /^file is missing/],
    [{ ...fields, file: { name: 'a.pdf', content: './a.pdf' } }, /^content of file must be a Blob/],
    [{ ...fields, file: { name: 'a.pdf' } }, /^content of file must be a Blob/],
  ]
  const add = methodOf(client, 'add-document')
  for (const [request, message] of wrong) {
    await assert.rejects(add?.(request) ?? Promise.resolve(), { name: 'TypeError', message })
  }
  const load = methodOf(client, 'load-fx-rates')
  for (const request of [{}, { lines: 'a,b' }, { lines: {} }]) {
    await assert.rejects(load?.(request) ?? Promise.resolve(), {
      name: 'TypeError',
      message: /^lines are missing/,
    })
  }
  assert.equal(service.calls.length, 0)
})
