/**
 * A change of readiness is logged with its cause, which the public reason leaves out. The parts are asked at the same
 * time.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { test } from 'node:test'
import { pino } from 'pino'
import { openS3Store } from '../documents/s3-store.ts'
import { createVirusScanner } from '../documents/virus-scanner.ts'
import { findWhyNotReady, loggingChanges } from './readiness.ts'

const reason = 'the document store does not answer, or takes no documents'

function openBucket(server: Server) {
  return openS3Store({
    bucket: 'docs',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    attemptsMax: 1,
  })
}

test('the log names the cause of a failed check once, until the check succeeds again', async () => {
  let status = 403
  const bucket = createServer((_, answer) => answer.writeHead(status).end())
  await once(bucket.listen(0, '127.0.0.1'), 'listening')
  const blobs = openBucket(bucket)
  const lines: { reason?: string; cause?: string; msg: string }[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => lines.push(JSON.parse(line)) })
  const ask = loggingChanges(() => findWhyNotReady([[reason, () => blobs.check()]]), log)
  try {
    assert.equal(await ask(), reason)
    assert.equal(await ask(), reason)
    status = 200
    assert.equal(await ask(), undefined)
    const cause = 'the document store is not available: bucket docs: HTTP status 403'
    assert.deepEqual(lines, [
      { level: 40, reason, cause, msg: 'not ready' },
      { level: 30, msg: 'ready again' },
    ])
  } finally {
    blobs.close()
    bucket.close()
  }
})

test('a part that is slow to answer does not delay the check of the others', async () => {
  const scannerAsked = Promise.withResolvers<void>()
  // Answers only after the scanner, which is the next part, was asked too.
  const bucket = createServer(
    (_, answer) => void scannerAsked.promise.then(() => answer.writeHead(403).end()),
  )
  const clamd = createTcpServer((socket) => {
    socket.on('data', () => socket.end('PONG\0'))
    scannerAsked.resolve()
  })
  await Promise.all([bucket, clamd].map((server) => once(server.listen(0, '127.0.0.1'), 'listening')))
  const { port } = clamd.address() as AddressInfo
  const scanner = createVirusScanner({ address: { host: '127.0.0.1', port } })
  const blobs = openBucket(bucket)
  try {
    const why = await findWhyNotReady([
      [reason, () => blobs.check()],
      ['the virus scanner does not answer', () => scanner.check()],
    ])
    const cause = 'the document store is not available: bucket docs: HTTP status 403'
    assert.deepEqual(why, { reason, cause })
  } finally {
    blobs.close()
    for (const server of [bucket, clamd]) server.close()
  }
})
