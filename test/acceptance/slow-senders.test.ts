/** Senders of large loads who are slow give their turn to a load that waits, and can send theirs again. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../server/src/database/test-waiting.ts'
import { slowSenderLimits } from '../../server/src/http/body/hashed-stream.ts'
import { type RawAnswer, type RunningService, startRunningService } from './running-service.ts'

/** With four connections for operations, two large loads run at a time. */
const turns = 2
const usual = slowSenderLimits.waitedMs

let service: RunningService
before(async () => {
  slowSenderLimits.waitedMs = 1_000
  service = await startRunningService()
})
after(async () => {
  slowSenderLimits.waitedMs = usual
  await service?.stop()
})

/** Empty lines make the load longer than a short one, which takes no turn. */
function largeBody(day: number): string {
  const rate = { currency: 'EUR', date: `2025-01-0${day}`, rate: '1.1' }
  return `${JSON.stringify(rate)}${'\n'.repeat(2 * slowSenderLimits.bytes)}`
}

async function load(body: string | ReadableStream<Uint8Array>): Promise<RawAnswer> {
  const headers = {
    authorization: `Bearer ${await service.token('operations')}`,
    'content-type': 'application/x-ndjson',
  }
  return service.send('/operations-api/v1/load-fx-rates', { headers, body })
}

/** Sends a byte at a time after the first lines, until it is stopped. */
function sendSlowly(day: number) {
  let isOver = false
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(Buffer.from(largeBody(day)))
      while (!isOver) {
        await pause(50)
        try {
          controller.enqueue(Buffer.from('\n'))
        } catch {
          return
        }
      }
      controller.close()
    },
  })
  const end = () => {
    isOver = true
  }
  return { answer: load(body), end }
}

test('a load that waits for its turn gets that of one slow sender, whose load can be sent again', async () => {
  const slow = [sendSlowly(1), sendSlowly(2)]
  const { listLoads } = service.operations.operations
  await until('the slow loads run', async () => {
    const { data } = await listLoads({ state: 'Running' })
    return data.loads.length === turns
  })
  const brisk = await load(largeBody(3))
  assert.deepEqual([brisk.status, brisk.json.data.accepted], [200, 1])
  for (const { end } of slow) end()
  const answers = await Promise.all(slow.map(({ answer }) => answer))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 503])
  const cutOff = answers.findIndex(({ status }) => status === 503)
  const { json, headers } = answers[cutOff] as RawAnswer
  assert.equal(json.errors[0].code, 'ERR.5003')
  assert.match(json.errors[0].reason, /arrived slowly while other loads waited.*Send the whole load again/)
  assert.equal(headers.get('retry-after'), '2')
  const again = await load(largeBody(cutOff + 1))
  assert.equal(again.status, 200)
  assert.equal(again.json.data.accepted + again.json.data.duplicates, 1)
})
