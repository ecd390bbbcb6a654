/** A rejected line is stored as it was sent: a JSON object with the digits of its numbers, from NDJSON and from CSV. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '@clearing/protocol'
import { type RunningService, startRunningService } from './running-service.ts'

let service: RunningService
before(async () => {
  service = await startRunningService()
})
after(() => service?.stop())

async function sentOf(lines: { ndjson: string } | { csv: string }) {
  const { operations } = service.operations
  const { data: load } = await operations.loadPrices({ lines })
  const { data } = await operations.getLoad({ loadId: load.loadId })
  return data.rejects.map(({ line, sent }) => [line, sent])
}

test('a line of NDJSON is stored with all its digits, and a line of CSV by the names of its first line', async () => {
  const line = '{"symbol":"NOSUCH","price":1.10000000000000000001,"priceTime":"2026-01-02T21:00:00Z"}'
  const [found] = await sentOf({ ndjson: line })
  assert.deepEqual(JSON.parse(String(found?.[1])), {
    symbol: 'NOSUCH',
    price: '1.10000000000000000001',
    priceTime: '2026-01-02T21:00:00Z',
  })
  const [fromCsv] = await sentOf({ csv: 'symbol,price\nNOSUCH,12\n' })
  assert.deepEqual(JSON.parse(String(fromCsv?.[1])), { symbol: 'NOSUCH', price: '12' })
})

test('a line that is not an object, or is too long, is not stored', async () => {
  assert.deepEqual(
    (await sentOf({ ndjson: '[1]\n' })).map(([, sent]) => sent),
    [''],
  )
  const long = JSON.stringify({ symbol: 'NOSUCH', note: 'x'.repeat(limits.rejectedLineLengthMax) })
  for (const [, sent] of await sentOf({ ndjson: `${long}\n` })) assert.equal(sent, '')
})
