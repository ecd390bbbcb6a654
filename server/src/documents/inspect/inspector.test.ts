import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, afterEach, before, test } from 'node:test'
import { limits } from '@clearing/protocol'
import type { ReceivedUpload } from '../receive-upload.ts'
import { receiveUpload } from '../receive-upload.ts'
import { inspectFile } from './inspect-file.ts'
import type { Inspector, InspectorSettings } from './inspector.ts'
import {
  createInspector,
  INSPECTION_BASE_MS,
  INSPECTION_MS_PER_MEGABYTE,
  InspectorUnavailable,
  inspectionTimeoutMs,
} from './inspector.ts'
import { samplePdf, samplePng } from './sample-files.ts'

let folder = ''
let opened: Inspector[] = []
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inspector-'))
})
afterEach(async () => {
  for (const inspector of opened) await inspector.close()
  opened = []
})
after(() => rm(folder, { recursive: true, force: true }))

function start(settings: Partial<InspectorSettings> = {}): Inspector {
  const inspector = createInspector({ uploadFolder: folder, ...settings })
  opened.push(inspector)
  return inspector
}

async function upload(bytes: Buffer): Promise<ReceivedUpload> {
  const received = await receiveUpload(Readable.from([bytes], { objectMode: false }), {
    folder,
    sizeBytesMax: limits.uploadSizeBytesMax,
  })
  assert.ok(received.received)
  return received
}

/** Makes a worker that runs `code` with the name of the file and returns "rejected" with the result as the reason. */
async function makeWorker(code: string): Promise<string> {
  const path = join(folder, `${randomBytes(6).toString('hex')}.mjs`)
  const answer = `process.send({ verdict: { outcome: 'rejected', code: 'ERR.1023', reason: String(reason) } })`
  await writeFile(
    path,
    `import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { spawnSync } from 'node:child_process'
process.on('message', async ({ fileName }) => { const reason = await (async () => { ${code} })(); ${answer} })
process.on('disconnect', () => process.exit())
process.send({ ready: true })`,
  )
  return path
}

const misbehaving = `
  if (fileName === 'abort') process.abort()
  if (fileName === 'exit') process.exit(0)
  if (fileName === 'throw') setTimeout(() => { throw new Error('x') })
  if (fileName === 'hang') for (;;);
  if (fileName === 'wait') await new Promise(() => {})
  if (fileName === 'memory') { const held = []; for (;;) held.push(new Array(10000).fill({})) }
  if (['throw'].includes(fileName)) await new Promise(() => {})
  return fileName`

test('uploads are inspected in another process, in sequence and concurrently', async () => {
  const inspector = start()
  const good = await upload(samplePng())
  const bad = await upload(samplePdf({ trailer: '/Encrypt 9 0 R' }))
  const empty = await upload(Buffer.alloc(0))
  const accepted = { outcome: 'accepted', kind: 'png', mediaType: 'image/png', pages: 1 }
  assert.deepEqual(await inspector.inspect(good, 'a.png'), accepted)
  const all = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      inspector.inspect(index % 2 ? bad : good, index % 2 ? 'a.pdf' : 'a.png'),
    ),
  )
  for (const [index, inspection] of all.entries()) {
    if (index % 2 === 0) assert.deepEqual(inspection, accepted)
    else assert.ok(inspection.outcome === 'rejected' && /encrypted/.test(inspection.reason))
  }
  assert.equal((await inspector.inspect(empty, 'a.png')).outcome, 'rejected')
  assert.equal((await inspector.inspect(good, 'a\0.png')).outcome, 'rejected')
})

test('both readers accept a PDF that is padded to the largest file', async () => {
  const inspector = start()
  const pdf = samplePdf()
  const accepted = { outcome: 'accepted', kind: 'pdf', mediaType: 'application/pdf', pages: 1 }
  for (const blank of ['\n', ' ', '\0']) {
    const file = Buffer.concat([pdf, Buffer.alloc(limits.uploadSizeBytesMax - pdf.length, blank)])
    assert.deepEqual(await inspector.inspect(await upload(file), 'a.pdf'), accepted, JSON.stringify(blank))
  }
})

test('a worker that aborts, exits, throws or runs out of memory affects only its own file', async () => {
  const inspector = start({ workerFile: await makeWorker(misbehaving), memoryMegabytesMax: 32 })
  const file = await upload(Buffer.from('x'))
  const names = ['abort', 'one', 'exit', 'two', 'throw', 'three', 'memory', 'four']
  const inspections = await Promise.all(names.map((name) => inspector.inspect(file, name)))
  for (const [index, name] of names.entries()) {
    const expected =
      index % 2 === 0
        ? { outcome: 'quarantined', cause: 'crashed' }
        : { outcome: 'rejected', code: 'ERR.1023', reason: name }
    assert.deepEqual(inspections[index], expected, name)
  }
})

