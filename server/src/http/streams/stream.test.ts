import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { FirmTail } from '../../events/log-tail.ts'
import { everyEvent } from '../../store/event-log.ts'
import { EventStream } from './stream.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function heapUsed(): number {
  collect()
  return process.memoryUsage().heapUsed
}

test('an open stream takes no more memory the longer it is open, and ends when it is aborted', async () => {
  const tail = new FirmTail()
  const place = (transaction: number) => ({ transaction: BigInt(transaction), position: 0n, line: 0 })
  tail.begin(place(0))
  const end = new AbortController()
  const stream = await EventStream.open({
    response: { destroyed: false, write: () => true } as unknown as ServerResponse,
    firmId: '',
    moves: 0,
    filter: everyEvent,
    after: place(0),
    rows: async () => [],
    tail,
    render: () => '',
    slowReaderTimeoutMs: 1_000,
    signal: end.signal,
  })
  const running = stream.run()
  const change = async (from: number, to: number) => {
    for (let at = from; at < to; at += 1) {
      tail.reach(place(at), true)
      await turn()
    }
  }
  await change(1, 2_000)
  const before = heapUsed()
  await change(2_000, 22_000)
  const grownBytes = heapUsed() - before
  assert.ok(grownBytes < 20_000 * 100, `${grownBytes} bytes for 20,000 changes`)
  end.abort()
  await running
})
