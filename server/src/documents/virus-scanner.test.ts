import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, test } from 'node:test'
import { createVirusScanner, ScannerUnavailable } from './virus-scanner.ts'

// The text is split, so that no scanner of source files reports this file as infected.
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE', '!$H+H*'].join('')

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

type Clamd = { address: { host: string; port: number } | { path: string }; received: () => Buffer }

/**
 * Implements the protocol of clamd: commands end with NUL, INSTREAM pieces have a length prefix, and an empty piece
 * is the last.
 */
async function startClamd(
  options: { sizeBytesMax?: number; misbehave?: (socket: Socket) => void; path?: string } = {},
): Promise<Clamd> {
  let streamed: Buffer = Buffer.alloc(0)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    if (options.misbehave) {
      options.misbehave(socket)
      return
    }
    let waiting: Buffer = Buffer.alloc(0)
    let content: Buffer | undefined
    socket.on('data', (bytes: Buffer) => {
      waiting = Buffer.concat([waiting, bytes])
      if (!content) {
        const end = waiting.indexOf(0)
        if (end < 0) return
        const command = waiting.toString('latin1', 0, end)
        waiting = waiting.subarray(end + 1)
        if (command === 'zPING') return socket.end('PONG\0')
        if (command !== 'zINSTREAM') return socket.end('UNKNOWN COMMAND\0')
        content = Buffer.alloc(0)
      }
      while (waiting.length >= 4) {
        const length = waiting.readUInt32BE(0)
        if (length === 0) {
          streamed = content
          return socket.end(content.includes(EICAR) ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0')
        }
        if (waiting.length < 4 + length) return
        content = Buffer.concat([content, waiting.subarray(4, 4 + length)])
        waiting = waiting.subarray(4 + length)
        if (content.length > (options.sizeBytesMax ?? Number.POSITIVE_INFINITY)) {
          return socket.end('INSTREAM size limit exceeded. ERROR\0')
        }
      }
    })
  })
  await new Promise<void>((resolve) =>
    options.path ? server.listen(options.path, resolve) : server.listen(0, '127.0.0.1', resolve),
  )
  closers.push(
    () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  )
  const address = options.path
    ? { path: options.path }
    : { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
  return { address, received: () => streamed }
}

function stream(bytes: Buffer) {
  return Readable.from([bytes], { objectMode: false })
}

test('clean content is reported as clean, and clamd receives every byte', async () => {
  const clamd = await startClamd()
  const scanner = createVirusScanner({ address: clamd.address })
  for (const size of [0, 1, 65_536, 65_537, 3_000_000]) {
    const bytes = randomBytes(size)
    assert.deepEqual(await scanner.scan(stream(bytes)), { infected: false })
    assert.ok(clamd.received().equals(bytes), `${size} bytes`)
  }
})

test('the EICAR test file is reported as infected at every position', async () => {
  const { address } = await startClamd()
  const scanner = createVirusScanner({ address })
  for (const bytes of [
    Buffer.from(EICAR),
    Buffer.concat([randomBytes(65_500), Buffer.from(EICAR), randomBytes(9)]),
  ]) {
    assert.deepEqual(await scanner.scan(stream(bytes)), { infected: true, signature: 'Eicar-Test-Signature' })
  }
})

test('a scanner on a Unix socket can be used', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clamd-'))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  const { address } = await startClamd({ path: join(folder, 'clamd.sock') })
  const scanner = createVirusScanner({ address })
  await scanner.check()
  assert.equal((await scanner.scan(stream(Buffer.from(EICAR)))).infected, true)
})

test('the scanner is unavailable if its response is unclear or missing', async () => {
  const misbehaviours: [string, (socket: Socket) => void, RegExp?][] = [
    ['error', (socket) => socket.end('INSTREAM: something ERROR\0')],
    ['closes at once', (socket) => socket.end(), /closed the connection|broke the connection/],
    ['resets', (socket) => socket.resetAndDestroy()],
    ['says nothing', () => {}],
    ['never ends its response', (socket) => socket.write('stream: OK')],
    [
      'sends a response that is too long',
      (socket) => socket.write('x'.repeat(100_000)),
      /too long a response/,
    ],
    ['OK for another stream', (socket) => socket.end('other: OK\0')],
    ['OK with further text', (socket) => socket.end('stream: OK but\0')],
    ['empty answer', (socket) => socket.end('\0')],
    ['is not clamd', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n\0')],
  ]
  for (const [label, misbehave, reason] of misbehaviours) {
    const { address } = await startClamd({ misbehave })
    // The others end by themselves, also on a busy machine.
    const timeoutMs = ['says nothing', 'never ends its response'].includes(label) ? 200 : 60_000
    const scanner = createVirusScanner({ address, timeoutMs })
    const content = stream(Buffer.alloc(200_000))
    await assert.rejects(scanner.scan(content), ScannerUnavailable, label)
    assert.ok(content.destroyed, label)
    await assert.rejects(scanner.check(), ScannerUnavailable, label)
    if (reason) await assert.rejects(scanner.check(), reason, label)
  }
})

test('the scanner is unavailable for content larger than clamd accepts', async () => {
  const { address } = await startClamd({ sizeBytesMax: 100_000 })
  const scanner = createVirusScanner({ address })
  await assert.rejects(scanner.scan(stream(Buffer.alloc(5_000_000))), ScannerUnavailable)
})

test('a missing scanner is unavailable', async () => {
  for (const address of [{ host: '127.0.0.1', port: 1 }, { path: '/nowhere/clamd.sock' }]) {
    const scanner = createVirusScanner({ address })
    await assert.rejects(scanner.scan(stream(Buffer.from('x'))), ScannerUnavailable)
    await assert.rejects(scanner.check(), ScannerUnavailable)
  }
})

test('content whose source fails during the scan is not reported as clean', async () => {
  const { address } = await startClamd()
  const scanner = createVirusScanner({ address })
  const broken = Readable.from(
    (function* () {
      yield Buffer.alloc(10)
      throw new Error('the disk is missing')
    })(),
    { objectMode: false },
  )
  await assert.rejects(scanner.scan(broken), ScannerUnavailable)
})