test('a file whose reading never ends, although nothing is left to do, is quarantined at once', async () => {
  const inspector = start({ timeoutMs: 20_000 })
  const levels = Array.from({ length: 3_000 }, (_, level) => ({
    number: 11 + level,
    text: `<< /Title (a) /First ${12 + level} 0 R >>`,
  }))
  const catalog = { number: 1, text: '<< /Type /Catalog /Pages 2 0 R /Outlines 10 0 R >>' }
  const outline = { number: 10, text: '<< /First 11 0 R /Last 11 0 R >>' }
  const file = await upload(samplePdf({ objects: [catalog, outline, ...levels] }))
  assert.deepEqual(await inspector.inspect(file, 'a.pdf'), { outcome: 'quarantined', cause: 'crashed' })
  const good = await upload(samplePng())
  assert.equal((await inspector.inspect(good, 'a.png')).outcome, 'accepted')
})

test('a hanging worker is ended and its file is quarantined, and other files are inspected meanwhile', async () => {
  const inspector = start({ workerFile: await makeWorker(misbehaving), timeoutMs: 1_000 })
  const file = await upload(Buffer.from('x'))
  const hanging = inspector.inspect(file, 'hang')
  const others = await Promise.all(['a', 'b', 'c', 'd'].map((name) => inspector.inspect(file, name)))
  assert.ok(others.every(({ outcome }) => outcome === 'rejected'))
  assert.deepEqual(await hanging, { outcome: 'quarantined', cause: 'timed-out' })
  assert.equal((await inspector.inspect(file, 'after')).outcome, 'rejected')
})

test('a worker that never becomes ready is ended, and the files that wait for it can be sent again', async () => {
  const workerFile = join(folder, 'never-ready.mjs')
  await writeFile(workerFile, "process.on('message', () => {})")
  // The next worker becomes ready within this time on a busy machine too.
  const inspector = start({ workerFile, startTimeoutMs: 4_000 })
  const file = await upload(Buffer.from('x'))
  const inspections = await Promise.allSettled([inspector.inspect(file, 'a'), inspector.inspect(file, 'b')])
  for (const inspection of inspections)
    assert.ok(inspection.status === 'rejected' && inspection.reason instanceof InspectorUnavailable)
  await writeFile(workerFile, await readFile(await makeWorker(misbehaving)))
  assert.equal((await inspector.inspect(file, 'after')).outcome, 'rejected')
})

test('a worker that gets no processor time gives no verdict, and its file can be sent again', {
  skip: process.platform !== 'linux' && 'only Linux reports the processor time',
}, async () => {
  const inspector = start({ workerFile: await makeWorker(misbehaving), timeoutMs: 500 })
  const file = await upload(Buffer.from('x'))
  await assert.rejects(inspector.inspect(file, 'wait'), InspectorUnavailable)
  assert.equal((await inspector.inspect(file, 'after')).outcome, 'rejected')
})

test('a worker has no environment, network or programs, and no files except uploads', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  process.env.CANARY_OF_THE_INSPECTOR_TEST = 'secret'
  const attempt = (code: string) =>
    `try { ${code}; return 'did it' } catch (error) { return error.code ?? error.name }`
  const code = `
    if (fileName === 'environment') return JSON.stringify(process.env.CANARY_OF_THE_INSPECTOR_TEST ?? null)
    if (fileName === 'read') ${attempt("readFileSync('/etc/passwd')")}
    if (fileName === 'write') ${attempt(`writeFileSync(${JSON.stringify(join(folder, 'written'))}, 'x')`)}
    if (fileName === 'program') ${attempt("spawnSync('true')")}
    if (fileName === 'network') return await new Promise((resolve) => {
      try { connect(${port}, '127.0.0.1').on('connect', () => resolve('did it')).on('error', (e) => resolve(e.code)) }
      catch (error) { resolve(error.code) }
    })`
  const inspector = start({ workerFile: await makeWorker(code) })
  const file = await upload(Buffer.from('x'))
  const answers: string[] = []
  for (const name of ['environment', 'read', 'write', 'program', 'network']) {
    const inspection = await inspector.inspect(file, name)
    answers.push(inspection.outcome === 'rejected' ? inspection.reason : inspection.outcome)
  }
  delete process.env.CANARY_OF_THE_INSPECTOR_TEST
  server.close()
  const denied = 'ERR_ACCESS_DENIED'
  assert.deepEqual(answers, ['null', denied, denied, denied, denied])
})

