/** A change of readiness is logged with its cause, which the public reason leaves out. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { pino } from 'pino'
import { openS3Store } from '../documents/s3-store.ts'
import { findWhyNotReady, loggingChanges } from './readiness.ts'

const reason = 'the document store does not answer, or takes no documents'

test('the log names the cause of a failed check once, until the check succeeds again', async () => {
  let status = 403
  const bucket = createServer((_, answer) => answer.writeHead(status).end())
  await once(bucket.listen(0, '127.0.0.1'), 'listening')
  const { port } = bucket.address() as AddressInfo
  const blobs = openS3Store({
    bucket: 'docs',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    attemptsMax: 1,
  })
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