test('firms are served in turn, whatever number of files each of them has sent', async () => {
  const inspector = start({ workerFile: await makeWorker(misbehaving), processesMax: 1 })
  const file = await upload(Buffer.from('x'))
  const order: string[] = []
  const send = (firm: string, count: number) =>
    Array.from({ length: count }, (_, index) =>
      inspector.inspect(file, `${firm}${index}`, firm).then(() => order.push(`${firm}${index}`)),
    )
  await Promise.all([...send('a', 20), ...send('b', 2), ...send('c', 1)])
  assert.deepEqual(order.slice(0, 6), ['a0', 'b0', 'c0', 'a1', 'b1', 'a2'])
  assert.equal(order.length, 23)
})

test('the last process stays free for other firms while files of one firm hang', async () => {
  const inspector = start({ workerFile: await makeWorker(misbehaving), timeoutMs: 60_000 })
  const file = await upload(Buffer.from('x'))
  const hanging = Array.from({ length: 20 }, () => inspector.inspect(file, 'hang', 'a'))
  for (const all of hanging) all.catch(() => {})
  for (const firm of ['b', 'c', 'b', 'd']) {
    assert.deepEqual(await inspector.inspect(file, firm, firm), {
      outcome: 'rejected',
      code: 'ERR.1023',
      reason: firm,
    })
  }
})

test('each firm has its own limit of waiting files', async () => {
  const inspector = start({
    workerFile: await makeWorker(misbehaving),
    waitingOfFirmMax: 3,
    timeoutMs: 60_000,
  })
  const file = await upload(Buffer.from('x'))
  await inspector.inspect(file, 'b', 'b')
  // One file is being inspected and three files wait.
  const sent = Array.from({ length: 4 }, () => inspector.inspect(file, 'hang', 'a'))
  for (const one of sent) one.catch(() => {})
  await assert.rejects(inspector.inspect(file, 'a', 'a'), InspectorUnavailable)
  assert.equal((await inspector.inspect(file, 'b', 'b')).outcome, 'rejected')
})

test('the time limit of a file depends on its size', () => {
  assert.equal(inspectionTimeoutMs(1), INSPECTION_BASE_MS + INSPECTION_MS_PER_MEGABYTE)
  assert.equal(inspectionTimeoutMs(10_485_760), INSPECTION_BASE_MS + 10 * INSPECTION_MS_PER_MEGABYTE)
})

test('a PDF that the service accepts is read again by pdf.js, which cannot open every accepted PDF', async () => {
  const inspector = start()
  const accepted = await inspector.inspect(await upload(samplePdf()), 'a.pdf')
  assert.equal(accepted.outcome, 'accepted')
  // A catalog without pages counts as a catalog but cannot be opened.
  const empty = samplePdf({ objects: [{ number: 2, text: '<< /Type /Font >>' }] })
  assert.equal(inspectFile(empty, 'a.pdf').outcome, 'accepted')
  const refused = await inspector.inspect(await upload(empty), 'a.pdf')
  assert.ok(
    refused.outcome === 'rejected' && /cannot be opened/.test(refused.reason),
    JSON.stringify(refused),
  )
})

test('a file that is missing or does not open under its key is a fault, not a verdict', async () => {
  const inspector = start()
  const file = await upload(samplePng())
  const other = await upload(samplePng())
  await assert.rejects(
    inspector.inspect({ ...file, tempKey: other.tempKey }, 'a.png'),
    /could not be inspected/,
  )
  await file.remove()
  await assert.rejects(inspector.inspect(file, 'a.png'), /could not be inspected/)
  assert.equal((await inspector.inspect(other, 'a.png')).outcome, 'accepted')
})

test('an inspector is unavailable if no process starts, too many files wait, or it is closed', async () => {
  const file = await upload(samplePng())
  const unstartable = start({ workerFile: join(folder, 'absent.mjs') })
  await assert.rejects(unstartable.inspect(file, 'a.png'), InspectorUnavailable)

  const crowded = start({ workerFile: await makeWorker(misbehaving), processesMax: 1, waitingMax: 2 })
  const waiting = [crowded.inspect(file, 'one'), crowded.inspect(file, 'two')]
  await assert.rejects(crowded.inspect(file, 'three'), InspectorUnavailable)
  await Promise.all(waiting)

  const closing = start({ workerFile: await makeWorker(misbehaving) })
  const [under, next] = [closing.inspect(file, 'hang'), closing.inspect(file, 'hang')]
  const settled = Promise.allSettled([under, next])
  await closing.close()
  for (const { status } of await settled) assert.equal(status, 'rejected')
  await assert.rejects(closing.inspect(file, 'a.png'), InspectorUnavailable)
})
